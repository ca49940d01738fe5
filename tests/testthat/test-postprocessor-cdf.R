test_that("running sums are shares of the last", {
  expect_equal(make_cdf()(arg = c(2, 3, 5)), c(0.2, 0.5, 1))
  expect_identical(make_cdf()(arg = 7), 1)
  expect_equal(make_cdf("f32")(arg = c(1, 2)), c(1 / 3, 1), tolerance = 1e-7)
})

test_that("a total of 0 has no shares", {
  expect_identical(make_cdf()(arg = c(1, -1)), c(Inf, NaN))
})

test_that("it can follow noise", {
  space <- c(vector_domain(atom_domain(.T = "f64", nan = FALSE)), l1_distance("f64"))
  shares <- space |> then_laplace(0) |> then_cdf()
  expect_identical(shares(arg = c(1, 1, 2)), c(0.25, 0.5, 1))
})

test_that("other types and missing counts raise errors", {
  expect_error(make_cdf("i32"), class = "dp_error_type")
  expect_error(make_cdf()(arg = 1:3), class = "dp_error_failed_cast")
  expect_error(make_cdf()(arg = numeric()), class = "dp_error_failed_function")
})
