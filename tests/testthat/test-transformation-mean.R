test_that("the worked means come out", {
  mean <- bounded_rows(c(0, 10), size = 10) |> then_mean()
  expect_identical(mean(arg = rep(5, 10)), 5)
  expect_identical(mean(arg = 5), 0.5)
  expect_identical(mean(d_in = 2L), 1.0000000000000169)
})

test_that("a mean needs floats, bounds and a size", {
  expect_error(bounded_rows(c(0, 10)) |> then_mean(), class = "dp_error_make_transformation")
  expect_error(rows_of("f64", size = 3) |> then_mean(), class = "dp_error_make_transformation")
  expect_error(
    bounded_rows(c(0, 10), size = 0) |> then_mean(), class = "dp_error_make_transformation"
  )
  expect_error(bounded_rows(c(0L, 10L), size = 3) |> then_mean(), class = "dp_error_type")
})
