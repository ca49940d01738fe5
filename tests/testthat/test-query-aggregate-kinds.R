test_that("the core describes each aggregate of R, and no other", {
  rows <- aggregate_rows()
  expect_setequal(rows$kind, c(aggregate_kinds, hidden_kinds, names(row_models)))
  expect_true(all(rows$quantity %in% c("count", "sum", "statistic")))
  expect_equal(rows$kind[rows$weights], c("count", "sum", "mean", "quantiles", "moment"))
  expect_false(makes_counts(""))
  expect_setequal(
    aggregate_kinds[c("dp_sum", "dp_moment")],
    setdiff(rows$kind[reads_amounts(rows$kind)], rows$kind[makes_statistics(rows$kind)])
  )
})

test_that("an aggregate takes `weights` in R if it does in the core", {
  of <- vapply(names(aggregate_kinds), function(fun) "weights" %in% names(formals(get(fun))), NA)
  expect_equal(unname(of), takes_weights(unname(aggregate_kinds)))
})
