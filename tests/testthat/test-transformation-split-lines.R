test_that("line endings are handled as published", {
  lines <- make_split_lines()
  expect_identical(lines(arg = "ant\nbat\ncat\n"), c("ant", "bat", "cat"))
  expect_identical(lines(arg = "a\n\n"), c("a", ""))
  expect_identical(lines(arg = ""), character())
  expect_identical(lines(arg = "a\r\nb\rc\r\n"), c("a", "b\rc"))
})

test_that("the text is one non-missing string in any encoding", {
  lines <- make_split_lines()
  latin <- "caf\xe9\nth\xe9"
  Encoding(latin) <- "latin1"
  expect_identical(lines(arg = latin), c("caf\u00e9", "th\u00e9"))
  expect_identical(lines(arg = "caf\u00e9\n\u4e16"), c("caf\u00e9", "\u4e16"))
  bytes <- "caf\xe9\n"
  Encoding(bytes) <- "bytes"
  for (data in list(c("a", "b"), character(), NA_character_, bytes)) {
    expect_error(lines(arg = data), class = "dp_error_failed_function")
  }
  for (data in list(1, NULL, list("a"), factor("a"), structure("a", class = "mine"))) {
    expect_error(lines(arg = data), class = "dp_error_failed_cast")
  }
})

test_that("lines can be cast, as published", {
  null <- make_split_lines() |> then_cast_inherent("f64") |> then_is_null()
  expect_identical(null(arg = "nan\n1.\ninf"), c(TRUE, FALSE, FALSE))
  null <- make_split_lines() |> then_cast("f64") |> then_is_null()
  expect_identical(null(arg = "nan\n1.\ninf"), c(TRUE, FALSE, FALSE))
  expect_identical(null(d_in = 3L), 3)
})

test_that("a text of many lines is read alike on any number of threads", {
  withr::defer(set_threads(NULL))
  numbers <- rep(c(3L, 0L, 12345L, 7L), 2e5)
  text <- paste(numbers, collapse = "\n")
  total <- make_split_lines() |>
    then_cast_default("i32") |>
    then_clamp(c(0L, 1000L)) |>
    then_sum()
  for (threads in c(1L, 2L, 4L)) {
    set_threads(threads)
    expect_identical(total(arg = text), sum(pmin(numbers, 1000L)))
  }
})
