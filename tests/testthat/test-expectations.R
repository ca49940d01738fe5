# The quick expectations of helper-expectations.R fail where those of testthat do.

test_that("what holds passes, and what does not fails", {
  expect_success(expect_identical(1L, 1L))
  expect_success(expect_equal(1, 1 + 1e-12))
  expect_success(expect_true(c(a = TRUE)))
  expect_success(expect_false(FALSE))
  expect_failure(expect_identical(1L, 1), "not identical")
  expect_failure(expect_identical(c(a = 1), 1), "not identical")
  expect_failure(expect_equal(1, 1.1), "not equal")
  expect_failure(expect_equal(1, 1.1, tolerance = 1e-3), "not equal")
  for (value in list(FALSE, NA, 1, "TRUE", c(TRUE, TRUE), logical(), NULL)) {
    expect_failure(expect_true(value), "is not TRUE")
  }
  for (value in list(TRUE, NA, 0, "FALSE", c(FALSE, FALSE), logical(), NULL)) {
    expect_failure(expect_false(value), "is not FALSE")
  }
})

test_that("a value is computed once, and named by its expression", {
  drawn <- 0
  draw <- function() {
    drawn <<- drawn + 1
    drawn
  }
  expect_failure(expect_identical(draw(), 2), "draw() (`actual`) not identical", fixed = TRUE)
  expect_failure(expect_true(draw() > 5), "draw() > 5 is not TRUE", fixed = TRUE)
  expect_identical(drawn, 2)
  expect_failure(expect_true(draw() > 5, label = "the draw"), "the draw is not TRUE")
})
