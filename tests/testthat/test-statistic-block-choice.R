test_that("without a bias the numbers match the oracle", {
  for (row in formula_rows("guptDefaultBlocks")) {
    expect_equal(unname(sampleAggregateBlocks(row$args$n)), row$value)
  }
})

test_that("with a bias the sum of both errors is minimal", {
  error <- function(k) (50 * k / 1e4)^2 + 2 * (100 / (k * 0.5))^2
  best <- sampleAggregateBlocks(1e4, epsilon = 0.5, width = 100, bias = -50)
  expect_equal(best[["subsetSize"]], 1e4 %/% best[["numSubsets"]])
  all <- seq_len(1e4)
  expect_lte(abs(best[["numSubsets"]] - which.min(error(all))), 1)
})

test_that("there is at least one block, and at most one per row", {
  few <- sampleAggregateBlocks(100, epsilon = 1, width = 1e-9, bias = 1)
  expect_equal(unname(few), c(1, 100))
  many <- sampleAggregateBlocks(100, epsilon = 1, width = 1e9, bias = 1)
  expect_equal(unname(many), c(100, 1))
})

test_that("invalid numbers raise errors", {
  expect_refused(sampleAggregateBlocks(0), "n")
  expect_refused(sampleAggregateBlocks(10, bias = 1), "epsilon")
  expect_refused(sampleAggregateBlocks(10, epsilon = 1, width = -1, bias = 1), "width")
  expect_refused(sampleAggregateBlocks(10, epsilon = 1, width = 1, bias = 0), "bias")
})

test_that("old data reveal the bias that theory predicts", {
  # Divisor m instead of m - 1: a bias of -variance / m.
  old <- stats::qnorm(stats::ppoints(4000))[(seq_len(4000) * 1237) %% 4000 + 1]
  biased <- function(x) mean((x - mean(x))^2)
  choose <- function(...) sampleAggregateBlocks(1e4, epsilon = 1, width = 2, ...)[["numSubsets"]]
  theory <- choose(bias = -1)
  seen <- choose(innerFun = biased, oldData = old)
  # Candidates are 1e4^(1 / 20) apart, so allow one on either side.
  expect_gt(seen, theory / 2.6)
  expect_lt(seen, theory * 2.6)
  # Without a bias, more blocks are better.
  expect_equal(choose(innerFun = mean, oldData = old), 1e4)
  framed <- choose(innerFun = function(block) biased(block$x), oldData = data.frame(x = old))
  expect_equal(framed, seen)
})

test_that("blocks fit the old data, and functions that fail in small blocks lose", {
  few <- sampleAggregateBlocks(1e4,
    epsilon = 1e9, width = 1, innerFun = function(x) 1 / length(x), oldData = 1:500
  )
  expect_lte(few[["subsetSize"]], 500)
  large <- sampleAggregateBlocks(1e4, epsilon = 1, width = 1, innerFun = stats::var,
    oldData = rep(c(0, 1), 50)
  )
  expect_gte(large[["subsetSize"]], 2)
})

test_that("invalid old data and functions raise errors", {
  choose <- function(...) sampleAggregateBlocks(100, epsilon = 1, width = 1, ...)
  expect_refused(choose(oldData = "a", innerFun = mean), "oldData")
  expect_refused(choose(oldData = 1, innerFun = mean), "oldData")
  expect_refused(choose(oldData = 1:9), "innerFun")
  expect_refused(choose(oldData = 1:9, innerFun = range), "innerFun")
  expect_refused(choose(oldData = 1:9, innerFun = mean, bias = 1), "bias")
  expect_refused(sampleAggregateBlocks(100, oldData = 1:9, innerFun = mean), "epsilon")
})
