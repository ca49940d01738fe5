# Help page of columns. column_rules_section() writes its section on R classes.

test_that("the help page lists the same R classes as the table of column rules", {
  expect_identical(
    readLines(test_path("..", "..", "man-roxygen", "column-rules.R")), column_rules_section()
  )
})
