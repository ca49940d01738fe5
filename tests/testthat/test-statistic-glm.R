glm_ranges <- list(c(0, 1), c(18, 93), c(1, 16))

glm_of <- function(...) {
  args <- list(
    mechanism = "mechanismObjective", varType = "numeric", n = 10000, rng = glm_ranges,
    formula = married ~ age + educ, objective = "logit", epsilon = 1
  )
  changed <- list(...)
  # Most tests here are about estimates.
  if (is.null(changed$nBoot)) args$inference <- "none"
  args[names(changed)] <- changed
  do.call(dpGLM, args)
}

exact_glm <- function(data, ...) {
  exactly(glm_of(n = nrow(data), epsilon = 1e9, ...))$release(data)
}

income_ranges <- list(c(-10000, 713000), c(18, 93), c(0, 1))

test_that("releases converge to the models of the data as used", {
  data <- PUMS5extract10000
  for (objective in c("logit", "probit")) {
    model <- stats::glm(married ~ age + educ, stats::binomial(objective), data)
    found <- exact_glm(data, objective = objective)$release
    expect_coefficients(found$estimate, model)
    expect_equal(rownames(found), c("intercept", "age", "educ"))
  }
  counts <- stats::glm(educ ~ age + sex, stats::poisson(), data)
  found <- exact_glm(data,
    objective = "poisson", formula = educ ~ age + sex, rng = list(c(0, 40), c(18, 93), c(0, 1))
  )
  expect_coefficients(found$release$estimate, counts)
})

test_that("least squares include the variance of residuals", {
  line <- stats::lm(income ~ age + sex, PUMS5extract10000)
  found <- exact_glm(PUMS5extract10000,
    objective = "ols", formula = income ~ age + sex, rng = income_ranges
  )$release
  expect_equal(rownames(found), c("intercept", "age", "sex", "variance"))
  expect_equal(found$estimate[1:3], unname(stats::coef(line)), tolerance = 1e-3)
  expect_equal(found$estimate[[4]], summary(line)$sigma^2, tolerance = 1e-5)
})

test_that("models can omit the intercept, by argument or by formula", {
  data <- PUMS5extract10000
  line <- stats::lm(income ~ age - 1, data)
  arguments <- list(data, objective = "ols", rng = income_ranges[1:2])
  by_argument <- do.call(exact_glm, c(arguments, formula = "income ~ age", intercept = FALSE))
  by_formula <- do.call(exact_glm, c(arguments, formula = "income ~ age - 1"))
  for (found in list(by_argument$release, by_formula$release)) {
    expect_equal(rownames(found), c("age", "variance"))
    expected <- c(stats::coef(line)[[1]], summary(line)$sigma^2)
    expect_equal(found$estimate / expected, c(1, 1), tolerance = 1e-3)
  }
})

test_that("rows are clamped, imputed and resized as declared", {
  data <- data.frame(y = c(-5, 1, 9, NA), x = c(0, 1, 60, 2))
  found <- exactly(glm_of(
    n = 4, epsilon = 1e9, formula = y ~ x, objective = "ols", rng = list(c(0, 3), c(0, 3)),
    imputeRng = list(c(2, 2), NULL)
  ))$release(data)$release
  # (0, 0), (1, 1), (3, 3), (2, 2)
  expect_equal(found$estimate, c(0, 1, 0), tolerance = 1e-3)
  few <- exactly(glm_of(
    n = 100, epsilon = 1e9, formula = y ~ x, objective = "ols", rng = list(c(0, 3), c(0, 3)),
    n_check = "resize"
  ))
  expect_true(all(is.finite(few$release(data)$release$estimate)))
})

test_that("ridge shrinks, and is at least the ridge that privacy needs", {
  least <- glm_of()$lambda
  expect_gt(least, 0)
  expect_equal(glm_of(lambda = least / 2)$lambda, least)
  expect_equal(glm_of(lambda = 3)$lambda, 3, tolerance = 1e-6)
  shrunk <- exact_glm(PUMS5extract10000, lambda = 100)$release$estimate
  free <- exact_glm(PUMS5extract10000)$release$estimate
  expect_lt(sum(abs(shrunk[-1])), sum(abs(free[-1])) / 10)
})

test_that("the published parameters allow for twice the loss of volumes", {
  # Chaudhuri, Monteleoni and Sarwate bound the ratio of determinants by (1 + c / (n lambda))^2.
  row <- formula_rows("objectivePerturbationEpsPrime")[[1]]
  args <- row$args
  plan <- list(
    objective = "logit", intercept = TRUE, n = args$n, parts = 1, lambda = args$lambda,
    epsilon = args$epsilon, inference_share = 0, sandwich = FALSE
  )
  spent <- args$epsilon * (1 - 2^-10) - 2 * core_glm_budget(plan, 1)$rate
  expect_equal(2 * spent / (args$epsilon - row$value[[1]]), 1, tolerance = 1e-3)
})

test_that("intervals from parts cover the population's coefficients", {
  withr::local_seed(1)
  statistic <- glm_of(
    n = 2000, formula = y ~ x, rng = list(c(-4, 4), c(-1, 1)), objective = "ols", epsilon = 1,
    nBoot = 8, alpha = 0.1
  )
  covered <- replicate(150, {
    x <- stats::runif(2000, -1, 1)
    summary <- statistic$release(data.frame(x = x, y = x + stats::rnorm(2000)))$summary
    # The result reports the ridge that privacy needs. With it the slope is below 1.
    slope <- (1 / 3) / (1 / 3 + statistic$lambda)
    summary["x", 3] <= slope && slope <= summary["x", 4]
  })
  expect_gte(sum(covered), least_of(150, 0.9))
})

test_that("parts have a separate table", {
  statistic <- glm_of(
    nBoot = 4, objective = "ols", formula = income ~ age, rng = income_ranges[1:2]
  )
  result <- released(statistic)
  expect_equal(dim(result$release), c(4, 3))
  expect_named(result$release, c("intercept", "age", "variance"))
  expect_named(result$summary, c("Estimate", "Std. Error", "2.5%", "97.5%"))
  expect_equal(result$summary$Estimate, unname(colMeans(result$release)))
  expect_equal(statistic$measurement(d_in = 1L), 1)
})

test_that("results are tables, texts and plots", {
  grDevices::pdf(NULL)
  withr::defer(grDevices::dev.off())
  for (nBoot in list(NULL, 5)) {
    result <- released(glm_of(nBoot = nBoot))
    table <- as.data.frame(result)
    expect_equal(table$term, c("intercept", "age", "educ"))
    expect_identical(tidy.dp_result(result), table)
    expect_equal(glance.dp_result(result)$epsilon, 1)
    expect_match(format(result), "^  intercept ", all = FALSE)
    expect_identical(withVisible(plot(result)), list(value = result, visible = FALSE))
  }
  expect_equal(nrow(summary(glm_of())), 1)
})

test_that("invalid arguments raise errors before any data are read", {
  expect_refused(glm_of(formula = married ~ .), "formula")
  expect_refused(glm_of(formula = ~age), "formula")
  expect_refused(glm_of(formula = married ~ cut(age, 3)), "formula")
  expect_refused(glm_of(formula = married ~ 1), "formula")
  expect_refused(glm_of(epsilon = NULL), "epsilon")
  expect_refused(glm_of(accuracy = 0.1), "accuracy")
  expect_refused(glm_of(rng = NULL), "rng")
  expect_refused(glm_of(rng = glm_ranges[1:2]), "rng")
  expect_refused(glm_of(rng = c(list(c(-1, 1)), glm_ranges[-1]), objective = "poisson"), "rng")
  expect_refused(glm_of(nBoot = 1), "nBoot")
  expect_refused(glm_of(nBoot = 5000), "n")
  expect_refused(glm_of(lambda = -1), "lambda")
  expect_refused(glm_of(intercept = NA), "intercept")
  expect_error(glm_of(epsilon = 1e-14), class = "dp_error_make_measurement")
  expect_refused(glm_of()$release(data.frame(married = 1, age = 2)), "data")
  expect_refused(glm_of()$release(data.frame(married = "1", age = 2, educ = 3)), "data")
  expect_refused(glm_of(seed = 1), "seed")
})

test_that("offsets are added to linear predictors, for every objective", {
  withr::local_seed(4)
  n <- 4000
  rows <- data.frame(x = stats::runif(n, -1, 1), z = stats::runif(n, 0, 2))
  t <- 0.3 + 0.6 * rows$x + rows$z - 1
  draw <- list(
    logit = function() stats::rbinom(n, 1, stats::plogis(t)),
    probit = function() stats::rbinom(n, 1, stats::pnorm(t)),
    poisson = function() pmin(stats::rpois(n, exp(t)), 20),
    ols = function() t + stats::rnorm(n, sd = 0.2)
  )
  families <- list(
    logit = stats::binomial(), probit = stats::binomial("probit"), poisson = stats::poisson(),
    ols = stats::gaussian()
  )
  for (objective in names(draw)) {
    rows$y <- draw[[objective]]()
    top <- if (objective == "poisson") 20 else 1
    bounds <- list(y = if (objective == "ols") c(-4, 4) else c(0, top), x = c(-1, 1), z = c(0, 2))
    model <- stats::glm(y ~ x + offset(z - 1), families[[objective]], rows)
    for (inference in c("none", "onestep")) {
      plan <- exactly(dpGLM("mechanismObjective", "numeric", n, bounds, y ~ x + offset(z - 1),
        objective, epsilon = 1e9, inference = inference, missing = "impute"))
      result <- plan$release(rows)
      expect_coefficients(coef(result), model, 2e-3, info = objective)
      expect_equal(predict(result, rows[1:5, ]), stats::predict(model, rows[1:5, ]),
        tolerance = 5e-3)
    }
    expect_errors(result, stats::vcov(model), 0.02)
    expect_identical(names(coef(result)), c("intercept", "x"))
    copy <- exactly(from_json(to_json(plan)))
    expect_identical(plan_hash(copy), plan_hash(plan))
  }
})

test_that("rows without an offset are gaps, and out-of-range offsets raise errors", {
  plan <- function(z, ...) {
    dpGLM("mechanismObjective", "numeric", 5, list(y = c(0, 1), x = c(-1, 1), z = z),
      y ~ x + offset(z), "logit", ...)
  }
  rows <- data.frame(y = c(0, 1, 0, 1, 1), x = c(-1, -1, 1, 1, 0), z = c(0, 0, 0, 0, NA))
  found <- exactly(plan(c(-3, 3), epsilon = 1e9, missing = "drop"))$release(rows)
  expect_equal(unname(coef(found)), c(0, 0), tolerance = 1e-3)
  expect_error(plan(c(0, 2^21), epsilon = 1), class = "dp_error_make_measurement")
  expect_identical(plan(c(-3, 3), epsilon = 1)$measurement(d_in = 1L), 1)
})

test_behaviours("dpGLM", list(
  `GLM-001` = function() {
    result <- released(glm_of(
      formula = "income ~ age + sex", rng = do.call(rbind, income_ranges), objective = "ols",
      epsilon = 0.5, missing = "impute"
    ))
    expect_named(result, c("release", "variable", "accuracy", "epsilon"))
    # A statistic written without `inference` has additional output.
    usual <- do.call(dpGLM, list(
      "mechanismObjective", "numeric", 10000, income_ranges, "income ~ age + sex", "ols", 0.5,
      missing = "impute"
    ))
    expect_named(released(usual), c(names(result), "raw", "summary", "status"))
    expect_equal(result$variable, c("income", "age", "sex"))
    expect_equal(result$epsilon, 0.5)
  },
  `GLM-002` = function() for (n in c(-1, 0.5)) expect_refused(glm_of(n = n), "n"),
  `GLM-003` = function() {
    found <- released(exactly(glm_of(
      formula = "income ~ age + sex", rng = income_ranges, objective = "ols", epsilon = 100
    )))$release
    expect_named(found, "estimate")
    # Fifteen times the deviation of its noise.
    variance <- summary(stats::lm(income ~ age + sex, PUMS5extract10000))$sigma^2
    noise <- sqrt(2) * 4 * 361500^2 / (10000 * 100 / 8)
    expect_lt(abs(found["variance", "estimate"] - variance), 15 * noise)
  },
  `GLM-004` = function() {
    found <- released(exactly(glm_of(formula = "married~educ+sex",
      rng = list(c(0, 1), c(1, 16), c(0, 1)), epsilon = 100)))$release
    expect_equal(rownames(found), c("intercept", "educ", "sex"))
    exact <- stats::coef(stats::glm(married ~ educ + sex, stats::binomial(), PUMS5extract10000))
    # The noise of each coefficient has a deviation of about 0.0005.
    expect_true(all(abs(found$estimate - exact) < 0.01))
  },
  `GLM-005` = function() {
    for (objective in c("probit", "poisson")) {
      expect_true(all(is.finite(released(glm_of(objective = objective))$release$estimate)))
    }
  },
  `GLM-006` = function() {
    expect_equal(dim(released(glm_of(nBoot = 5))$release), c(5, 3))
  },
  `GLM-007` = function() {
    result <- released(glm_of(
      formula = income ~ age + sex, rng = income_ranges, objective = "ols", nBoot = 5
    ))
    expect_equal(dim(result$release), c(5, 4))
    expect_true(all(result$summary[["2.5%"]] < result$summary[["97.5%"]]))
  },
  `GLM-008` = function() {
    expect_error(glm_of(objective = "cox"), '"logit", "probit", "poisson", "ols"', fixed = TRUE)
  },
  `GLM-009` = function() expect_refused(glm_of(varType = "integer"), "varType"),
  `GLM-010` = function() expect_identical(glm_of(epsilon = 0.5)$accuracy, NA_real_)
))
