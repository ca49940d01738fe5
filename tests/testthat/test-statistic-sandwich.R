# Errors of linear models that do not assume one variance for all residuals.

sandwich_line <- function(..., epsilon = 1, n = 10000, vcov = "sandwich") {
  args <- list(
    formula = income ~ age + educ, n = n, rng = list(c(0, 2e5), c(18, 93), c(1, 16)),
    epsilon = epsilon, vcov = vcov
  )
  changed <- list(...)
  args[names(changed)] <- changed
  do.call(dpLM, args)
}

used_people <- transform(PUMS5extract10000, income = pmin(pmax(income, 0), 2e5))

# White (1980), with a correction for the residual's own effect on the fit.
white <- function(model) {
  x <- stats::model.matrix(model)
  bread <- solve(crossprod(x))
  size <- ncol(x)
  factor <- 1 + size / (nrow(x) - size)
  factor * bread %*% crossprod(x * stats::residuals(model)) %*% bread
}

test_that("without noise the errors are White's", {
  data <- used_people
  formulas <- list(income ~ age + educ, income ~ age + educ - 1)
  for (formula in formulas) {
    for (missing in c("impute", "drop")) {
      model <- stats::lm(formula, data)
      line <- exactly(sandwich_line(formula = formula, epsilon = 1e12, missing = missing))
      result <- line$release(data)
      expect_equal(unname(coef(result)), unname(coef(model)), tolerance = 1e-6)
      # The few residuals beyond 8 standard deviations are clamped.
      expect_errors(result, white(model), 5e-3)
    }
  }
  expect_gt(max(abs(diag(white(model)) / diag(stats::vcov(model)) - 1)), 0.05)
})

test_that("it handles terms and gaps like the model", {
  data <- used_people
  data$educ[seq(1, 10000, by = 7)] <- NA
  model <- stats::lm(income ~ I(age^2) + educ, data)
  line <- exactly(sandwich_line(formula = income ~ I(age^2) + educ, epsilon = 1e12,
    missing = "drop", rng = list(income = c(0, 2e5), age = c(18, 93), educ = c(1, 16))))
  result <- line$release(data)
  expect_equal(unname(coef(result)), unname(coef(model)), tolerance = 1e-6)
  expect_errors(result, white(model), 5e-3)
})

test_that("both stages cost epsilon, and plans without a sandwich do not change", {
  for (epsilon in c(0.1, 0.3, 1)) {
    line <- sandwich_line(epsilon = epsilon)
    expect_identical(line$epsilon, epsilon)
    expect_identical(line$measurement(d_in = 1L), epsilon)
    expect_identical(line$measurement(d_in = 2L), 2 * epsilon)
  }
  expect_identical(line$vcov, "sandwich")
  expect_identical(sandwich_line(vcov = NULL)$vcov, "classical")
  copy <- from_json(to_json(line))
  expect_identical(plan_hash(copy), plan_hash(line))
  expect_identical(measured_loss(sandwich_line(vcov = NULL)$measurement)$epsilon, 1)
  expect_refused(sandwich_line(vcov = "robust"), "vcov")
  expect_refused(sandwich_line(vcov = NA), "vcov")
})

test_that("few rows give no errors and a note", {
  line <- small(sandwich_line(n = 10, missing = "drop", epsilon = 0.01, alpha = 1e-10))
  result <- line$release(PUMS5extract10000[1:10, ])
  expect_identical(result$status, "few")
  expect_true(all(is.na(vcov(result))))
})

# Residuals spread in proportion to the predictor's square, or equally.
covered_lines <- function(epsilon, runs, spread, vcov) {
  n <- 5000
  plan <- sandwich_line(formula = y ~ x, n = n, rng = list(c(-12, 12), c(-1, 1)),
    epsilon = epsilon, vcov = vcov)
  rowMeans(replicate(runs, {
    x <- stats::runif(n, -1, 1)
    y <- 1 + 2 * x + stats::rnorm(n) * spread(x)
    ends <- confint(plan$release(data.frame(x, y)))
    ends[, 1] <= 1:2 & 1:2 <= ends[, 2]
  }))
}

test_that("intervals cover even if residuals spread unevenly", {
  withr::local_seed(8)
  runs <- in_tier(60, 400)
  least <- in_tier(least_of(60, 0.95, 2) / 60, 0.92)
  uneven <- function(x) 3 * x^2
  for (epsilon in c(1, 2.9)) {
    found <- covered_lines(epsilon, runs, uneven, "sandwich")
    expect_true(all(found >= least), info = toString(found))
  }
  even <- covered_lines(2.9, runs, function(x) rep(1, length(x)), "sandwich")
  expect_true(all(even >= least), info = toString(even))
})

test_that("errors that assume equal residual variances cover less there", {
  withr::local_seed(9)
  # Without noise, the variance of the slope is 15/7 of the one under equal variances.
  plan <- function(vcov) {
    exactly(sandwich_line(formula = y ~ x, n = 2000, rng = list(c(-12, 12), c(-1, 1)),
      epsilon = 1e12, vcov = vcov))
  }
  x <- stats::runif(2000, -1, 1)
  data <- data.frame(x, y = 1 + 2 * x + stats::rnorm(2000) * 3 * x^2)
  errors <- vapply(c("classical", "sandwich"), function(vcov) {
    sqrt(vcov(plan(vcov)$release(data))[2, 2])
  }, 0)
  expect_equal(errors[["sandwich"]] / errors[["classical"]], sqrt(15 / 7),
    tolerance = 0.1)
})
