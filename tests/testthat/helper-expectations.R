# Expectations that hold are most of what the tests count, and testthat takes ten times as long to
# say so as it takes R to see it: it makes everything ready to print a difference. These look first.
# What does not hold goes on to testthat with the value at hand: to evaluate the expression again
# might draw another release.
quicker <- function(expectation, holds) {
  force(expectation)
  force(holds)
  function(object, ..., label = NULL) {
    if (holds(object, ...)) return(invisible(testthat::succeed()))
    if (is.null(label)) label <- deparse1(substitute(object))
    expectation(object, ..., label = label)
  }
}

expect_identical <- quicker(testthat::expect_identical, \(object, expected, ...) {
  identical(object, expected)
})
expect_equal <- quicker(testthat::expect_equal, \(object, expected, ...) {
  identical(object, expected)
})
expect_true <- quicker(testthat::expect_true, \(object, ...) isTRUE(object))
expect_false <- quicker(testthat::expect_false, \(object, ...) isFALSE(object))
