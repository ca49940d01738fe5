test_that("the rows of each value are counted", {
  counts <- (rows_of("bool") |> then_count_by())(
    arg = c(TRUE, TRUE, TRUE, FALSE, TRUE, FALSE, FALSE, FALSE, TRUE, TRUE)
  )
  expect_s3_class(counts, "dp_map")
  expect_identical(hashitems(counts, "HashMap<bool, i32>"), list(c(FALSE, TRUE), c(4L, 6L)))
  words <- (rows_of("String") |> then_count_by("u64"))(arg = c("b", "a", "b"))
  expect_identical(words[["b"]], integer64_of("2"))
  expect_identical(words[["c"]], NULL)
  expect_identical(length((rows_of("i32") |> then_count_by())(arg = integer())), 0L)
})

test_that("the order of the map is independent of the data's order", {
  count <- rows_of("String") |> then_count_by()
  keys_of <- function(data) {
    names(count(arg = data))
  }
  data <- c("b", "c", "a", "d", "a")
  expect_identical(keys_of(rev(data)), keys_of(data))
})

test_that("counts saturate at the largest number of their type", {
  counts <- (rows_of("i32") |> then_count_by("i8"))(arg = rep(5L, 300))
  expect_identical(counts[[5L]], 127L)
})

test_that("the map is a triple in the type of the counts", {
  count <- rows_of("i32") |> then_count_by("i8")
  expect_identical(count(d_in = 6L), list(6, 6L, 6L))
  expect_true(count(d_in = 6L, d_out = partition_distance(6, 6, 6)))
  expect_false(count(d_in = 6L, d_out = partition_distance(6, 6, 5)))
  expect_error(count(d_in = 128L), class = "dp_error_failed_cast")
  expect_identical(
    toString(count("output_metric")), toString(l01inf_distance(absolute_distance("i8")))
  )
})

test_that("floats, other types and other metrics raise errors", {
  expect_error(rows_of("f64") |> then_count_by(), class = "dp_error_type")
  expect_error(rows_of("i32") |> then_count_by("f64"), class = "dp_error_type")
  expect_error(rows_of("i32", insert_delete_distance()) |> then_count_by(), class = "dp_error_type")
})

test_that("one text in several encodings is one key", {
  utf8 <- "caf\u00e9"
  latin1 <- iconv(utf8, "UTF-8", "latin1")
  expect_false(identical(Encoding(utf8), Encoding(latin1)))
  data <- c(utf8, latin1, "tea", latin1, "tea", utf8, utf8)
  counts <- (rows_of("String") |> then_count_by())(arg = data)
  expect_identical(hashitems(counts, "HashMap<String, i32>"), list(c(utf8, "tea"), c(5L, 2L)))
  expect_identical((rows_of("String") |> then_count_distinct())(arg = data), 2L)
  by_category <- rows_of("String") |> then_count_by_categories(c("tea", latin1))
  expect_identical(by_category(arg = data), c(2L, 5L, 0L))
})

test_that("labels of a factor are counted as texts", {
  labels <- factor(c("b", "a", "b", "c"), levels = c("c", "b", "a", "unused"))
  counts <- (rows_of("String") |> then_count_by())(arg = labels)
  expect_identical(
    hashitems(counts, "HashMap<String, i32>"), list(c("a", "b", "c"), c(1L, 2L, 1L))
  )
  twice <- structure(c(1L, 2L, 3L), levels = c("a", "b", "a"), class = "factor")
  expect_identical((rows_of("String") |> then_count_distinct())(arg = twice), 2L)
})

test_that("a missing text or label raises the same error", {
  count <- rows_of("String") |> then_count_by()
  for (data in list(c("a", NA), factor(c("a", NA)), c(NA_character_, NA))) {
    expect_error(count(arg = data), class = "dp_error_failed_function")
  }
})

test_that("released keys are sorted and keep their counts", {
  withr::defer(set_threads(NULL))
  keys <- c(sprintf("customer number %05d", 20000:1), "caf\u00e9", "")
  release <- rows_of("String") |>
    then_count_by() |>
    then_laplace_threshold(scale = 0, threshold = 2L)
  bytes <- list()
  for (threads in c(1, 3)) {
    set_threads(threads)
    data <- rep(keys, length.out = 600000)
    released <- release(arg = data)
    expect_identical(length(released), length(keys))
    items <- hashitems(released, "HashMap<String, i32>")
    expect_identical(items[[2]], as.integer(table(factor(data, items[[1]]))))
    bytes <- c(bytes, lapply(list(released, release(arg = rev(data))), serialize, NULL))
  }
  expect_length(unique(bytes), 1)
})
