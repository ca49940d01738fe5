# Aggregators: from the numbers of all blocks to one release, with a loss of `epsilon` at most.
#
# `numbers` says what is public of them: `lower`, `upper` and `sensitivity` in steps of
# 2^`exponent`, how many blocks there are, `numSubsets`, how many of these one protected row can
# change, the `overlap`, and how far it moves the sum of all, `move`.

numbers_space <- function(numbers, metric = change_one_distance()) {
  bounds <- c(numbers$lower, numbers$upper)
  c(vector_domain(atom_domain(bounds = bounds, .T = "i64"), size = numbers$numSubsets), metric)
}

# `limit` is what then_protect() takes, which may be a rho.
mean_aggregator <- function(numbers, limit, options) {
  numbers_space(numbers, l1_distance("i64")) |>
    then_block_total() |>
    then_protect(limit, d_in = numbers$move) |>
    then_mean_of(numbers$numSubsets, numbers$exponent)
}

# By the ranks of the blocks nearest to each candidate, or in older plans by the balance of those
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

# Whole numbers from each of these on are nearer to the next candidate.
number_halves <- function(candidates) ceiling(halves_between(candidates))

# Of those blocks that did not fail, whose number is private: a number that changes leaves and joins
# them.
working_space <- function(numbers) {
  bounds <- c(numbers$lower, numbers$upper)
  c(vector_domain(atom_domain(bounds = bounds, .T = "i64")), symmetric_distance())
}

# Points of equal distance from one end of the numbers to the other, as near as steps go.
number_candidates <- function(numbers, gridPoints) {
  unique(round(seq(numbers$lower, numbers$upper, length.out = gridPoints)))
}

# Two quarters of the loss go into the quartiles, half of it into the mean. Quartiles keep the
# balance of blocks below and above: if all numbers are between two candidates, all candidates on
# the side of a quartile are alike, so the interval is wide but holds the numbers. The release says
# how wide. Quartiles of the range helper are of rows, which are more and lie further apart.
winsorized_aggregator <- function(numbers, epsilon, options) {
  space <- numbers_space(numbers)
  candidates <- number_candidates(numbers, options$gridPoints)
  calibrated("winsorized_mean", space, numbers$exponent, c(0.25, 0.75), candidates, options$reach,
    2 * selection_factor, least,
    d_in = as.integer(numbers$overlap), loss = epsilon
  )
}

# Half of the loss pays for where the numbers are, half for how large the noise is.
trimmed_aggregator <- function(numbers, epsilon, options) {
  space <- numbers_space(numbers)
  trim <- floor(options$trim * numbers$numSubsets)
  calibrated("trimmed_sum", space, trim, least,
    d_in = as.integer(numbers$overlap), loss = epsilon
  ) |> then_mean_of(numbers$numSubsets - 2 * trim, numbers$exponent)
}

# The outcome with the most votes; the number of a block is its place, or behind the last for none.
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
