test_that("COMP-011: an approximation does not exceed the sum", {
  params <- cbind(c(0.1, 0.2, 0.3), 1e-7)
  expect_lte(approxComp(params, 1e-5), 0.6 * (1 + 1e-15))
})

test_that("COMP-008 to COMP-010: overflow and spent deltas raise errors", {
  expect_false(isDP(cbind(c(0.5, 0.3), 1e-3), d_g = 1e-5, e_g = 0.9))
  expect_equal(KOVhom(cbind(rep(1, 800), 0), 1e-5), 473.065, tolerance = 1e-6)
  expect_error(KOVhom(cbind(rep(0.1, 10), 1e-5), 1e-5), class = "dp_error_invalid_distance")
})

test_that("invalid losses raise errors", {
  expect_refused(optimalComposition("1", 0, 1e-5), "epsilon")
  expect_refused(optimalComposition(c(1, -1), 0, 1e-5), "epsilon")
  expect_refused(optimalComposition(1, 1, 1e-5), "delta")
  expect_refused(optimalComposition(c(1, 2, 3), c(0, 0), 1e-5), "delta")
  expect_refused(optimalComposition(1, 0, 2), "globalDelta")
  expect_refused(isDP(matrix(1, 2, 3), 0, 1), "params")
  expect_refused(isDP(cbind(1, 0), 0, -1), "e_g")
  expect_refused(KOVhom(cbind(c(1, 2), 0), 1e-5), "params")
})
