frames <- function(metric = symmetric_distance()) {
  c(make_create_dataframe("x")("output_domain"), metric)
}

test_that("one column is cast, the others stay", {
  cast <- frames() |> then_df_cast_default("x", .TIA = "String", .TOA = "i32")
  data <- data.frame(x = c("1", "two", "3"), y = c(TRUE, FALSE, TRUE))
  expect_identical(cast(arg = data), data.frame(x = c(1L, 0L, 3L), y = data$y))
  expect_identical(cast(d_in = 2L), 2)
  labels <- transform(data, x = factor(x))
  expect_identical(cast(arg = labels), cast(arg = data))
})

test_that("only ordered and unordered datasets are supported", {
  cast <- \(space) space |> then_df_cast_default("x", "String", "i32")
  expect_identical(
    toString(cast(frames(insert_delete_distance()))("output_metric")), "InsertDeleteDistance()"
  )
  expect_error(cast(frames(hamming_distance())), class = "dp_error")
  expect_error(cast(rows_of("String")), class = "dp_error_failed_cast")
  expect_error(
    frames() |> then_df_cast_default(1L, "String", "i32"), class = "dp_error_failed_cast"
  )
  expect_error(frames() |> then_df_cast_default("x", "String", "i128"), class = "dp_error_type")
})

test_that("a missing column or a column of the wrong type raises an error", {
  cast <- frames() |> then_df_cast_default("x", "f64", "i32")
  expect_error(cast(arg = data.frame(y = 1)), class = "dp_error_failed_function")
  expect_error(cast(arg = data.frame(x = 1L)), class = "dp_error_failed_cast")
})
