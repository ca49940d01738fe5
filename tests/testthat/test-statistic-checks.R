test_that("UTIL-034 to UTIL-036: losses are positive and have the expected number", {
  expect_equal(checkEpsilon(1), 1)
  expect_equal(checkEpsilon(c(1, 0.1), 2), c(1, 0.1))
  for (bad in list(c(1, 0.1), -1, c(1, -0.1), "foo", NULL, NA)) {
    expect_refused(checkEpsilon(bad), "epsilon")
  }
  expect_refused(checkEpsilon(c(1, 2), 5), "epsilon")
  expect_refused(checkEpsilon(c(1, NA), 2), "epsilon")
  expect_warning(checkEpsilon(4), class = "dp_warning_large_epsilon")
  expect_warning(checkEpsilon(c(1, 4), 2), class = "dp_warning_large_epsilon")
})

test_that("UTIL-041, UTIL-042 and UTIL-045 to UTIL-048: ranges can be missing, or several", {
  for (missing in list(NULL, NA)) expect_null(checkRange(missing, "numeric", emptyOkay = TRUE))
  half <- function(rng, ...) {
    expect_warning(found <- checkRange(rng, ..., emptyOkay = TRUE), class = "dp_warning_range")
    found
  }
  expect_null(half(c(NA, 1), "numeric"))
  classes <- character()
  wide <- withCallingHandlers(
    checkRange(rbind(c(0, 1, 2), c(5, 3, 4)), "numeric", "matrix", 2),
    warning = function(w) {
      classes <<- c(classes, class(w)[[1]])
      invokeRestart("muffleWarning")
    }
  )
  expect_equal(wide, list(c(0, 2), c(3, 5)))
  expect_equal(classes, rep("dp_warning_range", 2))
  empty <- matrix(NA_real_, 3, 2)
  expect_equal(checkRange(empty, "numeric", "matrix", 3, emptyOkay = TRUE), vector("list", 3))
  expect_refused(checkRange(empty, "numeric", "matrix", 3), "rng")
  open <- list(c(1, 2), c(2, NA))
  expect_equal(half(open, "numeric", "list", 2), list(c(1, 2), NULL))
  expect_equal(checkRange(open, "logical", "list", 2), list(c(0, 1), c(0, 1)))
  expect_refused(checkRange(open, "numeric", "list", 2), "rng")
})

test_that("UTIL-038 to UTIL-040, UTIL-043, UTIL-044 and UTIL-048: ranges are sorted pairs", {
  expect_equal(checkRange(c(1, 0), "numeric"), c(0, 1))
  expect_warning(found <- checkRange(c(0, 1, 2), "numeric"), class = "dp_warning_range")
  expect_equal(found, c(0, 2))
  for (bad in list(1, NULL, c(NA, 1))) expect_refused(checkRange(bad, "numeric"), "rng")
  expect_equal(checkRange(5, "logical"), c(0, 1))
  pairs <- list(c(0, 1), c(2, 3), c(4, 5))
  expect_equal(checkRange(pairs, "numeric", "list", 3), pairs)
  expect_equal(checkRange(do.call(rbind, pairs), "numeric", "list", 3), pairs)
  expect_refused(checkRange(list(NULL, c(5, 6)), "numeric", "list"), "rng")
})
