# The declared values behind dp_neighbours(): list(columns, relation, n, id, caps, vector). A column
# is a function from positions, see audit-neighbours.R, to values.

default_rows_of_pairs <- 10

audited_values <- function(domain, call) UseMethod("audited_values")

#' @exportS3Method
audited_values.default <- function(domain, call) { # nolint: object_name_linter.
  bounds <- check_bounds(domain, arg = "domain", call = call)
  list(
    columns = list(x = numbers_between(as.double(unlist(bounds)))), relation = "replace",
    n = default_rows_of_pairs, id = NULL, caps = NULL, vector = TRUE, missing = FALSE
  )
}

#' @exportS3Method
audited_values.dp_domain <- function(domain, call) { # nolint: object_name_linter.
  list(
    columns = lapply(unclass(domain), column_of_declaration), relation = "replace",
    n = default_rows_of_pairs, id = NULL, caps = NULL, vector = FALSE
  )
}

#' @exportS3Method
audited_values.dp_query <- function(domain, call) { # nolint: object_name_linter.
  table <- tbl_data(domain$table)
  caps <- unlist(lapply(table$steps, function(step) {
    if (identical(step$step, "truncate")) step[c("rows", "groups", "rows_per_group")]
  }))
  relation <- c(rows = "add_remove", changes = "replace", id = "unit")[[table$unit$kind]]
  list(
    columns = lapply(unclass(table$domain), column_of_declaration), relation = relation,
    n = default_rows_of_pairs, id = table$unit$id, caps = pmin(unique(as.integer(caps)), 20L),
    vector = FALSE
  )
}

#' @exportS3Method
audited_values.dpStatistic <- function(domain, call) { # nolint: object_name_linter.
  plan <- plan_in(domain)
  fields <- plan$fields
  names <- columns_used(plan)
  columns <- lapply(stats::setNames(seq_along(names), names), function(i) {
    values_of_statistic(fields, names[[i]], i)
  })
  unknown <- vapply(columns, is.null, NA)
  if (any(unknown)) {
    stop_argument(
      paste0("a statistic with declared values; give `neighbours = list(list(first, second))`"),
      paste0("one whose column ", listed(names[unknown]), " has none"), "domain", call
    )
  }
  list(
    columns = columns, relation = if (adds_rows(fields)) "add_remove" else "replace", n = fields$n,
    id = NULL, caps = NULL, vector = FALSE
  )
}

# The range of the i-th column, or its categories.
values_of_statistic <- function(fields, name, i) {
  of_column <- function(x) {
    if (!is.list(x)) x else if (is.null(names(x))) unlist(x[i]) else x[[name]]
  }
  type <- fields$varType
  if (length(type) > 1) type <- type[[i]]
  range <- of_column(fields$rng)
  if (identical(type, "logical")) {
    return(flags)
  }
  if (is_numbers(range) && length(range) == 2) {
    return(numbers_between(range, whole = identical(type, "integer")))
  }
  levels <- if (is.list(fields$levels)) fields$levels[[name]] else of_column(fields$bins)
  if (is.null(levels)) NULL else one_of_levels(levels)
}

# A statistic whose range is found has no bounds.
column_of_declaration <- function(column) {
  bounds <- c(column$lower, column$upper)
  if (length(bounds) == 0) bounds <- if (column$type == "date") c(10957, 14609) else c(0, 99)
  switch(column$type,
    logical = flags,
    integer = numbers_between(bounds, whole = TRUE),
    real = numbers_between(bounds),
    date = function(at) structure(numbers_between(bounds, TRUE)(at) + 0, class = "Date"),
    levels = one_of_levels(if (isTRUE(column$whole)) as.double(column$levels) else column$levels),
    text = one_of_levels(letters[1:5])
  )
}

# "below" and "above" are the points on both sides of the middle.
shares_of <- function(at) {
  if (is.character(at)) ifelse(at == "below", 0.49, 0.51) else at
}

numbers_between <- function(bounds, whole = FALSE) {
  function(at) {
    share <- shares_of(at)
    values <- bounds[[1]] * (1 - share) + bounds[[2]] * share
    values <- pmin(pmax(values, bounds[[1]]), bounds[[2]])
    if (!whole) {
      return(values)
    }
    values <- ifelse(share > 0.5, ceiling(values), floor(values))
    if (all(abs(bounds) <= .Machine$integer.max)) as.integer(values) else values
  }
}

flags <- function(at) shares_of(at) > 0.5

one_of_levels <- function(levels) {
  function(at) levels[1 + floor(pmin(shares_of(at), 1 - 1e-9) * length(levels))]
}
