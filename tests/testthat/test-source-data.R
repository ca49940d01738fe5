# Compares the scripts in data-raw with the data. A built package contains neither them nor this
# file.

test_that("the script rebuilds identical records", {
  folder <- test_path("..", "..", "data-raw")
  withr::local_preserve_seed()
  recipe <- new.env()
  for (script in c("synthesize_pums.R", "pums_income.R", "pums_area.R")) {
    sys.source(file.path(folder, script), recipe)
  }
  expect_identical(recipe$synthesize_pums(folder), PUMS5extract10000)
})

test_that("the script rebuilds an identical payroll", {
  folder <- test_path("..", "..", "data-raw")
  withr::local_preserve_seed()
  recipe <- new.env()
  for (script in c("synthesize_socrata.R", "socrata_titles.R")) {
    sys.source(file.path(folder, script), recipe)
  }
  expect_identical(recipe$synthesize_socrata(folder), SocrataWhiteHouseEmployeeSalaries)
})
