# Private values must not leak or change between R and the core.

texts <- function() rows_of("String")
user_on <- function(function_, output = number_of("f64"), input = rows_of("f64")) {
  make_user_transformation(
    input[[1]], input[[2]], output[[1]], output[[2]], function_, function(d_in) d_in
  )
}

test_that("D-USR-1: a result of the wrong kind raises one fixed error", {
  results <- list(c(1, 2), numeric(), "a", NULL, factor("a"), list(1), structure(1, class = "o"))
  sentence <- paste(
    "[FailedFunction] : Exception in user-defined function:",
    "the result must have the declared type."
  )
  for (result in results) {
    expect_identical(message_of(user_on(function(x) result)(arg = c(1, 2, 3))), sentence)
  }
})

test_that("D-DOM-4: an error does not reveal how many values replaced one", {
  one <- number_of("f64") |> then_laplace(scale = 1)
  expect_identical(message_of(one(arg = c(1, 2))), message_of(one(arg = runif(7))))
  expect_no_match(message_of(one(arg = runif(7))), "7", fixed = TRUE)
})

test_that("text with invalid encoding raises a framework error", {
  bytes <- "caf\xe9"
  Encoding(bytes) <- "bytes"
  parse <- texts() |> then_cast_default(.TOA = "i32")
  expect_error(parse(arg = c("1", bytes)), class = "dp_error_failed_function")
  expect_error(
    (texts() |> then_is_equal(bytes))(arg = "1"),
    class = "dp_error_failed_cast"
  )
})

test_that("D-FLT-3 a limit is not rounded up before a comparison", {
  count <- c(vector_domain(atom_domain(.T = "i32")), symmetric_distance()) |> then_count("f32")
  expect_identical(count(d_in = 1L), 1)
  expect_true(count(d_in = 1L, d_out = 1))
  expect_false(count(d_in = 1L, d_out = 1 - 1e-9))
})

test_that("the core is not asked for the loss of no measurements", {
  expect_error(build("compose_pld", list(), 1L, 1, NULL), class = "dp_error_failed_cast")
  expect_error(build("compose_pld", list(), 1L, c(1, 1), NULL), class = "dp_error_failed_cast")
})

test_that("D-DOM-3 one row of bytes does not decide whether there is a release", {
  bytes <- "\xe9"
  Encoding(bytes) <- "bytes"
  histogram <- small(dpHistogram("character", "x", 4, epsilon = 1, bins = c("a", "NA"),
    missing = "impute"))
  columns <- list(c("a", "a", bytes, "a"), factor(c("a", NA, "a", "a"), levels = c("a", bytes)))
  for (column in columns) {
    histogram$release(data.frame(x = column))
    expect_identical(names(histogram$result$counts), c("a", "NA"))
  }
  expect_identical(core_texts(text_column_of(data.frame(x = c("a", bytes)), "x")), c("a", NA))
})

test_that("D-FLT-3 a pair of distances is not read as different numbers", {
  noisy <- make_approximate(number_of("i32") |> then_gaussian(scale = 2))
  expect_false(noisy(d_in = 1L, d_out = c(0.1, 0)))
  expect_true(noisy(d_in = 1L, d_out = c(0.2, 0)))
  bits <- structure(c(0.2, 0), class = "integer64")
  expect_error(noisy(d_in = 1L, d_out = bits), class = "dp_error_failed_cast")
})
