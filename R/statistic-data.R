# Private data come in here, and only here.

# The column as numbers, chosen by its exact name and checked by its type, before any of its values
# is read. It is not copied: the core reads doubles, integers and logical values where they lie
# (src/r_rows.h). A refusal names the kind of the column, which is public.
column_of <- function(data, variable) {
  column <- one_column(data, variable)
  if (!is_plain_column(column)) {
    refuse_data(data, variable, "a plain logical, integer or double vector")
  }
  structure(list(column), class = "dp_numbers")
}

# Asked of types and attributes alone: a class has no say.
is_plain_column <- function(x) {
  typeof(x) %in% c("logical", "integer", "double") && !is.object(x) && is.null(attr(x, "dim"))
}

# The columns, each as column_of() has it.
columns_of <- function(data, columns) {
  all <- lapply(stats::setNames(nm = columns), function(column) column_of(data, column))
  structure(all, class = "data.frame", row.names = .set_row_names(rows_in(all[[1]])))
}

# The columns that `columns` names, texts and factors among them: list(numbers, texts), or numbers
# alone. The first is of numbers.
columns_of_kinds <- function(data, columns) {
  if (is.character(columns)) {
    return(columns_of(data, columns))
  }
  numbers <- columns_of(data, columns$numbers)
  texts <- lapply(stats::setNames(nm = columns$texts), function(column) texts_of(data, column))
  structure(c(unclass(numbers), texts), class = "data.frame",
    row.names = .set_row_names(rows_in(numbers[[1]]))
  )
}

# How many rows a column has that was read by one of these functions. A class of the data has no say
# in it.
rows_in <- function(column) {
  length(unclass(if (inherits(column, c("dp_numbers", "dp_texts"))) column[[1]] else column))
}

# What columns_of() has read, of public data, as a data frame of doubles.
doubles_in <- function(columns) {
  columns[] <- lapply(unclass(columns), function(column) as.double(column[[1]]))
  columns
}

# A column of text, or a factor, as it is. What its elements say is for the core to read: of bytes
# in no encoding and of codes without a level it makes missing values, so that one row does not
# decide whether there is a release.
text_column_of <- function(data, variable) {
  column <- one_column(data, variable)
  if (!is_text_column(column)) refuse_data(data, variable, "text or a factor")
  column
}

# The same as a column of a frame of several.
texts_of <- function(data, variable) {
  structure(list(text_column_of(data, variable)), class = "dp_texts")
}

# Asked of types and attributes alone: a class has no say.
is_text_column <- function(x) {
  kept_as <- if (inherits(x, "factor")) {
    typeof(x) == "integer" && typeof(attr(x, "levels")) == "character"
  } else {
    typeof(x) == "character" && !is.object(x)
  }
  kept_as && is.null(attr(x, "dim"))
}

# The column, or NULL.
one_column <- function(data, variable) {
  if (!is.data.frame(data)) {
    return(NULL)
  }
  check_ungrouped(data)
  at <- which(attr(data, "names") == variable)
  if (length(at) == 1) .subset2(data, at)
}

# The names and types of the data, without a cell. A class has no say.
without_rows <- function(data) {
  if (!is.data.frame(data)) {
    return(data)
  }
  kept <- attributes(data)
  kept$row.names <- integer()
  columns <- lapply(unclass(data), column_without_rows)
  attributes(columns) <- kept
  columns
}

column_without_rows <- function(column) {
  if (!is.vector(unclass(`attributes<-`(column, NULL)))) {
    return(column)
  }
  empty <- vector(typeof(column), 0)
  kept <- attributes(column)
  kept[c("names", "dimnames")] <- NULL
  if (!is.null(kept$dim)) kept$dim <- c(0L, kept$dim[-1])
  attributes(empty) <- kept
  empty
}

# A statistic has one result for all rows: of grouped rows, one result would look like the result of
# each group. The class is public.
check_ungrouped <- function(data) {
  if (inherits(data, c("grouped_df", "rowwise_df"))) {
    stop_dp(paste0(
      "`data` must not be grouped: a statistic has one result, for all rows. Release it for the ",
      "rows of each group, or use `dp_tbl()`, `group_by()` and `summarise()`."
    ), "invalid_argument", argument = "data", call = NULL)
  }
}

# Neighbours have equally many rows, so both are refused or none. A plan without the field is for
# data whose number of rows is a secret.
check_row_number <- function(columns, fields) {
  if (!identical(fields$n_check, "refuse")) {
    return(invisible())
  }
  sizes <- vapply(columns, rows_in, 0)
  if (!all(sizes == fields$n)) {
    stop_rows(paste(
      "`data` must have `n` rows. Build the plan with the number of rows of the data as `n`: it",
      "becomes public. If it must stay private, use a query, which needs no `n`: see `dp_tbl()`."
    ))
  }
}

# `sentence` tells no number: it is public that there was an error, and no more.
stop_rows <- function(sentence) stop_dp("{sentence}", "rows", argument = "data", call = NULL)
