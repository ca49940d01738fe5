# Defaults of dpSampleAndAggregate() if `aggregationFun` or `numSubsets` is missing.

left_out <- function(..., innerFun = max, outputRange = c(0, 1)) {
  args <- list(
    innerFun = innerFun, mechanism = "mechanismLaplace", varType = "numeric", variable = "age",
    n = 10000, rng = c(0, 100), epsilon = 1
  )
  if (!is.character(innerFun)) args$outputRange <- outputRange
  built(dpSampleAndAggregate, utils::modifyList(args, list(...)))
}

chosen <- function(...) {
  statistic <- suppressMessages(left_out(...), classes = "dp_message_chosen")
  list(statistic$aggregationFun, statistic$numSubsets)
}

test_that("a median is chosen from 6 log(gridPoints) blocks on, and never below", {
  local_untried()
  at <- 6 * log(1001)
  for (overlap in 1:2) {
    scheme <- if (overlap == 2) list(scheme = "resampled", overlap = 2)
    given <- function(weight) {
      do.call(chosen, c(list(numSubsets = 100 * overlap, epsilon = weight / 100), scheme))[[1]]
    }
    expect_identical(given(at * (1 + 1e-9)), "Median")
    expect_identical(given(at * (1 - 1e-9)), "Mean")
  }
  # Subsets overlap as drawn: in each draw, every row is in at least one of two.
  expect_identical(
    chosen(scheme = "subsets", subsetSize = 5000, numSubsets = 50, epsilon = 1.2)[[1]], "Mean"
  )
  # Each of two results gets half of the loss, minus the share of failures.
  two <- rbind(c(0, 1), c(0, 2))
  expect_identical(chosen(numSubsets = 60, outputRange = two)[[1]], "Mean")
  expect_identical(chosen(numSubsets = 100, outputRange = two)[[1]], "Median")
  expect_identical(chosen(numSubsets = 60)[[1]], "Median")
  expect_identical(chosen(numSubsets = 60, failureShare = 0.5)[[1]], "Mean")
  # With 11 points, 14.4 is enough.
  expect_identical(chosen(numSubsets = 20, gridPoints = 11)[[1]], "Median")
})

test_that("arguments that only a mean uses select a mean", {
  expect_identical(chosen(numSubsets = 100, innerFun = "mean")[[1]], "Mean")
  expect_identical(chosen(numSubsets = 100, innerFun = "var")[[1]], "Mean")
  expect_identical(chosen(numSubsets = 100, innerFun = "median")[[1]], "Median")
  expect_identical(chosen(numSubsets = 100, rangeMode = "loose")[[1]], "Mean")
  expect_identical(chosen(numSubsets = 100, intervalShare = 0.5)[[1]], "Mean")
  expect_identical(chosen(numSubsets = 100, epsilon = NULL, accuracy = 0.1)[[1]], "Mean")
  expect_identical(
    with_features("honest-but-curious",
      chosen(numSubsets = 100, innerFunSens = 0.5, missing = "impute"))[[1]], "Mean"
  )
  helped <- chosen(
    numSubsets = 100, outputRange = NULL, rangeMode = "helper", rangeHelper = function(x) x
  )
  expect_identical(helped[[1]], "Mean")
})

test_that("the number of blocks suits a median, or is the root of the number of rows", {
  expect_identical(chosen(), list("Median", 60))
  expect_identical(chosen(epsilon = 0.1), list("Median", 600))
  expect_identical(chosen(epsilon = 2.9), list("Median", 20.0))
  expect_identical(chosen(epsilon = 0.1, n = 1000), list("Mean", 31))
  expect_identical(chosen(innerFun = "mean"), list("Mean", 100))
  expect_identical(chosen(aggregationFun = "Mean"), list("Mean", 100))
  expect_identical(chosen(aggregationFun = "TrimmedMean"), list("TrimmedMean", 100))
  expect_identical(chosen(aggregationFun = "Quantile", prob = 0.9), list("Quantile", 60))
  expect_identical(chosen(aggregationFun = "Median", n = 12), list("Median", 12))
  expect_identical(chosen(scheme = "resampled", overlap = 3), list("Median", 180))
  expect_identical(chosen(scheme = "labels"), list("Median", 60))
  expect_identical(chosen(innerFun = "var", n = 3)[[2]], 1)
  expect_refused(left_out(scheme = "subsets", subsetSize = 10), "numSubsets")
})

test_that("choices are reported, from public numbers, and given arguments are not", {
  expect_message(left_out(),
    paste(
      '`aggregationFun` is "Median", `numSubsets` is 60: the `epsilon` of a result times',
      "`numSubsets` / `overlap`, 60, is at least 6 log(`gridPoints`), 41.5."
    ),
    fixed = TRUE, class = "dp_message_chosen"
  )
  expect_message(left_out(numSubsets = 10), "10, is below 6 log", class = "dp_message")
  expect_message(left_out(innerFun = "mean", numSubsets = 10), "unbiased", class = "dp_message")
  expect_message(left_out(aggregationFun = "Mean"), "`numSubsets` is 100.", fixed = TRUE)
  expect_no_message(left_out(aggregationFun = "Mean", numSubsets = 10))
})

test_that("the plan contains the choices, and equals the plan with them written out", {
  statistic <- suppressMessages(left_out(innerFun = "median"))
  said <- left_out(innerFun = "median", aggregationFun = "Median", numSubsets = 60)
  expect_identical(plan_hash(statistic), plan_hash(said))
  args <- plan_of(statistic)$args
  expect_identical(args[c("aggregationFun", "numSubsets")], list(
    aggregationFun = "Median", numSubsets = 60
  ))
  # A written plan keeps the choice of its time, even if a rule changes later.
  expect_no_message(again <- with_features("contrib", from_json(to_json(statistic))))
  expect_identical(plan_hash(again), plan_hash(statistic))
})
