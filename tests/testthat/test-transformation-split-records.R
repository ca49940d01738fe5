test_that("fields are cut and trimmed as published", {
  expect_identical(
    make_split_records(NULL)(arg = c("ant, foo", "bat, bar")),
    list(c("ant", "foo"), c("bat", "bar"))
  )
  cut <- make_split_records("::")
  expect_identical(
    cut(arg = c("a::b:c::", "", " x y ", "\u00a0z\u3000")),
    list(c("a", "b:c", ""), "", "x y", "z")
  )
})

test_that("a separator must be a string of one character or more", {
  expect_error(make_split_records(""), class = "dp_error_make_transformation")
  for (separator in list(1, NA_character_, c(",", ";"), character(), mean, factor(","))) {
    expect_error(make_split_records(separator), class = "dp_error_failed_cast")
  }
})

test_that("records are lists of character vectors, and nothing else", {
  split <- make_split_records(NULL)
  same <- make_identity(split("output_domain"), split("output_metric"))
  records <- list(c("a", "b"), character(), "\u00e9")
  expect_identical(same(arg = records), records)
  expect_identical(same(arg = list()), list())
  for (data in list("a", list(1), NULL, data.frame(a = "x"), mean)) {
    expect_error(same(arg = data), class = "dp_error_failed_cast")
  }
  expect_error(same(arg = list("a", NA_character_)), class = "dp_error_failed_function")
})
