# Reads private data. No other file does.

# Reads a column of numbers. Its name must match exactly, and its type is checked before any value
# is read. It is not copied: the core reads doubles, integers and logical values in place
# (src/r_rows.h). An error names the kind of the column, which is public.
column_of <- function(data, variable) {
  column <- one_column(data, variable)
  if (!is_plain_column(column)) {
    refuse_data(data, variable, "a plain logical, integer or double vector")
  }
  structure(list(column), class = "dp_numbers")
}

# Checks only types and attributes, and ignores classes.
is_plain_column <- function(x) {
  typeof(x) %in% c("logical", "integer", "double") && !is.object(x) && is.null(attr(x, "dim"))
}

# Reads columns, each as column_of() does.
columns_of <- function(data, columns) {
  all <- lapply(stats::setNames(nm = columns), function(column) column_of(data, column))
  structure(all, class = "data.frame", row.names = .set_row_names(rows_in(all[[1]])))
}

# Reads `columns`, including texts and factors: list(numbers, texts), or only numbers. The first
# column has numbers.
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

# Number of rows of a column from one of these functions. Ignores the class of the data.
rows_in <- function(column) {
  length(unclass(if (inherits(column, c("dp_numbers", "dp_texts"))) column[[1]] else column))
}

# Data frame of doubles from columns_of() on public data.
doubles_in <- function(columns) {
  columns[] <- lapply(unclass(columns), function(column) as.double(column[[1]]))
  columns
}

# Reads a text column or a factor without changes. The core interprets its elements. It turns
# invalid encodings and codes without a level into missing values, so that one row cannot decide
# whether there is a release.
text_column_of <- function(data, variable) {
  column <- one_column(data, variable)
  if (!is_text_column(column)) refuse_data(data, variable, "text or a factor")
  column
}

# Reads texts as one column of a frame with several.
texts_of <- function(data, variable) {
  structure(list(text_column_of(data, variable)), class = "dp_texts")
}

# Checks only types and attributes, and ignores classes.
is_text_column <- function(x) {
  kept_as <- if (inherits(x, "factor")) {
    typeof(x) == "integer" && typeof(attr(x, "levels")) == "character"
  } else {
    typeof(x) == "character" && !is.object(x)
  }
  kept_as && is.null(attr(x, "dim"))
}

# Gets the column, or NULL.
one_column <- function(data, variable) {
  if (!is.data.frame(data)) {
    return(NULL)
  }
  check_ungrouped(data)
  at <- which(attr(data, "names") == variable)
  if (length(at) == 1) .subset2(data, at)
}

# Keeps the names and types of the data, without rows. Ignores classes.
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

# Refuses grouped rows: one result for all rows would look like a result for each group. The class
# is public.
check_ungrouped <- function(data) {
  if (inherits(data, c("grouped_df", "rowwise_df"))) {
    stop_dp(paste0(
      "`data` must not be grouped: a statistic has one result, for all rows. Release it for the ",
      "rows of each group, or use `dp_tbl()`, `group_by()` and `summarise()`."
    ), "invalid_argument", argument = "data", call = NULL)
  }
}

# Refuses a wrong number of rows. Neighbours have the same number, so both are refused or neither. A
# plan without the field is for data whose number of rows is private.
check_row_number <- function(columns, fields) {
  # Objects saved by older versions have the former name.
  if (!any(fields$n_check %in% c("error", former_row_check))) {
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

# `sentence` contains no number: only the fact that there was an error is public.
stop_rows <- function(sentence) stop_dp("{sentence}", "rows", argument = "data", call = NULL)
