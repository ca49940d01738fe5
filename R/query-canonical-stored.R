# Stored releases of queries in canonical form.

# Stores the raw result of a query with columns by name, and restores the column and group order of
# `query`.
stored_raw <- function(raw, query) {
  c(
    list(raw[[1]][order(query$by, method = "radix")]),
    lapply(raw[-1], function(columns) columns[order(names_of_outputs(query), method = "radix")])
  )
}

raw_of_stored <- function(stored, query) {
  keys <- stored[[1]][rank_of_names(query$by)]
  rows <- order_of_groups(keys, query)
  permuted <- function(columns) lapply(columns, function(column) column[rows])
  c(
    list(permuted(keys)),
    lapply(stored[-1], function(columns) permuted(columns[rank_of_names(names_of_outputs(query))]))
  )
}

names_of_outputs <- function(query) vapply(query$outputs, `[[`, "", "name")

rank_of_names <- function(names) order(order(names, method = "radix"))

# Groups of a public table keep the order of its rows.
order_of_groups <- function(keys, query) {
  if (length(keys) == 0) {
    return(TRUE)
  }
  if (identical(query$keys$kind, "table")) {
    return(seq_along(keys[[1]]))
  }
  fields <- fields_of(query$table)[query$by]
  ranks <- Map(function(key, field) {
    if (inherits(key, "integer64")) {
      core_doubles_of_integer64(key)
    } else if (field$type == "levels") {
      match(key, field$levels)
    } else {
      key
    }
  }, keys, fields)
  do.call(order, c(unname(ranks), list(method = "radix")))
}
