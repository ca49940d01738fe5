test_that("without a bias the numbers are those of the oracle", {
  for (row in formula_rows("guptDefaultBlocks")) {
    expect_equal(unname(sampleAggregateBlocks(row$args$n)), row$value)
  }
})

test_that("with a bias the sum of both errors is the least", {
  error <- function(k) (50 * k / 1e4)^2 + 2 * (100 / (k * 0.5))^2
  best <- sampleAggregateBlocks(1e4, epsilon = 0.5, width = 100, bias = -50)
  expect_equal(best[["subsetSize"]], 1e4 %/% best[["numSubsets"]])
  all <- seq_len(1e4)
  expect_lte(abs(best[["numSubsets"]] - which.min(error(all))), 1)
})

test_that("there is at least one block, and at most one for each row", {
  few <- sampleAggregateBlocks(100, epsilon = 1, width = 1e-9, bias = 1)
  expect_equal(unname(few), c(1, 100))
  many <- sampleAggregateBlocks(100, epsilon = 1, width = 1e9, bias = 1)
  expect_equal(unname(many), c(100, 1))
})

test_that("what is no number is refused", {
  expect_refused(sampleAggregateBlocks(0), "n")
  expect_refused(sampleAggregateBlocks(10, bias = 1), "epsilon")
  expect_refused(sampleAggregateBlocks(10, epsilon = 1, width = -1, bias = 1), "width")
  expect_refused(sampleAggregateBlocks(10, epsilon = 1, width = 1, bias = 0), "bias")
})
