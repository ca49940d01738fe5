# Expected errors of tables. They do not depend on the data, so only the noise scales are needed.

# A data frame with a row for each table.
expected_tables <- function(query, loss, alpha, rows, call) {
  deviations <- deviations_of_effects(query, loss, alpha, call)
  sizes <- lengths(lapply(query$tables$cells, `[[`, "labels"))
  zeros <- lapply(query$tables$sets, function(set) numeric(prod(sizes[set])))
  tables <- tables_of_query(query)
  errors <- lapply(tables, function(table) {
    rebuilt_table(query, table, zeros, deviations, alpha)[c("std_error", "reach")]
  })
  cells <- vapply(tables, function(table) prod(sizes[table$columns]), 0)
  expected <- data.frame(
    table = names(tables), cells = cells, std.error = vapply(errors, `[[`, 0, "std_error"),
    accuracy = vapply(errors, `[[`, 0, "reach"), row.names = NULL
  )
  if (is.null(rows)) {
    return(expected)
  }
  guessed <- expected[rep(seq_len(nrow(expected)), length(rows)), ]
  guessed$rows <- rep(rows, each = nrow(expected))
  guessed$relative <- guessed$accuracy / (guessed$rows / guessed$cells)
  structure(guessed, row.names = seq_len(nrow(guessed)))
}

# Standard deviations of the noise in the numbers of each effect. 0 for effects without noise.
deviations_of_effects <- function(query, loss, alpha, call) {
  preview <- as_columns(compiled_query(query, loss, alpha, call)$preview)
  preview$scale[match(names_of_outputs(query), preview$column)]
}

# Standard errors are in proportion to the inverse root of the loss.
solve_tables <- function(query, accuracy, alpha, delta, call) {
  at_one <- expected_tables(query, new_loss("rho", 1, delta), alpha, NULL, call)
  reached <- at_one$accuracy[match(names(accuracy), at_one$table)]
  new_loss("rho", signif_up(max((reached / accuracy)^2) * (1 + 1e-9)), delta)
}
