# Prints declarations of columns.

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

# Describes a declared or derived column, such as "integer, 0 to 60".
describe_column <- function(column) {
  type <- c(
    logical = "TRUE or FALSE", integer = "whole number", real = "number", text = "text",
    levels = "level", date = "date"
  )[[column$type]]
  bounds <- c(column$lower, column$upper)
  if (isTRUE(column$public)) {
    return("level: the levels of the column")
  }
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
  codes <- if (length(column[["na"]]) > 0) paste0("; na: ", toString(shown_codes(column)))
  if (identical(missing, "drop")) {
    codes %||% ""
  } else if (is.character(missing)) {
    what <- switch(missing,
      row = "the row is dropped",
      group = "a group",
      missing
    )
    paste0("; missing: ", what, codes)
  } else {
    paste0("; missing: ", missing_words(column), codes)
  }
}

# The replacement of missing values, in words.
missing_words <- function(column) {
  switch(column$type,
    levels = column$levels[[column$missing + 1]],
    logical = as.character(column$missing != 0),
    date = format(as.Date(column$missing, "1970-01-01")),
    show_number(column$missing, 7)
  )
}

shown_codes <- function(column) {
  if (column$type == "date") {
    format(as.Date(column[["na"]], "1970-01-01"))
  } else if (is.numeric(column[["na"]])) {
    show_number(column[["na"]], 7)
  } else {
    paste0("\"", column[["na"]], "\"")
  }
}
