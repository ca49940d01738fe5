# Notes below a release say how rows and amounts were read. They follow only from the query and its
# declarations.
notes_of_query <- function(query) {
  unique(c(
    notes_of_amounts(query), notes_of_rounding(query), notes_of_left_out(query),
    notes_of_ratios(query), notes_of_keys(query), notes_of_rows(query), notes_of_units(query),
    notes_of_wide_filters(query), notes_of_repeated_rows(query), notes_of_groups(query),
    notes_of_design(query), notes_of_promises(query)
  ))
}

# Keys ---------------------------------------------------------------------------------------------

# Notes on undeclared values in keys. Rows that are in no group, or in group NA, have notes in
# notes_of_missing_keys().
notes_of_keys <- function(query) {
  table <- tbl_data(query$table)
  compared <- unlist(lapply(query$aggregates, function(each) {
    of <- uses_in(each$of)
    cells <- unlist(lapply(each$cells, amounts_in))
    others <- unlist(lapply(each$predictors, function(one) uses_in(one)$keys))
    c(of$keys, uses_in(each$weights)$keys, if (each$fun %in% kinds_of_keys) of$amounts, cells,
      others
    )
  }))
  compared <- columns_before(compared, table$steps, "keys")
  asked <- unlist(lapply(query$aggregates, function(each) {
    of <- uses_in(each$of)
    c(of$asked, if (each$fun == "missing") of$amounts)
  }))
  asked <- columns_before(asked, table$steps, "asked")
  is_of_levels <- vapply(table$domain, function(column) column$type == "levels", NA)
  compared <- union(compared, intersect(asked, names(table$domain)[is_of_levels]))
  filled <- Filter(function(column) is.numeric(column$missing), table$domain)
  grouped <- columns_before(query$by, table$steps, "groups")
  filled <- filled[intersect(names(filled), c(compared, grouped))]
  noted <- keys_behind(query$by[unlist(missing_keys(query))], table$steps)
  lacking <- Filter(is_missing_outside, table$domain)
  lacking <- lacking[intersect(names(lacking), setdiff(compared, noted))]
  c(
    unlist(Map(note_of_filled_key, names(filled), filled), use.names = FALSE),
    unlist(Map(note_of_lacking_key, names(lacking), lacking), use.names = FALSE),
    unlist(lapply(unname(query$aggregates), note_of_histogram, fields_of(query$table)))
  )
}

# Aggregates that read their column as keys.
kinds_of_keys <- c("histogram", "distinct")

# Whether undeclared values can occur as keys. They cannot if a declared value replaces them, or if
# their rows leave the table.
is_missing_outside <- function(column) {
  is_left_out <- identical(column$missing, "row") && column$type == "levels"
  has_outside <- is.numeric(column$lower) || column$type == "levels"
  has_outside && !is.numeric(column$missing) && !is_left_out
}

note_of_filled_key <- function(name, column) {
  values <- if (column$type == "levels") {
    paste0("missing and undeclared values of `", name, "` count")
  } else if (is.numeric(column$lower)) {
    ends <- range_words(c(column$lower, column$upper), column$type)
    paste0("`", name, "` missing or outside ", ends, " (declared) counts")
  } else {
    paste0("missing values of `", name, "` count")
  }
  paste0(values, " as ", printable(missing_words(column)), places_of_keys, counted_by_check)
}

note_of_lacking_key <- function(name, column) {
  values <- if (column$type == "levels") {
    paste0("undeclared values of `", name, "` count")
  } else {
    ends <- range_words(c(column$lower, column$upper), column$type)
    paste0("`", name, "` outside ", ends, " (declared) counts")
  }
  paste0(values, " as missing", places_of_keys, counted_by_check)
}

places_of_keys <- " in groups, conditions, joins, cells and distinct values"

note_of_histogram <- function(aggregate, fields) {
  if (aggregate$fun != "histogram") {
    return(NULL)
  }
  type <- if (is_of_dates(aggregate, fields)) "date" else "real"
  paste0(describe_aggregate(aggregate), ": values outside ",
    range_words(range(aggregate$grid), type), " are in no cell"
  )
}

# Groups -------------------------------------------------------------------------------------------

hides_groups <- function(query) pays_for_keys(query$keys) || !is.null(query$keys$suppress)

notes_of_groups <- function(query) {
  if (!is.null(query$keys$suppress)) {
    paste("groups below", query$keys$suppress, "are not shown")
  } else if (identical(query$keys$kind, "threshold")) {
    "groups below the threshold are not shown: `summary()` has it"
  } else if (identical(query$keys$kind, "select")) {
    "groups that were not selected are not shown"
  }
}

# Promises about the data that the loss depends on, and that nothing checks.
notes_of_promises <- function(query) {
  promises <- Filter(is_promise, tbl_data(query$table)$steps)
  paste("not checked:", vapply(promises, describe_step, ""), recycle0 = TRUE)
}

# Describes the total of percentages.
share_of_query <- function(query) {
  if (hides_groups(query)) {
    "rows in the groups shown"
  } else if (loses_rows(query)) {
    "rows in a group"
  } else {
    "all rows"
  }
}
