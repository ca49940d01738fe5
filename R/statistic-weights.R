# Weights of rows: how many people of a population each of them stands for. They are a column of
# their own, the last one, whose values are clamped to public bounds. What is computed of the rows
# takes each with the share that its weight has of the upper bound (row_weight.h), so that no row
# counts for more than one: sums of shares stand where there were numbers of rows.

# What the column is called among the terms of a model.
weights_name <- "(weights)"

has_weights <- function(args) !is.null(args$weights)

# The arguments of a statistic of one formula, whose design computes the weights with its terms.
with_weights <- function(args, call) {
  check_weight_bounds(args, call)
  if (has_weights(args) && !is.null(args$formula$design)) {
    args$formula$design <- design_with_weights(args$formula$design, args)
  }
  args
}

# They are the last ones.
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

# The name of their column behind those of the model, or NULL.
weights_column <- function(args) {
  if (has_weights(args) && !is.null(args$program)) weights_name else args$weights
}

# Of a plan of the core: NULL, which older plans lack, without weights.
weighted_rows <- function(args) if (has_weights(args)) TRUE

# Rows are weighted where those that were drawn may follow another model than the population does:
# errors that take the model to be true are not for them.
usual_vcov <- function(args) if (has_weights(args)) "sandwich" else "classical"

# What there is of the rows without a gap, by a noisy `count` of them: list(nPresent,
# share_missing), or list(sumWeights) where each counts by its share.
counted_rows <- function(count, fields) {
  if (has_weights(fields)) {
    list(sumWeights = count * fields$rng[[length(fields$rng)]][[2]])
  } else if (drops_missing(fields)) {
    list(nPresent = count, share_missing = within_bounds(1 - count / fields$n, 0, 1))
  }
}
