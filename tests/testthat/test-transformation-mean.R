test_that("the worked means give the published results", {
  mean <- bounded_rows(c(0, 10), size = 10) |> then_mean()
  expect_identical(mean(arg = rep(5, 10)), 5)
  expect_identical(mean(arg = c(5, rep(0, 9))), 0.5)
  expect_identical(mean(d_in = 2L), 1.0000000000000169)
})

test_that("D-DOM-4: a wrong size raises one fixed error without a number", {
  space <- bounded_rows(c(0, 10), size = 10)
  takers <- list(
    space |> then_mean(), space |> then_variance(), space |> then_sum(),
    space |> then_clamp(c(0, 1)),
    space |> then_mean() |> then_laplace(1), make_identity(space[[1]], space[[2]]),
    space |> then_adaptive_composition(max_divergence(), d_in = 1L, d_mids = 1),
    space |> then_fully_adaptive_composition(max_divergence()),
    (space |> then_mean())$`function`
  )
  for (take in takers) {
    for (n in c(0, 1, 9, 11, 5000)) {
      expect_error(take(arg = rep(5, n)), "arg must be a member of the input domain",
        fixed = TRUE, class = "dp_error_failed_function"
      )
    }
  }
})

test_that("a mean needs floats, bounds and a size", {
  expect_error(bounded_rows(c(0, 10)) |> then_mean(), class = "dp_error_make_transformation")
  expect_error(rows_of("f64", size = 3) |> then_mean(), class = "dp_error_make_transformation")
  expect_error(
    bounded_rows(c(0, 10), size = 0) |> then_mean(), class = "dp_error_make_transformation"
  )
  expect_error(bounded_rows(c(0L, 10L), size = 3) |> then_mean(), class = "dp_error_type")
})
