test_that("the measure selects the noise", {
  noise <- function(measure) number_of("i32") |> then_noise(measure, scale = 2)
  expect_identical(noise(max_divergence())(d_in = 1L), 0.5)
  expect_identical(noise(zero_concentrated_divergence())(d_in = 1L), 0.125)
  for (measure in list(
    smoothed_max_divergence(), renyi_divergence(), approximate(max_divergence())
  )) {
    expect_error(
      noise(measure), "MaxDivergence or ZeroConcentratedDivergence", class = "dp_error_ffi"
    )
  }
  expect_error(noise("MaxDivergence"), "`output_measure` must be",
    class = "dp_error_invalid_argument"
  )
})

test_that("the grid is passed on", {
  plain <- number_of("f64") |> then_noise(max_divergence(), scale = 0, k = 2L)
  expect_identical(plain(arg = 5), 4)
})
