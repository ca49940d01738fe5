# Targets of intervals. A plan names the target of each element of its results that holds intervals
# (`covers` of new_plan()). Prints, tables, pictures and JSON read it from here.
#
# A guarantee for declared bounds does not hold for found ones, which follow from the same rows. Few
# rows lie beyond them, but no public number says how far away. So no interval can cover their
# effect on a mean, a variance or a slope of the population. The law of the noise does not depend on
# the bounds, so intervals for the clamped rows remain.

target_of <- list(
  rows = "the data as used",
  capped = "the rows that caps keep",
  found_rows = "the rows, moved into the bounds found",
  population = "the population",
  moved = "the population, moved into `rng`",
  normal = "the population, if its columns are normal",
  classical = "the population, moved into `rng`, if residuals have one variance",
  table_classical = "the population, moved into the bounds, if residuals have one variance",
  table_normal = "the population, if its columns are normal",
  table_moved = "the population, moved into the bounds",
  table_model = "the population, moved into the bounds, if the model is true",
  model = "the population, moved into `rng`, if the model is true",
  blocks = "what the blocks are a sample of",
  winsorized = "the block results, moved into the range found"
)

# Default target of intervals if a plan names none.
usual_covers <- c(
  interval = target_of$rows, intervals = target_of$rows, samplingInterval = target_of$blocks
)

with_usual_covers <- function(covers) {
  c(covers, usual_covers[setdiff(names(usual_covers), names(covers))])
}

# Target of each element of a result that has intervals.
covers_of <- function(x) {
  covers <- with_usual_covers(attr(x, "about")$covers)
  covers[names(covers) %in% names(x)]
}

# Target of the main intervals of a result, in its table. NULL if it has none.
main_target <- function(x) {
  covers <- covers_of(x)
  main <- intersect(main_elements, names(covers))
  if (length(main) > 0) covers[[main[[1]]]]
}

main_elements <- c("summary", "populationInterval", "intervals", "interval", "accuracy")

# Target of one element, or NULL.
target_in <- function(x, element) as.list(covers_of(x))[[element]]

is_for_rows <- function(target) {
  target %in% unlist(target_of[c("rows", "found_rows", "winsorized")])
}

# Results at found bounds --------------------------------------------------------------------------

# Target at found bounds of an interval with this target at declared bounds. A quantile needs no
# bounds: see population_of_quantiles().
at_found_bounds <- function(covers) {
  kept <- covers == target_of$population
  # Shares of a tree also have intervals for the rows.
  of_rows <- is_for_rows(covers) | names(covers) == "cdf"
  covers[of_rows] <- target_of$found_rows
  covers[kept | of_rows]
}

# Removes intervals that found bounds do not have, and errors of the same kind, from the `values` of
# a result.
without_lost <- function(values, covers) {
  lost <- setdiff(names(covers), names(at_found_bounds(covers)))
  if ("populationInterval" %in% lost) lost <- c(lost, "populationAlpha", "standardError")
  if (!is.null(values$cdf)) values$cdf[c("lower", "upper")] <- NULL
  if ("linearRegression" %in% lost) {
    values$linearRegression <- without_errors(values$linearRegression)
  }
  values[setdiff(names(values), setdiff(lost, "linearRegression"))]
}

# Keeps only the estimates in tables of coefficients.
without_errors <- function(tables) {
  if (is.data.frame(tables)) {
    structure(tables["Estimate"], errors = NULL)
  } else if (!is.null(tables)) {
    lapply(tables, without_errors)
  }
}

# Refuses `x`, a result or a model, if found `bounds` leave it without intervals.
refuse_without_interval <- function(x, call) {
  if (is.null(x$bounds)) return()
  stop_dp(
    paste(
      "A result at bounds that were found has no interval for the population and no standard",
      "error: neither counts the values beyond them. Declare the bounds."
    ),
    "invalid_argument", argument = "object", call = call
  )
}
