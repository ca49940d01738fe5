double <- number_of("f64") |> then_lipschitz_float_mul(2, c(0, 10))

test_that("numbers are clamped, then multiplied", {
  expect_identical(double(arg = 1.3), 2.6)
  expect_identical(double(arg = 50), 20)
  tenth <- make_sized_bounded_float_ordered_sum(10, c(0, 10)) |>
    then_lipschitz_float_mul(1 / 10, c(-3, 4))
  expect_identical(tenth(arg = rep(3, 10)), 0.4)
  expect_identical(tenth(d_in = 2L), 1.0000000000000153)
})

test_that("products stay finite", {
  big <- number_of("f64") |> then_lipschitz_float_mul(1e300, c(-1e8, 1e8))
  expect_identical(big(arg = 1e8), 1e308)
})

test_that("arguments that could give NaN or infinity raise errors", {
  floats <- c(atom_domain(.T = "f64"), absolute_distance("f64"))
  expect_error(
    floats |> then_lipschitz_float_mul(2, c(0, 1)), class = "dp_error_make_transformation"
  )
  build <- function(...) number_of("f64") |> then_lipschitz_float_mul(...)
  expect_error(build(NaN, c(0, 1)), class = "dp_error_overflow")
  expect_error(build(2, c(NaN, 1)), class = "dp_error_failed_function")
  expect_error(build(1e308, c(0, 1000)), class = "dp_error_overflow")
  expect_error(build(2L, c(0, 1)), class = "dp_error_failed_cast")
  expect_error(number_of("i32") |> then_lipschitz_float_mul(2L, c(0L, 1L)), class = "dp_error_type")
})
