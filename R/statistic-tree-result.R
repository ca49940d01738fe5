# Numbers computed from the released counts of a tree, by postprocessing.

tree_result <- function(release, fields) {
  drops <- drops_missing(fields)
  variances <- node_variances(fields$epsilon, drops, fields$sigma)
  counts <- tree_counts(release, fields$n, variances, drops)
  noisy <- Map(function(level, edges) stats::setNames(level, interval_names(edges)),
    counts$levels, fields$bins
  )
  tree <- consistent_tree(counts$levels, variances)
  present <- if (drops) present_rows_of_tree(tree, counts$missing, variances, fields)
  edges <- fields$bins[[fields$depth + 1]]
  rows <- max(tree[[1]], 1)
  cdf <- distribution_function(tree[[length(tree)]], rows)
  few <- identical(present$status, "few")
  whole <- fields$varType == "integer"
  invert <- if (whole) invert_whole_cdf else invert_cdf
  quantile <- function(p) if (few) p * NA else invert(edges, cdf, p)
  shares <- share_intervals(cdf, rows, variances, fields)
  result <- list(
    release = unname(noisy), variable = fields$variable, epsilon = fields$epsilon,
    globalEps = fields$globalEps, accuracy = fields$accuracy, bins = fields$bins, tree = tree,
    cdf = data.frame(val = edges, cdf = cdf, shares),
    mean = if (few) NA_real_ else sum(leaf_means(edges, whole) * diff(cdf)),
    meanInterval = if (few) c(NA_real_, NA_real_) else interval_of_mean(edges, shares, whole),
    median = quantile(0.5),
    percentiles = data.frame(
      percentile = as.double(fields$percentiles), value = quantile(as.double(fields$percentiles))
    )
  )
  present$status <- if (few) {
    "few"
  } else if (is_dominated_mean(result)) {
    "noise"
  } else {
    status_of_leaves(result, edges, fields)
  }
  c(result, present, if (is_gaussian(fields)) fields["sigma"])
}

# The means of the distributions at the ends of the intervals for noise, with each row at one end of
# its leaf. The mean is linear in the shares below the edges. Their errors are at most as large
# together as one by one, so the interval covers at least as often.
interval_of_mean <- function(edges, shares, whole) {
  leaves <- length(edges) - 1
  ends <- if (whole) wholes_of_leaves(edges) else list(first = edges[-leaves - 1], last = edges[-1])
  c(sum(ends$first * diff(shares$upperNoise)), sum(ends$last * diff(shares$lowerNoise)))
}

# The rule of the mark "wide".
is_dominated_mean <- function(result) {
  diff(result$meanInterval) / 2 >= abs(result$mean) && diff(result$meanInterval) > 0
}

# "coarse" if the median or another quantile that is asked for says little more than its leaf.
status_of_leaves <- function(result, edges, fields) {
  width <- edges[[2]] - edges[[1]]
  exact <- fields$varType == "integer" && width <= 1
  values <- c(result$median, result$percentiles$value)
  status_of_cells(!exact & is_coarse(values, width, fields$rng))
}

# Variance of the noise in each level's counts, from its `epsilon`, or from the standard deviations
# `sigma` of Gaussian noise. The root is public. If missing values are dropped, it is `n` minus the
# best estimate of their number.
node_variances <- function(epsilon, drops, sigma = NULL) {
  levels <- if (is.null(sigma)) 2 * (histogram_sensitivity / epsilon)^2 else sigma^2
  c(if (drops) 1 / sum(1 / levels) else 0, levels)
}

# list(levels, missing): the counts of cells, from the root on, and for each level the
# missing values. The root takes the latter, weighted by their precision.
tree_counts <- function(release, n, variances, drops) {
  levels <- lapply(release, function(counts) as.double(unlist(counts, use.names = FALSE)))
  if (!drops) {
    return(list(levels = c(list(n), levels)))
  }
  missing <- vapply(levels, function(level) level[[length(level)]], 0)
  estimate <- sum(missing / variances[-1]) * variances[[1]]
  list(
    levels = c(list(n - estimate), lapply(levels, function(level) level[-length(level)])),
    missing = missing
  )
}

# Numbers about missing values. `status` is "few" if noise hides whether there are other values.
present_rows_of_tree <- function(tree, missing, variances, fields) {
  variance <- tree_variances(variances, fields$branching)$both[[1]]
  few <- tree[[1]] <= stats::qnorm(1 - fields$alpha / 2) * sqrt(variance)
  list(
    missing = missing, nPresent = tree[[1]],
    share_missing = within_bounds(1 - tree[[1]] / fields$n, 0, 1),
    status = if (few) "few" else "ok"
  )
}

# Variances of a share of the rows, whose number is also an estimate, and of the population.
share_intervals <- function(cdf, n, variances, fields) {
  of_rows <- noise_of_shares(cdf, n, edge_noise(variances, fields$branching))
  ends <- function(sampling) {
    reach <- reach_of_shares(of_rows, sampling, fields$alpha, is_gaussian(fields))
    list(pmax(cdf - reach, 0), pmin(cdf + reach, 1))
  }
  both <- c(ends(cdf * (1 - cdf) / n), ends(0))
  stats::setNames(both, c("lower", "upper", "lowerNoise", "upperNoise"))
}

# How far shares are off that have a variance by `noise` and one by `sampling`. The quantile of a
# sum of Laplace variables lies between a normal and a single Laplace one. Sampling is normal.
reach_of_shares <- function(noise, sampling, alpha, gaussian) {
  normal <- two_sided_quantile(alpha)
  of_noise <- if (gaussian) normal else max(normal, -log(alpha) / sqrt(2))
  variance <- noise + sampling
  share <- ifelse(variance > 0, noise / variance, 0)
  (normal + (of_noise - normal) * share) * sqrt(variance)
}

# Noise variance of the shares of `n` rows below edges. The shares are `shares`.
noise_of_shares <- function(shares, n, noise) {
  pmax(noise$left - 2 * shares * noise$left_root + shares^2 * noise$root, 0) / n^2
}

# Cells are closed on the left, the last one on both sides.
interval_names <- function(edges) {
  labels <- edge_labels(edges)
  count <- length(edges) - 1
  paste0("[", labels[-length(labels)], ",", labels[-1], rep(c(")", "]"), c(count - 1, 1)))
}

tree_branching <- function(bins) length(bins[[2]]) - 1

# Methods' names have dots.
# nolint start: object_name_linter.

estimates_of.dp_tree_result <- function(x) {
  last <- length(x$tree)
  noise <- node_variances(x$epsilon, !is.null(x$missing), x$sigma)
  variances <- tree_variances(noise, tree_branching(x$bins))$both
  data.frame(
    term = names(x$release[[last]]), estimate = x$tree[[last]], std.error = sqrt(variances[[last]])
  )
}

pictures.dp_tree_result <- function(x) {
  list(
    cdf = function() tree_curve(x), leaves = function() count_bars(x),
    tree = function() tree_cells(x)
  )
}

# nolint end

tree_curve <- function(x) {
  # At found bounds there are no intervals for the population.
  ends <- if (is.null(x$cdf[["lower"]])) c("lowerNoise", "upperNoise") else c("lower", "upper")
  table <- data.frame(
    value = x$cdf$val, share = x$cdf$cdf, conf.low = x$cdf[[ends[[1]]]],
    conf.high = x$cdf[[ends[[2]]]]
  )
  list(
    kind = "curve", table = table, xlab = x$variable, ylab = "share of rows", mark = x$median,
    covers = target_in(x, "cdf")
  )
}

# Every cell, with its share of rows per unit.
tree_cells <- function(x) {
  levels <- lapply(seq_along(x$tree), function(level) {
    edges <- x$bins[[level]]
    data.frame(
      level = level - 1, lower = edges[-length(edges)], upper = edges[-1],
      density = pmax(x$tree[[level]], 0) / x$tree[[1]] / diff(edges)
    )
  })
  list(kind = "tree", table = do.call(rbind, levels), xlab = x$variable, ylab = "level")
}

# Best estimates of a tree -------------------------------------------------------------------------

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
