test_that("the tail of a normal plus a Laplace variable matches their convolution", {
  for (sd in c(0.01, 1, 30)) {
    for (scale in c(0.5, 2)) {
      for (h in c(0, 1, 5, 20)) {
        integrand <- function(x) stats::dnorm(x, sd = sd) * pLap(x - h, b = scale)
        exact <- stats::integrate(integrand, -12 * sd, 12 * sd, rel.tol = 1e-10, abs.tol = 0)$value
        expect_equal(noisy_normal_tail(h, sd, scale) / exact, 1, tolerance = 1e-7)
      }
    }
  }
  expect_equal(noisy_normal_tail(3, 0, 2), exp(-3 / 2) / 2)
})

test_that("a reach is exceeded as rarely as requested, even under one of the laws", {
  for (sd in c(0, 1e-6, 0.1, 1, 50, 1e4)) {
    reach <- noisy_normal_reach(sd, 1, 0.05)
    expect_equal(2 * noisy_normal_tail(reach, sd, 1), 0.05, tolerance = 1e-6)
  }
  expect_equal(noisy_normal_reach(0, 2, 0.05), 2 * log(1 / 0.05), tolerance = 1e-8)
  expect_equal(noisy_normal_reach(1e4, 1, 0.05), 1e4 * stats::qnorm(0.975), tolerance = 1e-6)
})

test_that("few blocks and an uncertain variance widen the interval", {
  reach <- function(k, scale = 1e-9) {
    sampling_reach(1, k, list(mean = 1e-9, variance = scale), 0.05) * sqrt(k)
  }
  expect_equal(reach(1e6), stats::qnorm(1 - 0.04 / 2), tolerance = 1e-4)
  expect_equal(reach(5), stats::qt(1 - 0.04 / 2, 4), tolerance = 1e-4)
  expect_equal(reach(1e6, 1), stats::qnorm(0.98) * sqrt(1 + log(50)), tolerance = 1e-4)
})

test_that("several results have separate intervals for the noise and for sampling", {
  statistic <- aggregate_of(
    innerFun = function(x) c(mean(x), stats::median(x)), intervalShare = 0.5, numSubsets = 100,
    outputRange = rbind(mean = c(0, 100), median = c(0, 200)), epsilon = 2
  )
  result <- statistic$release(PUMS5extract10000)
  expect_equal(dim(result$samplingInterval), c(2, 2))
  expect_true(all(result$samplingInterval[, 1] < result$interval[, 1]))
  expect_true(all(result$samplingInterval[, 2] > result$interval[, 2]))
  expect_length(result$blockVariance, 2)
  expect_true(all(result$blockVariance >= 0))
})
