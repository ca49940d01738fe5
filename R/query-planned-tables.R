# Describes the tables of a planned query or batch. verify_release() compares published tables with
# them.

# S3 method names contain dots.
# nolint start: object_name_linter.

planned_tables.dp_planned_query <- function(object) {
  list(planned_table(object$query))
}

planned_tables.dp_planned_batch <- function(object) {
  lapply(object$members, function(member) planned_table(member$query))
}

# nolint end

# `dates` are outputs with dates, `counts` outputs with whole numbers, and `reals` outputs with many
# digits. `sizes` is how many numbers an output has per group. `groups` is the number of rows, or NA
# if some groups can be hidden. `values` has the declared values of keys, by name: texts of levels,
# or the ends of a range.
planned_table <- function(query) {
  fields <- core_query_fields(query)$fields
  names(fields) <- vapply(fields, `[[`, "", "name")
  aggregates <- query$aggregates
  names(aggregates) <- vapply(aggregates, `[[`, "", "name")
  outputs <- names_of_outputs(query)
  of <- lapply(query$outputs, function(output) {
    if (output$value$op == "column") aggregates[[output$value$name]]
  })
  kinds <- vapply(of, function(each) each$fun %||% "", "")
  is_date <- vapply(of, function(each) {
    isTRUE(each$fun %in% c("mean", "quantiles")) && is_of_dates(each, fields)
  }, NA)
  list(
    keys = query$by, outputs = outputs, dates = outputs[is_date],
    counts = outputs[makes_counts(kinds)],
    reals = outputs[kinds %in% c("mean", "variance", "deviation") & !is_date],
    sizes = stats::setNames(vapply(of, count_of_numbers, 0), outputs),
    groups = declared_group_count(query, fields), values = lapply(fields[query$by], declared_values)
  )
}

# NULL if any value can be a key.
declared_values <- function(field) {
  if (field$type == "levels") {
    field$levels
  } else if (field$type == "integer" && isTRUE(is.finite(field$upper - field$lower))) {
    c(field$lower, field$upper)
  }
}

count_of_numbers <- function(aggregate) {
  switch(aggregate$fun %||% "",
    quantiles = length(aggregate$probabilities), histogram = length(aggregate$grid) - 1, 1
  )
}

# The number of declared groups is public unless some groups are hidden.
declared_group_count <- function(query, fields) {
  if (query$keys$kind != "declared" || !is.null(query$keys$suppress)) {
    return(NA)
  }
  counts <- vapply(fields[query$by], function(field) {
    if (field$type == "levels") {
      length(field$levels)
    } else if (field$type == "logical") {
      2
    } else {
      field$upper - field$lower + 1
    }
  }, 0)
  prod(counts)
}
