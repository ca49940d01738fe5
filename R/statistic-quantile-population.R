# Intervals for the quantiles of what the rows were drawn from. They come from a tree of counts
# (statistic-tree.R), which is released together with the quantiles, of the same rows: the loss is
# that of the composition of both.

# Fields of a plan: for what there is an interval, and the shape of the tree, NULL without.
sampled_fields <- c("interval", "treeBranching", "treeDepth")

# Of the loss, the part of the quantiles themselves; the levels of the tree share the rest.
share_of_release <- function(args) if (is.null(args$interval)) 1 else 1 / 2

# list(measurement, treeBranching, treeDepth). `select(lhs, epsilon)` adds the quantiles to prepared
# rows.
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

# The variances of the noise of each level, the root's first. Maps may say a little less than the
# shares of the loss; this is no number that privacy hangs on.
tree_noise <- function(fields) {
  depth <- fields$treeDepth
  share <- 1 - share_of_release(fields)
  node_variances(rep(share * fields$epsilon / depth, depth), drops_missing(fields))
}

# `levels`: the noisy counts of each level of the tree. The share of rows below the quantile of the
# population is p, but for sampling and noise. So edges where it is farther below p than these
# explain lie below the quantile, and others above. The `names` of several quantiles are rows.
#
# Of many edges above the quantile with a share of p one would be below p - H far more often than
# each of them. So the lower end is the last edge before the first one that is not below p - H, and
# the upper end likewise from above. Then it is wrong only if the first edge above the quantile is
# below p - H; and which edge that is does not depend on noise. Shares are the noisy ones: where a
# fit makes them rise, each depends on others.
#
# Of bounds that were found in the range `searched` this holds as well: that edge has at least the
# rows up to the quantile, whose number does not depend on the edges, and noise that is independent
# of all. Below the first edge and the last one, where rows were moved to, 0 and 1 say nothing;
# where no other edge is an end, the end is that of `searched`.
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

# Whether all up to here are TRUE.
cumall <- function(x) cumsum(!x) == 0

# How far shares of `rows` rows below edges may be from p there, with probability 1 - alpha: the
# standard deviation is known if they are p in the population.
share_reach <- function(p, rows, noise, alpha) {
  reach_of_shares(noise_of_shares(p, rows, noise), p * (1 - p) / rows, alpha, FALSE)
}

# From the edges that are not above the quantile, and those that it is below, within `outer`. A
# quantile of whole numbers is one.
quantile_ends <- function(below, above, outer, varType) {
  ends <- c(max(below, outer[[1]]), min(above, outer[[2]]))
  if (varType != "integer") {
    return(ends)
  }
  c(ceiling(ends[[1]]), if (ends[[2]] < outer[[2]]) ceiling(ends[[2]]) - 1 else ends[[2]])
}

# From public numbers: the widest interval is that in the middle.
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

# As a share of the rows.
widest_interval <- 1 / 2
