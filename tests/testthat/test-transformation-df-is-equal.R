frames <- c(make_create_dataframe("x")("output_domain"), symmetric_distance())

test_that("a column is replaced by whether it equals the value", {
  equal <- frames |> then_df_is_equal("x", "b")
  expect_identical(
    equal(arg = data.frame(x = c("a", "b"), y = 1:2)), data.frame(x = c(FALSE, TRUE), y = 1:2)
  )
  expect_identical(equal(arg = data.frame(x = factor(c("b", "a")))), data.frame(x = c(TRUE, FALSE)))
  numbers <- frames |> then_df_is_equal("x", 0)
  expect_identical(numbers(arg = data.frame(x = c(-0, NaN, NA, 1)))$x, c(TRUE, FALSE, FALSE, FALSE))
  wide <- frames |> then_df_is_equal("x", 3, .TIA = "i64")
  expect_identical(wide(arg = data.frame(x = bit64::as.integer64(3:4)))$x, c(TRUE, FALSE))
})

test_that("the value must have the type of the column", {
  expect_error(frames |> then_df_is_equal("x", 1, .TIA = "i32"), class = "dp_error_failed_cast")
  expect_error(frames |> then_df_is_equal("x", NA), class = "dp_error_failed_cast")
  expect_error(frames |> then_df_is_equal("x", NULL), class = "dp_error_type_parse")
  whole <- frames |> then_df_is_equal("x", 1L)
  expect_error(whole(arg = data.frame(x = 1)), class = "dp_error_failed_cast")
})
