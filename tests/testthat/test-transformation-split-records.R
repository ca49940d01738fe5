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

test_that("quoted fields follow RFC 4180, line by line", {
  split <- make_split_records(NULL)
  expect_identical(
    split(arg = c("\"a, b\",c", "\"say \"\"hi\"\"\"", " \" x \" ,5\"", "\"open, to", "the\", end")),
    list(c("a, b", "c"), "say \"hi\"", c(" x ", "5\""), "open, to", c("the\"", "end"))
  )
  for (none in list(NULL, "")) {
    expect_identical(make_split_records(NULL, none)(arg = "\"a,b\""), list(c("\"a", "b\"")))
  }
  expect_identical(make_split_records(",", "'")(arg = "'a,b',\"c"), list(c("a,b", "\"c")))
  for (quote in list("''", " ", "\u00e9", "\n")) {
    expect_error(make_split_records(",", quote), class = "dp_error_make_transformation")
  }
  expect_error(make_split_records("\""), class = "dp_error_make_transformation")
  for (quote in list(1, NA_character_, c("a", "b"), character(), mean)) {
    expect_error(make_split_records(",", quote), class = "dp_error_failed_cast")
  }
})

test_that("D-SEN-1: one broken line changes only its own record", {
  withr::local_seed(1)
  pieces <- c("\"", "\"\"", ",", "a", " ", "b")
  line <- function() paste(sample(pieces, 6, replace = TRUE), collapse = "")
  split <- make_split_records(NULL)
  for (i in 1:200) {
    lines <- replicate(8, line())
    other <- replace(lines, 3, line())
    expect_identical(split(arg = other)[-3], split(arg = lines)[-3])
  }
})

test_that("a header is dropped at any position, if it matches the names", {
  split <- make_split_records(NULL, header = c("name", "age"))
  lines <- c("name,age", "ann,3", "\"name\", age", "age,name", "name")
  expect_identical(split(arg = lines), list(c("ann", "3"), c("age", "name"), "name"))
  expect_identical(split(arg = rev(lines)), rev(split(arg = lines)))
  frame <- make_split_dataframe(NULL, c("name", "age"), header = TRUE)
  expect_identical(
    frame(arg = paste(lines[1:2], collapse = "\n")), data.frame(name = "ann", age = "3")
  )
  expect_identical(nrow(make_split_dataframe(NULL, c("name", "age"))(arg = lines[[1]])), 1L)
  numbered <- make_split_dataframe(NULL, 1:2, header = TRUE)
  expect_identical(nrow(numbered(arg = "1,2\n3,4")), 1L)
  for (header in list(TRUE, 1, NA_character_, mean)) {
    expect_error(make_split_records(NULL, header = header), class = "dp_error_failed_cast")
  }
  for (header in list("name", NA, 1, NULL)) {
    expect_error(make_split_dataframe(NULL, c("name", "age"), header = header), class = "dp_error")
  }
})

test_that("a separator must be a nonempty string", {
  expect_error(make_split_records(""), class = "dp_error_make_transformation")
  for (separator in list(1, NA_character_, c(",", ";"), character(), mean, factor(","))) {
    expect_error(make_split_records(separator), class = "dp_error_failed_cast")
  }
})

test_that("records are lists of character vectors", {
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
