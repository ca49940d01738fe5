# Most expectations that the tests count hold. testthat takes ten times as long to confirm one as R
# does to evaluate it, because it always prepares to print a difference. These versions compare
# first. Failures go to testthat as values, because evaluating the expression again might draw
# another release. `check` inspects each comparison, even if it holds. `seen` extracts the compared
# part of each value.
quick_comparison <- function(expectation, check = function(expected, ...) NULL, seen = identity) {
  force(expectation)
  force(check)
  force(seen)
  function(object, expected, ..., label = NULL) {
    check(expected, ...)
    found <- seen(object)
    wanted <- seen(expected)
    if (identical(found, wanted)) {
      return(invisible(testthat::succeed()))
    }
    expectation(
      found, wanted, ...,
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

# Passes the first error, or the value returned instead, to testthat. Nothing reads the trace of an
# expected error, and testthat searches the whole call stack for it.
expect_error <- function(object, regexp = NULL, class = NULL, ..., label = NULL) {
  object <- rlang::enquo(object)
  raised <- NULL
  value <- tryCatch(
    rlang::eval_bare(rlang::quo_get_expr(object), rlang::quo_get_env(object)),
    error = function(error) {
      raised <<- error
      NULL
    }
  )
  if (is_expected(raised, regexp, class, ...)) {
    testthat::succeed()
    return(invisible(raised))
  }
  testthat::expect_error(
    if (is.null(raised)) value else stop(raised),
    regexp, class, ...,
    label = label %||% rlang::as_label(object)
  )
}

is_expected <- function(raised, regexp, class, ..., info = NULL) {
  !is.null(raised) && (is.null(class) || inherits(raised, class)) &&
    (is.null(regexp) || isTRUE(grepl(regexp, conditionMessage(raised), ...)))
}

expect_identical <- quick_comparison(testthat::expect_identical)
# testthat compares relatively, but absolutely if the tolerance is at least as large as the expected
# number. Then any number of that size would pass, so such a comparison is an error. It is an error
# even if both values are equal, because their equality may depend on noise.
expect_equal <- quick_comparison(testthat::expect_equal, check = function(expected, ...) {
  if (is_vague(expected, ...)) stop("The tolerance is no less than what is expected.")
}, seen = function(x) without_noise_marks(x))

# Drops the noise marks of numbers. Whether a number near 0 is within its noise is random.
without_noise_marks <- function(x) {
  if (is.list(x) && !is.object(x)) {
    x[] <- lapply(x, without_noise_marks)
  } else if (is.data.frame(x) && is.list(attr(x, "released"))) {
    attr(x, "released")$tidy$mark <- NULL
  }
  x
}

is_vague <- function(expected, ..., tolerance = testthat::testthat_tolerance()) {
  sizes <- rapply(list(expected), function(x) {
    # The class of a numeric matrix is not a class of its numbers.
    if (!is.numeric(x) || inherits(x, "integer64")) return(NaN)
    values <- abs(x[is.finite(x) & x != 0])
    # Named numbers, such as losses, each have a separate unit.
    if (length(names(x)) > 0) min(values, Inf) else mean(values)
  }, how = "unlist")
  any(sizes <= tolerance, na.rm = TRUE)
}

expect_true <- quick_truth(testthat::expect_true, isTRUE)
expect_false <- quick_truth(testthat::expect_false, isFALSE)
