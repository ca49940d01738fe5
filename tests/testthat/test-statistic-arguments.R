# Every argument of every statistic is refused or taken, whatever it is, before any data is seen.

bad_values <- list(
  NA, NaN, Inf, -Inf, 0, -0, -1, 1e-320, 2^53 + 2, 0.5, "a", "", character(), list(), list(1, 2),
  numeric(), c(1, 2, NA), factor("a"), TRUE, sum, as.Date("2020-01-01"), 1i,
  structure(1, class = "integer64")
)

test_that("D_R_9 any value of any argument gives an object or a documented error", {
  build <- list(dpMean = mean_of, dpSampleAndAggregate = aggregate_of)
  for (name in names(build)) {
    arguments <- setdiff(names(formals(get(name))), "...")
    for (argument in arguments) {
      for (value in bad_values) {
        outcome <- tryCatch(
          suppressWarnings(do.call(build[[name]], stats::setNames(list(value), argument)),
            classes = "dp_warning"
          ),
          error = identity
        )
        expect_true(
          inherits(outcome, "dpStatistic") || inherits(outcome, "dp_error"),
          label = paste(name, argument, "as", paste(deparse(value), collapse = " "))
        )
      }
    }
  }
})

test_that("what is left out is named", {
  expect_refused(dpMean(), "mechanism")
  expect_refused(dpMean("mechanismLaplace", "numeric", "age"), "n")
  expect_refused(dpSampleAndAggregate(), "innerFun")
  expect_error(dpMean(), class = "dp_error_invalid_argument", regexp = "`mechanism` must be given")
})

test_that("arguments that do not exist are refused", {
  expect_refused(mean_of(delta = 1e-6), "delta")
  expect_refused(aggregate_of(gamma = 1), "gamma")
  expect_refused(dpMean("mechanismLaplace", "numeric", "age", 1, c(0, 1), NULL, 1, NULL, NULL, 0.05,
    20, NULL, 3), "...")
})

test_that("epsilon, accuracy and alpha keep their rules", {
  expect_equal(mean_of(epsilon = 1, accuracy = 55)$accuracy, laplaceGetAccuracy(0.01, 1))
  expect_equal(mean_of(epsilon = NA, accuracy = 0.3)$accuracy, 0.3)
  expect_refused(mean_of(epsilon = NULL), "epsilon")
  expect_refused(mean_of(epsilon = c(1, 2)), "epsilon")
  expect_refused(mean_of(epsilon = Inf), "epsilon")
  expect_refused(mean_of(epsilon = NULL, accuracy = -1), "accuracy")
  expect_refused(mean_of(alpha = 2), "alpha")
  expect_warning(mean_of(epsilon = 3), class = "dp_warning_large_epsilon")
  expect_warning(mean_of(epsilon = NULL, accuracy = 0.001), class = "dp_warning_large_epsilon")
  expect_no_warning(mean_of(epsilon = 2.99))
})

test_that("a range is sorted, finite, and has room for different values", {
  expect_equal(mean_of(rng = c(100, 0))$rng, c(0, 100))
  expect_warning(statistic <- mean_of(rng = c(-10, 0, 100)), class = "dp_warning_range")
  expect_equal(statistic$rng, c(-10, 100))
  for (rng in list(NULL, 100, c(5, 5), c(NA, 1), c(0, Inf), c(-1e308, 1e308), list(c(0, 1)), "a")) {
    expect_refused(do.call(dpMean, list(
      mechanism = "mechanismLaplace", varType = "numeric", variable = "age", n = 10, rng = rng,
      epsilon = 1
    )), "rng")
  }
  expect_equal(mean_of(varType = "logical", rng = c(3, 9))$rng, c(0, 1))
})

test_that("bounds of whole numbers are rounded inwards", {
  statistic <- mean_of(varType = "integer", rng = c(0.5, 10.5), imputeRng = c(1.2, 3.9))
  expect_equal(statistic$rng, c(1, 10))
  expect_equal(statistic$imputeRng, c(2, 3))
  expect_refused(mean_of(varType = "integer", rng = c(0.2, 1.8)), "rng")
  expect_refused(mean_of(varType = "integer", imputeRng = c(0.2, 0.8)), "imputeRng")
})

test_that("the range of imputed values lies within that of all", {
  expect_equal(mean_of(imputeRng = c(10, 20))$imputeRng, c(10, 20))
  expect_equal(mean_of()$imputeRng, c(0, 100))
  expect_warning(statistic <- mean_of(imputeRng = c(-5, 20)), class = "dp_warning_impute_range")
  expect_equal(statistic$imputeRng, c(0, 20))
  expect_warning(statistic <- mean_of(imputeRng = c(5, 200)), class = "dp_warning_impute_range")
  expect_equal(statistic$imputeRng, c(5, 100))
  expect_warning(
    mean_of(varType = "logical", imputeRng = c(2, 3)),
    class = "dp_warning_impute_range"
  )
  expect_refused(mean_of(imputeRng = c(200, 300)), "imputeRng")
  expect_refused(mean_of(imputeRng = c(20, 10)), "imputeRng")
  expect_refused(mean_of(imputeRng = c("wrong", "type")), "imputeRng")
  expect_refused(mean_of(imputeRng = 1:3), "imputeRng")
})

test_that("names match in any letter case and are kept in theirs", {
  statistic <- aggregate_of(
    mechanism = "MECHANISMLAPLACE", varType = "Numeric", innerFun = "MEDIAN",
    aggregationFun = "mean"
  )
  expect_equal(statistic$mechanism, "mechanismLaplace")
  expect_equal(statistic$varType, "numeric")
  expect_equal(statistic$innerFun, "median")
  expect_equal(statistic$aggregationFun, "Mean")
})

test_that("messages say what must hold and what came, without values", {
  expect_snapshot(error = TRUE, {
    mean_of(mechanism = "mechanismGaussian")
    mean_of(varType = "character")
    mean_of(n = 0.5)
    mean_of(rng = NULL)
    mean_of(rng = c(0, Inf))
    mean_of(sens = 7)
    aggregate_of(innerFun = "max")
    aggregate_of(numSubsets = 10001)
    aggregate_of(innerFun = max)
    aggregate_of(subsetSize = 999)
  })
})
