# Notes below a result say how values were read. They follow only from the plan. Queries use the
# same words for the same facts.

# Declared bounds of a column. `ends` is a text.
declared_note <- function(name, ends) paste0(name, " counts as ", ends, " (declared)")

notes_of_plan <- function(statistic, fields, arguments) {
  c(
    notes_of_range(fields, arguments), notes_of_conversion(arguments),
    notes_of_missing(statistic, fields), notes_of_heaps(statistic, fields, arguments),
    notes_of_blocks(statistic, c(fields, arguments["score"]))
  )
}

notes_of_range <- function(fields, arguments) {
  type <- arguments[["varType"]]
  rng <- arguments[["rng"]]
  numbers <- is.null(type) || (is_string(type) && tolower(type) != "logical")
  if (!numbers || length(places_to_find(rng)) > 0 || asks_for_bounds(rng)) {
    return(NULL)
  }
  if (!is.null(fields$bins) && !is.list(fields$bins)) {
    return(if (is.numeric(fields$bins)) note_of_cells(fields))
  }
  if (is.null(fields$rng)) {
    return(NULL)
  }
  ranges <- ranges_of_arguments(fields, rng)
  names <- names(ranges) %||% names_of_ranges(fields, arguments)
  if (length(ranges) > most_ranges_noted || length(names) != length(ranges)) {
    return("values beyond the bounds in `rng` count as the bounds (declared)")
  }
  unlist(Map(function(name, ends) declared_note(name, show_value(ends, 7, TRUE)), names, ranges),
    use.names = FALSE
  )
}

most_ranges_noted <- 4

# A single column has canonical bounds. Several columns have the bounds that were given.
ranges_of_arguments <- function(fields, rng) {
  if (is.numeric(fields$rng) && !is.matrix(fields$rng)) {
    return(list(fields$rng))
  }
  pairs <- if (is.matrix(rng)) rows_of_matrix(rng) else as_pairs(rng)
  lapply(pairs, function(pair) range(as.double(unlist(pair))))
}

names_of_ranges <- function(fields, arguments) {
  formula <- arguments[["formula"]]
  if (inherits(formula, "formula")) {
    unique(c(all.vars(formula), arguments[["weights"]]))
  } else {
    arguments[["columns"]] %||% fields$variable
  }
}

note_of_cells <- function(fields) {
  outside <- paste("values outside of", show_value(range(fields$bins), 7, TRUE))
  has_cell <- drops_missing(fields)
  c(
    if (has_cell && closes_left(fields)) {
      paste(outside, "and missing ones are in the cell NA")
    } else {
      paste(outside, "count in the nearest cell")
    },
    if (has_cell && !closes_left(fields)) "missing values are in the cell NA",
    note_of_codes(fields$bins)
  )
}

# Whole edges look like codes. The last cell has two codes.
note_of_codes <- function(edges) {
  last <- edges[[length(edges)]]
  if (all(edges == round(edges)) && all(diff(edges) == 1) && last < 2^31) {
    paste0("the last cell has ", last - 1, " and ", last, ": `bins = ", edges[[1]], ":", last + 1,
      " - 0.5` has a cell for each whole number"
    )
  }
}

notes_of_conversion <- function(arguments) {
  type <- arguments[["varType"]]
  if (!is_string(type)) {
    return(NULL)
  }
  rounds <- identical(arguments[["conversion"]], "round")
  switch(tolower(type),
    integer = if (rounds) "fractions count as the nearest whole number" else
      "fractions are cut off",
    logical = if (rounds) "numbers other than 0 and 1 are missing" else
      "numbers are clamped to 0 and 1"
  )
}

# Cells of levels have one more for missing values. Levels of a formula are of its predictors.
notes_of_missing <- function(statistic, fields) {
  has_cells <- !is.null(fields$levels) && is.null(fields$formula)
  has_levels <- has_cells || statistic == "dpHistogram" && is.character(fields$bins)
  if (has_levels && drops_missing(fields)) {
    return("values that are missing or not declared count as NA")
  }
  drops <- drops_missing(fields) || statistic == "dpKMeans"
  if (drops && !has_cells && (is.null(fields$bins) || is.list(fields$bins))) {
    names <- unique(setdiff(as.character(fields$variable), weights_name))
    one <- length(names) == 1
    c(
      paste0("rows without ", if (one) paste0("`", names, "`") else "a value in any column",
        " are left out"
      ),
      note_of_unknown_rows(statistic, fields)
    )
  }
}

# Some statistics do not release how many rows have a value. The accuracy of a quantile depends on
# this number.
note_of_unknown_rows <- function(statistic, fields) {
  is_ranked <- statistic %in% c("dpMedian", "dpQuantile", "dpQuantiles") &&
    fields$interval == "none"
  if (!is_ranked && statistic != "dpGLM") {
    return(NULL)
  }
  most <- if (is_ranked) floor(fields$accuracy / least_hidden_rank(fields$prob %||% fields$probs))
  paste0("how many rows are left is not released", if (isTRUE(is.finite(most))) {
    paste0(": of ", show_number(most, 7), " or fewer, a release says next to nothing")
  })
}

# With `score = "balance"`, the score of a candidate does not count rows at the candidate
# (quantile_score.h): beside a value that many rows share, candidates without rows may have better
# scores.
notes_of_heaps <- function(statistic, fields, arguments) {
  balances <- statistic %in% c("dpMedian", "dpQuantile") && is.null(arguments[["score"]])
  if (balances && fields$varType == "numeric") {
    'a number beside a value that many rows share is possible: use score = "nearest"'
  }
}

# Sentences for prints, captions and glance(), also those that depend on the release.
reading_notes <- function(x) {
  c(
    attr(x, "about")$notes, note_of_cells_of(x), notes_of_status(x), note_of_failures(x),
    note_of_marks(x), note_of_bound(x), note_of_no_interval(x)
  )
}

# All of them in one cell of a table.
in_one_note <- function(notes) {
  if (length(notes) > 0) paste(notes, collapse = "; ") else NA_character_
}

# One line of a caption.
as_sentences <- function(notes) {
  if (length(notes) > 0) paste0("Values: ", in_one_note(notes), ".")
}
