test_that("candidates are round numbers, and both ends", {
  of <- function(lower, upper) quantile_candidates(NULL, c(lower, upper), "numeric")
  expect_identical(of(0, 750000), 100 * (0:7500))
  expect_identical(of(0, 1), (0:5000) / 5000)
  expect_identical(of(0, 0.25), (0:5000) / 20000)
  expect_identical(of(-1, 4), (-1000:4000) / 1000)
  expect_identical(of(18, 93)[c(1, 2, 7501)], c(18, 18.01, 93))
  # Ends that are not round are added as candidates.
  points <- of(-0.0375, 12345.6)
  expect_identical(points[c(1, 2, 3)], c(-0.0375, 0, 2))
  expect_identical(rev(points)[c(1, 2)], c(12345.6, 12344))
  expect_false(is.unsorted(points, strictly = TRUE))
})

test_that("there are at least 5000 candidates, and not many more, for any range", {
  withr::local_seed(1)
  for (i in 1:300) {
    ends <- sort(stats::rnorm(2) * 10^stats::runif(2, -12, 12))
    points <- quantile_candidates(NULL, ends, "numeric")
    expect_identical(range(points), ends)
    expect_false(is.unsorted(points, strictly = TRUE))
    expect_true(length(points) >= 5000 && length(points) <= 12502, info = toString(ends))
    expect_lt(diff(range(diff(points[-c(1, length(points))]))), 1e-6 * diff(ends))
  }
})

test_that("all integers are candidates, unless there are too many", {
  of <- function(lower, upper) quantile_candidates(NULL, c(lower, upper), "integer")
  expect_identical(of(18, 93), as.double(18:93))
  expect_length(of(1, 10000), 10000)
  expect_identical(of(0, 10000), as.double(2 * (0:5000)))
  expect_identical(quantile_candidates(5, c(0, 10), "integer"), c(0, 2, 5, 8, 10))
  expect_identical(quantile_candidates(5, c(0, 10), "numeric"), c(0, 2.5, 5, 7.5, 10))
})

test_that("the default candidates bring round numbers within reach of a quantile", {
  plan <- exactly(built(dpQuantile, list(varType = "numeric", variable = "income", n = 10000,
    prob = 0.9, rng = c(0, 750000), epsilon = 1e6)))
  expect_identical(plan$release(PUMS5extract10000)$release, 68000)
  several <- exactly(built(dpQuantiles, list(varType = "numeric", variable = "income", n = 10000,
    probs = c(0.5, 0.9), rng = c(0, 750000), epsilon = 1e6)))
  expect_identical(several$candidates, plan$candidates)
})
