test_that("text that is not a number becomes NaN", {
  cast <- rows_of("String") |> then_cast_inherent("f64")
  expect_identical(cast(arg = c("abc", "1", "1.")), c(NaN, 1, 1))
})

test_that("missing rows are detected after the cast", {
  missing <- rows_of("String") |> then_cast_inherent("f64") |> then_is_null()
  expect_identical(missing(arg = c("nan", "1.", "inf")), c(TRUE, FALSE, FALSE))
})

test_that("only floats have an inherent missing value", {
  expect_error(rows_of("String") |> then_cast_inherent("i32"), class = "dp_error_type")
})
