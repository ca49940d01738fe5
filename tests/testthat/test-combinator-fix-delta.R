profile <- number_of("i32") |> then_gaussian(scale = 1) |> then_zCDP_to_approxDP()

test_that("it fixes a point of the profile", {
  fixed <- make_fix_delta(profile, 1e-7)
  expect_identical(toString(fixed("output_measure")), "Approximate(MaxDivergence)")
  expect_equal(fixed(d_in = 1L), list(5.6708588354687715, 1e-7), tolerance = 1e-12)
  expect_identical(fixed(d_in = 1L)[[1]], profile(d_in = 1L)(delta = 1e-7))
})

test_that("a delta that is already fixed is subtracted first", {
  carried <- number_of("i32") |>
    then_gaussian(scale = 1) |>
    then_approximate() |>
    then_zCDP_to_approxDP()
  fixed <- carried |> then_fix_delta(delta = 1e-7)
  expect_identical(fixed(d_in = 1L), make_fix_delta(profile, 1e-7)(d_in = 1L))
})

test_that("a measurement, or the step before it, can be on the left of the pipe", {
  piped <- profile |> then_fix_delta(delta = 1e-7)
  expect_identical(piped(d_in = 1L), make_fix_delta(profile, 1e-7)(d_in = 1L))
  chained <- bounded_rows(c(0L, 1L)) |> then_sum() |> then_fix_delta(profile, 1e-7)
  expect_identical(chained(d_in = 1L), piped(d_in = 1L))
  expect_error(profile |> then_fix_delta(profile, 1e-7), "cannot chain lhs and rhs",
    class = "dp_error_invalid_argument"
  )
})

test_that("delta is a probability", {
  for (delta in list(-1e-9, 1.5, NaN, Inf)) {
    expect_error(make_fix_delta(profile, delta), class = "dp_error_invalid_distance")
  }
  for (delta in list("1", NA, NULL, c(0.1, 0.2))) {
    expect_error(make_fix_delta(profile, delta), class = "dp_error")
  }
  expect_error(make_fix_delta(number_of("i32") |> then_laplace(1), 1e-7), class = "dp_error_type")
})
