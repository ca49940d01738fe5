# Warnings about public rows for predictions. Both the rows and the ranges are public, so messages
# can name values.

# Bounds of numeric predictors and levels of the others, which new rows must keep. `rng` has the
# bounds of predictors that are columns. Bounds that were found are in `bounds`.
kept_by_predictors <- function(model) {
  if (!is.null(model$kept)) {
    return(model$kept)
  }
  if (is.null(model$program)) {
    found <- model$bounds
    at <- if (!is.null(found$column)) match(names(model$rng), found$column)
    bounds <- if (is.null(at)) model$rng else Map(function(declared, row) {
      if (is.na(row)) declared else c(found$lower[[row]], found$upper[[row]])
    }, model$rng, at)
    return(list(bounds = bounds))
  }
  program <- model$program
  # Numbers can be levels, too.
  coded <- lengths(program$levels) > 0
  names <- program$columns$name
  bounds <- Map(c, program$columns$lower, program$columns$upper)
  list(
    bounds = stats::setNames(bounds, names)[!coded],
    levels = stats::setNames(program$levels, names)[coded]
  )
}

# `so` says what happens to values beyond the bounds.
warn_of_new_rows <- function(newdata, kept, so, call) {
  for (name in intersect(names(kept$bounds), names(newdata))) {
    bounds <- as.double(kept$bounds[[name]])
    values <- as.double(newdata[[name]])
    beyond <- which(values < bounds[[1]] | values > bounds[[2]])
    if (length(beyond) == 0) next
    warn_of_rows(paste0(
      "`newdata` has ", in_rows_of(beyond), " with `", name, "` outside of its range, ",
      show_value(bounds, 7, TRUE), ", such as ", show_number(values[[beyond[[1]]]], 7), ". ", so
    ), call)
  }
  for (name in names(kept$levels)) {
    values <- as.character(newdata[[name]])
    unknown <- which(!is.na(values) & !values %in% kept$levels[[name]])
    if (length(unknown) == 0) next
    warn_of_rows(paste0(
      "`newdata` has ", in_rows_of(unknown), " with a level of `", name,
      "` that the model does not know, such as \"", values[[unknown[[1]]]],
      "\". The predictions for them are `NA`."
    ), call)
  }
}

warn_of_rows <- function(sentence, call) warn_as_is(sentence, "new_rows", call)

in_rows_of <- function(rows) paste(length(rows), if (length(rows) == 1) "row" else "rows")

so_extrapolates <- paste(
  "The model knows nothing beyond the range, because its rows were clamped to it.",
  "The predictions for them extrapolate."
)
so_clamps <- "The predictions for them use the nearest bound."

# Bounds by the name of their column.
bounds_by_column <- function(columns, rng) {
  if (is.list(rng) && length(rng) >= length(columns)) {
    stats::setNames(rng[seq_along(columns)], columns)
  }
}
