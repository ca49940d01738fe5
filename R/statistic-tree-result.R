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
