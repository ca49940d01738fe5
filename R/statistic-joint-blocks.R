# Means of blocks from one joint release (joint_blocks.h). Without a share of the loss, it also has
# the number of failed blocks, which are left out, and the variance of results, which gives an
# interval for their estimand.

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
