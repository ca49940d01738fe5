# Population intervals for quantiles. They use a tree of counts (statistic-tree.R) that is released
# together with the quantiles of the same rows. The loss is the composition of both.

# Fields of a plan: the target of the interval and the shape of the tree, or NULL without a tree.
sampled_fields <- c("interval", "treeBranching", "treeDepth")

# Share of the loss that the quantiles get. The levels of the tree split the rest.
share_of_release <- function(args) if (is.null(args$interval)) 1 else 1 / 2

# Returns list(measurement, treeBranching, treeDepth). `select(lhs, epsilon)` adds the quantiles to
# prepared rows.
with_tree <- function(args, epsilon, select, call) {
  share <- share_of_release(args)
  of_tree <- list(globalEps = epsilon * (1 - share), epsilon = NULL, branching = NULL)
  shape <- best_shape(c(args[setdiff(names(args), names(of_tree))], of_tree), call)
  depth <- shape[["depth"]]
  parts <- distributeEpsilon(epsilon, epsilonDist = c(share, rep((1 - share) / depth, depth)))
  rows <- rows_or_gaps(args)
  space <- space_after(rows)
  edges <- tree_edges(args$rng, shape[["branching"]], depth)[-1]
  levels <- tree_levels(space |> then_doubles(args), args, edges, parts[-1])
  released <- c(list(select(space, parts[[1]])), levels)
  list(
    measurement = rows |> chain(make_composition(released)), treeBranching = shape[["branching"]],
    treeDepth = depth
  )
}

# Noise variances of the levels, root first. Maps may state slightly less than the shares of the
# loss. Privacy does not depend on these numbers.
tree_noise <- function(fields) {
  depth <- fields$treeDepth
  share <- 1 - share_of_release(fields)
  node_variances(rep(share * fields$epsilon / depth, depth), drops_missing(fields))
}

# `levels` holds the noisy counts of each level of the tree. The share of rows below the population
# quantile is p, up to sampling and noise. An edge whose share is farther below p than these explain
# lies below the quantile, likewise above. Rows of several quantiles are named by `names`.
#
# If many edges lie above the quantile and have a share near p, one of them is below p - H far more
# often than each alone. So the lower end is the last edge before the first one that is not below p
# - H. The upper end is found likewise from above. The lower end is then wrong only if the first
# edge above the quantile is below p - H, and noise does not affect which edge that is. The shares
# are the noisy ones, because shares that a fit makes monotone depend on each other.
#
# This also holds for bounds that were found in the range `searched`. That edge has at least the
# rows up to the quantile, and their number does not depend on the edges. Its noise is independent
# of everything. Rows are clamped to the first and the last edge, so shares of 0 and 1 beyond these
# say nothing. If no inner edge is an end, the end of `searched` is used.
population_of_quantiles <- function(levels, probs, fields, names = NULL) {
  leaves <- fields$treeBranching^fields$treeDepth
  edges <- seq(fields$rng[[1]], fields$rng[[2]], length.out = leaves + 1)
  variances <- tree_noise(fields)
  counts <- tree_counts(levels, fields$n, variances, drops_missing(fields))
  tree <- consistent_tree(counts$levels, variances)
  rows <- max(tree[[1]], 1)
  shares <- within_bounds(c(0, cumsum(tree[[length(tree)]])) / rows, 0, 1)
  noise <- edge_noise(variances, fields$treeBranching)
  outer <- fields$searched %||% fields$rng
  known <- if (is.null(fields$searched)) seq_along(edges) else which(!edges %in% fields$rng)
  ends <- vapply(probs, function(p) {
    reach <- share_reach(p, rows, noise, fields$alpha)
    below <- edges[known][cumall((shares < p - reach)[known])]
    above <- rev(edges[known])[cumall(rev((shares > p + reach)[known]))]
    quantile_ends(below, above, outer, fields$varType)
  }, numeric(2))
  ends <- if (is.null(names)) {
    as.vector(ends)
  } else {
    matrix(ends, ncol = 2, byrow = TRUE, dimnames = list(names, c("lower", "upper")))
  }
  population_fields(ends, fields)
}

# TRUE as long as all elements up to here are TRUE.
cumall <- function(x) cumsum(!x) == 0

# Distance that shares of `rows` rows below edges can have from p, with probability 1 - alpha. The
# standard deviation is known, because these shares are p in the population.
share_reach <- function(p, rows, noise, alpha) {
  reach_of_shares(noise_of_shares(p, rows, noise), p * (1 - p) / rows, alpha, FALSE)
}

# Interval from the edges that are not above the quantile and the edges above it, within `outer`. A
# quantile of whole numbers is a whole number.
quantile_ends <- function(below, above, outer, varType) {
  ends <- c(max(below, outer[[1]]), min(above, outer[[2]]))
  if (varType != "integer") {
    return(ends)
  }
  c(ceiling(ends[[1]]), if (ends[[2]] < outer[[2]]) ceiling(ends[[2]]) - 1 else ends[[2]])
}

# Uses public numbers only: the interval in the middle is the widest.
warn_of_wide_intervals <- function(fields, call) {
  if (fields$interval != "population") {
    return()
  }
  probs <- fields[["probs"]] %||% fields[["prob"]]
  noise <- edge_noise(tree_noise(fields), fields$treeBranching)
  worst <- probs[[which.min(abs(probs - 0.5))]]
  rows <- 2 * stats::median(share_reach(worst, fields$n, noise, fields$alpha))
  if (rows < widest_interval) {
    return()
  }
  spans <- show_number(100 * min(rows, 1), 2)
  warn_dp(
    paste(
      "The interval for the population will span {spans}% of the rows or more.",
      "More of `epsilon` or `n` is needed."
    ),
    "noise", call = call
  )
}

# Unit: share of the rows.
widest_interval <- 1 / 2
