# Expectations that hold are most of what the tests count, and testthat takes ten times as long to
# say so as it takes R to see it: it makes everything ready to print a difference. These look first.
# What does not hold goes on to testthat as a value: to evaluate the expression again might draw
# another release.
quick_comparison <- function(expectation) {
  force(expectation)
  function(object, expected, ..., label = NULL) {
    if (identical(object, expected)) {
      return(invisible(testthat::succeed()))
    }
    expectation(
      object, expected, ...,
      label = label %||% deparse1(substitute(object)),
      expected.label = deparse1(substitute(expected))
    )
  }
}

quick_truth <- function(expectation, holds) {
  force(expectation)
  force(holds)
  function(object, ..., label = NULL) {
    if (holds(object)) {
      return(invisible(testthat::succeed()))
    }
    expectation(object, ..., label = label %||% deparse1(substitute(object)))
  }
}

expect_identical <- quick_comparison(testthat::expect_identical)
expect_equal <- quick_comparison(testthat::expect_equal)
expect_true <- quick_truth(testthat::expect_true, isTRUE)
expect_false <- quick_truth(testthat::expect_false, isFALSE)
