test_that("rows of any type are counted", {
  expect_identical((rows_of("i32") |> then_count())(arg = 1:3), 3L)
  expect_identical((rows_of("String") |> then_count())(arg = character()), 0L)
  expect_identical((rows_of("f64") |> then_count("f64"))(arg = c(NaN, 1)), 2)
})

test_that("counts saturate at the largest consecutive number of their type", {
  expect_identical((rows_of("i32") |> then_count("i8"))(arg = 1:300), 127L)
  expect_identical((rows_of("i32") |> then_count("u8"))(arg = 1:300), 255L)
})

test_that("one row changes the count by one, and invalid output types raise errors", {
  count <- rows_of("i32") |> then_count("i8")
  expect_identical(count(d_in = 127L), 127L)
  expect_error(count(d_in = 128L), class = "dp_error_failed_cast")
  expect_error(rows_of("i32") |> then_count("String"), class = "dp_error_type")
  expect_error(rows_of("i32", insert_delete_distance()) |> then_count(), class = "dp_error_type")
})
