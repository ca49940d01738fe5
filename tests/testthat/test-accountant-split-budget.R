test_that("COMP-001 to COMP-003 and COMP-006: weights divide the budget", {
  split <- function(epsilons, deltas, hold = 0) {
    update_parameters(cbind(epsilons, deltas), hold, eps = 1, del = 1e-5)[, 1]
  }
  # The reference stops at a factor accurate to 1e-4. This package computes it exactly.
  near <- function(found, expected) expect_equal(found, expected, tolerance = 1e-4)
  near(split(c(0, 0), 1e-6), c(0.5, 0.5))
  near(split(c(0.2, 0.3, 0), 1e-6), c(0.2666662, 0.3999903, 0.3333435))
  near(split(c(0.5, 0.2, 0.2), 1e-6, hold = 1), c(0.5, 0.25, 0.25))
  expect_equal(split(rep(0, 20), 1e-7), rep(0.06317139, 20), tolerance = 1e-3)
})

test_that("free releases keep their proportions", {
  result <- update_parameters(cbind(c(0.1, 0.2, 0.4), 1e-8), hold = 2, eps = 1, del = 1e-6)
  expect_equal(result[3, 1] / result[1, 1], 4)
  expect_identical(result[2, ], c(0.2, 1e-8))
})

test_that("COMP-005: a single release gets everything, even if it is held", {
  expect_equal(update_parameters(cbind(0.3, 1e-6), 1, 1, 1e-5), cbind(1, 1e-5))
})

test_that("COMP-004 and COMP-007: shares above the budget raise an error", {
  over <- function(params, hold) update_parameters(params, hold, eps = 1, del = 1e-5)
  expect_error(over(cbind(c(1.5, 0.2), 1e-6), 1), class = "dp_error_invalid_distance")
  expect_error(over(cbind(c(0, 0, 0), 1e-5), 0), class = "dp_error_invalid_distance")
  expect_error(over(cbind(c(0.5, 0.2, 0.3), c(1e-3, 1e-4, 1e-5)), 0),
    class = "dp_error_invalid_distance")
  expect_error(over(cbind(c(0.8, 0.8), 0), 1:2), class = "dp_error_invalid_distance")
  expect_equal(over(cbind(c(0.3, 0.3), 0), 1:2)[, 1], c(0.3, 0.3))
  expect_refused(over(cbind(c(NA, 0.8), 0), 1), "hold")
  expect_refused(over(cbind(c(1, 1), 0), 3), "hold")
})

test_that("the shares of a divided epsilon do not exceed it", {
  for (parts in c(3, 7, 49, 1000)) {
    expect_lte(sum(distributeEpsilon(1, parts)), 1 + 1e-15)
    expect_equal(sum(distributeEpsilon(1, parts)), 1, tolerance = 1e-9)
  }
  expect_refused(distributeEpsilon(1, epsilonDist = c(0.5, 0.6)), "epsilonDist")
  expect_refused(distributeEpsilon(1, epsilonDist = c(1.5, -0.5)), "epsilonDist")
  expect_refused(distributeEpsilon(1, 3, epsilonDist = c(0.5, 0.5)), "epsilonDist")
  expect_refused(distributeEpsilon(1, 0.5), "nCalcs")
  expect_refused(distributeEpsilon(0, 2), "globalEps")
})
