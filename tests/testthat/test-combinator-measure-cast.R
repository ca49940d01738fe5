laplace <- number_of("i32") |> then_laplace(scale = 2)
gaussian <- number_of("i32") |> then_gaussian(scale = 2)

test_that("losses are converted, rounded up", {
  expect_identical((laplace |> then_approximate())(d_in = 1L), list(0.5, 0))
  expect_identical((gaussian |> then_approximate())(d_in = 1L), list(0.125, 0))
  expect_identical((laplace |> then_pureDP_to_zCDP())(d_in = 1L), 0.125)
  step <- (laplace |> then_approximate() |> then_fixed_approxDP_to_approxDP())(d_in = 1L)
  expect_identical(step(epsilon = 0.4999), 1)
  expect_identical(step(epsilon = 0.5), 0)
  expect_identical(step(delta = 1e-7), 0.5)
})

test_that("the release stays what it was", {
  plain <- number_of("i32") |> then_laplace(scale = 0)
  casts <- list(make_approximate(plain), make_pureDP_to_zCDP(plain))
  for (cast in casts) {
    expect_identical(cast(arg = 7L), 7L)
    expect_identical(toString(cast("input_metric")), "AbsoluteDistance(i32)")
  }
})

test_that("measures are those that are named", {
  measures <- vapply(list(
    make_approximate(laplace), make_approximate(gaussian), make_pureDP_to_zCDP(laplace),
    make_zCDP_to_approxDP(gaussian), make_zCDP_to_approxDP(make_approximate(gaussian)),
    make_fixed_approxDP_to_approxDP(make_approximate(laplace))
  ), \(cast) toString(cast("output_measure")), "")
  expect_identical(measures, c(
    "Approximate(MaxDivergence)", "Approximate(ZeroConcentratedDivergence)",
    "ZeroConcentratedDivergence", "SmoothedMaxDivergence", "Approximate(SmoothedMaxDivergence)",
    "SmoothedMaxDivergence"
  ))
})

test_that("another measure is refused", {
  expect_error(make_pureDP_to_zCDP(gaussian), class = "dp_error_type")
  expect_error(make_zCDP_to_approxDP(laplace), class = "dp_error_type")
  expect_error(make_fixed_approxDP_to_approxDP(laplace), class = "dp_error_type")
  expect_error(make_approximate(make_approximate(laplace)), class = "dp_error_type")
  expect_error(make_approximate(3), "`measurement` must be an object of class measurement",
    class = "dp_error_invalid_argument"
  )
})

test_that("an infinite epsilon has no square", {
  worthless <- number_of("i32") |> then_laplace(scale = 0) |> then_pureDP_to_zCDP()
  expect_error(worthless(d_in = 1L), class = "dp_error_overflow")
})

test_that("after a transformation the measurement is an argument", {
  chained <- bounded_rows(c(0L, 10L)) |> then_sum() |> then_approximate(laplace)
  expect_identical(chained(d_in = 1L), list(5, 0))
  space <- number_of("i32") |> then_approximate(laplace)
  expect_identical(toString(space), toString(make_approximate(laplace)))
})
