exact_variance <- function(data, ..., variable = "x", n = nrow(data)) {
  exactly(variance_of(..., variable = variable, n = n, epsilon = exact_epsilon))$release(data)
}

test_that("releases converge to the variance of the data as used", {
  data <- data.frame(
    x = c(-3, 2.25, 7, 19), y = c(0L, 3L, 4L, 100L), z = c(TRUE, TRUE, TRUE, FALSE)
  )
  near <- function(found, expected) expect_equal(found$release, expected, tolerance = 1e-6)
  near(exact_variance(data, rng = c(0, 10)), stats::var(c(0, 2.25, 7, 10)))
  near(exact_variance(data, rng = c(-100, 1000)), stats::var(data$x))
  near(exact_variance(data, rng = c(0, 10), variable = "y", varType = "integer"),
    stats::var(c(0, 3, 4, 10)))
  near(exact_variance(data, variable = "z", varType = "logical"), 0.25)
  near(exact_variance(data, rng = c(0, 10), varType = "double"), stats::var(c(0, 2.25, 7, 10)))
})

test_that("the sensitivity covers all neighbours of a small universe, and is attained", {
  statistic <- variance_of(n = 3, rng = c(0, 4))
  rows <- expand.grid(a = 0:4, b = 0:4, c = 0:4)
  variances <- apply(rows, 1, stats::var)
  differs <- Reduce(`+`, lapply(rows, function(x) outer(x, x, `!=`)))
  moved <- abs(outer(variances, variances, `-`))[differs == 1]
  expect_equal(max(moved), statistic$sens)
})

test_that("noise has the promised spread", {
  data <- data.frame(x = rep(c(0, 1), 50))
  statistic <- variance_of(variable = "x", n = 100, rng = c(0, 1), alpha = 0.2)
  truth <- stats::var(data$x)
  misses <- replicate(2000, abs(statistic$release(data)$release - truth) > statistic$accuracy)
  expect_true(can_occur(sum(misses), 2000, 0.2))
})

test_behaviours("dpVariance", list(
  `VAR-001` = function() {
    result <- released(variance_of())
    expect_equal(round(result$epsilon * result$accuracy / log(20)), 1)
    expect_equal(round(result$accuracy), 30)
  },
  `VAR-002` = function() {
    expect_equal(round(released(variance_of(epsilon = NULL, accuracy = 30))$epsilon, 1), 0.1)
  },
  `VAR-003` = function() expect_refused(variance_of(n = -1), "n"),
  `VAR-004` = function() {
    statistic <- variance_of(variable = "sex", varType = "logical", rng = NULL)
    expect_length(released(statistic)$release, 1)
    expect_equal(statistic$epsilon, 0.1)
  },
  `VAR-005` = function() expect_refused(variance_of(rng = 100), "rng"),
  `VAR-006` = function() {
    expect_warning(variance_of(rng = c(-10, 0, 100)), class = "dp_warning_range")
  },
  `VAR-007` = function() {
    expect_refused(variance_of(rng = NA), "rng")
    expect_refused(variance_of(rng = NULL), "rng")
  },
  `VAR-008` = function() expect_no_error(variance_of(varType = "logical", rng = NULL)),
  `VAR-009` = function() {
    for (beyond in list(c(0, 93), c(18, 200))) {
      expect_warning(
        statistic <- variance_of(rng = c(18, 93), imputeRng = beyond),
        class = "dp_warning_impute_range"
      )
      expect_equal(statistic$imputeRng, c(18, 93))
    }
  },
  `VAR-010` = function() {
    expect_warning(
      variance_of(variable = "sex", varType = "logical", imputeRng = c(2, 3)),
      class = "dp_warning_impute_range"
    )
  },
  `VAR-011` = function() {
    result <- variance_of(variable = "x", n = 6, epsilon = 1, rng = c(0, 10))$release(
      data.frame(x = c(0, 1, 5, 9, 3, 10))
    )
    expect_type(result$release, "double")
    expect_false(is.null(result$accuracy))
    expect_equal(result$variable, "x")
  },
  `VAR-012` = function() {
    result <- released(variance_of())
    expect_named(result, c("release", "accuracy", "epsilon", "variable", "std", "interval"))
    expect_identical(result$std, sqrt(max(result$release, 0)))
  },
  `VAR-013` = function() {
    statistic <- variance_of(variable = "x", n = 5, epsilon = 0.01)
    data <- data.frame(x = rep(1, 5))
    results <- replicate(60, expect_no_warning(statistic$release(data)), simplify = FALSE)
    negative <- vapply(results, function(result) result$release < 0, NA)
    expect_true(any(negative))
    expect_true(all(vapply(results[negative], function(result) result$std == 0, NA)))
  },
  `VAR-014` = function() expect_refused(variance_of(lambda = 1e-6), "lambda")
))
