# An article of the site, which only the repository contains.

article <- function(name) test_path("..", "..", "vignettes", "articles", paste0(name, ".Rmd"))

# Text of the article, knitted in an otherwise empty environment.
knitted <- function(page) {
  out <- withr::local_tempfile(fileext = ".md")
  knitr::knit(page, out, quiet = TRUE, envir = new.env(parent = globalenv()))
  readLines(out)
}

test_that("the report article spends its budget once, however often it is knitted", {
  folder <- withr::local_tempdir()
  withr::local_envvar(SURVEY_BUDGETS = folder)
  released <- function() {
    lines <- knitted(article("reports-that-cost-once"))
    expect_false(any(grepl("Error", lines)))
    grep("^#> .*[0-9]", lines, value = TRUE)
  }
  spent <- function() {
    dp_spent(dp_ledger(file.path(folder, "survey.ledger"), key = key()))
  }
  key <- function() dp_key(file.path(folder, "curator.pem"))
  first <- released()
  expect_identical(spent(), c(epsilon = 0.25, delta = 0))
  expect_gt(length(first), 10)
  again <- released()
  expect_identical(spent(), c(epsilon = 0.25, delta = 0))
  # All output except the notice that the first release was stored.
  is_notice <- function(lines) grepl("Stored release of record|add up", lines)
  expect_identical(again[!is_notice(again)], first[!is_notice(first)])
})
