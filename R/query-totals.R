# The bounds of `n()` and `sum()` in dp_per_unit() allow 2^40 rows per person. Noise must hide all
# of them, unless later bounds are narrower.

# Bounds at least as wide as this many rows of one person make an aggregate mostly noise.
many_rows <- 2^20
rows_of_a_total <- 2^40

inform_of_wide_totals <- function(query) {
  wide <- Filter(function(aggregate) is_of_wide_total(aggregate, query$table), query$aggregates)
  if (length(wide) > 0) {
    calls <- unique(vapply(wide, describe_aggregate, ""))
    rlang::inform(
      paste0(
        listed(calls), if (length(calls) == 1) " is" else " are", " mostly noise: the bounds of ",
        "a person's `n()` or `sum()` are too wide. Give `bounds` to the aggregate, or limit the ",
        "column with `pmin()` and `pmax()` in `mutate()`."
      ),
      class = c("dp_message_bounds", "dp_message")
    )
  }
}

# Whether the only bounds of the values follow from a total.
is_of_wide_total <- function(aggregate, table) {
  steps <- tbl_data(table)$steps
  at <- which(vapply(steps, function(step) step$step == "per_unit", NA))
  if (length(at) == 0 || !reads_amounts(aggregate$fun) ||
    !is.null(aggregate$bounds) || !is.null(aggregate$grid)) {
    return(FALSE)
  }
  last <- max(at)
  grows <- Filter(function(value) value$fun %in% c("rows", "sum"), steps[[last]]$values)
  used <- columns_before(amounts_in(aggregate$of), steps[-seq_len(last)], "groups")
  used <- intersect(used, vapply(grows, `[[`, "", "name"))
  if (length(used) == 0) {
    return(FALSE)
  }
  totals <- fields_after(table, steps[seq_len(last)])[used]
  many <- vapply(totals, width_of_field, 0) * many_rows / rows_of_a_total
  width_of_field(field_of_values(aggregate$of, table)) > min(many)
}

fields_after <- function(table, steps) {
  table <- with_tbl_data(table, steps = steps, groups = character(), keys = NULL)
  records_of(core_query_fields(form_of_table(table))$fields)
}

# The field of an expression of columns.
field_of_values <- function(expr, table) {
  if (expr$op == "column") {
    return(tbl_data(table)$fields[[expr$name]])
  }
  made <- make.unique(c(names(table), "value"))[[length(names(table)) + 1]]
  step <- list(step = "mutate", name = made, value = expr)
  fields_after(table, c(tbl_data(table)$steps, list(step)))[[made]]
}

# The width is infinite without bounds.
width_of_field <- function(field) {
  if (is.numeric(field$lower)) field$upper - field$lower else Inf
}
