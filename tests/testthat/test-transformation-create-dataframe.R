records <- list(c("1", " x "), "2", c("3", "z", "?"))

test_that("records become rectangular by padding and cutting, and are otherwise unchanged", {
  frame <- make_create_dataframe(c("a", "b"))
  expect_identical(frame(arg = records), data.frame(a = c("1", "2", "3"), b = c(" x ", "", "z")))
  expect_identical(frame(arg = list()), data.frame(a = character(), b = character()))
  expect_identical(toString(frame("output_domain")), 'DataFrameDomain("String")')
})

test_that("the last of equal names wins", {
  expect_identical(make_create_dataframe(c("a", "a"))(arg = list(c("x", "y"))), data.frame(a = "y"))
})

test_that("columns can be named by integers and logical values", {
  by_number <- make_create_dataframe(7:8)
  expect_identical(toString(by_number("output_domain")), 'DataFrameDomain("i32")')
  expect_identical(by_number(arg = records), data.frame(
    `7` = c("1", "2", "3"), `8` = c(" x ", "", "z"), check.names = FALSE
  ))
  second <- by_number |> then_select_column(8L, "String")
  expect_identical(second(arg = records), c(" x ", "", "z"))
  expect_identical(names(make_create_dataframe(c(TRUE, FALSE))(arg = records)), c("TRUE", "FALSE"))
  expect_identical(
    toString(make_create_dataframe(list(1, 2), .K = "usize")("output_domain")),
    'DataFrameDomain("usize")'
  )
})

test_that("names of the wrong type, or of an invalid name type, raise errors", {
  expect_error(make_create_dataframe(c("a", NA)), class = "dp_error_failed_cast")
  expect_error(make_create_dataframe(c("a", "b"), .K = "i32"), class = "dp_error_failed_cast")
  expect_error(make_create_dataframe(c(1, 2)), class = "dp_error_type")
  expect_error(make_create_dataframe("a", .K = "text"), class = "dp_error_type_parse")
  for (names in list(NULL, mean, list(), new.env())) {
    expect_error(make_create_dataframe(names), class = "dp_error")
  }
})
