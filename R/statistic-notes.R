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

# Notes on the status of a result ------------------------------------------------------------------

# Meaning of a status for the numbers beside it. Each line of a covariance matrix has a status.
notes_of_status <- function(x) {
  lines <- x$linearRegression
  if (is.data.frame(lines)) lines <- list(lines)
  seen <- unique(c(x$status, unlist(lapply(lines, `[[`, "status"))))
  unname(meaning_of_status[intersect(seen, names(meaning_of_status))])
}

meaning_of_status <- c(
  repaired = paste("\"repaired\" means that noise hid a part of the moments, which was raised:",
    "estimates may be too near to 0, and intervals do not count that"
  ),
  noise = "\"noise\" means that noise alone may have made a part of these numbers",
  few = "\"few\" means that noise hides how many rows have a value",
  failed = "\"failed\" means that most blocks failed: a release says next to nothing of the data"
)

# Numbers that are no better than the cells of public candidates or edges. At a bound, narrower
# bounds would hide more values.
note_of_cells_of <- function(x) {
  if (identical(x$status, "coarse") && is.null(note_of_bound(x))) {
    if (is.null(x$tree)) {
      "a release represents a wide cell of candidates: narrow `rng`, or give more `gridPoints`"
    } else {
      "a quantile is within one wide leaf: narrow `rng`, or give a smaller `gran`"
    }
  }
}

note_of_bound <- function(x) {
  if (!is.null(x$tree)) {
    return(note_of_outer_leaf(x))
  }
  if ("bound" %in% marks_of_rows(x)) {
    range <- attr(x, "about")$limits_from
    paste0("the number reaches a bound of `", range, "`: many values may lie beyond it. Widen `",
      range, "` to include them"
    )
  }
}

# The quantiles of a tree have no row in its table.
note_of_outer_leaf <- function(x) {
  if (is_at_outer_leaf(x)) {
    paste("a quantile is in an outer leaf, which includes all values beyond `rng`: many values may",
      "lie beyond it. Widen `rng` to include them"
    )
  }
}

is_at_outer_leaf <- function(x) {
  edges <- x$bins[[length(x$bins)]]
  inner <- edges[c(2, length(edges) - 1)]
  quantiles <- c(x$median, x$percentiles$value)
  length(edges) > 3 && any(vapply(quantiles, reaches_limits, NA, reach = 0, limits = inner))
}

# Adds the bounds that the numbers of a statistic are limited to, if they are wide enough to notice.
# `limits_from` is their argument. Only means have their accuracy in the unit of the bounds.
with_limits <- function(about, statistic, fields) {
  from <- switch(statistic,
    dpMean = , dpMedian = , dpQuantile = , dpQuantiles = "rng",
    dpSampleAndAggregate = if (!identical(fields$aggregationFun, "Mode")) "outputRange"
  )
  type <- if (identical(from, "rng")) fields$varType
  range <- if (!is.null(from)) fields[[from]]
  if (is.null(range) || identical(type, "logical") || is_to_find(range)) {
    return(about)
  }
  limits <- if (is.list(range)) do.call(rbind, range) else rbind(range)
  if (identical(type, "integer") && diff(limits[1, ]) <= 1) {
    return(about)
  }
  about$limits <- unname(limits)
  about$limits_from <- from
  about$limits_by_accuracy <- statistic == "dpMean" ||
    statistic == "dpSampleAndAggregate" && !selects_rank(fields)
  about
}

# Marks of numbers that say little, with the names of released queries (query/estimates.h) ---------

# The column `mark` of a result's table:
# * "range": the interval is as long as `about$span`, the range of all possible numbers.
# * "wide": half of the interval is at least the number, and not negligible in the range.
# * "below": noise has moved the interval to one end of the range, or beyond it.
# * "bound": a mean or a quantile reaches a bound of the values behind it.
# Other rows have "".
marks_of_rows <- function(x, table = estimates_of(x)) {
  about <- attr(x, "about")
  half <- half_intervals(table, about$alpha)
  # A result without a found bound is one row without a number.
  span <- rep_len(about$span %||% NA_real_, nrow(table))
  is_all <- 2 * half >= span * (1 - 1e-9)
  trifle <- max(span * 1e-6, 0, na.rm = TRUE)
  is_long <- half > 0 & half >= abs(table$estimate) & half >= trifle
  is_at_end <- half == 0 & !isTRUE(all(x$accuracy <= trifle))
  marks <- ifelse(is_all %in% TRUE, "range", ifelse(is_long, "wide", ""))
  # Leaves of trees keep their noise, so their counts can be below 0.
  is_below <- !is.null(x$tree) & table$estimate + half < 0
  marks <- replace(marks, (is_at_end | is_below) %in% TRUE, "below")
  marks <- replace(marks, is.na(marks) | is.na(table$estimate), "")
  replace(marks, are_at_bounds(x, table) & marks == "", "bound")
}

# Whether noise cannot tell numbers from a bound of the values behind them. `about$limits` has a row
# for each number, or one for all. The accuracy of quantiles is in rows: they have only an interval
# for the population, if any.
are_at_bounds <- function(x, table) {
  about <- attr(x, "about")
  if (is.null(about$limits) || isTRUE(about$noise_dominates)) {
    return(rep(FALSE, nrow(table)))
  }
  count <- nrow(table)
  reach <- if (about$limits_by_accuracy) {
    rep_len(as.double(x$accuracy), count)
  } else if (is.null(table$conf.high)) {
    rep(0, count)
  } else {
    reach_of_intervals(table)
  }
  limits <- about$limits[rep_len(seq_len(nrow(about$limits)), count), , drop = FALSE]
  vapply(seq_len(count), function(i) {
    reaches_limits(table$estimate[[i]], reach[[i]], limits[i, ])
  }, NA)
}

# Leaves of trees have the standard error of their noise instead of an interval.
half_intervals <- function(table, alpha) {
  if (!is.null(table$conf.low)) {
    (table$conf.high - table$conf.low) / 2
  } else if (!is.null(table$std.error)) {
    two_sided_quantile(alpha) * table$std.error
  } else {
    rep(NA_real_, nrow(table))
  }
}

# A print shows a sign instead of the name. A note below explains the mark of a bound.
with_signs <- function(table) {
  noise_dominates <- is_dominated(table$mark)
  table$mark <- if (any(noise_dominates)) ifelse(noise_dominates, "*", "")
  table
}

is_dominated <- function(marks) mark_signs[marks] %in% "*"

# Marks for a picture whose table has the rows of the result.
with_marked_rows <- function(shown, x) {
  table <- result_rows(x)
  marked <- is_dominated(table$mark)
  if (any(marked) && identical(as.character(shown$table$term), as.character(table$term))) {
    shown$marked <- marked
  }
  shown
}

# Meaning of the sign, if a row has it. A single number has no sign in print.
note_of_marks <- function(x) {
  table <- result_rows(x)
  if (!any(is_dominated(table$mark)) || is_dominated_number(x, table)) {
    return(NULL)
  }
  what <- if (isTRUE(is_for_rows(main_target(x) %||% target_of$rows))) "mostly noise" else
    "uncertain"
  paste0(
    if (has_table(x, table)) "*: ", what,
    ": the interval covers the declared range, is outside of it, or half of it is at least ",
    "the number"
  )
}

is_dominated_number <- function(x, table) {
  isTRUE(attr(x, "about")$noise_dominates) && !has_table(x, table)
}

# Whether a print shows a row for each number.
has_table <- function(x, table) nrow(table) != 1 || !is_listed(x$release)

# For a trimmed mean, whose noise is private, and for coefficients without errors.
note_of_no_interval <- function(x) {
  table <- result_rows(x)
  has_numbers <- any(is.finite(table$estimate)) && is.numeric(x$accuracy) && all(is.na(x$accuracy))
  if (has_numbers && all(is.na(half_intervals(table, attr(x, "about")$alpha)))) {
    "no interval is known: the noise in a release depends on the data"
  }
}
