# Aggregators turn the numbers of all blocks into one release, with a loss of at most `epsilon`.
#
# `numbers` has public facts about them. `lower`, `upper` and `sensitivity` are in steps of
# 2^`exponent`. `numSubsets`: number of blocks. `overlap`: number of blocks that one protected row
# can change. `move`: the effect of that row on the sum of all numbers.

numbers_space <- function(numbers, metric = change_one_distance()) {
  bounds <- c(numbers$lower, numbers$upper)
  c(vector_domain(atom_domain(bounds = bounds, .T = "i64"), size = numbers$numSubsets), metric)
}

# `limit` goes to then_protect(). It can be a rho.
mean_aggregator <- function(numbers, limit, options) {
  numbers_space(numbers, l1_distance("i64")) |>
    then_block_total() |>
    then_protect(limit, d_in = numbers$move) |>
    then_mean_of(numbers$numSubsets, numbers$exponent)
}

# Scores a candidate by the ranks of its nearest blocks, or in older plans by the balance of blocks
# below and above it.
quantile_aggregator <- function(numbers, epsilon, options) {
  drops <- drops_failures(options)
  space <- if (drops) working_space(numbers) else numbers_space(numbers)
  candidates <- number_candidates(numbers, options$gridPoints)
  select <- function(step, space) {
    calibrated(step, space, max_divergence(), candidates, options$prob, least,
      d_in = as.integer(numbers$overlap * if (drops) 2 else 1), loss = epsilon
    )
  }
  if (is.null(options$score)) {
    return(select("make_private_quantile", if (drops) space else then_metric_unbounded(space)))
  }
  select("private_quantile_of_cells", then_find_bin(space, edges = number_halves(candidates)))
}

# Smallest whole numbers that are nearer to the next candidate.
number_halves <- function(candidates) ceiling(halves_between(candidates))

# Space of the numbers of blocks that did not fail. Their count is private, so changing a number
# removes it and adds another.
working_space <- function(numbers) {
  bounds <- c(numbers$lower, numbers$upper)
  c(vector_domain(atom_domain(bounds = bounds, .T = "i64")), symmetric_distance())
}

# Equally spaced points from one end of the numbers to the other, rounded to steps.
number_candidates <- function(numbers, gridPoints) {
  unique(round(seq(numbers$lower, numbers$upper, length.out = gridPoints)))
}

# Spends a quarter of the loss on each quartile and half on the mean. Quartiles keep the balance
# score: if all numbers are between two candidates, all candidates on the side of a quartile score
# the same. So the interval is wide but contains the numbers, and the release says how wide it is.
# The range helper uses quartiles of rows, which are more numerous and more spread out.
winsorized_aggregator <- function(numbers, epsilon, options) {
  space <- numbers_space(numbers)
  candidates <- number_candidates(numbers, options$gridPoints)
  calibrated("winsorized_mean", space, numbers$exponent, c(0.25, 0.75), candidates, options$reach,
    2 * selection_factor, least,
    d_in = as.integer(numbers$overlap), loss = epsilon
  )
}

# Spends half of the loss to locate the numbers, and half on the noise of the mean.
trimmed_aggregator <- function(numbers, epsilon, options) {
  space <- numbers_space(numbers)
  trim <- floor(options$trim * numbers$numSubsets)
  calibrated("trimmed_sum", space, trim, least,
    d_in = as.integer(numbers$overlap), loss = epsilon
  ) |> then_mean_of(numbers$numSubsets - 2 * trim, numbers$exponent)
}

# Outcome with the most votes. A block's number is the index of its vote, or one past the last if it
# has none.
mode_aggregator <- function(numbers, epsilon, options) {
  places <- (seq_along(options$outcomes) - 1) / 2^numbers$exponent
  votes <- numbers_space(numbers) |>
    then_count_by_categories(
      categories = places, null_category = FALSE, .MO = "LInfDistance<f64>", .TOA = "f64"
    )
  calibrated("make_noisy_max", votes, max_divergence(), least, FALSE,
    d_in = as.integer(numbers$overlap), loss = epsilon
  )
}

aggregators <- list(
  Mean = mean_aggregator,
  WinsorizedMean = winsorized_aggregator,
  TrimmedMean = trimmed_aggregator,
  Median = quantile_aggregator,
  Quantile = quantile_aggregator,
  Mode = mode_aggregator
)
