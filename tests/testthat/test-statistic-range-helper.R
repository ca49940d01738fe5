identity_helped <- function(..., epsilon = exact_epsilon) {
  exactly(aggregate_of(
    innerFun = function(x) x[[1]], variable = "x", rng = c(0, 100), rangeMode = "helper",
    rangeHelper = function(x) x, n = 10, numSubsets = 10, gridPoints = 101, epsilon = epsilon, ...
  ))
}

ten <- data.frame(x = c(0, 1, 20, 21, 22, 23, 24, 25, 90, 95))

test_that("results are moved into the range derived from private quartiles", {
  result <- identity_helped()$release(ten)
  ends <- result$inputRange
  expect_true(ends[[1]] %in% 20:21 && ends[[2]] %in% 25:90)
  expect_identical(result$outputRange, ends)
  expect_equal(result$release, mean(pmin(pmax(ten$x, ends[[1]]), ends[[2]])), tolerance = 1e-6)

  wide <- exactly(aggregate_of(
    innerFun = mean, variable = "x", rng = c(0, 100), rangeMode = "helper", gridPoints = 101,
    rangeHelper = function(x) mean(x) + c(-4, 4) * diff(x), n = 10, numSubsets = 1,
    epsilon = exact_epsilon
  ))$release(ten)
  expect_equal(wide$outputRange, mean(wide$inputRange) + c(-4, 4) * diff(wide$inputRange))
  expect_equal(wide$release, mean(ten$x), tolerance = 1e-6)
})

quartiles_of <- function(x) as.double(stats::quantile(x, c(0.25, 0.75), type = 1))

test_that("several columns have their own quartiles, and several results their own ranges", {
  line <- exactly(aggregate_of(
    innerFun = income ~ educ, variable = c("income", "educ"), rng = list(c(0, 2e5), c(1, 16)),
    rangeMode = "helper", numSubsets = 50, epsilon = exact_epsilon,
    rangeHelper = function(x) {
      stopifnot(identical(names(x), c("income", "educ")))
      rbind(constant = c(-1, 1) * 1e5, slope = c(-1, 1) * diff(x$income) / diff(x$educ))
    }
  ))
  expect_equal(line$outputRange, rbind(constant = c(-1e5, 1e5), slope = c(-1, 1) * 2e5 / 15))
  result <- line$release(PUMS5extract10000)
  expect_named(result$inputRange, c("income", "educ"))
  expect_equal(result$inputRange$income, quartiles_of(PUMS5extract10000$income), tolerance = 0.02)
  # Between two integers all candidates are equally good.
  expect_lte(max(abs(result$inputRange$educ - quartiles_of(PUMS5extract10000$educ))), 1)
  slope <- diff(result$inputRange$income) / diff(result$inputRange$educ)
  expect_equal(result$outputRange, rbind(constant = c(-1e5, 1e5), slope = c(-slope, slope)))
  expect_named(result$release, c("constant", "slope"))
  exact <- stats::coef(stats::lm(pmin(income, 2e5) ~ educ, PUMS5extract10000))
  expect_equal(unname(result$release), unname(exact), tolerance = 0.2)
})

test_that("quartiles and mean each cost half of the loss, and the width found sets the noise", {
  statistic <- identity_helped(epsilon = 0.5)
  expect_lte(statistic$measurement(d_in = 1L), 0.5)
  expect_gt(statistic$measurement(d_in = 1L), 0.5 - 1e-9)
  expect_true(is.na(statistic$accuracy))
  result <- statistic$release(ten)
  width <- diff(result$outputRange)
  expect_equal(result$accuracy, width / 10 / 0.25 * log(1 / 0.05))
  expect_equal(result$interval, result$release + c(-1, 1) * result$accuracy)
  shared <- identity_helped(epsilon = 0.5, scheme = "labels")
  expect_gt(shared$measurement(d_in = 1L), 0.5 - 1e-9)
})

test_that("the noise interval covers the mean of the clamped results", {
  statistic <- identity_helped(epsilon = 1)
  covered <- replicate(400, {
    result <- statistic$release(ten)
    used <- pmin(pmax(ten$x, result$outputRange[[1]]), result$outputRange[[2]])
    abs(result$release - mean(used)) <= result$accuracy
  })
  expect_gte(sum(covered), least_of(400, 0.95))
})

test_that("named functions have a helper too, even for a logical column", {
  ages <- exactly(aggregate_of(
    rangeMode = "helper", rangeHelper = function(x) x, epsilon = exact_epsilon
  ))$release(PUMS5extract10000)
  expect_equal(ages$release, mean(PUMS5extract10000$age), tolerance = 1e-6)
  share <- exactly(aggregate_of(
    variable = "married", varType = "logical", rangeMode = "helper", epsilon = exact_epsilon,
    rangeHelper = function(x) c(0, max(x))
  ))$release(PUMS5extract10000)
  expect_equal(share$inputRange, c(0, 1))
  expect_equal(share$release, mean(PUMS5extract10000$married), tolerance = 1e-6)
})

test_that("D_CTL_1 a rule that fails in a release is replaced by the range of all columns", {
  # It works for `rng` and for no other input.
  fragile <- function(failure) {
    function(x) if (identical(x, c(0, 100))) c(0, 100) else failure()
  }
  failures <- list(
    function() stop("no"), function() NULL, function() c(1, 0), function() c(0, Inf),
    function() "a", function() rbind(c(0, 1), c(0, 1)), function() invokeRestart("abort")
  )
  for (failure in failures) {
    statistic <- exactly(aggregate_of(
      innerFun = function(x) x[[1]], variable = "x", rng = c(0, 100), rangeMode = "helper",
      rangeHelper = fragile(failure), n = 10, numSubsets = 10, epsilon = exact_epsilon
    ))
    expect_silent(result <- statistic$release(ten))
    expect_equal(result$outputRange, c(0, 100))
    expect_equal(result$release, mean(ten$x), tolerance = 1e-6)
  }
})

test_that("conflicting arguments raise errors before any data are read", {
  helped <- function(...) {
    args <- utils::modifyList(
      list(innerFun = max, rangeMode = "helper", rangeHelper = function(x) x), list(...)
    )
    do.call(aggregate_of, args)
  }
  expect_s3_class(helped(), "dpSampleAndAggregate")
  expect_refused(helped(rangeHelper = NULL), "rangeHelper")
  expect_refused(helped(rangeHelper = "identity"), "rangeHelper")
  expect_refused(helped(rangeHelper = function(x) stop("no")), "rangeHelper")
  expect_refused(helped(rangeHelper = function(x) c(1, 1)), "rangeHelper")
  expect_refused(helped(innerFun = "mean", rangeHelper = function(x) rbind(x, x)), "rangeHelper")
  expect_refused(helped(outputRange = c(0, 1)), "outputRange")
  expect_refused(helped(rangeMode = "tight", outputRange = c(0, 1)), "rangeHelper")
  expect_refused(helped(aggregationFun = "Median"), "rangeMode")
  expect_refused(helped(intervalShare = 0.5), "intervalShare")
  expect_refused(helped(innerFunSens = 1), "innerFunSens")
  expect_refused(do.call(dpSampleAndAggregate, list(
    innerFun = max, rangeMode = "helper", rangeHelper = function(x) x, accuracy = 1,
    mechanism = "mechanismLaplace", numSubsets = 10, varType = "numeric", variable = "x", n = 100,
    rng = c(0, 1)
  )), "epsilon")
})

test_that("a result with a helper prints its ranges", {
  expect_match(format(identity_helped(epsilon = 1)), "rangeHelper +a function", all = FALSE)
  result <- identity_helped(epsilon = 1)$release(ten)
  expect_match(format(result), "^  inputRange ", all = FALSE)
  expect_match(format(result), "^  outputRange ", all = FALSE)
})
