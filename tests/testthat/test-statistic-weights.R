# Weighted rows. y depends on x, and the weight of a row on both.
weighted_rows_of <- function(n) {
  x <- stats::runif(n, -1, 1)
  w <- 0.5 + 3.5 * stats::runif(n)^2 * (1 + x) / 2
  data.frame(x = x, y = 1 + 2 * x + stats::rnorm(n), w = w)
}

weighted_ranges <- list(y = c(-8, 10), x = c(-1, 1), w = c(0, 4))

weighted_line_of <- function(n, ..., formula = y ~ x, epsilon = 1e11, rng = weighted_ranges) {
  small(exactly(dpLM(formula, n, rng, epsilon, missing = "drop", weights = "w", ...)))
}

# Sandwich covariance of weighted coefficients, with weights as shares of 4.
sandwich_of <- function(model, slopes, curvatures = 1, rho = model$model$`(weights)` / 4) {
  rows <- stats::model.matrix(model)
  bread <- solve(crossprod(rows, rows * curvatures * rho))
  bread %*% crossprod(rows * slopes * rho) %*% bread
}

test_that("a weighted line equals R's without noise, with sandwich errors", {
  withr::local_seed(5)
  rows <- weighted_rows_of(2000)
  for (formula in list(y ~ x, y ~ x - 1)) {
    model <- stats::lm(formula, rows, weights = w)
    result <- weighted_line_of(2000, formula = formula)$release(rows)
    expect_equal(unname(coef(result)), unname(stats::coef(model)), tolerance = 1e-5)
    d <- length(coef(result))
    sum <- sum(rows$w) / 4
    wanted <- (1 + d / (sum - d)) * sandwich_of(model, stats::residuals(model))
    expect_errors(result, wanted, 1e-4)
    expect_equal(result$sumWeights, sum(rows$w), tolerance = 1e-6)
    expect_null(result$nPresent)
    expect_null(result$share_missing)
  }
})

test_that("errors that assume the model are at least those of a true model", {
  withr::local_seed(6)
  rows <- weighted_rows_of(2000)
  model <- stats::lm(y ~ x, rows, weights = w)
  result <- weighted_line_of(2000, vcov = "classical")$release(rows)
  rho <- rows$w / 4
  design <- stats::model.matrix(model)
  variance <- sum(rho * stats::residuals(model)^2) / (sum(rho) - 2)
  expect_equal(unname(vcov(result)), unname(variance * solve(crossprod(design, rho * design))),
    tolerance = 1e-4, ignore_attr = c("noise", "covers"))
  true <- sandwich_of(model, 1)
  expect_true(all(diag(vcov(result)) > diag(true)))
})

test_that("a weighted covariance matrix and its regressions estimate the population's", {
  withr::local_seed(7)
  rows <- weighted_rows_of(2000)
  plan <- exactly(dpCovariance("mechanismLaplace", "numeric", 2000, c("x", "y"),
    weighted_ranges[c("x", "y", "w")], globalEps = 1e11, intercept = TRUE,
    formula = list(y ~ x, y ~ I(x^2)), missing = "drop", weights = "w"))
  result <- plan$release(rows)
  exact <- stats::cov.wt(rows[c("x", "y")], rows$w, method = "ML")
  expect_equal(as.matrix(result$release[1:2, 1:2]), exact$cov, tolerance = 1e-6)
  expect_equal(result$means[1:2], exact$center, tolerance = 1e-6)
  expect_equal(result$sumWeights, sum(rows$w), tolerance = 1e-6)
  for (formula in list(y ~ x, y ~ I(x^2))) {
    found <- coef(result, formula = deparse1(formula))
    exact <- stats::coef(stats::lm(formula, rows, weights = w))
    expect_equal(unname(found), unname(exact), tolerance = 1e-4)
  }
})

test_that("each objective supports weights, and sandwich errors", {
  withr::local_seed(8)
  n <- 4000
  rows <- weighted_rows_of(n)
  rows$z <- stats::runif(n)
  t <- (rows$y - 1) / 4
  answers <- list(
    logit = as.double(stats::runif(n) < stats::plogis(t)),
    probit = as.double(stats::runif(n) < stats::pnorm(t)),
    poisson = pmin(stats::rpois(n, exp(t)), 9), ols = t
  )
  families <- list(
    logit = stats::quasibinomial(), probit = stats::quasibinomial("probit"),
    poisson = stats::quasipoisson(), ols = stats::gaussian()
  )
  for (objective in names(answers)) {
    rows$y <- answers[[objective]]
    bounds <- list(y = switch(objective, poisson = c(0, 9), ols = c(-4, 4), c(0, 1)),
      x = c(-1, 1), z = c(0, 1), w = c(0, 4))
    plan <- exactly(dpGLM("mechanismObjective", "numeric", n, bounds, y ~ x + offset(z), objective,
      epsilon = 1e9, missing = "drop", inference = "onestep", weights = "w"))
    model <- stats::glm(y ~ x + offset(z), families[[objective]], rows, weights = w)
    result <- plan$release(rows)
    expect_equal(unname(coef(result)), unname(stats::coef(model)), tolerance = 3e-3,
      info = objective)
    fitted <- stats::fitted(model)
    link <- stats::predict(model)
    # For a probit, slope and curvature of the loss itself.
    ratio <- function(t) stats::dnorm(t) / stats::pnorm(t)
    slopes <- rows$y - fitted
    curvatures <- switch(objective, logit = fitted * (1 - fitted), poisson = fitted, 1)
    if (objective == "probit") {
      slopes <- rows$y * ratio(link) - (1 - rows$y) * ratio(-link)
      curvatures <- ifelse(rows$y == 1, ratio(link) * (link + ratio(link)),
        ratio(-link) * (ratio(-link) - link))
    }
    wanted <- sandwich_of(model, slopes, curvatures, rows$w / 4)
    expect_errors(result, wanted, 0.02)
    if (objective != "ols") expect_null(result$sumWeights)
  }
  expect_equal(result$sumWeights, sum(rows$w), tolerance = 1e-4)
  expect_null(result$nPresent)
})

test_that("parts support weights too", {
  withr::local_seed(9)
  rows <- weighted_rows_of(3000)
  plan <- exactly(dpGLM("mechanismObjective", "numeric", 3000, weighted_ranges, y ~ x, "ols",
    epsilon = 1e9, missing = "drop", nBoot = 5, weights = "w"))
  result <- plan$release(rows)
  model <- stats::lm(y ~ x, rows, weights = w)
  expect_equal(result$summary$Estimate[1:2], unname(stats::coef(model)), tolerance = 0.05)
  expect_equal(result$sumWeights, sum(rows$w), tolerance = 1e-4)
})

test_that("weights are clamped to their bounds, and a row without a weight is a gap", {
  withr::local_seed(10)
  rows <- weighted_rows_of(500)
  odd <- rows
  odd$w[1:30] <- 1e6
  odd$w[31:60] <- -5
  odd$w[61:90] <- NA
  as_used <- transform(rows, w = c(rep(4, 30), rep(0, 30), rep(0, 30), rows$w[91:500]))
  model <- stats::lm(y ~ x, as_used, weights = w)
  for (formula in list(y ~ x, y ~ I(2 * x))) {
    found <- weighted_line_of(500, formula = formula)$release(odd)
    exact <- stats::coef(stats::lm(formula, as_used, weights = w))
    expect_equal(unname(coef(found)), unname(exact), tolerance = 1e-4)
    expect_equal(found$sumWeights, sum(as_used$w), tolerance = 1e-6)
  }
  # Above the lower bound of all weights.
  ranges <- replace(weighted_ranges, "w", list(c(2, 4)))
  found <- weighted_line_of(500, rng = ranges)$release(rows)
  expect_equal(found$sumWeights, sum(pmin(pmax(rows$w, 2), 4)), tolerance = 1e-6)
})

test_that("intervals cover the population's value despite unequal sampling", {
  # y = 1 + 2 x + e. Rows with a large e are drawn more often, with rates from 0.2 to 1. If an
  # interval covers in 92% of releases, it covers in fewer than 84% of 600 with probability below
  # 1e-9.
  draw <- function() {
    rows <- data.frame(x = stats::runif(2000, -1, 1), e = stats::rnorm(2000))
    chance <- 0.2 + 0.8 * stats::plogis(2 * rows$e)
    drawn <- which(stats::runif(2000) < chance)[1:500]
    data.frame(x = rows$x, y = 1 + 2 * rows$x + rows$e, w = 1 / chance)[drawn, ]
  }
  truth <- c(1, 2)
  ranges <- list(y = c(-5, 7), x = c(-1, 1), w = c(0, 5))
  covered <- function(plan) {
    rowMeans(replicate(600, {
      ends <- plan$release(draw())$summary[3:4]
      ends[, 1] <= truth & truth <= ends[, 2]
    }))
  }
  # If noise hides the number of rows there is no interval: at epsilon 1 in one of 50,000.
  for (epsilon in c(2, 20)) {
    covers <- covered(weighted_line_of(500, epsilon = epsilon, rng = ranges))
    expect_true(all(covers >= 0.84), label = paste("at epsilon", epsilon, toString(covers)))
  }
  # Unweighted rows do not represent the population.
  plain <- exactly(dpLM(y ~ x, 500, ranges[1:2], 20, missing = "drop"))
  expect_lt(covered(plain)[[1]], 0.5)
})

test_that("invalid weights raise errors that name them", {
  plan <- function(..., rng = weighted_ranges, missing = "drop") {
    dpLM(y ~ x, 50, rng, 1, missing = missing, ...)
  }
  expect_refused(plan(weights = "w", missing = "impute"), "weights")
  expect_refused(plan(weights = "x"), "weights")
  expect_refused(plan(weights = 3), "weights")
  expect_refused(plan(weights = c("w", "v")), "weights")
  expect_refused(plan(weights = "w", varType = "integer"), "weights")
  expect_refused(plan(weights = "w", rng = weighted_ranges[1:2]), "rng")
  expect_refused(plan(weights = "w", rng = replace(weighted_ranges, "w", list(c(-1, 4)))), "rng")
  expect_refused(plan(), "rng")
  of_columns <- function(...) {
    dpCovariance("mechanismLaplace", "numeric", 50, c("x", "y"), weighted_ranges[c(2, 1, 3)],
      weights = "w", ...)
  }
  expect_refused(of_columns(globalEps = 1, missing = "impute"), "weights")
  expect_refused(of_columns(epsilon = c(1, 1, 1), missing = "drop"), "epsilon")
  small(of_columns(globalEps = 1))
  model <- function(...) {
    dpGLM("mechanismObjective", "numeric", 50, weighted_ranges, y ~ x, "ols", 1, weights = "w", ...)
  }
  expect_refused(model(missing = "impute"), "weights")
  expect_error(small(weighted_line_of(50))$release(data.frame(x = 1:50, y = 1:50)),
    class = "dp_error")
})

test_that("a plan without weights does not change, and one with them is written and read", {
  plain <- small(dpLM(y ~ x, 50, weighted_ranges[1:2], 1, missing = "drop"))
  expect_identical(plan_hash(small(dpLM(y ~ x, 50, weighted_ranges[1:2], 1, missing = "drop",
    weights = NULL))), plan_hash(plain))
  for (plan in list(
    weighted_line_of(50, epsilon = 1), weighted_line_of(50, epsilon = 1, vcov = "classical"),
    weighted_line_of(50, epsilon = 1, formula = y ~ I(x^2))
  )) {
    expect_identical(plan$weights, "w")
    expect_identical(plan$measurement(d_in = 1L), 1)
    copy <- small(from_json(to_json(plan)))
    expect_identical(plan_hash(copy), plan_hash(plan))
    expect_false(plan_hash(plan) == plan_hash(plain))
  }
})
