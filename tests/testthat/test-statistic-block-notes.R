# Notes of a block release about rows that blocks lack, and about blocks that fail.

notes_of <- function(...) {
  paste(plan_in(small(aggregate_of(n = 1000, numSubsets = 100, ...)))$about$notes, collapse = "; ")
}
own <- function(...) {
  notes_of(innerFun = function(x) max(x), outputRange = c(0, 100), missing = "drop", ...)
}

test_that("blocks of named functions say what lacks of them count as", {
  expect_match(notes_of(innerFun = "mean", missing = "drop"),
    "a block with fewer than 5 complete rows counts the middle of `rng` for each row")
  expect_match(notes_of(innerFun = "median", missing = "drop"),
    "a block without a complete row counts as the middle of `outputRange`", fixed = TRUE)
  expect_match(notes_of(innerFun = "var", missing = "drop"),
    "a block of fewer than two complete rows counts as the middle", fixed = TRUE)
  for (name in c("mean", "median", "var")) {
    expect_no_match(notes_of(innerFun = name, missing = "impute"), "complete row")
    expect_no_match(notes_of(innerFun = name, missing = "drop"), "is not released")
  }
})

test_that("blocks of a function say that failures are not counted, unless they are", {
  expect_match(own(), "too few for `innerFun` counts as the middle of `outputRange`", fixed = TRUE)
  expect_match(own(), "how many blocks fail is not released")
  expect_no_match(own(failureShare = 0.1), "is not released")
  dropped <- own(failures = "drop", aggregationFun = "Mean")
  expect_match(dropped, "too few for `innerFun` is left out", fixed = TRUE)
  expect_no_match(dropped, "is not released")
  expect_match(own(failures = "drop", aggregationFun = "Median"), "is not released")
})

test_that("labelled blocks can lack all rows, whatever the rule for missing values is", {
  labelled <- notes_of(innerFun = "median", scheme = "labels", missing = "impute")
  expect_match(labelled, "a block without a complete row counts as the middle")
})

test_that("a release with many failed blocks states their number", {
  statistic <- small(exactly(aggregate_of(
    innerFun = function(x) if (x[[1]] > 70) stop("no") else x[[1]], variable = "x", n = 100,
    numSubsets = 100, outputRange = c(0, 100), failureShare = 0.5, epsilon = 1e3
  )))
  said <- function(x) paste(format(statistic$release(data.frame(x = x))), collapse = "\n")
  # Noise of scale 1 / 500.
  expect_match(said(rep(c(80, 10), c(30, 70))), "about 30 blocks failed")
  expect_no_match(said(rep(10, 100)), "blocks failed")
  expect_match(said(rep(80, 100)), "means that most blocks failed")
})
