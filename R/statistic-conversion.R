# Conversion of numbers to values of a whole or logical column: a public rule for each value,
# applied before the core reads them. Saved plans from before this choice existed have no
# `conversion`: the core truncates their numbers, and clamps them to 0 and 1 if the column is
# logical.

# Writes out the rule in the arguments, if the type uses it.
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

# Type that numbers are converted to, or NULL.
converted_type <- function(arguments) {
  if (identical(arguments[["conversion"]], "round")) tolower(arguments[["varType"]])
}

# Converts the numeric columns that a plan has read. Codes of classes stay the same.
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

# Looks at values only if the type and class, which are public, require it.
converted <- function(x, type) {
  if (typeof(x) == "logical" || (type == "integer" && typeof(x) == "integer")) {
    x
  } else if (type == "integer") {
    round(x)
  } else {
    as.double(match(x, c(0, 1))) - 1
  }
}
