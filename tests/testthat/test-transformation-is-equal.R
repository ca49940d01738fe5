test_that("rows are compared with one value", {
  expect_identical((rows_of("i32") |> then_is_equal(3L))(arg = 1:3), c(FALSE, FALSE, TRUE))
  expect_identical(
    (rows_of("f64") |> then_is_equal(0))(arg = c(0, -0, NaN, 5e-324)), c(TRUE, TRUE, FALSE, FALSE)
  )
  expect_identical((rows_of("f64") |> then_is_equal(NaN))(arg = c(NaN, 1)), c(FALSE, FALSE))
  expect_identical((rows_of("String") |> then_is_equal("a"))(arg = c("a", "A")), c(TRUE, FALSE))
})

test_that("the value has the type of the rows", {
  expect_error(rows_of("i32") |> then_is_equal(3), class = "dp_error_failed_cast")
  expect_error(rows_of("String") |> then_is_equal(NA_character_), class = "dp_error_failed_cast")
})
