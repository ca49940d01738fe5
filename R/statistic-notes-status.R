# Notes on the status of a result.

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
