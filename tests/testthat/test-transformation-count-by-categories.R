test_that("each category has a count in order, and the rest can have one", {
  rows <- c("no", "yes", "no", "?")
  words <- rows_of("String")
  expect_identical((words |> then_count_by_categories(c("yes", "no")))(arg = rows), c(1L, 2L, 1L))
  without <- words |> then_count_by_categories(c("yes", "no"), null_category = FALSE)
  expect_identical(without(arg = rows), c(1L, 2L))
  expect_identical((words |> then_count_by_categories(character()))(arg = rows), 4L)
})

test_that("counts saturate at the largest consecutive number of their type", {
  counts <- rows_of("i32") |> then_count_by_categories(1L, .TOA = "u8", .MO = "L1Distance<u8>")
  expect_identical(counts(arg = rep(1L, 300)), c(255L, 0L))
})

test_that("the metric has its own type, and L1 and L2 share a map", {
  counts <- function(...) rows_of("i32") |> then_count_by_categories(1:2, ...)
  expect_identical(counts()(d_in = 3L), 3L)
  expect_identical(counts(.MO = "L2Distance<float>")(d_in = 3L), 3)
  expect_identical(counts(.MO = l1_distance("i64")("type"))(d_in = 3L), 3)
  expect_error(counts(.MO = "L1Distance<i8>")(d_in = 128L), class = "dp_error_failed_cast")
})

test_that("noise can follow", {
  counts <- rows_of("String") |> then_count_by_categories(c("yes", "no"))
  expect_identical((counts |> then_laplace(2))(d_in = 1L), 0.5)
  released <- (counts |> then_laplace(0))(arg = c("no", "no", "maybe"))
  expect_identical(released, c(0L, 2L, 1L))
})

test_that("invalid arguments raise errors before data are read", {
  counts <- function(...) rows_of("i32") |> then_count_by_categories(...)
  expect_error(counts(c(1L, 1L)), class = "dp_error_make_transformation")
  for (categories in list(c(1, 2), "a", factor(1))) {
    expect_error(counts(categories), class = "dp_error_failed_cast")
  }
  for (flag in list(NA, 1L, "TRUE", NULL, c(TRUE, FALSE))) {
    expect_error(counts(1L, null_category = flag), class = "dp_error_failed_cast")
  }
  expect_error(counts(1L, .MO = "AbsoluteDistance<i32>"), class = "dp_error_type")
  expect_error(counts(1L, .MO = "SymmetricDistance"), class = "dp_error_type")
  expect_error(counts(1L, .MO = "Nothing"), class = "dp_error_type_parse")
  expect_error(counts(1L, .TOA = "String"), class = "dp_error_type")
  expect_error(rows_of("f64") |> then_count_by_categories(c(1, 2)), class = "dp_error_type")
})
