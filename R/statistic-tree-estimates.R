# The best estimates from a binary tree of noisy counts, levels from the root on: postprocessing.
#
# t- of a node is its best estimate from itself and what is below, t+ from itself and what is
# elsewhere; variances are the same for all nodes of a level. A zero variance is an exact count.
# Source: Honaker (2015), "Efficient use of differentially private binary trees".

# Of independent unbiased estimates: the first one's weight, and the variance of the mean.
first_weight <- function(variance, other) {
  if (variance == 0) 1 else other / (variance + other)
}

joint_variance <- function(variance, other) {
  if (variance == 0 || other == 0) 0 else 1 / (1 / variance + 1 / other)
}

# list(below, above, both): variances per level.
tree_variances <- function(variances) {
  levels <- length(variances)
  below <- above <- both <- variances
  for (level in rev(seq_len(levels - 1))) {
    below[[level]] <- joint_variance(variances[[level]], 2 * below[[level + 1]])
  }
  both[[1]] <- below[[1]]
  for (level in seq_len(levels)[-1]) {
    rest <- above[[level - 1]] + below[[level]]
    above[[level]] <- joint_variance(variances[[level]], rest)
    both[[level]] <- joint_variance(below[[level]], rest)
  }
  list(below = below, above = above, both = both)
}

siblings <- function(count) seq_len(count) + c(1, -1)

consistent_tree <- function(counts, variances) {
  spread <- tree_variances(variances)
  levels <- length(counts)
  below <- above <- both <- counts
  for (level in rev(seq_len(levels - 1))) {
    children <- colSums(matrix(below[[level + 1]], 2))
    weight <- first_weight(variances[[level]], 2 * spread$below[[level + 1]])
    below[[level]] <- weight * counts[[level]] + (1 - weight) * children
  }
  both[[1]] <- below[[1]]
  for (level in seq_len(levels)[-1]) {
    parent <- rep(above[[level - 1]], each = 2)
    rest <- parent - below[[level]][siblings(length(parent))]
    uncertain <- spread$above[[level - 1]] + spread$below[[level]]
    weight <- first_weight(variances[[level]], uncertain)
    above[[level]] <- weight * counts[[level]] + (1 - weight) * rest
    weight <- first_weight(spread$below[[level]], uncertain)
    both[[level]] <- weight * below[[level]] + (1 - weight) * rest
  }
  both
}

# From 0 to 1 at the edges of leaves, nowhere falling: the nearest such function.
distribution_function <- function(leaves, n) {
  shares <- c(0, cumsum(leaves) / n)
  rising <- stats::isoreg(shares)$yf
  inner <- pmin(pmax(rising, 0), 1)
  inner[c(1, length(inner))] <- c(0, 1)
  inner
}

# Where a straight line between the edges reaches p; the middle of where it stays at p.
invert_cdf <- function(edges, cdf, p) {
  vapply(p, function(p) {
    last <- max(which(cdf <= p))
    first <- min(which(cdf >= p))
    if (last >= first) {
      return((edges[[first]] + edges[[last]]) / 2)
    }
    share <- (p - cdf[[last]]) / (cdf[[first]] - cdf[[last]])
    edges[[last]] + (edges[[first]] - edges[[last]]) * share
  }, 0)
}
