# Blocks of one row each, whose numbers are the rows.
of_rows <- function(x, ..., epsilon = exact_epsilon) {
  statistic <- exactly(aggregate_of(
    innerFun = function(x) x[[1]], variable = "x", n = length(x), numSubsets = length(x),
    rng = c(0, 100), epsilon = epsilon, ...
  ))
  statistic$release(data.frame(x = as.double(x)))
}

in_range <- function(x, ...) of_rows(x, outputRange = c(0, 100), ...)

numbers <- c(0, 1, 20, 21, 22, 23, 24, 25, 90, 95)

test_that("with negligible noise each aggregator gives the statistic in its name", {
  expect_equal(in_range(numbers)$release, mean(numbers), tolerance = 1e-6)
  expect_equal(in_range(numbers, aggregationFun = "TrimmedMean", trim = 0.2)$release,
    mean(numbers, trim = 0.2),
    tolerance = 1e-6
  )
  median <- in_range(numbers, aggregationFun = "Median")
  expect_true(median$release >= 22 && median$release <= 23)
  upper <- in_range(numbers, aggregationFun = "Quantile", prob = 0.85)
  expect_true(upper$release >= 90 - 0.1 && upper$release <= 90.1)
  wide <- in_range(numbers, aggregationFun = "WinsorizedMean")
  # Four times k^(1/3 + 1/10) interquartile ranges on either side of their midpoint.
  expect_equal(as.double(wide$clampedTo), c(0, 22.5 + 5 * 4 * 10^(1 / 3 + 1 / 10)),
    tolerance = 0.02)
  expect_equal(wide$release, mean(pmin(numbers, wide$clampedTo[[2]])), tolerance = 1e-6)
  loose <- in_range(numbers, rangeMode = "loose")
  ends <- as.double(loose$clampedTo)
  expect_equal(ends, c(20, 25), tolerance = 0.02)
  expect_equal(loose$release, mean(pmin(pmax(numbers, ends[[1]]), ends[[2]])), tolerance = 1e-6)
})

test_that("the mode is the outcome of most blocks, and other values have no vote", {
  votes <- function(x, outcomes, inner) {
    exactly(aggregate_of(
      innerFun = inner, variable = "x", n = length(x), numSubsets = length(x), rng = c(0, 100),
      aggregationFun = "Mode", outcomes = outcomes, epsilon = exact_epsilon
    ))$release(data.frame(x = as.double(x)))$release
  }
  name <- function(x) if (x < 50) "low" else if (x < 90) "high" else stop("none")
  x <- c(1, 2, 3, 60, 60, 95, 95, 95, 95, 95)
  expect_equal(votes(x, c("low", "high"), name), "low")
  expect_equal(votes(rev(x), c("high", "low"), name), "low")
  expect_equal(votes(x, c(95, 60), function(x) x), 95)
})

test_that("D_SEN_1 a replaced row costs at most epsilon, and nearly attains it", {
  local_untried()
  for (options in aggregators_of_all_kinds()) {
    statistic <- do.call(tiny_aggregate, options)
    loss <- statistic$measurement(d_in = 1L)
    expect_lte(loss, 1)
    expect_gt(loss, 1 - 1e-6)
    expect_identical(statistic$measurement(d_in = 0L), 0)
  }
  # A sum of roundings. None rounds down.
  several <- aggregate_of(innerFun = range, outputRange = rbind(c(0, 1), c(0, 2), c(0, 3)))
  expect_lte(several$measurement(d_in = 1L), 1)
})

test_audits(block_audits())

test_that("the accuracy follows from the scale in the oracle", {
  for (row in formula_rows("sampleAggregateMeanScale")) {
    given <- row$args
    statistic <- aggregate_of(
      innerFun = max, outputRange = c(0, given$outputWidth), epsilon = given$epsilon,
      numSubsets = given$blocks * given$overlap, overlap = given$overlap, scheme = "resampled"
    )
    scale <- statistic$noiseAccuracy / log(1 / statistic$alpha)
    expect_equal(scale, row$value / given$overlap, tolerance = 1e-12)
  }
})

test_that("incompatible arguments raise errors", {
  user <- function(...) {
    args <- utils::modifyList(list(innerFun = max, outputRange = c(0, 1)), list(...))
    do.call(aggregate_of, args)
  }
  expect_refused(user(aggregationFun = "Midrange"), "aggregationFun")
  expect_refused(user(aggregationFun = "Median", numSubsets = 1), "numSubsets")
  expect_refused(user(aggregationFun = "TrimmedMean", trim = 0.5), "trim")
  expect_refused(
    do.call(dpSampleAndAggregate, list(
      innerFun = max, outputRange = c(0, 1), aggregationFun = "Median", accuracy = 1,
      mechanism = "mechanismLaplace", numSubsets = 10, varType = "numeric", variable = "x",
      n = 100, rng = c(0, 1)
    )),
    "epsilon"
  )
  expect_refused(user(prob = 2), "prob")
  expect_refused(user(gridPoints = 1), "gridPoints")
  expect_refused(user(scheme = "half"), "scheme")
  expect_refused(user(overlap = 2), "overlap")
  expect_refused(user(scheme = "resampled", overlap = 3), "numSubsets")
  expect_refused(user(scheme = "subsets"), "subsetSize")
  expect_refused(user(scheme = "subsets", subsetSize = 10001), "subsetSize")
  expect_refused(user(rangeMode = "wide"), "rangeMode")
  expect_refused(user(rangeMode = "loose", aggregationFun = "Median"), "rangeMode")
  expect_refused(user(rangeMode = "helper", aggregationFun = "Median"), "rangeMode")
  expect_refused(user(intervalShare = 1), "intervalShare")
  expect_refused(user(intervalShare = 0.5, aggregationFun = "Median"), "intervalShare")
  expect_refused(user(timeLimit = 0), "timeLimit")
  expect_refused(aggregate_of(timeLimit = 1), "timeLimit")
  expect_refused(user(outcomes = c("a", "b")), "outcomes")
  expect_refused(aggregate_of(innerFun = max, aggregationFun = "Mode"), "outcomes")
  expect_refused(
    aggregate_of(innerFun = max, aggregationFun = "Mode", outcomes = c("a", "a")), "outcomes"
  )
  expect_refused(aggregate_of(aggregationFun = "Mode", outcomes = c("a", "b")), "innerFun")
  expect_refused(aggregate_of(variable = c("a", "b")), "variable")
})

# Quantiles of blocks ------------------------------------------------------------------------------

# In a range that is much wider than the results, all of them are between two candidates.
wide_blocks <- function(..., epsilon = 100) {
  small(exactly(aggregate_of(
    innerFun = "median", variable = "x", n = 300, numSubsets = 100, rng = c(0, 1e6),
    epsilon = epsilon, aggregationFun = "Median", ...
  )))
}
between_candidates <- data.frame(x = rep(c(40050, 40100, 40150), 100))

test_that("a median of results between two candidates is one of these", {
  # Others are less likely by exp(-50 ranks * epsilon / 2).
  expect_identical(wide_blocks()$release(between_candidates)$release, 40000)
  tail <- wide_blocks(aggregationFun = "Quantile", prob = 0.9)
  expect_identical(tail$release(between_candidates)$release, 40000)
  # By balance all candidates on one side are as good, and 1000 of 1001 are others.
  older <- wide_blocks(score = "balance")
  found <- replicate(5, older$release(between_candidates)$release)
  # The chance that all of them are this one is 1e-15.
  expect_true(any(found != 40000))
  expect_match(format(older$result), "between two candidates, the release can be any", all = FALSE)
  expect_no_match(format(wide_blocks()$release(between_candidates)), "between two candidates")
})

test_that("half-way results count at the next candidate", {
  three <- function(x) {
    small(exactly(aggregate_of(
      innerFun = function(x) x[[1]], variable = "x", n = 20, numSubsets = 20, rng = c(0, 4),
      outputRange = c(0, 4), gridPoints = 3, epsilon = 1e4, aggregationFun = "Median"
    )))$release(data.frame(x = rep(x, 20)))$release
  }
  expect_identical(vapply(c(0, 0.999, 1, 2.999, 3, 4), three, 0), c(0, 0, 2, 2, 4, 4))
})

test_that("results of blocks that failed count at no candidate", {
  fails <- function(x) if (x[[1]] == 4) stop("no") else x[[1]]
  statistic <- small(exactly(aggregate_of(
    innerFun = fails, variable = "x", n = 50, numSubsets = 50, rng = c(0, 4), outputRange = c(0, 4),
    gridPoints = 5, epsilon = 1e4, aggregationFun = "Median", failures = "drop"
  )))
  expect_identical(statistic$release(data.frame(x = rep(c(4, 1), c(40, 10))))$release, 1)
})

test_that("both scores lose the same, and no other aggregator has a score", {
  for (overlap in 1:2) {
    for (failures in c("middle", "drop")) {
      loss <- function(score) {
        small(exactly(aggregate_of(
          innerFun = max, outputRange = c(0, 100), numSubsets = 20, aggregationFun = "Quantile",
          prob = 0.8, scheme = "resampled", overlap = overlap, failures = failures, score = score
        )))$measurement(d_in = 1L)
      }
      expect_lte(loss("nearest"), 1)
      expect_equal(loss("nearest"), loss("balance"))
    }
  }
  hash <- function(...) plan_hash(aggregate_of(...))
  expect_identical(hash(), hash(score = "balance"))
  expect_identical(hash(score = "nearest"), hash(score = "balance"))
  of_median <- function(...) hash(aggregationFun = "Median", ...)
  expect_identical(of_median(), of_median(score = "nearest"))
  expect_false(identical(of_median(), of_median(score = "balance")))
})

test_that("a saved median of blocks keeps the score of its plan", {
  for (score in c("nearest", "balance")) {
    statistic <- wide_blocks(score = score)
    copy <- small(exactly(from_json(to_json(statistic))))
    expect_identical(plan_hash(copy), plan_hash(statistic))
    says <- any(grepl("between two candidates", format(copy$release(between_candidates))))
    expect_identical(says, score == "balance")
  }
})

# Intervals ----------------------------------------------------------------------------------------

test_that("a winsorized mean has the interval of its noise", {
  statistic <- small(exactly(aggregate_of(
    innerFun = "median", variable = "x", n = 40, numSubsets = 40, rng = c(0, 100), epsilon = 8,
    aggregationFun = "WinsorizedMean", gridPoints = 11
  )))
  # The mean of numbers within the interval that was found: this one has them all.
  found <- replicate(300, {
    result <- statistic$release(data.frame(x = rep(c(40, 60), 20)))
    ends <- as.double(result$clampedTo)
    mean <- mean(pmin(pmax(c(40, 60), ends[[1]]), ends[[2]]))
    expect_equal(result$accuracy, diff(ends) / 40 / 4 * log(20))
    result$interval[[1]] <= mean && mean <= result$interval[[2]]
  })
  target <- "of the block results, moved into the range found, without sampling error"
  expect_match(format(statistic$result), target, fixed = TRUE, all = FALSE)
  # A true share of 0.95 fails once in 1e9 checks.
  expect_gte(sum(found), stats::qbinom(1e-9, 300, 0.95))
})

test_that("a mean whose noise is wider than the range is marked, also where it is winsorized", {
  # A single release says how wide it is.
  few <- function(...) {
    small(aggregate_of(innerFun = "median", variable = "x", n = 10, numSubsets = 2,
      rng = c(0, 100), gridPoints = 2, epsilon = 0.5, ...))
  }
  result <- few(aggregationFun = "WinsorizedMean")$release(data.frame(x = 1:10))
  expect_identical(as.double(result$clampedTo), c(0, 100))
  expect_match(format(result), "mostly noise: the interval covers", all = FALSE)
})

test_that("a trimmed mean says that no interval is known", {
  result <- aggregate_of(aggregationFun = "TrimmedMean")$release(PUMS5extract10000)
  expect_match(format(result), "no interval is known: the noise in a release depends", all = FALSE)
  expect_match(generics::glance(result)$notes, "no interval is known")
  expect_no_match(format(released(aggregate_of())), "no interval is known")
})
