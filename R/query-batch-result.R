#' What a batch released
#'
#' [release()] of a batch returns a list with a [dp_released] table for each query, under its name.
#' `$` takes one of them, which prints, plots and publishes as the release of a single query does.
#'
#' @param x,object (`dp_released_batch`) What [release()] returned for a [dp_batch()].
#' @param ... Passed on to the method of each table, such as `digits` and `n` of `print()`.
#' @returns `tidy()` and `glance()` return one data frame (a tibble, if package tibble is
#'   installed) for all queries. Its first column `query` has their names, and a column that a query
#'   lacks is `NA` there. `summary()` returns a list of the summaries. `print()` returns `x`,
#'   invisibly. [dp_receipt()] takes the batch, which has one receipt.
#' @section Errors: Those of the methods for [dp_released].
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

new_released_batch <- function(tables) structure(tables, class = "dp_released_batch")

# Methods' names have dots.
# nolint start: object_name_linter.

#' @rdname dp_released_batch
#' @export
format.dp_released_batch <- function(x, ...) {
  blocks <- Map(function(name, table) c(paste0("$", name), format(table, ...), ""), names(x),
    unclass(x)
  )
  lines <- unlist(blocks, use.names = FALSE)
  lines[-length(lines)]
}

#' @rdname dp_released_batch
#' @export
print.dp_released_batch <- function(x, ...) {
  cat(format(x, ...), sep = "\n")
  invisible(x)
}

#' @rdname dp_released_batch
#' @export
summary.dp_released_batch <- function(object, ...) lapply(unclass(object), summary, ...)

#' @rdname dp_released_batch
#' @exportS3Method generics::tidy
tidy.dp_released_batch <- function(x, ...) {
  stacked_by_query(lapply(unclass(x), generics::tidy, ...))
}

#' @rdname dp_released_batch
#' @exportS3Method generics::glance
glance.dp_released_batch <- function(x, ...) {
  stacked_by_query(lapply(unclass(x), generics::glance, ...))
}

#' @exportS3Method knitr::knit_print
knit_print.dp_released_batch <- function(x, ...) {
  parts <- Map(function(name, table) paste0("\n**", name, "**\n\n", knitr::knit_print(table, ...)),
    names(x), unclass(x)
  )
  knitr::asis_output(paste(parts, collapse = "\n"))
}

# nolint end

# One data frame of all, with the union of their columns.
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
    # Groups of different kinds have no common type but text.
    if (length(kinds) > 1) values <- lapply(values, as.character)
    do.call(c, unname(values))
  }
  table <- stats::setNames(lapply(columns, columns_of), columns)
  table <- structure(table, row.names = .set_row_names(length(table$query)), class = "data.frame")
  if (requireNamespace("tibble", quietly = TRUE)) tibble::as_tibble(table) else table
}
