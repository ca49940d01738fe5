# The form of a summary that the core reads.

form_of_query <- function(query) {
  parts <- unclass(query)
  form <- form_of_table(parts$table)
  form$by <- parts$by
  form$keys <- parts$keys %||% list(kind = "declared", table = NULL, weight = 1)
  form$aggregates <- unname(parts$aggregates)
  form$outputs <- parts$outputs
  form
}

# Runs all checks that do not need a loss when the query is built.
checked_query <- function(query, call) {
  facts <- from_core_of(query, core_query_fields(form_of_query(query)), call,
    hints = list(dp_error_domain = bounds_are_wanted)
  )
  with_tbl_data(query, facts = facts[c("bound", "missing_cap")])
}
