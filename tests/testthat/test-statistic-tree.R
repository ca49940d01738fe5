test_that("D-52: a release costs the sum of its levels", {
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
  expect_equal(result$mean, mean(ages), tolerance = 1e-4)
  expect_lte(abs(result$median - stats::median(ages)), 1)
  expect_true(all(abs(result$percentiles$value - stats::quantile(ages, c(0.25, 0.75))) <= 1))
})

test_that("missing values are imputed once, for all levels", {
  x <- rep(NA_real_, 200)
  result <- exactly(tree_of(n = 200, globalEps = 1e8))$release(data.frame(x = x))
  expect_equal(round(result$release[[2]]), round(colSums(matrix(result$release[[3]], 2))),
    ignore_attr = TRUE)
})

test_that("UTIL-021: arguments determine the depth, and wrong ones raise errors", {
  expect_equal(tree_of(depth = NULL, gran = 1)$depth, 4)
  expect_equal(tree_of(globalEps = NULL, accuracy = 30)$accuracy, rep(30, 3))
  expect_refused(tree_of(depth = NULL, globalEps = NULL, epsilon = c(1, 1)), "depth")
  expect_refused(tree_of(leaves = 8), "depth")
  for (leaves in c(4.3, 17)) expect_refused(tree_of(depth = NULL, leaves = leaves), "leaves")
  expect_refused(tree_of(rng = 5), "rng")
  expect_refused(tree_of(depth = 17), "depth")
  expect_refused(tree_of(epsilon = 1), "epsilon")
  expect_refused(tree_of(globalEps = NULL), "epsilon")
  expect_refused(tree_of(percentiles = 2), "percentiles")
})

test_that("without a depth, the shape depends only on the number of rows and the loss", {
  shape_of <- function(...) {
    fields <- tree_of(depth = NULL, ...)$getFields()
    c(fields$branching, fields$depth)
  }
  # Best shapes measured on a census extract, in specification 5.1.
  expect_equal(shape_of(n = 1e4, globalEps = 0.1), c(32, 2))
  expect_equal(shape_of(n = 1e4, globalEps = 1), c(16, 3))
  expect_equal(shape_of(n = 5e4, globalEps = 1), c(16, 4))
  expect_equal(shape_of(n = 1e4, globalEps = 1, branching = 2)[[1]], 2)
  expect_equal(shape_of(varType = "integer", rng = c(0, 5)), c(5, 1))
  expect_equal(shape_of(varType = "integer", rng = c(0, 100), n = 1e4), c(8, 2))
  expect_equal(shape_of(leaves = 81, branching = 3), c(3, 4))
  expect_equal(shape_of(gran = 1, branching = 4), c(4, 2))
  expect_refused(tree_of(depth = 9, branching = 4), "depth")
  expect_refused(tree_of(depth = NULL, leaves = 8, branching = 4), "leaves")
  for (branching in list(1, 2.5, "2", NA, 1e6)) {
    expect_refused(tree_of(depth = NULL, branching = branching), "branching")
  }
})

test_that("shares have intervals that cover the rows' shares and the population's", {
  edges <- seq(0, 1, length.out = 65)
  withr::local_seed(20)
  covered <- replicate(80, {
    x <- stats::rbeta(500, 2, 3)
    statistic <- exactly(
      dpTree("numeric", "x", 500, 2, c(0, 1), globalEps = 1, branching = 8)
    )
    cdf <- statistic$release(data.frame(x = x))$cdf
    rows <- vapply(edges, function(edge) mean(x < edge), 0)
    people <- stats::pbeta(edges, 2, 3)
    inner <- 2:64
    c(
      rows = mean((cdf$lowerNoise <= rows & rows <= cdf$upperNoise)[inner]),
      people = mean((cdf$lower <= people & people <= cdf$upper)[inner]),
      narrower = all(cdf$upperNoise - cdf$lowerNoise <= cdf$upper - cdf$lower)
    )
  })
  expect_equal(unname(covered["narrower", ]), rep(1, 80))
  # 80 curves at 95%: their mean is below 0.89 with probability 1e-11.
  expect_gt(mean(covered["rows", ]), 0.89)
  expect_gt(mean(covered["people", ]), 0.89)
})

test_that("UTIL-022: nodes halve the range, and an inner edge belongs to the right node", {
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
      statistic <- dpTree("numeric", "x", 10, 3, c(0, 10), globalEps = 10000, missing = "impute"),
      class = "dp_warning_large_epsilon"
    )
    result <- statistic$release(data.frame(x = 1:10))
    expect_length(result$release, 4)
    expect_equal(result$release[[1]], c(`[0,10]` = 10))
    expect_equal(round(result$release[[4]][[8]]), 2)
    expect_equal(result$bins[[2]], c(0, 5, 10))
  }
))
