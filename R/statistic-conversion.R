# How numbers become values of a whole or logical column: a public rule for each value, applied
# before the core reads them. Saved plans from before there was a choice have no `conversion`: the
# core truncates their numbers, and clamps them to 0 and 1 if the column is logical.

# Arguments with the rule written out, if the type has a use for it.
with_conversion <- function(arguments, declared) {
  if (!"conversion" %in% names(declared$kinds)) {
    return(arguments)
  }
  if (identical(arguments[["conversion"]], conversions)) arguments["conversion"] <- list("round")
  type <- arguments[["varType"]]
  converts <- is_string(type) && tolower(type) %in% c("integer", "logical")
  known <- is_string(arguments[["conversion"]]) && arguments[["conversion"]] %in% conversions
  if (known && (!converts || arguments[["conversion"]] == "truncate")) {
    arguments["conversion"] <- list(NULL)
  }
  arguments
}

# The type that numbers are converted to, or NULL.
converted_type <- function(arguments) {
  if (identical(arguments[["conversion"]], "round")) tolower(arguments[["varType"]])
}

# What a plan has read, with each column of numbers converted. Codes of classes stay.
converted_columns <- function(columns, type) {
  if (is.null(type)) {
    return(columns)
  }
  if (is.data.frame(columns)) {
    kept <- attributes(columns)
    columns <- lapply(unclass(columns), converted_numbers, type)
    attributes(columns) <- kept
    return(columns)
  }
  converted_numbers(columns, type)
}

converted_numbers <- function(column, type) {
  if (inherits(column, "dp_numbers") && is.null(attr(column, "codes"))) {
    kept <- attributes(column)
    column <- list(converted(unclass(column)[[1]], type))
    attributes(column) <- kept
  }
  column
}

# Types and classes are public: they alone decide whether values are looked at.
converted <- function(x, type) {
  if (typeof(x) == "logical" || (type == "integer" && typeof(x) == "integer")) {
    x
  } else if (type == "integer") {
    round(x)
  } else {
    as.double(match(x, c(0, 1))) - 1
  }
}
