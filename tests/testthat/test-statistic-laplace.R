test_that("quantiles, probabilities and densities are consistent", {
  x <- c(-3, -0.1, 0, 0.2, 5)
  expect_equal(qLap(pLap(x, 1, 2), 1, 2), x)
  inside <- stats::integrate(dLap, -1, 2, b = 0.7)$value
  expect_equal(inside, pLap(2, b = 0.7) - pLap(-1, b = 0.7), tolerance = 1e-6)
  expect_refused(qLap(1.5), "p")
  expect_refused(dLap(0, b = 0), "b")
})

test_that("the loss of a tree is the inverse of its accuracy", {
  for (row in formula_rows("treeRangeAccuracyBound")) {
    args <- row$args
    args$epsilon <- NULL
    found <- do.call(treeGetParameters, c(args, accuracy = row$value))
    expect_equal(found, row$args$epsilon, tolerance = 1e-12)
  }
})
