#' Declare the columns of a private table
#'
#' `dp_schema()` declares the values that each column can have. Declarations are public, so choose
#' them without looking at the data. Queries enforce them on every row, and you can use only
#' declared columns.
#'
#' @param ... In `dp_schema()`, declarations by column name, or a single data dictionary without a
#'   name (see the section on it). In `dp_levels()`, all values that a column can have: strings, or
#'   whole numbers. In the other functions it is not used: other names raise an error.
#'   Public.
#' @param lower,upper (`numeric(1)`, for `dp_date()` a `Date(1)` or a string such as `"2026-01-31"`)
#'   Bounds, in the unit of the column: whole numbers within 2^51 for `dp_int()`, below 1e300 in
#'   magnitude for `dp_num()`. Without bounds, a column can be a key or a filter condition. To sum
#'   it, give `bounds` in the aggregate. Public.
#' @param missing Rule for missing values, see [missing_values]. Public.
#' @param na Codes for missing values, such as `c(-9, 999)`. For `dp_text()`, and for `dp_levels()`
#'   of strings, codes are strings, and for `dp_date()` dates. For `dp_flag()` they are whole
#'   numbers in an SQLite column. Public.
#' @param encoding (`character(1)`) Encoding of texts that are not valid UTF-8: `"latin1"`,
#'   `"latin9"` or `"windows-1252"`. Public.
#' @param tz (`character(1)`) Time zone that turns a `POSIXct` column into days. Public. Arrow data
#'   and engines have other rules. Date-times without a zone, and texts, keep the day as written.
#'   Date-times with a zone raise an error with the code that converts them. Numbers in SQLite are
#'   days, so give no `tz` for them.
#' @param levels `"public"`: the factor levels or haven value labels of the column are public, and
#'   [dp_tbl()] reads them from the column.
#' @param x (`dp_domain`)
#' @returns `dp_schema()` returns a `dp_domain` for [dp_tbl()]. `dp_domain()` is an alias.
#'   `dp_drop()` returns a value for `missing`. The other functions return a `dp_column`.
#' @details
#' See [dp_columns()] for the column classes that each declaration reads, and [missing_values] for
#' missing values and values outside the bounds.
#' @section Texts as dates and numbers: `dp_date()` reads ISO dates such as `"2026-01-31"`. A time
#'   of day can follow, as in `"2026-01-31 10:00:00"` or `"2026-01-31T10:00"`, and the day is read
#'   as written. A text with an offset, such as `Z` or `+01:00`, is missing, because its day depends
#'   on the time zone. `"31.01.2026"` is missing, too. `dp_levels()` of whole numbers reads decimal
#'   digits: `"1"` and `"01"` are the level 1. In `dp_levels()` of strings they are different
#'   levels.
#' @section Encodings: A text is read as UTF-8 if it is valid UTF-8, or as Latin 1 if R marks it so.
#'   Other texts are read in `encoding`. For example, `read.csv()` of a Latin 1 file creates such
#'   texts, so declare `encoding = "latin1"`. Bytes that are not valid in the encoding are missing.
#'   In an id column they still identify one person.
#'
#'   Texts are compared as UTF-8 bytes. An accented letter as one character, and the same letter
#'   with a combining accent, are different levels. If package stringi is installed, you get a
#'   warning when you declare both.
#' @section Data dictionary: `dp_schema()` also takes a data frame, or the path of a CSV file
#'   (UTF-8, commas or semicolons), with one row for each column of the data. Take it from a code
#'   book, not from the private data. It has these columns:
#'
#'   * `name` and `type` (required). Types are `flag` (or `logical`), `int` (`integer`), `num`
#'     (`numeric`), `levels` (`factor`), `codes` (levels that are whole numbers), `text`
#'     (`character`) and `date`.
#'   * `lower` and `upper`: bounds. Write dates as `2026-01-31`.
#'   * `levels`: all levels, separated by `|`, or a list column of vectors.
#'   * `missing`: as the argument `missing`.
#'   * `na`: codes for missing values, separated by `|`.
#'
#'   An empty cell omits the argument. The columns `label`, `description`, `comment`, `notes` and
#'   `unit` are ignored.
#' @section Errors: `dp_error_invalid_argument` for bounds in the wrong order, for a `missing`
#'   outside the bounds, for a duplicate level, and for a column without a name or declared twice.
#' @section Warnings: `dp_warning_levels` for levels that differ only in their Unicode composition.
#' @seealso [dp_schema_draft()] writes a first draft from the column types. [dp_made_up()] draws
#'   rows to try a script on.
#' @examples
#' dp_schema(
#'   ward = dp_levels("North", "South", missing = NA), days = dp_int(0, 60, na = 999),
#'   cost = dp_num(0, 5e4, missing = "midpoint"), born = dp_date(as.Date("1900-01-01"), Sys.Date()),
#'   consent = dp_flag(missing = dp_drop())
#' )
#'
#' # From a data dictionary.
#' dp_schema(data.frame(
#'   name = c("ward", "days"), type = c("levels", "int"), levels = c("North | South", NA),
#'   lower = c(NA, 0), upper = c(NA, 60)
#' ))
#' @order 1
#' @name dp_domain
NULL

new_column <- function(type, lower = NULL, upper = NULL, levels = NULL, whole = NULL,
                       missing = "drop", na = NULL, encoding = NULL, tz = NULL) {
  column <- list(
    type = type, lower = lower, upper = upper, levels = levels, whole = whole, missing = missing,
    na = na, encoding = if (!identical(encoding, "UTF-8")) encoding, tz = tz
  )
  structure(Filter(Negate(is.null), column), class = "dp_column")
}

#' @rdname dp_domain
#' @export
dp_int <- function(lower = NULL, upper = NULL, missing = c("drop", "midpoint"), na = NULL, ...) {
  check_names(...)
  bounds <- declared_bounds(lower, upper, environment())
  refuse_bound(abs(bounds) > 2^51 | bounds != trunc(bounds), bounds, "a whole number within 2^51",
    environment()
  )
  missing <- column_missing(missing, bounds, environment())
  if (is.numeric(missing) && missing != trunc(missing)) {
    stop_argument("a whole number", missing, "missing", environment())
  }
  new_column("integer", bounds[1], bounds[2], missing = missing, na = number_codes(na)) |>
    without_bounds(bounds)
}

#' @rdname dp_domain
#' @export
dp_num <- function(lower = NULL, upper = NULL, missing = c("drop", "midpoint"), na = NULL, ...) {
  check_names(...)
  bounds <- declared_bounds(lower, upper, environment())
  refuse_bound(abs(bounds) >= 1e300, bounds, "below 1e300 in magnitude", environment())
  missing <- column_missing(missing, bounds, environment())
  new_column("real", bounds[1], bounds[2], missing = missing, na = number_codes(na)) |>
    without_bounds(bounds)
}

#' @rdname dp_domain
#' @export
dp_date <- function(lower = NULL, upper = NULL, missing = c("drop", "midpoint"), na = NULL,
                    tz = NULL, ...) {
  check_names(...)
  check_string(tz, null = TRUE)
  if (!is.null(tz) && !tz %in% OlsonNames()) {
    stop_argument("a time zone that `OlsonNames()` lists", "another string", "tz", environment())
  }
  bounds <- declared_bounds(day_of(lower, "lower"), day_of(upper, "upper"), environment())
  of_date <- inherits(missing, "Date") && !anyNA(missing)
  if (of_date || is_string(missing) && !is.null(iso_date(missing))) {
    missing <- day_of(missing, "missing")
  }
  missing <- column_missing(missing, bounds, environment())
  new_column("date", bounds[1], bounds[2], missing = missing, na = date_codes(na), tz = tz) |>
    without_bounds(bounds)
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
  if (is_string(x)) x <- iso_date(x) %||% x
  if (!inherits(x, "Date") || length(x) != 1 || is.na(x)) {
    given <- if (is_string(x)) name_public(x) else describe(x)
    stop_argument("a date, or a string such as \"2026-01-31\"", given, arg, call)
  }
  floor(as.double(unclass(x)))
}

# Parses an ISO 8601 date. NULL for other strings.
iso_date <- function(text) {
  if (!grepl("^[0-9]{4}-[0-9]{2}-[0-9]{2}$", text)) {
    return(NULL)
  }
  date <- as.Date(text, format = "%Y-%m-%d", optional = TRUE)
  if (!is.na(date)) date
}

#' @rdname dp_domain
#' @export
dp_flag <- function(missing = "drop", na = NULL, ...) {
  check_names(...)
  new_column("logical", missing = kind_of_missing(missing) %||%
    if (is_flag(missing)) {
      as.double(missing)
    } else {
      stop_argument("\"drop\", TRUE, FALSE, NA or dp_drop()", describe(missing), "missing",
        environment()
      )
    }, na = number_codes(na))
}
