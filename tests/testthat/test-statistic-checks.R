test_that("UTIL-034 to UTIL-036: losses are positive, as many as expected", {
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

test_that("UTIL-038 to UTIL-044: ranges are pairs in order", {
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
