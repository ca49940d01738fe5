# Results from the releases of aggregators.

# Makes a result from a release by postprocessing. `steps`: step width of each number.
aggregate_describer <- function(steps) {
  force(steps)
  function(release, fields) {
    if (!reports_failures(fields)) {
      return(aggregate_result(release, steps, fields))
    }
    last <- length(release)
    c(aggregate_result(release[-last], steps, fields), failure_result(release[[last]], fields))
  }
}

aggregate_result <- function(release, steps, fields) {
  common <- fields[c("variable", "accuracy", "epsilon")]
  if (fields$rangeMode == "helper") {
    return(helped_result(release, fields, common))
  }
  if (is_joint_mean(fields)) {
    return(joint_blocks_result(as.double(release), fields, common))
  }
  if (fields$intervalShare > 0) {
    return(sampling_result(release, steps, fields, common))
  }
  of_all <- function(value) named_results(vapply(release, value, 0), fields)
  switch(if (fields$rangeMode == "loose") "WinsorizedMean" else fields$aggregationFun,
    Mode = c(list(release = fields$outcomes[[as.double(release[[1]]) + 1]]), common),
    Median = ,
    Quantile = c(list(release = of_all(as.double) * steps), common),
    WinsorizedMean = winsorized_result(
      of_all(\(x) x[[1]]), cbind(of_all(\(x) x[[2]]), of_all(\(x) x[[3]])), fields, common
    ),
    TrimmedMean = c(list(release = of_all(identity)), common),
    mean_result_of(of_all(identity), fields, common)
  )
}

# Computes the noise from the interval found. Half of the loss of a number is for its mean.
winsorized_result <- function(means, clamped, fields, common) {
  each <- fields$epsilon * results_share(fields) / length(means)
  common$accuracy <- laplaceGetAccuracy(
    fields$overlap * (clamped[, 2] - clamped[, 1]) / fields$numSubsets, each / 2, fields$alpha
  )
  c(mean_result_of(means, fields, common), list(clampedTo = clamped))
}

named_results <- function(values, fields) {
  stats::setNames(values, rownames(rbind(fields$outputRange)))
}

mean_result_of <- function(means, fields, common) {
  ends <- cbind(means - common$accuracy, means + common$accuracy)
  c(list(release = means), common, list(interval = plain_range(ends)))
}

# Simplifies one pair of bounds to a vector. Several stay a matrix with two columns.
plain_range <- function(range) if (length(range) == 2) as.double(range) else range

block_result <- function(release, fields) {
  share <- fields$varType == "logical" && identical(fields$innerFun, "mean")
  c(interval_result(release, fields), if (share) share_result(release, fields$n))
}

# Intervals for the target of the block estimates --------------------------------------------------

# They cover sampling and noise.

# Mean and variance of the numbers, each with the noise for a single block. They share the loss.
interval_aggregator <- function(numbers, epsilon, options) {
  moment <- function(inner, epsilon) {
    space <- numbers_space(numbers)
    results <- then_subset_statistics(space, inner, 1)
    exponent <- core_block_range(handle(space[[1]], "domain"), inner, 1)$exponent
    results |>
      then_block_total() |>
      then_protect(epsilon, d_in = as.integer(numbers$overlap)) |>
      then_mean_of(1, exponent)
  }
  share <- options$intervalShare
  # The steps of the numbers count as whole numbers here.
  parts <- core_share_epsilon(epsilon, c(1 - share, share))
  make_composition(list(moment("mean", parts[[1]]), moment("var", parts[[2]])))
}

# Results of disjoint blocks are independent, so their mean has the variance of one block over k.
# Noise adds to it. The bias of blocks is not included.
sampling_result <- function(release, steps, fields, common) {
  means <- vapply(release, \(x) x[[1]], 0) * steps
  variances <- pmax(vapply(release, \(x) x[[2]], 0), 0) * steps^2
  ranges <- rbind(fields$outputRange)
  k <- fields$numSubsets
  noise <- list(
    mean = fields$accuracy / log(1 / fields$alpha),
    variance = (ranges[, 2] - ranges[, 1])^2 / k /
      (fields$intervalShare * fields$epsilon * results_share(fields) / length(means))
  )
  reach <- sampling_reach(variances, k, noise, fields$alpha)
  ends <- cbind(means - reach, means + reach)
  c(mean_result_of(named_results(means, fields), fields, common), list(
    blockVariance = variances, samplingInterval = plain_range(ends)
  ))
}

# Distance between the mean and its target, exceeded with probability `alpha`. One fifth of alpha
# covers a variance that is larger than its noisy estimate. Student's quantile covers the
# uncertainty from few blocks. `noise` holds both scales.
sampling_reach <- function(variances, k, noise, alpha) {
  hidden <- alpha / 5
  rest <- alpha - hidden
  student <- stats::qt(rest / 2, max(k - 1, 1)) / stats::qnorm(rest / 2)
  largest <- (variances + noise$variance * max(log(1 / (2 * hidden)), 0)) / k * student^2
  mapply(noisy_normal_reach, sqrt(largest), noise$mean, rest)
}

# Returns the value that |normal + Laplace| exceeds with probability `alpha`.
noisy_normal_reach <- function(sd, scale, alpha) {
  tail <- function(h) noisy_normal_tail(h, sd, scale)
  most <- sd * stats::qnorm(alpha / 4, lower.tail = FALSE) + scale * log(2 / alpha)
  reach_of(tail, most, alpha)
}

# Returns the h between 0 and `most` that leaves alpha / 2 of a symmetric law on either side.
reach_of <- function(tail, most, alpha) {
  excess <- function(h) log(tail(h) / (alpha / 2))
  found <- stats::uniroot(excess, c(0, most), tol = most * 1e-10)
  found$root + found$estim.prec
}

# Probability that normal + Laplace is above h >= 0. With a = h / sd and c = sd / scale, it is
#   Phi(-a) + exp(c^2 / 2) / 2 (exp(-a c) Phi(a - c) - exp(a c) Phi(-a - c)),
# where exp(c^2 / 2 +- a c) Phi(-c -+ a) = exp(-a^2 / 2) mills(c +- a).
noisy_normal_tail <- function(h, sd, scale) {
  a <- if (sd > 0) h / sd else Inf
  c <- sd / scale
  near <- if (a < c) {
    exp(-a^2 / 2) * mills(c - a)
  } else {
    exp(c^2 / 2 - h / scale) * stats::pnorm(a - c)
  }
  stats::pnorm(-a) + (near - exp(-a^2 / 2) * mills(c + a)) / 2
}

# exp(u^2 / 2) Phi(-u) for u >= 0. From 1000 on, uses the first two terms of its series.
mills <- function(u) {
  if (u < 1000) exp(u^2 / 2 + stats::pnorm(-u, log.p = TRUE)) else (1 - u^-2) / (u * sqrt(2 * pi))
}

# Means of blocks from one joint release (joint_blocks.h) ------------------------------------------

# Without a share of the loss, it also has the number of failed blocks, which are left out, and
# the variance of results, which gives an interval for their estimand.

drops_failures <- function(fields) identical(fields$failures, "drop")
covers_population <- function(fields) identical(fields$interval, "population")

is_joint_mean <- function(fields) {
  fields$aggregationFun == "Mean" && (drops_failures(fields) || covers_population(fields))
}

is_disjoint <- function(args) args$scheme %in% c("partition", "labels")

# Checks the other arguments for a joint release.
check_joint <- function(args, call) {
  plain <- args$aggregationFun == "Mean" && args$rangeMode == "tight" && args$intervalShare == 0
  if (covers_population(args) && !(plain && is_disjoint(args) && args$numSubsets > 1)) {
    stop_argument(
      '"noise", unless the release is a mean of disjoint blocks, two or more, and at no share',
      '"population"', "interval", call
    )
  }
  if (drops_failures(args)) check_dropped_failures(args, plain, call)
}

check_dropped_failures <- function(args, plain, call) {
  if (is.character(args$innerFun) && args$scheme != "labels") {
    stop_argument('"middle": a named `innerFun` fails on empty blocks alone', '"drop"', "failures",
      call
    )
  }
  if (!plain && !args$aggregationFun %in% c("Median", "Quantile")) {
    stop_argument(
      '"middle", unless the release is a plain mean, a median or a quantile', '"drop"', "failures",
      call
    )
  }
  if (plain && reports_failures(args)) {
    stop_argument('0: a mean with `failures = "drop"` counts them', name_public(args$failureShare),
      "failureShare", call
    )
  }
}

joint_blocks_measurement <- function(args, blocks, epsilon) {
  new_measurement(core_make_joint_blocks(
    blocks$columns, blocks$design, blocks$drops, blocks$fun, blocks$outputs,
    drops_failures(args), covers_population(args), protected_rows, epsilon
  ))
}

# Noise scales of the moments of u, the distance from the middle in half-widths.
joint_blocks_scales <- function(fields, numbers) {
  each <- fields$overlap / fields$epsilon
  ratio <- if (drops_failures(fields)) 4 else 2
  count <- if (covers_population(fields)) 2 * ratio / (ratio - 1) else 2
  list(count = count * each, sum = 2 * numbers * each, square = ratio * 2 * numbers * each)
}

# Noisy moments: list(count, counts, sums, squares, scales, middle, half). The true count is within
# `counts` with probability 1 - alpha / 2. If noise alone can explain that a count is below the
# number of blocks, it is set to all of them.
joint_blocks_found <- function(release, fields) {
  ranges <- rbind(fields$outputRange)
  numbers <- nrow(ranges)
  half <- (ranges[, 2] - ranges[, 1]) / 2
  k <- fields$numSubsets
  scales <- joint_blocks_scales(fields, numbers)
  found <- list(scales = scales, half = half, middle = ranges[, 1] + half, count = k,
    counts = c(k, k))
  if (drops_failures(fields)) {
    worked <- release[[1]]
    release <- release[-1]
    reach <- whole_reach(scales$count, fields$alpha / 2)
    found$worked <- worked
    found$counts <- c(worked - reach, min(worked + reach, k))
    if (worked <= k - scales$count * log(10)) found$count <- worked
  }
  found$sums <- release[seq_len(numbers)] / half
  if (covers_population(fields)) found$squares <- release[-seq_len(numbers)] / half^2
  found
}

joint_blocks_result <- function(release, fields, common) {
  found <- joint_blocks_found(release, fields)
  means <- if (drops_failures(fields)) {
    mean_of_working(found, fields, common)
  } else {
    means <- found$middle + found$half * found$sums / found$count
    mean_result_of(named_results(means, fields), fields, common)
  }
  c(
    means, if (covers_population(fields)) sampling_of_blocks(found, fields),
    if (drops_failures(fields)) failures_found(found, fields)
  )
}

# Tells whether blocks surely worked, despite the noise.
enough_worked <- function(found) found$counts[[1]] >= 2

mean_of_working <- function(found, fields, common) {
  units <- if (enough_worked(found)) {
    reach <- found$scales$sum * log(2 / fields$alpha)
    t(vapply(found$sums, function(sum) {
      within_bounds(c(sum / found$count, ratios(sum, reach, found$counts)), -1, 1)
    }, numeric(3)))
  } else {
    matrix(c(NA, -1, 1), length(found$sums), 3, byrow = TRUE)
  }
  in_range <- found$middle + found$half * units
  ends <- in_range[, 2:3, drop = FALSE]
  common$accuracy <- pmax(ends[, 2] - in_range[, 1], in_range[, 1] - ends[, 1])
  c(list(release = named_results(in_range[, 1], fields)), common, list(
    interval = plain_range(ends)
  ))
}

# Sampling of disjoint blocks, which are independent and represent the population of the rows.
sampling_of_blocks <- function(found, fields) {
  if (!enough_worked(found)) {
    nothing <- rep(NA_real_, length(found$sums))
    return(list(blockVariance = nothing, samplingInterval = fields$outputRange))
  }
  count <- found$count
  means <- within_bounds(found$sums / count, -1, 1)
  variances <- count / (count - 1) * (found$squares / count - means^2)
  noise <- found$scales$square / count
  most <- vapply(variances, cautious_variance, 0, noise, count, 2, fields$alpha)
  sd <- sqrt(most / count) * student_excess(count, fields$alpha)
  of_count <- if (drops_failures(fields)) abs(means) * found$scales$count / count else 0
  reach <- mapply(two_noises_reach, sd, found$scales$sum / count, of_count, fields$alpha)
  ends <- within_bounds(cbind(means - reach, means + reach), -1, 1)
  list(
    blockVariance = found$half^2 * pmax(variances, 0),
    samplingInterval = plain_range(found$middle + found$half * ends)
  )
}

failures_found <- function(found, fields) {
  failed <- within_bounds(fields$numSubsets - found$worked, 0, fields$numSubsets)
  c(
    failures_shown(failed, whole_reach(found$scales$count, fields$alpha), fields),
    list(status = if (enough_worked(found)) "ok" else "failed")
  )
}
