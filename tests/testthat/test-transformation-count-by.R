test_that("the rows of each value are counted", {
  counts <- (rows_of("bool") |> then_count_by())(
    arg = c(TRUE, TRUE, TRUE, FALSE, TRUE, FALSE, FALSE, FALSE, TRUE, TRUE)
  )
  expect_s3_class(counts, "hashtab")
  expect_identical(hashitems(counts, "HashMap<bool, i32>"), list(c(FALSE, TRUE), c(4L, 6L)))
  words <- (rows_of("String") |> then_count_by("u64"))(arg = c("b", "a", "b"))
  expect_identical(words[["b"]], 2)
  expect_identical(words[["c"]], NULL)
  expect_identical(utils::numhash((rows_of("i32") |> then_count_by())(arg = integer())), 0L)
})

test_that("the order of the map is not that of the data", {
  count <- rows_of("String") |> then_count_by()
  keys_of <- function(data) {
    keys <- character()
    utils::maphash(count(arg = data), function(key, value) keys <<- c(keys, key))
    keys
  }
  data <- c("b", "c", "a", "d", "a")
  expect_identical(keys_of(rev(data)), keys_of(data))
})

test_that("counts stop at the largest number of their type", {
  counts <- (rows_of("i32") |> then_count_by("i8"))(arg = rep(5L, 300))
  expect_identical(counts[[5L]], 127L)
})

test_that("the map is a triple, in the type of the counts", {
  count <- rows_of("i32") |> then_count_by("i8")
  expect_identical(count(d_in = 6L), list(6, 6L, 6L))
  expect_true(count(d_in = 6L, d_out = partition_distance(6, 6, 6)))
  expect_false(count(d_in = 6L, d_out = partition_distance(6, 6, 5)))
  expect_error(count(d_in = 128L), class = "dp_error_failed_cast")
  expect_identical(
    toString(count("output_metric")), toString(l01inf_distance(absolute_distance("i8")))
  )
})

test_that("floats, other types and other metrics are refused", {
  expect_error(rows_of("f64") |> then_count_by(), class = "dp_error_type")
  expect_error(rows_of("i32") |> then_count_by("f64"), class = "dp_error_type")
  expect_error(rows_of("i32", insert_delete_distance()) |> then_count_by(), class = "dp_error_type")
})
