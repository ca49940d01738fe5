# Number of failed blocks, which a share of the budget pays for.

# Blocks of one row each. A 1 makes a block fail in one of several ways.
failing <- list(
  error = function(x) if (x == 1) stop("no") else 0.5,
  missing = function(x) if (x == 1) NA else 0.5,
  longer = function(x) if (x == 1) c(0.5, 0.5) else 0.5,
  none = function(x) if (x == 1) NULL else 0.5,
  classed = function(x) if (x == 1) structure(0.5, class = "mine") else 0.5
)

counting <- function(..., innerFun = failing$error, failureShare = 0.5) {
  exactly(tiny_aggregate(..., innerFun = innerFun, failureShare = failureShare))
}

test_that("every kind of failure is counted, and nothing else", {
  for (kind in names(failing)) {
    for (count in c(0, 1, 3, 4)) {
      statistic <- counting(innerFun = failing[[kind]], epsilon = 1e9)
      result <- statistic$release(data.frame(x = rep(c(1, 0), c(count, 4 - count))))
      expect_identical(result$nFailed, as.double(count), info = kind)
      expect_equal(result$release, 0.5, tolerance = 1e-6)
      expect_identical(result$nFailedAccuracy, 0)
    }
  }
})

test_that("a block with one missing number among several fails, and the others count", {
  statistic <- exactly(aggregate_of(
    innerFun = function(x) c(x, if (x == 1) NA else 3), variable = "x", n = 4, numSubsets = 4,
    rng = c(0, 1), outputRange = rbind(first = c(0, 1), second = c(0, 10)), failureShare = 0.5,
    epsilon = 1e9
  ))
  result <- statistic$release(data.frame(x = c(1, 0, 0, 0)))
  expect_identical(result$nFailed, 1)
  expect_equal(result$release, c(first = 0.25, second = (3 * 3 + 5) / 4), tolerance = 1e-6)
})

test_that("a vote for none of the outcomes is a failure", {
  statistic <- counting(
    innerFun = max, aggregationFun = "Mode", outcomes = c(0, 0.5), epsilon = 1e9
  )
  result <- statistic$release(data.frame(x = c(1, 0, 0, 1)))
  expect_identical(result$nFailed, 2)
  expect_identical(result$release, 0)
})

test_that("it works with every aggregator, with children and with several partitions", {
  kinds <- aggregators_of_all_kinds()
  for (kind in setdiff(names(kinds), "Helper")) {
    args <- utils::modifyList(kinds[[kind]], list(innerFun = function(x) if (x == 1) NA else x))
    result <- do.call(counting, c(args, epsilon = 1e9))$release(data.frame(x = c(0, 0, 1, 1)))
    expect_identical(result$nFailed, 2, info = kind)
  }
  slow <- counting(timeLimit = 30, epsilon = 1e9)
  expect_identical(slow$release(data.frame(x = c(1, 1, 0, 0)))$nFailed, 2)
  twice <- counting(scheme = "resampled", overlap = 2, numSubsets = 8, epsilon = 1e9)
  expect_identical(twice$release(data.frame(x = c(1, 0, 0, 0)))$nFailed, 2)
})

test_that("D_SEN_1 one row changes the failures of its blocks, and attains the bound", {
  fails <- function(x) if (any(x == 1)) NA else 0.5
  moved <- function(...) {
    statistic <- counting(innerFun = fails, epsilon = 1e9, ...)
    failed <- function(x) statistic$release(data.frame(x = x))$nFailed
    rows <- as.matrix(expand.grid(rep(list(0:1), 4)))
    most <- 0
    for (i in seq_len(nrow(rows))) {
      most <- max(most, abs(failed(c(1, rows[i, -1])) - failed(c(0, rows[i, -1]))))
    }
    c(most, statistic$overlap)
  }
  expect_identical(moved(), c(1, 1))
  expect_identical(moved(scheme = "resampled", overlap = 2, numSubsets = 8), c(2, 2))
  # With labels, a row is added to a block or removed.
  labels <- counting(innerFun = fails, epsilon = 1e9, scheme = "labels")
  expect_identical(labels$release(data.frame(x = c(1, 0, 0, 0)))$nFailed, 1)
  expect_identical(labels$release(data.frame(x = c(0, 0, 0)))$nFailed, 0)
})

test_that("its share is part of the loss, and determines its noise", {
  parts <- function(share, ...) counting(failureShare = share, epsilon = 2, ...)
  for (share in c(0.125, 0.5, 0.9)) {
    for (overlap in 1:2) {
      statistic <- if (overlap == 1) parts(share) else
        parts(share, scheme = "resampled", overlap = 2, numSubsets = 8)
      loss <- statistic$measurement(d_in = statistic$d_in)
      expect_identical(statistic$epsilon, loss[[1]])
      expect_lte(statistic$epsilon, 2)
      expect_gte(statistic$epsilon, 2 - 1e-9)
      # The range of the mean has D = 1 among k = 4 or 8 blocks.
      k <- statistic$numSubsets
      expect_equal(statistic$accuracy, overlap / (k * 2 * (1 - share)) * log(20))
    }
  }
  by_accuracy <- counting(failureShare = 0.5, epsilon = NULL, accuracy = 0.1)
  expect_equal(by_accuracy$epsilon, 2 * counting(
    failureShare = 0, epsilon = NULL, accuracy = 0.1
  )$epsilon)
})

test_that("the number has discrete Laplace noise of its share, rounded", {
  statistic <- counting(innerFun = function(x) 0.5, failureShare = 0.5, epsilon = 1,
    numSubsets = 100, n = 100)
  data <- data.frame(x = rep(0, 100))
  shares <- numbers_of(lapply(draw_many(statistic$measurement, data, 2000), `[[`, 2))
  noise <- shares * 100
  # Laplace noise of scale 2: cells of equal probability.
  ends <- 2 * sign(seq(-0.4, 0.4, 0.1)) * -log(1 - 2 * abs(seq(-0.4, 0.4, 0.1)))
  counts <- as.vector(table(cut(noise, c(-Inf, ends, Inf))))
  expect_true(has_law(counts, rep(0.1, 10)))
  # At most alpha / 2 of the releases are above.
  most <- failure_accuracy(statistic$getFields())
  expect_identical(most, ceiling(2 * log(20) - 0.5))
  expect_lte(sum(abs(round(noise)) > most), most_of(2000, 0.05))
})

test_that("results, print and JSON show it only if it was paid for", {
  statistic <- counting(epsilon = 20)
  expect_match(format(statistic), "failureShare +0.5", all = FALSE)
  expect_no_match(format(counting(failureShare = 0)), "failureShare|nFailed")
  result <- statistic$release(data.frame(x = c(1, 0, 0, 0)))
  expect_match(format(result), "nFailed .*blocks", all = FALSE)
  entry <- jsonlite::fromJSON(release2json(statistic), simplifyVector = FALSE)[["dp-releases"]][[1]]
  expect_identical(as.double(entry$postprocess$nFailed), result$nFailed)
  plain <- counting(failureShare = 0)$release(data.frame(x = c(1, 0, 0, 0)))
  expect_null(plain[["nFailed"]])
})

test_that("an invalid or unused share raises an error", {
  refused <- function(...) {
    expect_error(aggregate_of(...), class = "dp_error_invalid_argument")
  }
  own <- list(innerFun = mean, outputRange = c(0, 100))
  for (share in list(1, -0.1, NA, "half", c(0.1, 0.2))) {
    do.call(refused, c(own, list(failureShare = share)))
  }
  refused(innerFun = "mean", failureShare = 0.5)
  refused(
    innerFun = mean, rangeMode = "helper", rangeHelper = function(x) x, failureShare = 0.5
  )
})
