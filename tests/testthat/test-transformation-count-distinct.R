test_that("distinct values are counted", {
  expect_identical((rows_of("String") |> then_count_distinct())(arg = c("a", "b", "a")), 2L)
  expect_identical((rows_of("bool") |> then_count_distinct("f64"))(arg = c(TRUE, TRUE)), 1)
  expect_identical((rows_of("i32") |> then_count_distinct())(arg = integer()), 0L)
})

test_that("counts saturate at the largest consecutive number of their type", {
  expect_identical((rows_of("i32") |> then_count_distinct("i8"))(arg = 1:300), 127L)
})

test_that("one row changes the count by one, and invalid output types raise errors", {
  distinct <- rows_of("i32") |> then_count_distinct("i8")
  expect_identical(distinct(d_in = 127L), 127L)
  expect_error(distinct(d_in = 128L), class = "dp_error_failed_cast")
})

test_that("floats, other types and other metrics raise errors", {
  expect_error(rows_of("f64") |> then_count_distinct(), class = "dp_error_type")
  expect_error(rows_of("i32") |> then_count_distinct("bool"), class = "dp_error_type")
  expect_error(rows_of("i32", insert_delete_distance()) |> then_count_distinct(),
    class = "dp_error_type"
  )
})
