test_that("the distribution is that of the oracle", {
  for (name in c("dLap", "pLap", "qLap")) {
    for (row in formula_rows(name)) {
      expect_equal(do.call(name, row$args), row$value, tolerance = 1e-13)
    }
  }
  x <- c(-3, -0.1, 0, 0.2, 5)
  expect_equal(qLap(pLap(x, 1, 2), 1, 2), x)
  inside <- stats::integrate(dLap, -1, 2, b = 0.7)$value
  expect_equal(inside, pLap(2, b = 0.7) - pLap(-1, b = 0.7), tolerance = 1e-6)
  expect_refused(qLap(1.5), "p")
  expect_refused(dLap(0, b = 0), "b")
})

test_that("accuracies of several draws are those of the oracle, and below the union bound", {
  exact <- formula_rows("laplaceSimultaneousAccuracyExact")
  union <- formula_rows("laplaceSimultaneousAccuracyUnion")
  for (i in seq_along(exact)) {
    found <- do.call(laplaceSimultaneousAccuracy, exact[[i]]$args)
    expect_equal(found, exact[[i]]$value, tolerance = 1e-12)
    expect_lte(found, union[[i]]$value * (1 + 1e-12))
  }
})

test_that("accuracies of ranges in a tree are those of the oracle", {
  for (row in formula_rows("treeRangeAccuracyBound")) {
    expect_equal(do.call(treeGetAccuracy, row$args), row$value, tolerance = 1e-12)
    args <- row$args
    args$accuracy <- row$value
    args$epsilon <- NULL
    expect_equal(do.call(treeGetParameters, args), row$args$epsilon, tolerance = 1e-12)
  }
})
