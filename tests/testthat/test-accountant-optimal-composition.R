params_of <- function(args) {
  cbind(
    if (is.null(args$epsilons)) rep(args$epsilon, args$k) else args$epsilons,
    args$deltas %||% args$delta
  )
}

test_that("optimal composition meets the oracle, never from below", {
  rows <- c(
    formula_rows("optimalCompositionHomogeneous"), formula_rows("optimalCompositionHeterogeneous"),
    formula_rows("KOVhom")
  )
  expect_length(rows, 27)
  for (row in rows) {
    params <- params_of(row$args)
    if (identical(row$value, "infeasible")) {
      expect_error(approxComp(params, row$args$globalDelta), class = "dp_error_invalid_distance")
    } else {
      found <- optimalComposition(params[, 1], params[, 2], row$args$globalDelta)
      expect_equal(found, row$value, tolerance = 1e-9)
    }
  }
})

test_that("the formulas and the deltas meet the oracle", {
  for (row in formula_rows("KOVhet")) {
    expect_equal(KOVhet(params_of(row$args), row$args$globalDelta), row$value, tolerance = 1e-11)
  }
  for (row in formula_rows("compositionDelta")) {
    found <- compositionDelta(row$args$epsilons, row$args$deltas, row$args$globalEpsilon)
    expect_gte(found, row$value * (1 - 1e-13))
    expect_lt(found - row$value, 1e-13)
  }
  for (row in formula_rows("advancedCompositionDRV")) {
    found <- advancedComposition(row$args$k, row$args$epsilon, row$args$slack)
    expect_equal(found, row$value, tolerance = 1e-12)
  }
})

test_that("an approximation is within its error, and below the sum", {
  for (row in formula_rows("approxComp")) {
    params <- params_of(row$args)
    found <- approxComp(params, row$args$globalDelta, row$args$err)
    expect_lte(found, row$value)
    expect_lte(found, sum(params[, 1]) * (1 + 1e-15))
  }
  for (row in formula_rows("isDP")) {
    found <- isDP(params_of(row$args), row$args$globalDelta, row$args$globalEpsilon)
    expect_equal(found, as.logical(row$value))
  }
})

test_that("COMP-008 to COMP-010: neither overflow nor spent deltas pass", {
  expect_false(isDP(cbind(c(0.5, 0.3), 1e-3), d_g = 1e-5, e_g = 0.9))
  expect_equal(KOVhom(cbind(rep(1, 800), 0), 1e-5), 473.065, tolerance = 1e-6)
  expect_error(KOVhom(cbind(rep(0.1, 10), 1e-5), 1e-5), class = "dp_error_invalid_distance")
})

test_that("what is no loss is refused", {
  expect_refused(optimalComposition("1", 0, 1e-5), "epsilon")
  expect_refused(optimalComposition(c(1, -1), 0, 1e-5), "epsilon")
  expect_refused(optimalComposition(1, 1, 1e-5), "delta")
  expect_refused(optimalComposition(c(1, 2, 3), c(0, 0), 1e-5), "delta")
  expect_refused(optimalComposition(1, 0, 2), "globalDelta")
  expect_refused(isDP(matrix(1, 2, 3), 0, 1), "params")
  expect_refused(isDP(cbind(1, 0), 0, -1), "e_g")
  expect_refused(KOVhom(cbind(c(1, 2), 0), 1e-5), "params")
})
