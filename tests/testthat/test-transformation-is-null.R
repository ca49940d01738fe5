test_that("nulls and NaN are missing", {
  floats <- rows_of("f64") |> then_is_null()
  expect_identical(floats(arg = c(1, NA, NaN, Inf)), c(FALSE, TRUE, TRUE, FALSE))
  words <- rows_of("String") |> then_cast("i32") |> then_is_null()
  expect_identical(words(arg = c("1", "x")), c(FALSE, TRUE))
})

test_that("rows that cannot be missing raise an error", {
  expect_error(rows_of("i32") |> then_is_null(), class = "dp_error_type")
})
