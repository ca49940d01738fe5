# Columns of a model, and their values in public rows.
#
# A column of the model is list(name, numbers, cells): the product of these columns, in rows where
# each column in `cells` has this level. It has no numbers for an indicator.

variables_of_columns <- function(columns) {
  unique(unlist(lapply(columns, function(column) c(column$numbers, names(column$cells)))))
}

# Values of model columns in public rows. A row with a missing value or an unknown level has NA.
columns_of_rows <- function(columns, levels, newdata, call) {
  check_columns_of_rows(newdata, variables_of_columns(columns), call)
  numbers <- unique(unlist(lapply(columns, `[[`, "numbers")))
  known <- stats::setNames(numbers_of_new_rows(newdata, numbers, call), numbers)
  values <- vapply(columns, function(column) {
    product <- Reduce(`*`, known[column$numbers], rep(1, nrow(newdata)))
    for (name in names(column$cells)) {
      value <- as.character(newdata[[name]])
      value[!value %in% levels[[name]]] <- NA
      product <- product * (value == column$cells[[name]])
    }
    product
  }, numeric(nrow(newdata)))
  matrix(values, nrow(newdata))
}

numbers_of_new_rows <- function(newdata, names, call) {
  lapply(names, function(name) drop(numbers_of_rows(newdata, name, call)))
}
