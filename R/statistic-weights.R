# Row weights: the number of people in the population that each row represents. The last column
# holds the weights, clamped to public bounds. Computations weight each row by the ratio of its
# weight to the upper bound (row_weight.h), so no row counts for more than one. Sums of these ratios
# replace numbers of rows.

# Name of the column among the terms of a model.
weights_name <- "(weights)"

has_weights <- function(args) !is.null(args$weights)

# Arguments of a statistic with one formula. Its design computes the weights with its terms.
with_weights <- function(args, call) {
  check_weight_bounds(args, call)
  if (has_weights(args) && !is.null(args$formula$design)) {
    args$formula$design <- design_with_weights(args$formula$design, args)
  }
  args
}

# The weight bounds are the last ones.
check_weight_bounds <- function(args, call) {
  if (has_weights(args) && args$rng[[length(args$rng)]][[1]] < 0) {
    stop_argument("bounds of weights, from 0 on, for their column", "a negative one", "rng", call)
  }
}

design_with_weights <- function(design, args) {
  if (has_weights(args)) {
    design$columns <- c(design$columns, args$weights)
    design$terms[[weights_name]] <- column(args$weights)
  }
  design
}

# Name of the weight column, which follows the model columns, or NULL.
weights_column <- function(args) {
  if (has_weights(args) && !is.null(args$program)) weights_name else args$weights
}

# For a plan of the core. Without weights it is NULL, because older plans lack the field.
weighted_rows <- function(args) if (has_weights(args)) TRUE

# Weighted rows can follow a different model than the population. Errors that assume a true model
# are not valid for them.
usual_vcov <- function(args) if (has_weights(args)) "sandwich" else "classical"

# Describes the rows without a gap by their noisy `count`: list(nPresent, share_missing), or
# list(sumWeights) if each row counts by its share.
counted_rows <- function(count, fields) {
  if (has_weights(fields)) {
    list(sumWeights = count * fields$rng[[length(fields$rng)]][[2]])
  } else if (drops_missing(fields)) {
    list(nPresent = count, share_missing = within_bounds(1 - count / fields$n, 0, 1))
  }
}
