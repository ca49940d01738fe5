# Compares the page of changes with the tests. A built package contains neither its source nor this
# file.

# Lines of the tables on a page.
page_rows <- function(path) grep("^\\| [PUC]", readLines(path, encoding = "UTF-8"), value = TRUE)

test_that("the page of changes lists every defect of the old package, each with a test", {
  page <- test_path("..", "..", "vignettes", "articles", "from-psilence-0.1.Rmd")
  files <- list.files(test_path(), "^test-.*[.]R$", full.names = TRUE)
  names <- grep("test_that\\(", unlist(lapply(files, readLines)), value = TRUE)
  defects_in <- function(lines) unlist(regmatches(lines, gregexpr("\\bD-[0-9]{2}\\b", lines)))
  lines <- page_rows(page)
  expect_setequal(defects_in(lines), sprintf("D-%02d", 1:82))
  # Tested by a row of the oracle, or named by a test.
  with_rows <- grep("[A-Z]+-[0-9]{3}", lines, value = TRUE)
  expect_length(setdiff(defects_in(lines), c(defects_in(with_rows), defects_in(names))), 0)
  expect_length(setdiff(ids_in(lines), read_fixture("psi_behaviour.csv")$id), 0)
})

test_that("the page of changes has every row that changed", {
  page <- test_path("..", "..", "vignettes", "articles", "from-psilence-0.1.Rmd")
  rows <- read_fixture("psi_behaviour.csv")
  text <- readLines(page, encoding = "UTF-8")
  expect_length(setdiff(rows$id[rows$keep == "change"], ids_in(text)), 0)
})

test_that("the table of questions names every statistic, with the question it declares", {
  answered <- function(lines, name, declared) {
    cells <- strsplit(grep("^[|] ", lines, value = TRUE), "|", fixed = TRUE)
    any(vapply(cells, function(row) {
      grepl(declared$question, row[[2]], fixed = TRUE) &&
        grepl(paste0("`", name, "()`"), row[[3]], fixed = TRUE)
    }, NA))
  }
  page <- test_path("..", "..", "vignettes", "PSIlence.Rmd")
  lines <- readLines(page, encoding = "UTF-8")
  for (name in exported_statistics()) {
    expect_true(answered(lines, name, declaration_of(get(name))), label = name)
  }
  expect_false(answered(lines, "dpMean", list(question = "a variance")))
})
