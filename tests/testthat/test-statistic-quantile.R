median_of <- function(...) {
  args <- list(varType = "integer", variable = "age", n = 10000, rng = c(0, 100), epsilon = 0.1)
  built(dpMedian, utils::modifyList(args, list(...)))
}

quantile_of <- function(...) {
  args <- list(
    varType = "numeric", variable = "x", n = 5, prob = 0.5, rng = c(0, 10), epsilon = 1,
    gridPoints = 11
  )
  built(dpQuantile, utils::modifyList(args, list(...)))
}

test_that("releases converge to the quantile", {
  data <- data.frame(x = c(1, 2, 2, 5, 9))
  exact <- function(prob) {
    exactly(quantile_of(prob = prob, epsilon = 1e6))$release(data)$release
  }
  expect_true(exact(0.5) %in% 2:4)
  expect_equal(exact(1), 9, tolerance = 0.12)
  expect_true(exact(0.7) %in% 3:5)
  expect_equal(exactly(median_of(epsilon = 1e6))$release(PUMS5extract10000)$release,
    stats::median(PUMS5extract10000$age))
})

test_that("the loss of the chain is the promised one", {
  for (prob in c(0, 0.1, 0.5, 1)) {
    chain <- quantile_of(prob = prob)$measurement
    expect_lte(chain(d_in = 1L), 1)
    expect_gt(chain(d_in = 1L), 1 - 1e-12)
  }
})

test_that("the rank error stays within the accuracy", {
  statistic <- median_of(alpha = 0.2)
  ages <- PUMS5extract10000$age
  error <- function(value) {
    abs(sum(ages < value) - sum(ages > value)) / 2
  }
  least <- min(vapply(0:100, error, 0))
  misses <- replicate(400, error(statistic$release(PUMS5extract10000)$release) - least)
  expect_lte(sum(misses > statistic$accuracy), most_of(400, 0.2))
})

test_that("selection is at least as good as the exponential mechanism's, on the oracle's data", {
  row <- formula_rows("privateQuantileGridProbabilities")[[1]]
  expect_equal(row$args$z, c(1, 2, 2, 5, 9))
  statistic <- quantile_of(score = "balance")
  data <- data.frame(x = row$args$z)
  found <- replicate(3000, statistic$release(data)$release)
  expect_true(all(found %in% 0:10))
  # Rows below or above, weighted by alpha. Ties count for neither side.
  scores <- vapply(0:10, function(t) {
    abs(sum(row$args$z < t) - sum(row$args$z > t)) / 2
  }, 0)
  weights <- exp(-scores / 2)
  expected <- sum(scores * weights) / sum(weights)
  scored <- scores[found + 1]
  expect_lt(mean(scored), expected + mean_reach(3000, stats::var(scored), diff(range(scores)) / 3))
})

test_that("for a median the dedicated statistic beats sample and aggregate by far", {
  arguments <- list(
    varType = "numeric", variable = "income", n = 10000, rng = c(0, 750000), epsilon = 0.1
  )
  blocks <- list(
    innerFun = "median", aggregationFun = "Mean", mechanism = "mechanismLaplace", numSubsets = 1000
  )
  error <- function(statistic) {
    off <- replicate(100, released(statistic)$release) - stats::median(PUMS5extract10000$income)
    sqrt(mean(off^2))
  }
  own <- error(do.call(dpMedian, arguments))
  # The grid has steps of 750, with a point at the median.
  expect_lt(own, 750)
  expect_gt(error(do.call(dpSampleAndAggregate, c(blocks, arguments))), 10 * own)
})

test_that("results print, and invalid arguments raise errors", {
  result <- median_of()$release(PUMS5extract10000)
  expect_named(result, c("release", "variable", "accuracy", "epsilon", "status"))
  expect_equal(median_of()$accuracy, 20 * log(101 / 0.05))
  expect_equal(median_of(epsilon = NULL, accuracy = 20 * log(101 / 0.05))$epsilon, 0.1)
  expect_refused(median_of(mechanism = "mechanismLaplace"), "mechanism")
  expect_refused(median_of(varType = "logical"), "varType")
  expect_refused(median_of(gridPoints = 1), "gridPoints")
  expect_refused(quantile_of(prob = 1.1), "prob")
  expect_length(quantile_of(varType = "integer", gridPoints = 101)$candidates, 11)
  expect_identical(dpMedian$new, dpMedian)
})

# Distance of each of `values` from the quantile `prob` of x, in ranks: ties cover all their ranks.
missed_ranks <- function(values, x, prob) {
  below <- vapply(values, function(value) sum(x < value), 0)
  up_to <- vapply(values, function(value) sum(x <= value), 0)
  wanted <- prob * length(x)
  pmax(0, below - wanted, wanted - up_to)
}

# Chance to fail: 100 releases, each below 7501 exp(-260 / 2) at most.
test_that("a quantile of values that many rows share is one of them", {
  data <- data.frame(kids = rep(0:5, c(2700, 2160, 860, 230, 40, 10)))
  quantile <- function(prob, ...) {
    plan <- built(dpQuantile, list(variable = "kids", n = 6000, prob = prob, rng = c(0, 15),
      epsilon = 1, ...))
    replicate(20, plan$release(data)$release)
  }
  for (prob in c(0.5, 0.7)) expect_identical(unique(quantile(prob)), 1)
  expect_identical(unique(quantile(0.9)), 2)
  expect_true(all(missed_ranks(quantile(0.5, missing = "impute"), data$kids, 0.5) == 0))
  # The rule of older plans releases numbers that no row has.
  older <- quantile(0.5, score = "balance", spacing = "even")
  expect_true(all(older > 0 & older < 1))
})

# Permute-and-flip: a candidate comes at a uniform time, and is chosen if its coin takes it and
# the coins of all that came before do not.
permute_and_flip_law <- function(scores, scale) {
  coins <- exp(-(scores - min(scores)) / scale)
  vapply(seq_along(coins), function(i) {
    others <- function(t) vapply(t, function(each) prod(1 - each * coins[-i]), 0)
    coins[[i]] * stats::integrate(others, 0, 1, rel.tol = 1e-10)$value
  }, 0)
}

# Chance to fail: 1e-9, of 4000 draws of each candidate against its exact law.
test_that("scores of the nearest candidates have the law of their definition", {
  x <- c(1, 2, 2, 2.4, 5, 9, 9, 9)
  for (prob in c(0.5, 0.8)) {
    statistic <- quantile_of(n = 8, prob = prob, epsilon = 2)
    draws <- replicate(4000, statistic$release(data.frame(x = x))$release)
    scores <- missed_ranks(0:10, round(x), prob)
    law <- permute_and_flip_law(scores, 1)
    for (at in 0:10) {
      seen <- sum(draws == at)
      expect_gt(stats::binom.test(seen, 4000, law[[at + 1]])$p.value, 1e-9 / 22)
    }
  }
})

test_that("dropping missing values needs no more noise than replacing them", {
  for (prob in c(0.05, 0.5, 0.9)) {
    dropping <- quantile_of(prob = prob)
    expect_identical(dropping$accuracy, quantile_of(prob = prob, missing = "impute")$accuracy)
    expect_equal(dropping$accuracy, 2 * log(11 / 0.05))
  }
})

test_that("bounds that are 1000 times too wide cost little, or are marked", {
  income <- data.frame(income = PUMS5extract10000$income)
  middle <- stats::median(income$income)
  median_within <- function(rng, ...) {
    plan <- built(dpMedian, list(variable = "income", n = 10000, rng = rng, epsilon = 1, ...))
    plan$release(income)
  }
  for (rng in list(c(0, 5e7), c(-5e7, 5e7))) {
    fine <- median_within(rng)
    expect_lt(abs(fine$release / middle - 1), 0.06)
    expect_identical(fine$status, "ok")
    coarse <- median_within(rng, spacing = "even")
    expect_identical(coarse$status, "coarse")
    expect_match(generics::glance(coarse)$notes, "a release represents a wide cell")
    expect_match(format(coarse), "narrow `rng`", all = FALSE)
  }
  expect_identical(median_within(c(0, 75000), spacing = "even")$status, "ok")
  # Each whole number is a candidate.
  kids <- data.frame(kids = rep(0:1, c(900, 100)))
  plan <- built(dpMedian, list(varType = "integer", variable = "kids", n = 1000, rng = c(0, 9000),
    epsilon = 1))
  expect_identical(plan$release(kids)$status, "ok")
})

test_that("candidates with digits add to the round ones", {
  found <- quantile_candidates(NULL, c(0, 5e7), "numeric", "digits")
  expect_true(all(c(0, 750, 1.1e4, 18000, 5e7) %in% found))
  expect_true(all(quantile_candidates(NULL, c(0, 5e7), "numeric") %in% found))
  expect_false(is.unsorted(found, strictly = TRUE))
  signs <- quantile_candidates(NULL, c(-3, 15), "numeric", "digits")
  expect_true(all(c(-2.5, -0.13, 0.7, 14) %in% signs))
  whole <- quantile_candidates(NULL, c(0, 1e6), "integer", "digits")
  expect_identical(whole, round(whole))
  expect_identical(quantile_of()$candidates, quantile_of(spacing = "even")$candidates)
  expect_refused(quantile_of(spacing = "wide"), "spacing")
  expect_refused(quantile_of(score = "ties"), "score")
})
