# How often intervals cover what the data as used have. All checks of this file share an error of
# 1e-6: true intervals fail in one of a million runs of it.

releases <- 1000
nominal <- 0.95
checks <- 10

covers_often_enough <- function(hits) {
  sum(hits) >= stats::qbinom(1e-6 / checks, length(hits), nominal)
}

# `covered(result)`: whether an interval of a new release covers.
hits_of <- function(statistic, covered, data) {
  replicate(releases, covered(statistic$release(data)))
}

within <- function(x, interval) x >= interval[[1]] && x <= interval[[2]]

data <- data.frame(x = seq(0, 100, length.out = 50), y = rep(c(0, 30, 10, 90, 50), 10))

test_that("intervals of mean, variance and sample-and-aggregate cover as often as they say", {
  shared <- list(variable = "x", n = 50, epsilon = 0.5)
  mean_of_x <- do.call(mean_of, shared)
  covers_mean <- function(result) within(mean(data$x), result$interval)
  expect_true(covers_often_enough(hits_of(mean_of_x, covers_mean, data)))

  covers_variance <- function(result) within(stats::var(data$x), result$interval)
  expect_true(covers_often_enough(hits_of(do.call(variance_of, shared), covers_variance, data)))

  # Blocks of the same size: the mean of their means is the mean of all rows.
  blocks <- do.call(aggregate_of, shared)
  expect_true(covers_often_enough(hits_of(blocks, covers_mean, data)))

  too_short <- function(result) {
    within(mean(data$x), result$release + c(-1, 1) * result$accuracy / 2)
  }
  expect_false(covers_often_enough(hits_of(mean_of_x, too_short, data)))
})

test_that("intervals of a count, an entry of a covariance and a rank cover, too", {
  histogram <- histogram_of(variable = "x", n = 50, rng = c(0, 100), nBins = 4)
  count <- sum(data$x > 25 & data$x <= 50)
  covers_count <- function(result) within(count, unlist(result$intervals[2, ]))
  expect_true(covers_often_enough(hits_of(histogram, covers_count, data)))

  covariance <- dpCovariance(
    mechanism = "mechanismLaplace", varType = "numeric", n = 50, columns = c("x", "y"),
    rng = list(c(0, 100), c(0, 100)), globalEps = 1
  )
  covers_entry <- function(result) {
    abs(result$release[["x"]][[2]] - stats::cov(data$x, data$y)) <= result$accuracy[[2]]
  }
  expect_true(covers_often_enough(hits_of(covariance, covers_entry, data)))

  quantile <- dpQuantile(
    varType = "numeric", variable = "x", n = 50, prob = 0.3, rng = c(0, 100), epsilon = 1,
    gridPoints = 101
  )
  off <- function(t) abs(0.7 * sum(data$x < t) - 0.3 * sum(data$x > t))
  best <- min(vapply(quantile$candidates, off, 0))
  covers_rank <- function(result) off(result$release) <= best + result$accuracy
  expect_true(covers_often_enough(hits_of(quantile, covers_rank, data)))
})

test_that("intervals that know of sampling and noise cover what the blocks estimate", {
  # Rows from a population with mean, median and middle of the range at 50, new in each release.
  hits <- function(...) {
    statistic <- aggregate_of(
      variable = "x", n = 1000, numSubsets = 40, rng = c(0, 100), intervalShare = 0.5, ...
    )
    function(target = 50) {
      replicate(releases, {
        result <- statistic$release(data.frame(x = stats::rnorm(1000, 50, 15)))
        within(target, result$samplingInterval)
      })
    }
  }
  sampled <- hits(innerFun = "mean", epsilon = 2.9)
  noisy <- hits(innerFun = "median", epsilon = 0.1)
  both <- hits(innerFun = "mean", scheme = "labels", epsilon = 1)
  for (covers in list(sampled, noisy, both)) {
    expect_true(covers_often_enough(covers()))
  }
  expect_false(covers_often_enough(sampled(70)))
})
