# The help page of columns, whose section on classes of R is written by column_rules_section().

test_that("the help page lists the classes of R as the table of column rules does", {
  expect_identical(
    readLines(test_path("..", "..", "man-roxygen", "column-rules.R")), column_rules_section()
  )
})
