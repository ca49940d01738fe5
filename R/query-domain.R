#' Declare the columns of a private table
#'
#' What is declared of a column holds for every table that could be, not for the one that is: it is
#' public, chosen without looking at the data, and enforced. Numbers outside of their bounds are
#' clamped to them, and what is neither a number nor a declared level counts as missing. Columns
#' that are not declared cannot be used.
#'
#' @param ... In `dp_schema()`, declarations by the names of columns; or, as a single argument
#'   without a name, a data dictionary, see the section on it. In `dp_levels()`, all values that a
#'   column may have: strings, or whole numbers. Public.
#' @param lower,upper (`numeric(1)`, for `dp_date()` `Date(1)`) Bounds, in the column's unit; of
#'   `dp_int()` whole numbers within 2^51, of `dp_num()` below 1e300 in magnitude. Without them a
#'   column can be a key or be filtered, but not summed. Public.
#' @param missing What a missing value counts as: `"drop"`, it leaves what is computed of the
#'   column; `"midpoint"` of the bounds; or a value within them, for `dp_flag()` `TRUE` or `FALSE`,
#'   for `dp_levels()` a level. Public.
#' @param x (`dp_domain`)
#' @returns `dp_schema()`: a `dp_domain`, for [dp_tbl()]. `dp_domain()` is another name of the same
#'   function. The others: a `dp_column`.
#' @details
#' | declaration | columns of R that it reads |
#' |---|---|
#' | `dp_flag()` | logical |
#' | `dp_int()` | integer, double, 64-bit integer, labelled; fractions round toward zero |
#' | `dp_num()` | the same |
#' | `dp_levels()` | character, factor, whole numbers if the levels are |
#' | `dp_text()` | character, factor |
#' | `dp_date()` | `Date` |
#'
#' Texts are compared as bytes of UTF-8: `"é"` in one character and in two are different levels. A
#' declaration of both is taken, with a warning where the package stringi is installed.
#' @section Data dictionary: `dp_schema()` reads a data frame, or the path of a CSV file (UTF-8,
#'   with commas or semicolons), that has a row for each column of the data. It comes from a code
#'   book, not from the private data. Its columns are:
#'
#'   * `name` and `type`, which must be there. Types are `flag` (or `logical`), `int` (`integer`),
#'     `num` (`numeric`), `levels` (`factor`), `codes` (levels that are whole numbers), `text`
#'     (`character`) and `date`.
#'   * `lower` and `upper`: bounds, of dates such as `2026-01-31`.
#'   * `levels`: all levels, separated by `|`, or a list of vectors in a data frame.
#'   * `missing`: what a missing value counts as, as the argument `missing`.
#'   * `na`: codes that stand for missing values, separated by `|`.
#'
#'   An empty cell leaves the argument out. `label`, `description`, `comment`, `notes` and `unit`
#'   are remarks that nothing reads. [dp_schema_draft()] writes a first draft as code, from the
#'   types of the data; [dp_made_up()] makes rows for trying a script.
#' @section Errors: `dp_error_invalid_argument` for bounds in the wrong order, a `missing` that is
#'   out of them, a level that comes twice, or a column that is declared twice or without a name.
#' @section Warnings: `dp_warning_levels` for levels that differ only in how Unicode composes them.
#' @examples
#' dp_schema(
#'   ward = dp_levels("North", "South"), days = dp_int(0, 60),
#'   cost = dp_num(0, 5e4, missing = "midpoint"), born = dp_date(as.Date("1900-01-01"), Sys.Date())
#' )
#'
#' # The same, from a data dictionary.
#' dp_schema(data.frame(
#'   name = c("ward", "days"), type = c("levels", "int"), levels = c("North | South", NA),
#'   lower = c(NA, 0), upper = c(NA, 60)
#' ))
#' @name dp_domain
NULL

new_column <- function(type, lower = NULL, upper = NULL, levels = NULL, whole = NULL,
                       missing = "drop") {
  column <- list(
    type = type, lower = lower, upper = upper, levels = levels, whole = whole, missing = missing
  )
  structure(Filter(Negate(is.null), column), class = "dp_column")
}

#' @rdname dp_domain
#' @export
dp_int <- function(lower = NULL, upper = NULL, missing = c("drop", "midpoint")) {
  bounds <- declared_bounds(lower, upper, environment())
  if (any(abs(bounds) > 2^51 | bounds != trunc(bounds))) {
    stop_argument("whole numbers within 2^51", "others", "lower", environment())
  }
  missing <- column_missing(missing, bounds, environment())
  new_column("integer", bounds[1], bounds[2], missing = missing) |> without_bounds(bounds)
}

#' @rdname dp_domain
#' @export
dp_num <- function(lower = NULL, upper = NULL, missing = c("drop", "midpoint")) {
  bounds <- declared_bounds(lower, upper, environment())
  if (any(abs(bounds) >= 1e300)) {
    stop_argument("below 1e300 in magnitude, as `upper`", "larger", "lower", environment())
  }
  missing <- column_missing(missing, bounds, environment())
  new_column("real", bounds[1], bounds[2], missing = missing) |> without_bounds(bounds)
}

#' @rdname dp_domain
#' @export
dp_date <- function(lower = NULL, upper = NULL, missing = c("drop", "midpoint")) {
  bounds <- declared_bounds(day_of(lower, "lower"), day_of(upper, "upper"), environment())
  if (inherits(missing, "Date")) missing <- day_of(missing, "missing")
  missing <- column_missing(missing, bounds, environment())
  new_column("date", bounds[1], bounds[2], missing = missing) |> without_bounds(bounds)
}

without_bounds <- function(column, bounds) {
  if (length(bounds) == 0) column[c("lower", "upper")] <- NULL
  column
}

# Days since 1970-01-01.
day_of <- function(x, arg, call = rlang::caller_env()) {
  if (is.null(x)) {
    return(x)
  }
  if (!inherits(x, "Date") || length(x) != 1 || is.na(x)) {
    stop_argument("a date", describe(x), arg, call)
  }
  floor(as.double(unclass(x)))
}

#' @rdname dp_domain
#' @export
dp_flag <- function(missing = "drop") {
  if (!identical(missing, "drop") && !is_flag(missing)) {
    stop_argument("\"drop\", TRUE or FALSE", describe(missing), "missing", environment())
  }
  new_column("logical", missing = if (is_flag(missing)) as.double(missing) else missing)
}

#' @rdname dp_domain
#' @export
dp_levels <- function(..., missing = NULL) {
  named <- setdiff(...names(), c("", NA))
  if (length(named) > 0) stop_unknown(named[[1]], "missing", call = quote(dp_levels()))
  levels <- unlist(lapply(list(...), levels_in), use.names = FALSE)
  if (length(levels) > limit("cells")) {
    stop_argument(paste("at most", limit("cells"), "levels"), length(levels), "...", environment())
  }
  whole <- is.numeric(levels)
  usable <- is.character(levels) || whole && all(is.finite(levels) & levels == trunc(levels))
  if (!usable || anyNA(levels) || anyDuplicated(levels) > 0) {
    stop_argument(
      "strings or whole numbers, each once", "others, or none", "...", environment()
    )
  }
  place <- 0
  if (!is.null(missing)) {
    place <- match(missing, levels)
    if (length(place) != 1 || is.na(place)) {
      stop_argument("one of the levels", describe(missing), "missing", environment())
    }
  }
  text <- if (whole) format(levels, scientific = FALSE, trim = TRUE) else enc2utf8(levels)
  warn_look_alikes(text, environment())
  new_column("levels",
    levels = text, whole = if (whole) TRUE,
    missing = if (is.null(missing)) "drop" else place - 1
  )
}

# Texts that Unicode calls canonically equivalent: engines and keyboards write one or the other.
warn_look_alikes <- function(text, call) {
  valid <- text[validUTF8(text)]
  if (!any(grepl("[^ -~]", valid, perl = TRUE)) || !requireNamespace("stringi", quietly = TRUE)) {
    return(invisible())
  }
  composed <- stringi::stri_trans_nfc(valid)
  alike <- composed[duplicated(composed)]
  if (length(alike) > 0) {
    warn_dp(
      "Levels that look alike, such as \"{alike[[1]]}\", differ in their bytes: each is its own.",
      "levels", call = call
    )
  }
}

levels_in <- function(x) {
  if (is.factor(x)) {
    levels(x)
  } else if (inherits(x, "integer64")) {
    core_doubles_of_integer64(x)
  } else {
    as.vector(x)
  }
}

#' @rdname dp_domain
#' @export
dp_text <- function() new_column("text")

# Both or none; as doubles.
declared_bounds <- function(lower, upper, call) {
  if (is.null(lower) && is.null(upper)) {
    return(double())
  }
  check_number(lower, arg = "lower", call = call)
  check_number(upper, arg = "upper", call = call)
  check_bounds(c(lower, upper), arg = "lower", call = call)
  as.double(c(lower, upper))
}

column_missing <- function(missing, bounds, call) {
  if (is.character(missing)) {
    missing <- missing[[1]]
    check_choice(missing, c("drop", "midpoint"), arg = "missing", call = call)
    if (missing == "midpoint" && length(bounds) == 0) {
      stop_argument("\"drop\" without bounds", "\"midpoint\"", "missing", call)
    }
    return(missing)
  }
  check_number(missing, arg = "missing", call = call)
  if (length(bounds) == 0 || missing < bounds[[1]] || missing > bounds[[2]]) {
    stop_argument("within the bounds", "a number out of them", "missing", call)
  }
  as.double(missing)
}

#' @rdname dp_domain
#' @export
format.dp_domain <- function(x, ...) {
  described <- vapply(x, describe_column, "")
  paste0(format(names(x)), "  ", described)
}

#' @rdname dp_domain
#' @export
print.dp_domain <- function(x, ...) {
  cat(c("<dp_domain>", paste0("  ", format(x))), sep = "\n")
  invisible(x)
}

#' @export
format.dp_column <- function(x, ...) describe_column(x)

#' @export
print.dp_column <- function(x, ...) {
  cat("<dp_column> ", format(x), "\n", sep = "")
  invisible(x)
}

# "integer, 0 to 60", of a declared column or of one that a query derives.
describe_column <- function(column) {
  type <- c(
    logical = "TRUE or FALSE", integer = "whole number", real = "number", text = "text",
    levels = "level", date = "date"
  )[[column$type]]
  bounds <- c(column$lower, column$upper)
  range <- if (column$type == "levels") {
    shown <- utils::head(column$levels, 6)
    more <- length(column$levels) - length(shown)
    paste0(": ", toString(shown), if (more > 0) paste0(" and ", more, " more"))
  } else if (column$type != "logical" && length(bounds) == 2 && all(is.finite(bounds))) {
    is_date <- column$type == "date"
    ends <- if (is_date) format(as.Date(bounds, "1970-01-01")) else show_number(bounds, 7)
    paste0(", ", paste(ends, collapse = " to "))
  } else if (column$type %in% c("integer", "real", "date")) {
    ", without bounds"
  }
  paste0(type, range, describe_missing(column))
}

describe_missing <- function(column) {
  missing <- column$missing %||% "drop"
  if (identical(missing, "drop")) {
    ""
  } else if (is.character(missing)) {
    paste0("; missing: ", missing)
  } else {
    value <- switch(column$type,
      levels = column$levels[[missing + 1]],
      logical = as.character(missing != 0),
      date = format(as.Date(missing, "1970-01-01")),
      show_number(missing, 7)
    )
    paste0("; missing: ", value)
  }
}
