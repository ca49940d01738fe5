test_that("a loss has a measure, an amount and a delta", {
  expect_identical(unclass(dp_epsilon(1)), list(epsilon = 1, delta = 0))
  expect_identical(unclass(dp_zcdp(0.5, 1e-7)), list(rho = 0.5, delta = 1e-7))
  expect_identical(format(dp_zcdp(0.5, 1e-7)), "rho 0.5, delta 1e-07")
  expect_output(print(dp_epsilon(2)), "<dp_loss> epsilon 2", fixed = TRUE)
})

test_that("invalid losses raise errors", {
  for (wrong in list(0, -1, Inf, NaN, NA, "1", c(1, 2), NULL)) {
    expect_error(dp_epsilon(wrong), class = "dp_error_invalid_argument")
    expect_error(dp_zcdp(wrong), class = "dp_error_invalid_argument")
  }
  for (wrong in list(-1e-9, 1, NA, "0")) {
    expect_error(dp_epsilon(1, wrong), class = "dp_error_invalid_argument")
  }
})
