some_results <- function() {
  list(
    released(mean_of()),
    released(histogram_of(rng = c(0, 16), nBins = 4)),
    released(dpCovariance("mechanismLaplace", "numeric", 10000, c("educ", "age"),
      list(c(1, 16), c(18, 93)), globalEps = 1)),
    released(dpTree("numeric", "age", 10000, 3, c(0, 128), globalEps = 1)),
    released(aggregate_of(
      innerFun = income ~ educ, variable = c("income", "educ"), rng = list(c(0, 2e5), c(1, 16)),
      outputRange = rbind(constant = c(-1e5, 1e5), slope = c(-2e4, 2e4))
    ))
  )
}

test_that("every result is a table, with a row for each number", {
  rows <- c(1, 4, 3, 8, 2)
  for (i in seq_along(rows)) {
    result <- some_results()[[i]]
    table <- as.data.frame(result)
    expect_equal(nrow(table), rows[[i]])
    expect_named(table[1:2], c("term", "estimate"))
    expect_identical(tidy.dp_result(result), table)
    expect_equal(nrow(glance.dp_result(result)), 1)
    if (ncol(table) > 2) expect_true(all(table$conf.low <= table$conf.high))
  }
  statistic <- mean_of()
  expect_refused(as.data.frame(statistic), "x")
  result <- released(statistic)
  expect_identical(as.data.frame(statistic), as.data.frame(result))
  expect_equal(tidy.dpStatistic(statistic)$conf.high, result$interval[[2]])
  expect_equal(glance.dpStatistic(statistic)$epsilon, 0.1)
})

test_that("every result has a plot", {
  grDevices::pdf(NULL)
  withr::defer(grDevices::dev.off())
  for (result in some_results()) {
    expect_identical(withVisible(plot(result)), list(value = result, visible = FALSE))
  }
})

test_that("every statistic and result has a printed form without data", {
  for (result in some_results()) {
    expect_match(format(result)[[1]], "^Differentially private")
  }
  statistic <- histogram_of(rng = c(0, 16), nBins = 4)
  expect_match(format(statistic), "nothing released yet", all = FALSE)
  expect_equal(nrow(summary(statistic)), 1)
})
