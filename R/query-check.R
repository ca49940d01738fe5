#' Check how the data fit their declaration
#'
#' `dp_check()` releases, for each declared column, how many rows have a value that does not fit the
#' declaration. Use it to find bounds or levels that are too narrow, before you release other
#' queries. Like any release, it charges the session.
#'
#' @param table (`dp_tbl`) Not grouped. If its unit has an id, call [dp_truncate()] first: the check
#'   counts the remaining rows. Other verbs raise an error, because they change the declared
#'   columns.
#' @param epsilon,rho,delta (`numeric(1)`) Privacy loss of the check, see [release()]. All columns
#'   share it equally. Public.
#' @param alpha (`numeric(1)`) Probability that the error of a count exceeds `accuracy`. Public.
#' @param ... Not used: other names raise an error.
#' @returns (`dp_checked`) A data frame with a row for each declared column: `column`, `declared`
#'   (the declaration), six noisy counts, and their `accuracy`. Counts can be negative. Counts that
#'   cannot occur with the declaration are `NA`. For each column, every row of the data is in one of
#'   six classes:
#'
#' * `missing`: no value, or a code of `na =`.
#' * `unknown`: a text or a number that is not among the levels.
#' * `below`, `above`: outside the bounds.
#' * `undecodable`: a value that cannot be read as the declared type. Examples are `"31.12.2025"` in
#'   `dp_date()`, bytes that are not valid in the declared encoding, and a text in an SQLite column
#'   declared with `dp_int()`. Queries treat it as missing.
#' * `fits`: any other value.
#'
#'   `print()` names each column where more than 5% of the rows do not fit, and the declaration to
#'   change. Missing values count only if the declaration has no replacement for them (`missing =`).
#'   On a ledger, [dp_receipt()] takes the result.
#' @section Sensitivity: One row changes one count of each column by 1. A person changes at most the
#'   number of rows that [dp_truncate()] keeps.
#' @section Rows without an id: They belong to no unit of privacy, so this check does not count
#'   them. If you are allowed to see the data, count them with `sum(is.na(data$patient))`. Do not
#'   publish that number.
#' @section Errors: `dp_error_unsupported` for a grouped table, or a table with verbs other than
#'   [dp_truncate()], and all errors of [release()].
#' @seealso [dp_schema()]
#' @examplesIf requireNamespace("dplyr", quietly = TRUE)
#' people <- dp_tbl(dp_session(dp_epsilon(1)), PUMS5extract10000,
#'   unit = dp_unit(rows = 1),
#'   domain = dp_schema(age = dp_int(18, 65), educ = dp_int(1, 16), sex = dp_levels(0, 1))
#' )
#' dp_check(people, epsilon = 0.5)
#' @export
dp_check <- function(table, epsilon = NULL, rho = NULL, delta = NULL, alpha = 0.05, ...) {
  check_names(...)
  call <- environment()
  check_table(table, call)
  check_checkable(table, call)
  domain <- unclass(tbl_data(table)$domain)
  query <- query_of_classes(table)
  released <- release(query, epsilon = epsilon, rho = rho, delta = delta, alpha = alpha)
  new_checked(released, domain, tbl_data(table)$rounded)
}

check_checkable <- function(x, call) {
  parts <- tbl_data(x)
  if (length(parts$groups) > 0) {
    stop_query("unsupported", "`dp_check()` needs an ungrouped table.", "Use `ungroup()` first.",
      call
    )
  }
  others <- Filter(function(step) !identical(step$step, "truncate"), parts$steps)
  if (length(others) > 0) {
    stop_query("unsupported", "`dp_check()` needs a table without verbs.",
      "Call `dp_check()` right after `dp_tbl()` or `dp_truncate()`.", call
    )
  }
}

# Queries a histogram of cell classes for each declared column (src/core/query/cell_classes.h). The
# declared columns stay, because a truncation can order by them.
query_of_classes <- function(table) {
  declared <- unclass(tbl_data(table)$domain)
  counted <- lapply(declared, counted_column)
  classes <- make.unique(c(names(declared), paste("class of", names(declared))))
  classes <- classes[-seq_along(declared)]
  classed <- Map(function(name, column) {
    column["missing"] <- list("drop")
    structure(c(unclass(column), classes = name), class = "dp_column")
  }, names(declared), declared)
  domain <- structure(c(counted, unname(classed)), class = "dp_domain")
  names(domain) <- c(names(declared), classes)
  edges <- c(0, seq_along(cell_classes))
  aggregates <- lapply(stats::setNames(classes, names(declared)), function(class) {
    rlang::call2("dp_histogram", as.name(class), breaks = edges)
  })
  table <- with_tbl_data(table, domain = domain, columns = c(names(declared), classes))
  dplyr::summarise(checked_table(table, environment()), !!!aggregates)
}

# S3 method names contain dots.
