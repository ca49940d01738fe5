test_that("D-52: a release costs what its levels add up to", {
  for (statistic in list(tree_of(), tree_of(globalEps = NULL, epsilon = c(0.5, 0.2, 0.1)))) {
    expect_lte(statistic$measurement(d_in = 1L), statistic$globalEps * (1 + 1e-15))
    expect_gt(statistic$measurement(d_in = 1L), statistic$globalEps * (1 - 1e-12))
    expect_equal(toString(statistic$measurement("input_metric")), "ChangeOneDistance()")
  }
})

test_that("releases converge to the counts, and to mean and quantiles of cells", {
  statistic <- exactly(dpTree(
    varType = "integer", variable = "age", n = 10000, leaves = 128, rng = c(0, 128),
    globalEps = 1e8, percentiles = c(0.25, 0.75)
  ))
  result <- released(statistic)
  ages <- PUMS5extract10000$age
  expect_equal(round(result$tree[[2]]), c(sum(ages < 64), sum(ages >= 64)))
  expect_equal(vapply(result$tree, sum, 0), rep(10000, 8), tolerance = 1e-6)
  expect_equal(result$mean, mean(ages) + 0.5, tolerance = 1e-4)
  expect_lte(abs(result$median - stats::median(ages)), 1)
  expect_true(all(abs(result$percentiles$value - stats::quantile(ages, c(0.25, 0.75))) <= 1))
})

test_that("missing values are imputed once, for all levels", {
  x <- rep(NA_real_, 200)
  result <- exactly(tree_of(n = 200, globalEps = 1e8))$release(data.frame(x = x))
  expect_equal(round(result$release[[2]]), round(colSums(matrix(result$release[[3]], 2))),
    ignore_attr = TRUE)
})

test_that("UTIL-021: arguments decide the depth, and wrong ones are refused", {
  expect_equal(tree_of(depth = NULL, gran = 1)$depth, 4)
  expect_equal(tree_of(globalEps = NULL, accuracy = 30)$accuracy, rep(30, 3))
  expect_refused(tree_of(depth = NULL), "depth")
  expect_refused(tree_of(leaves = 8), "depth")
  for (leaves in c(4.3, 17)) expect_refused(tree_of(depth = NULL, leaves = leaves), "leaves")
  expect_refused(tree_of(rng = 5), "rng")
  expect_refused(tree_of(depth = 17), "depth")
  expect_refused(tree_of(epsilon = 1), "epsilon")
  expect_refused(tree_of(globalEps = NULL), "epsilon")
  expect_refused(tree_of(percentiles = 2), "percentiles")
})

test_that("UTIL-022: nodes halve the range, and an inner edge belongs to the node on its right", {
  statistic <- exactly(tree_of(n = 4, leaves = 4, depth = NULL, rng = c(0, 4), globalEps = 1e8))
  expect_equal(lapply(statistic$bins, function(edges) edges[1:2]),
    list(c(0, 4), c(0, 2), c(0, 1)))
  result <- statistic$release(data.frame(x = c(1, 2, 1, 1)))
  expect_equal(round(unlist(result$release[1:2], use.names = FALSE)), c(4, 3, 1))
})

test_behaviours("dpTree", list(
  `TREE-001` = function() expect_s3_class(tree_of(), "dpTree"),
  `TREE-002` = function() {
    bins <- tree_of(depth = 2)$bins
    expect_length(bins, 3)
    expect_equal(bins[[2]], c(0, 5, 10))
  },
  `TREE-003` = function() {
    statistic <- small(dpTree("numeric", "x", 10, 3, c(0, 10), globalEps = 1))
    expect_equal(statistic$epsilon, rep(1 / 3, 3))
  },
  `TREE-004` = function() {
    expect_warning(
      statistic <- dpTree("numeric", "x", 10, 3, c(0, 10), globalEps = 10000),
      class = "dp_warning_large_epsilon"
    )
    result <- statistic$release(data.frame(x = 1:10))
    expect_length(result$release, 4)
    expect_equal(result$release[[1]], c(`[0,10]` = 10))
    expect_equal(round(result$release[[4]][[8]]), 2)
    expect_equal(result$bins[[2]], c(0, 5, 10))
  }
))
