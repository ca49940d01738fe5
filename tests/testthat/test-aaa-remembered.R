test_that("a function is evaluated once for each set of equal numbers", {
  asked <- 0
  ratio <- memoised(function(a, b = 1) {
    asked <<- asked + 1
    a / b
  })
  expect_identical(ratio(1, 3), 1 / 3)
  expect_identical(ratio(1, 3), 1 / 3)
  expect_identical(asked, 1)
  # Numbers that print alike are still different.
  expect_identical(ratio(1, 3 + 2^-51), 1 / (3 + 2^-51))
  expect_identical(ratio(1L), 1)
  expect_identical(asked, 3)
})

test_that("invalid results are not memoised", {
  fail <- TRUE
  picky <- memoised(function(a) if (fail) stop("not yet") else a)
  expect_error(picky(1), "not yet")
  fail <- FALSE
  expect_identical(picky(1), 1)
})
