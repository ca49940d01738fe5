test_that("the classical scale of Gaussian noise is too small for a large loss", {
  expect_gt(gaussianAnalyticSigma(1, 50, 1e-6), sqrt(2 * log(1.25 / 1e-6)) / 50)
})

test_that("the scale of Gaussian noise is the smallest, over the whole range", {
  for (epsilon in 10^(-4:3)) {
    for (delta in c(1e-300, 1e-9, 0.01, 0.9)) {
      sigma <- gaussianAnalyticSigma(1, epsilon, delta)
      expect_lte(gaussianAchievedDelta(1, epsilon, sigma), delta)
      expect_gt(gaussianAchievedDelta(1, epsilon, sigma * (1 - 1e-9)), delta)
    }
  }
})

test_that("tails of discrete noise are sums of its probabilities", {
  z <- -2000:2000
  p <- exp(-abs(z) * 0.5 * 0.1 / 2)
  for (t in c(0.5, 3, 10)) {
    expect_equal(discreteLaplaceTail(2, 0.1, 0.5, t), sum(p[abs(z) * 0.5 >= t]) / sum(p))
  }
})

test_that("a shortfall of the score is as rare as promised", {
  scores <- c(0, rep(-exponentialGetAccuracy(1, 0.3, 50, 0.1) * 1.0001, 49))
  missed <- 1 - exponentialMechanismProbabilities(scores, 0.3, 1)[[1]]
  expect_lte(missed, 0.1)
  expect_gt(missed, 0.08)
  expect_equal(exponentialGetEpsilon(1, exponentialGetAccuracy(1, 0.3, 50), 50), 0.3)
})

test_that("widely separated scores do not underflow", {
  expect_equal(exponentialMechanismProbabilities(c(1e6, 0), 1, 1), c(1, 0))
  expect_equal(exponentialMechanismProbabilities(c(-1e6, -1e6), 1, 1), c(0.5, 0.5))
})

test_that("out-of-range arguments raise errors", {
  expect_refused(gaussianAnalyticSigma(1, 1, 1), "delta")
  expect_refused(gaussianAnalyticSigma(0, 1, 0.1), "sensitivity")
  expect_refused(gaussianAchievedDelta(1, 1, 0), "sigma")
  expect_refused(zcdpToApproxDP(-1, 0.1), "rho")
  expect_refused(exponentialMechanismProbabilities(c(1, NA), 1, 1), "quality")
  expect_refused(smith11Radius(0), "k")
  expect_refused(smoothSensitivityCauchyScale(1, epsilon = 1, beta = 1), "beta")
  expect_refused(smoothSensitivityCauchyScale(-1, 1, 0.5), "smoothSensitivity")
  expect_refused(gaussianGetAccuracy(1, 1, delta = 0), "delta")
})
