# Every row of the behaviour oracle for these classes, by its id. Rows marked `change` say what the
# reference did. This file gives the required behaviour.

behaviours <- list(
  `MEAN-001` = function() {
    statistic <- mean_of()
    expect_equal(statistic$sens, 0.01)
    expect_equal(round(released(statistic)$accuracy, 1), 0.3)
  },
  `MEAN-002` = function() {
    expect_equal(round(released(mean_of(epsilon = NULL, accuracy = 0.3))$epsilon, 1), 0.1)
  },
  `MEAN-003` = function() expect_refused(mean_of(rng = 100), "rng"),
  `MEAN-004` = function() expect_warning(mean_of(rng = c(-10, 0, 100)), class = "dp_warning_range"),
  `MEAN-005` = function() expect_refused(mean_of(rng = NULL), "rng"),
  `MEAN-006` = function() {
    # A delta belongs to Gaussian noise, so a warning reports it.
    expect_warning(statistic <- mean_of(delta = 1e-6), class = "dp_warning_delta")
    expect_identical(statistic$mechanism, "mechanismGaussian")
    expect_identical(released(statistic)$delta, 1e-6)
  },
  `MEAN-007` = function() expect_refused(mean_of(n = -1), "n"),
  `MEAN-008` = function() expect_refused(mean_of(n = 0.5), "n"),
  `MEAN-009` = function() {
    result <- released(mean_of(variable = "sex", varType = "logical", rng = NULL))
    expect_length(result$release, 1)
    expect_length(result$interval, 2)
    expect_length(result$histogram, 2)
  },
  `MEAN-010` = function() {
    expect_warning(
      statistic <- mean_of(rng = c(18, 93), imputeRng = c(0, 93)),
      class = "dp_warning_impute_range"
    )
    expect_equal(statistic$imputeRng, c(18, 93))
  },
  `MEAN-011` = function() {
    expect_warning(
      statistic <- mean_of(rng = c(18, 93), imputeRng = c(18, 200)),
      class = "dp_warning_impute_range"
    )
    expect_equal(statistic$imputeRng, c(18, 93))
  },
  `MEAN-012` = function() {
    expect_warning(
      statistic <- mean_of(variable = "sex", varType = "logical", imputeRng = c(2, 3)),
      class = "dp_warning_impute_range"
    )
    expect_equal(statistic$imputeRng, c(0, 1))
  },
  `MEAN-013` = function() expect_refused(mean_of(imputeRng = c("wrong", "type")), "imputeRng"),
  `MEAN-014` = function() {
    statistic <- mean_of(variable = "income", rng = c(0, 750000))
    result <- released(statistic)
    expect_named(result, c("release", "variable", "accuracy", "epsilon", "interval"))
    expect_equal(result$accuracy, 2246.799, tolerance = 1e-6)
    expect_equal(result$interval, result$release + c(-1, 1) * result$accuracy)
    expect_identical(statistic$result, result)
  },
  `MEAN-015` = function() {
    result <- released(mean_of(variable = "married", varType = "logical"))
    expect_named(result, c(
      "release", "variable", "accuracy", "epsilon", "interval", "stdDev", "median", "histogram"
    ))
    expect_s3_class(result$histogram, "data.frame")
    expect_named(result$histogram, c("0", "1"))
    expect_equal(sum(result$histogram), 10000)
  },
  `MEAN-016` = function() {
    statistic <- mean_of(varType = "integer", epsilon = NULL, accuracy = 0.3)
    expect_equal(statistic$epsilon, 0.09985774, tolerance = 1e-7)
    expect_equal(released(statistic)$accuracy, 0.3)
  },
  `MEAN-017` = function() {
    expect_equal(mean_of(mechanism = "mechanismlaplace")$mechanism, "mechanismLaplace")
  },
  `MEAN-018` = function() expect_identical(dpMean$new, dpMean),
  `MEAN-019` = function() expect_equal(mean_of(rng = c(100, 0))$rng, c(0, 100)),
  `MEAN-020` = function() {
    statistic <- mean_of(epsilon = 1, accuracy = 55)
    expect_equal(statistic$accuracy, 0.02995732, tolerance = 1e-6)
  },
  `MEAN-021` = function() expect_refused(mean_of(epsilon = NULL), "epsilon"),
  `MEAN-022` = function() {
    expect_refused(mean_of(epsilon = 0), "epsilon")
    expect_refused(mean_of(epsilon = -1), "epsilon")
  },
  `MEAN-023` = function() expect_warning(mean_of(epsilon = 5), class = "dp_warning_large_epsilon"),
  `MEAN-024` = function() expect_refused(mean_of(epsilon = c(1, 2)), "epsilon"),
  `MEAN-025` = function() expect_refused(mean_of(epsilon = NULL, accuracy = -1), "accuracy"),
  `MEAN-026` = function() {
    expect_error(mean_of(mechanism = "mechanismBootstrap"), "mechanismLaplace")
    expect_refused(mean_of(mechanism = "mechanismGaussian"), "delta")
  },
  `MEAN-027` = function() {
    expect_error(mean_of(varType = "character"), '"numeric", "integer", "logical"', fixed = TRUE)
  },
  `MEAN-028` = function() expect_refused(mean_of(variable = 3), "variable"),
  `MEAN-029` = function() {
    expect_refused(mean_of(n = NA), "n")
    expect_refused(mean_of(n = "a"), "n")
  },
  `MEAN-030` = function() expect_refused(mean_of(rng = list(c(0, 100))), "rng"),
  `MEAN-031` = function() expect_refused(mean_of(rng = c(NA, 100)), "rng"),
  `MEAN-032` = function() expect_refused(mean_of(alpha = 2), "alpha"),
  `MEAN-033` = function() expect_refused(mean_of(rng = c(5, 5)), "rng"),
  `MEAN-034` = function() {
    statistic <- mean_of(n = 500)
    expect_equal(toString(statistic$measurement("input_domain")),
      "VectorDomain(AtomDomain(nan=true, T=f64), size=500)")
    expect_error(released(statistic), class = "dp_error_rows")
    expect_true(is.finite(released(mean_of(n = 500, n_check = "resize"))$release))
  },
  `MEAN-035` = function() expect_refused(mean_of(sens = 7), "sens"),
  `MEAN-036` = function() expect_refused(released(mean_of(variable = "nowhere")), "data"),
  `MEAN-037` = function() {
    value <- exact_mean(data.frame(x = rep(NA_real_, 100)), imputeRng = c(50, 51))
    expect_true(value > 50 && value < 51)
  },
  `MEAN-038` = function() {
    expect_refused(mean_of(variable = "x", n = 2)$release(data.frame(x = c("1", "2"))), "data")
  },
  `MEAN-039` = function() {
    data <- data.frame(x = c(1, 1, 0, 1))
    result <- mean_of(variable = "x", varType = "logical", epsilon = 0.001, n = 4)$release(data)
    expect_true(result$stdDev >= 0)
    expect_true(all(result$histogram >= 0 & result$histogram <= 4))
  },
  `MEAN-040` = function() expect_refused(mean_of(mechanism = "mechanismBootstrap"), "mechanism"),
  `MEAN-041` = function() {
    statistic <- mean_of()
    expect_refused(statistic$epsilon <- 7, "epsilon")
  },
  `MEAN-042` = function() expect_s3_class(mean_of()$copy(), "dpMean"),
  `MEAN-043` = function() expect_null(mean_of()$result),
  `MEAN-044` = function() {
    statistic <- mean_of()
    expect_false(released(statistic)$release == released(statistic)$release)
  },
  `SAA-001` = function() expect_error(aggregate_of(innerFun = "max"), '"mean", "median", "var"'),
  # The reference had only the mean as an aggregate.
  `SAA-002` = function() {
    expect_equal(aggregate_of(aggregationFun = "Median")$aggregationFun, "Median")
    expect_error(aggregate_of(aggregationFun = "Midrange"), '"Mean"')
  },
  `SAA-003` = function() {
    expect_refused(aggregate_of(mechanism = "mechanismExponential"), "mechanism")
  },
  `SAA-004` = function() expect_refused(aggregate_of(numSubsets = 10001), "numSubsets"),
  `SAA-005` = function() expect_refused(aggregate_of(numSubsets = 0), "numSubsets"),
  `SAA-006` = function() {
    income <- list(data = PUMS5extract10000, variable = "income", rng = c(0, 750000))
    one <- do.call(exact_aggregate, c(income, numSubsets = 1))
    expect_equal(round(one), round(do.call(exact_mean, income)))
  },
  `SAA-007` = function() {
    statistic <- aggregate_of(variable = "income", epsilon = 0.1, rng = c(0, 750000))
    expect_equal(statistic$subsetSize, 1000)
    expect_equal(statistic$innerFunSens, 750)
    expect_equal(statistic$aggregationFunSens, 75)
    expect_equal(statistic$accuracy, 2246.799, tolerance = 1e-6)
    expect_named(released(statistic), c("release", "variable", "accuracy", "epsilon", "interval"))
  },
  `SAA-008` = function() {
    statistic <- aggregate_of(
      innerFun = "median", numSubsets = 1000, variable = "income", epsilon = 0.1, rng = c(0, 750000)
    )
    expect_equal(statistic$subsetSize, 10)
    expect_equal(statistic$innerFunSens, 750000)
    expect_equal(statistic$aggregationFunSens, 750)
    expect_equal(statistic$accuracy, 22467.99, tolerance = 1e-6)
  },
  `SAA-009` = function() {
    statistic <- aggregate_of(innerFun = "var")
    expect_equal(statistic$subsetSize, 1000)
    expect_equal(statistic$innerFunSens, 10)
    expect_equal(statistic$aggregationFunSens, 1)
    expect_equal(statistic$accuracy, 2.995732, tolerance = 1e-6)
  },
  `SAA-010` = function() {
    statistic <- aggregate_of(numSubsets = 3)
    expect_equal(statistic$subsetSize, 3333)
    expect_equal(statistic$innerFunSens, 0.0300030, tolerance = 1e-6)
    expect_equal(statistic$aggregationFunSens, 0.0100010, tolerance = 1e-6)
    expect_equal(statistic$accuracy, 0.02996032, tolerance = 1e-6)
  },
  `SAA-011` = function() {
    value <- exact_aggregate(PUMS5extract10000, innerFun = "var", variable = "age")
    expect_equal(value, 309.17, tolerance = 0.03)
  },
  `SAA-012` = function() {
    value <- exact_aggregate(PUMS5extract10000, variable = "married", varType = "logical")
    expect_equal(value, mean(PUMS5extract10000$married), tolerance = 1e-6)
  },
  `SAA-013` = function() {
    value <- exact_aggregate(PUMS5extract10000, variable = "age", varType = "integer")
    expect_equal(value, mean(PUMS5extract10000$age), tolerance = 1e-6)
  },
  `SAA-014` = function() {
    expect_refused(aggregate_of(innerFun = "var", numSubsets = 10000), "numSubsets")
  },
  `SAA-015` = function() {
    statistic <- aggregate_of(innerFun = "MEDIAN", aggregationFun = "mean")
    expect_true(is.finite(released(statistic)$release))
  },
  `SAA-016` = function() {
    data <- data.frame(x = rep(10, 57))
    value <- exact_aggregate(data, n = 100, imputeRng = c(20, 20), n_check = "resize")
    expect_equal(value, 14.3, tolerance = 1e-6)
  },
  `SAA-017` = function() {
    data <- data.frame(x = as.double(1:5))
    expect_error(
      aggregate_of(variable = "x", n = 100)$release(data), class = "dp_error_rows"
    )
    statistic <- aggregate_of(variable = "x", n = 100, n_check = "resize")
    expect_true(is.finite(statistic$release(data)$release))
  },
  `SAA-018` = function() {
    expect_equal(aggregate_of(epsilon = NULL, accuracy = 0.5)$epsilon, 0.05991465, tolerance = 1e-6)
  },
  `SAA-019` = function() {
    expect_refused(aggregate_of(numSubsets = 2.5), "numSubsets")
    expect_refused(aggregate_of(numSubsets = c(1, 2)), "numSubsets")
  },
  `SAA-020` = function() {
    expect_refused(aggregate_of(innerFunSens = 7), "innerFunSens")
    expect_refused(aggregate_of(aggregationFunSens = 7), "aggregationFunSens")
    expect_refused(aggregate_of(subsetSize = 7), "subsetSize")
  }
)

for (id in names(behaviours)) {
  test_that(paste("behaviour matches row", id), {
    behaviours[[id]]()
  })
}

test_that("a test names every row of the behaviour oracle", {
  files <- list.files(test_path(), "^test-.*[.]R$", full.names = TRUE)
  lines <- unlist(lapply(files, readLines))
  # Names of tests, and names of functions in lists of behaviours.
  named <- ids_in(grep("test_that\\(|^ *`[A-Z]+-[0-9]+` = function", lines, value = TRUE))
  expect_setequal(named, read_fixture("psi_behaviour.csv")$id)
})
