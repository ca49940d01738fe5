# Private data come in here, and only here.

# The column as doubles, chosen by its exact name and checked by its type, before any of its values
# is read. What is refused is told by its kind, which is public.
column_of <- function(data, variable) {
  column <- one_column(data, variable)
  plain <- typeof(column) %in% c("logical", "integer", "double") && !is.object(column) &&
    is.null(dim(column))
  if (!plain) refuse_data(data, variable, "a plain vector of type logical, integer or double")
  as.double(column)
}

# The same as text, also of a factor. Bytes in no encoding are missing: one row must not decide
# whether there is a release.
text_column_of <- function(data, variable) {
  column <- one_column(data, variable)
  levels <- attr(column, "levels")
  text <- if (typeof(column) == "integer" && inherits(column, "factor") && is.character(levels)) {
    levels[unclass(column)]
  } else if (is.character(column) && !is.object(column) && is.null(dim(column))) {
    as.vector(column)
  } else {
    refuse_data(data, variable, "text or a factor")
  }
  text[Encoding(text) == "bytes"] <- NA
  text
}

# The column, or NULL.
one_column <- function(data, variable) {
  if (!is.data.frame(data)) {
    return(NULL)
  }
  at <- which(attr(data, "names") == variable)
  if (length(at) == 1) .subset2(data, at)
}

# What a statistic does with data of another number of rows than the public `n`.
row_checks <- c("refuse", "resize")

# Neighbours have equally many rows, so both are refused or none. A plan without the field is for
# data whose number of rows is a secret.
check_row_number <- function(columns, fields) {
  if (!identical(fields$n_check, "refuse")) {
    return(invisible())
  }
  if (!is.data.frame(columns)) columns <- list(columns)
  if (!all(lengths(columns, use.names = FALSE) == fields$n)) {
    stop_dp("`data` must have `n` rows; a plan with `n_check = \"resize\"` takes any number.",
      "rows",
      argument = "data", call = NULL
    )
  }
}
