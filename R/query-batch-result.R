#' Released batches
#'
#' [release()] of a batch returns a list with a [dp_released] table for each query, under its name.
#' Use `$` to take one of them. It prints, plots and publishes like the release of a single query.
#'
#' Batches have the methods of all results. [print()][dp_result] and documents show the tables one
#' after the other, and [summary()][statistic_models] returns a list of the summaries.
#' [tidy(), glance() and as.data.frame()][statistic_tables] return one data frame for all queries.
#' Its first column `query` has their names. Columns that a query does not have are `NA`.
#' [plot() and autoplot()][statistic_plots] draw one column, such as `what = "by_sex$n"`.
#' [dp_receipt()] takes the batch, which has one receipt.
#'
#' @section Errors: As for [dp_released].
#' @examplesIf requireNamespace("dplyr", quietly = TRUE)
#' library(dplyr, warn.conflicts = FALSE)
#' session <- dp_session(dp_epsilon(1))
#' people <- dp_tbl(session, PUMS5extract10000,
#'   unit = dp_unit(rows = 1),
#'   domain = dp_domain(age = dp_int(18, 93), sex = dp_levels(0, 1))
#' )
#' batch <- dp_batch(session,
#'   by_sex = count(people, sex), age = summarise(people, age = dp_mean(age))
#' )
#' released <- release(batch, epsilon = 0.5)
#' released
#' released$by_sex$n
#' generics::tidy(released)
#' @name dp_released_batch
NULL

# S3 method names contain dots.

# nolint start: object_name_linter.
result_parts.dp_released_batch <- function(x) unclass(x)

result_rows.dp_released_batch <- function(x) stacked_by_query(by_query(x, result_rows))

result_frame.dp_released_batch <- function(x) as.data.frame(result_rows(x))

result_facts.dp_released_batch <- function(x) stacked_by_query(by_query(x, result_facts))

alpha_of.dp_released_batch <- function(x) alpha_of(x[[1]])

result_intervals.dp_released_batch <- function(x, parm, level, formula, call) {
  parts <- by_query(x, function(table) result_intervals(table, parm, level, formula, call)$table)
  names <- Map(function(name, part) paste0(name, ": ", rownames(part)), names(x), parts)
  table <- do.call(rbind, unname(parts))
  rownames(table) <- unlist(names)
  list(table = table, covers = unique(stats::na.omit(result_rows(x)$covers)))
}

# Names have the query and the column, such as "by_sex$n".
pictures.dp_released_batch <- function(x) {
  all <- by_query(x, pictures)
  names <- Map(function(query, drawn) paste0(query, "$", names(drawn)), names(all), all)
  names <- unlist(names, use.names = FALSE)
  structure(stats::setNames(unlist(all), names), of_columns = TRUE)
}
# nolint end

# Dispatches from this frame, because methods are not found from lapply().
by_query <- function(x, of) lapply(unclass(x), function(table) of(table))

# Stacks the data frames of all queries, with the union of their columns.
stacked_by_query <- function(tables) {
  columns <- unique(c("query", unlist(lapply(tables, names))))
  parts <- Map(function(name, table) {
    table <- as.data.frame(table)
    table$query <- rep(name, nrow(table))
    table[setdiff(columns, names(table))] <- NA
    table[columns]
  }, names(tables), tables)
  columns_of <- function(name) {
    values <- lapply(parts, `[[`, name)
    kinds <- unique(lapply(Filter(function(value) !all(is.na(value)), values), class))
    # Only text can hold groups of different types.
    if (length(kinds) > 1) values <- lapply(values, as.character)
    # c() uses the class of its first value, so all-missing values take the class of the others.
    known <- Filter(function(value) !all(is.na(value)), values)
    if (length(known) > 0) {
      values <- lapply(values, function(value) {
        if (all(is.na(value))) known[[1]][rep(NA_integer_, length(value))] else value
      })
    }
    do.call(c, unname(values))
  }
  table <- stats::setNames(lapply(columns, columns_of), columns)
  table <- structure(table, row.names = .set_row_names(length(table$query)), class = "data.frame")
  as_tibble_if_known(table)
}
