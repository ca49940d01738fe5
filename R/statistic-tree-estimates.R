# Best estimates from a tree of noisy counts, by postprocessing. Levels start with the root. Each
# inner node has `branching` children.
#
# The estimate t- of a node uses the node and everything below it. The estimate t+ uses the node and
# everything elsewhere. Variances are the same for all nodes of a level. A variance of zero means an
# exact count.
# Source: Honaker (2015), "Efficient use of differentially private binary trees", here for any
# number of children.

# For independent unbiased estimates: the weight of the first one and the variance of the mean.
first_weight <- function(variance, other) {
  if (variance == 0) 1 else other / (variance + other)
}

joint_variance <- function(variance, other) {
  if (variance == 0 || other == 0) 0 else 1 / (1 / variance + 1 / other)
}

# Returns list(below, above, both): variances per level.
tree_variances <- function(variances, branching) {
  levels <- length(variances)
  below <- above <- both <- variances
  for (level in rev(seq_len(levels - 1))) {
    below[[level]] <- joint_variance(variances[[level]], branching * below[[level + 1]])
  }
  both[[1]] <- below[[1]]
  for (level in seq_len(levels)[-1]) {
    rest <- above[[level - 1]] + (branching - 1) * below[[level]]
    above[[level]] <- joint_variance(variances[[level]], rest)
    both[[level]] <- joint_variance(below[[level]], rest)
  }
  list(below = below, above = above, both = both)
}

consistent_tree <- function(counts, variances) {
  branching <- length(counts[[2]])
  families <- function(level) colSums(matrix(level, branching))
  spread <- tree_variances(variances, branching)
  levels <- length(counts)
  below <- above <- both <- counts
  for (level in rev(seq_len(levels - 1))) {
    weight <- first_weight(variances[[level]], branching * spread$below[[level + 1]])
    below[[level]] <- weight * counts[[level]] + (1 - weight) * families(below[[level + 1]])
  }
  both[[1]] <- below[[1]]
  for (level in seq_len(levels)[-1]) {
    siblings <- rep(families(below[[level]]), each = branching) - below[[level]]
    rest <- rep(above[[level - 1]], each = branching) - siblings
    uncertain <- spread$above[[level - 1]] + (branching - 1) * spread$below[[level]]
    weight <- first_weight(variances[[level]], uncertain)
    above[[level]] <- weight * counts[[level]] + (1 - weight) * rest
    weight <- first_weight(spread$below[[level]], uncertain)
    both[[level]] <- weight * below[[level]] + (1 - weight) * rest
  }
  both
}

# Noise in the number of rows below each leaf edge of the consistent tree. Returns a list: its
# variance, its covariance with the estimate of the root, and the variance of the root estimate.
#
# Children differ from their family mean as their estimates from below do, independently of the
# parent. On the path from the root to an edge, a level has `before` children to its left. An error
# of the parent passes to all children in equal parts.
edge_noise <- function(variances, branching) {
  spread <- tree_variances(variances, branching)
  root <- node <- with_root <- spread$both[[1]]
  before <- seq_len(branching) - 1
  share <- before / branching
  left <- left_node <- left_root <- 0
  for (own in spread$below[-1]) {
    all <- length(left)
    each <- function(path) rep(path, each = branching)
    parts <- rep(share, all)
    left <- each(left) + parts^2 * node + 2 * parts * each(left_node) +
      rep(own * before * (1 - share), all)
    left_node <- (each(left_node) + parts * node) / branching - own * parts
    left_root <- each(left_root) + parts * with_root
    node <- node / branching^2 + own * (1 - 1 / branching)
    with_root <- with_root / branching
  }
  list(left = c(left, root), left_root = c(left_root, root), root = root)
}

# Nearest non-decreasing function at the edges of leaves, from 0 to 1.
distribution_function <- function(leaves, n) {
  shares <- c(0, cumsum(leaves) / n)
  inner <- pmin(pmax(rising(shares), 0), 1)
  inner[c(1, length(inner))] <- c(0, 1)
  inner
}

# Non-decreasing numbers nearest to `x` in squared distance: the slopes of the greatest convex
# minorant of the sums. If rounding makes neighbours fall, they are replaced by their mean.
# stats::isoreg() takes quadratic time, a second for 65536 leaves.
# Source: Barlow, Bartholomew, Bremner and Brunk (1972), the greatest convex minorant, and pool
# adjacent violators.
rising <- function(x) {
  size <- length(x)
  middle <- mean(x)
  # Starts and ends at 0, so the hull from above has no value below 0.
  sums <- c(0, cumsum(x - middle))
  corners <- sort(grDevices::chull(seq_along(sums), sums))
  corners <- c(1, corners[sums[corners] < 0 & corners > 1 & corners <= size], size + 1)
  counts <- diff(corners)
  slopes <- middle + diff(sums[corners]) / counts
  means <- lengths <- numeric(length(slopes))
  last <- 0
  for (i in seq_along(slopes)) {
    mean <- slopes[[i]]
    count <- counts[[i]]
    while (last > 0 && means[[last]] >= mean) {
      mean <- (means[[last]] * lengths[[last]] + mean * count) / (lengths[[last]] + count)
      count <- lengths[[last]] + count
      last <- last - 1
    }
    last <- last + 1
    means[[last]] <- mean
    lengths[[last]] <- count
  }
  rep(means[seq_len(last)], lengths[seq_len(last)])
}

# Point where linear interpolation between the edges reaches p, the middle, if it stays at p.
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

# First and last whole number of each leaf. Leaves include their left edge, and the last leaf also
# its right edge. A leaf without a whole number counts as its middle.
wholes_of_leaves <- function(edges) {
  leaves <- length(edges) - 1
  first <- ceiling(edges[-length(edges)])
  last <- ceiling(edges[-1]) - 1
  last[[leaves]] <- floor(edges[[length(edges)]])
  middle <- (edges[-1] + edges[-length(edges)]) / 2
  none <- last < first
  list(first = ifelse(none, middle, first), last = ifelse(none, middle, last))
}

# Mean of the possible values of each leaf, all equally frequent.
leaf_means <- function(edges, whole) {
  if (!whole) {
    return((edges[-1] + edges[-length(edges)]) / 2)
  }
  ends <- wholes_of_leaves(edges)
  (ends$first + ends$last) / 2
}

# First whole number with at least a share p of the rows at or below it, if the rows of a leaf are
# spread evenly over its whole numbers.
invert_whole_cdf <- function(edges, cdf, p) {
  ends <- wholes_of_leaves(edges)
  vapply(p, function(p) {
    leaf <- max(min(which(cdf >= p)), 2) - 1
    within <- (p - cdf[[leaf]]) / (cdf[[leaf + 1]] - cdf[[leaf]])
    if (!is.finite(within)) within <- 0
    count <- ends$last[[leaf]] - ends$first[[leaf]] + 1
    ends$first[[leaf]] + max(ceiling(within * count) - 1, 0)
  }, 0)
}
