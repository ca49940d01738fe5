plain <- number_of("i32") |> then_laplace(scale = 0)
noisy <- number_of("i32") |> then_laplace(scale = 2)

test_that("releases are in order, nested like the compositions", {
  both <- make_composition(list(plain, make_composition(list(plain, plain))))
  expect_identical(both(arg = 1L), list(1L, list(1L, 1L)))
})

test_that("losses add up, rounded up", {
  three <- make_composition(list(noisy, noisy, noisy))
  expect_identical(three(d_in = 1L), 1.5)
  tenth <- number_of("i32") |> then_laplace(scale = 10)
  expect_identical(make_composition(list(tenth, tenth, tenth))(d_in = 1L), 0.30000000000000004)
  pairs <- make_composition(list(make_approximate(noisy), make_approximate(noisy)))
  expect_identical(pairs(d_in = 1L), list(1, 0))
})

test_that("an infinite loss has no sum", {
  expect_error(make_composition(list(plain, noisy))(d_in = 1L), class = "dp_error_overflow")
})

test_that("a composition is chained like any measurement", {
  both <- bounded_rows(c(0L, 10L)) |>
    then_sum() |>
    then_composition(list(noisy, noisy))
  expect_identical(both(d_in = 1L), 10)
  expect_length(both(arg = 1:3), 2)
})

test_that("members must share their space and measure", {
  expect_snapshot(error = TRUE, {
    make_composition(list())
    make_composition(list(noisy, number_of("i64") |> then_laplace(2)))
    make_composition(list(noisy, number_of("i32", "f64") |> then_laplace(2)))
    make_composition(list(noisy, number_of("i32") |> then_gaussian(2)))
    make_composition(noisy)
    make_composition(list(noisy, 1))
  })
  smoothed <- number_of("i32") |> then_gaussian(2) |> then_zCDP_to_approxDP()
  expect_error(make_composition(list(smoothed, smoothed)), class = "dp_error_type")
})

test_that("the deprecated name works and names its replacement", {
  expect_warning(old <- make_basic_composition(list(noisy)), "Use make_composition\\(\\) instead",
    class = "deprecatedWarning"
  )
  expect_identical(old(d_in = 1L), 0.5)
})
