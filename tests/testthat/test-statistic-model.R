# Released regressions have the methods of models.

line_of <- function(formula = income ~ educ + age, ..., globalEps = 1e16) {
  exactly(covariance_of(
    columns = c("income", "educ", "age"), intercept = TRUE, formula = formula,
    globalEps = globalEps, ...
  ))
}

marriage_of <- function(..., epsilon = 1) {
  dpGLM("mechanismObjective", "numeric", 10000, list(c(0, 1), c(18, 93)), married ~ age, "logit",
    epsilon, ...)
}

exact_line <- stats::lm(income ~ educ + age, PUMS5extract10000)
newdata <- data.frame(educ = c(1, 10), age = c(20, 60))

test_that("without noise they equal R's", {
  plan <- line_of()
  result <- released(plan)
  names <- c("intercept", "educ", "age")
  expect_equal(unname(coef(result)), unname(coef(exact_line)), tolerance = 1e-6)
  expect_named(coef(result), names)
  # R divides by the residual degrees of freedom.
  expect_errors(result, vcov(exact_line))
  expect_equal(rownames(vcov(result)), names)
  expect_equal(unname(confint(result)), unname(confint(exact_line)), tolerance = 1e-3,
    ignore_attr = "covers")
  expect_equal(colnames(confint(result, level = 0.9)), c("5 %", "95 %"))
  expect_equal(confint(result, "age"), confint(result)[3, , drop = FALSE], ignore_attr = "covers")
  fit <- predict(result, newdata, interval = "confidence")
  theirs <- predict(exact_line, newdata, interval = "confidence")
  expect_equal(unname(fit), unname(theirs), tolerance = 1e-3)
  expect_equal(predict(result, newdata), fit[, "fit"])
  expect_identical(nobs(result), 10000)
  expect_equal(formula(result), income ~ educ + age, ignore_attr = TRUE)
  expect_identical(family(result)$family, "gaussian")
  for (ask in list(coef, vcov, confint, nobs, formula)) expect_equal(ask(plan), ask(result))
  expect_equal(predict(plan, newdata), predict(result, newdata))
})

test_that("the covariance of coefficients is the spread of releases", {
  data <- PUMS5extract10000[1:1000, ]
  for (shares in list(NULL, rep(1 / 6, 6))) {
    plan <- line_of(educ ~ age, rng = list(c(0, 1e5), c(1, 16), c(18, 93)), n = 1000,
      globalEps = if (is.null(shares)) 3 else 12, epsilonDist = shares)
    results <- replicate(1500, plan$release(data), simplify = FALSE)
    # In units of the expected errors.
    noise <- attr(vcov(results[[1]]), "noise")
    expected <- Reduce(`+`, lapply(results, function(x) attr(vcov(x), "noise"))) / 1500
    found <- stats::cov(t(vapply(results, coef, c(intercept = 0, age = 0))))
    errors <- sqrt(diag(expected))
    expect_equal(found / outer(errors, errors), expected / outer(errors, errors), tolerance = 0.5)
    expect_lt(stats::cov2cor(noise)[[1, 2]], -0.5)
  }
})

test_that("a linear model answers like a regression from a covariance matrix", {
  plan <- exactly(dpLM(income ~ educ + age, 10000, pums_ranges, epsilon = 1e16))
  result <- released(plan)
  fit <- predict(result, newdata, interval = "confidence", level = 0.9)
  theirs <- predict(exact_line, newdata, interval = "confidence", level = 0.9)
  expect_equal(unname(fit), unname(theirs), tolerance = 1e-6)
  expect_equal(unname(vcov(result)), unname(vcov(exact_line)), tolerance = 1e-6,
    ignore_attr = c("noise", "covers"))
  expect_identical(dimnames(attr(vcov(result), "noise")), dimnames(vcov(result)))
  expect_equal(unname(confint(result, level = 0.99)), unname(confint(exact_line, level = 0.99)),
    tolerance = 1e-6, ignore_attr = "covers")
  expect_equal(formula(result), income ~ educ + age, ignore_attr = TRUE)
  expect_identical(family(plan)$family, "gaussian")
  expect_named(generics::augment(plan, newdata), c("educ", "age", ".fitted", ".lower", ".upper"))
  expect_equal(nobs(plan), 10000)
  origin <- exactly(dpLM(income ~ educ + age - 1, 10000, pums_ranges, epsilon = 1e16))
  theirs <- predict(stats::lm(income ~ educ + age - 1, PUMS5extract10000), newdata,
    interval = "confidence")
  expect_equal(unname(predict(released(origin), newdata, interval = "confidence")),
    unname(theirs), tolerance = 1e-6)
})

test_that("intervals follow the law of the noise at every level", {
  result <- released(exactly(line_of(globalEps = 0.2)))
  errors <- attr(result$linearRegression, "errors")
  for (level in c(0.5, 0.99, 0.9999)) {
    reach <- error_reach(diag(errors$sampling), errors$noise, 1 - level)
    expect_equal((confint(result, level = level) %*% c(-0.5, 0.5))[, 1], reach,
      tolerance = 1e-4, ignore_attr = TRUE)
  }
  # Tails are heavier than normal tails of the same variance.
  normal <- stats::qnorm(0.99995) * sqrt(diag(vcov(result)))
  expect_true(all(reach > 1.05 * normal))
})

test_that("a summary is the table of coefficients", {
  result <- released(line_of())
  table <- summary(result, level = 0.9)
  expect_named(table, c("term", "estimate", "std.error", "conf.low", "conf.high", "covers"))
  expect_equal(table$estimate, unname(coef(result)))
  expect_equal(table$std.error, unname(sqrt(diag(vcov(result)))))
  expect_equal(as.matrix(table[4:5]), confint(result, level = 0.9), ignore_attr = TRUE)
  withr::local_seed(7)
  parts <- released(marriage_of(nBoot = 5))
  tidy <- generics::tidy(parts)
  expect_equal(summary(parts), tidy[names(tidy) != "mark"])
  expect_named(summary(released(marriage_of(inference = "none"))), c("term", "estimate"))
  both <- released(line_of(c("income ~ educ", "income ~ educ + age")))
  expect_equal(summary(both, formula = "income ~ educ")$term, c("intercept", "educ"))
  mean <- released(mean_of())
  expect_identical(summary(mean), as.data.frame(mean))
})

test_that("predictors of public rows are numbers", {
  result <- released(line_of())
  for (age in list("a", factor("20"), as.Date("2020-01-01"), list(1))) {
    odd <- data.frame(educ = 1)
    odd$age <- age
    expect_error(predict(result, odd), '"age"', class = "dp_error_invalid_argument")
  }
  expect_identical(predict(result, newdata[0, ], interval = "confidence")[, "fit"], numeric())
  gaps <- predict(result, data.frame(educ = c(NA, 5), age = 20), interval = "confidence")
  expect_identical(unname(is.na(gaps[, "upr"])), c(TRUE, FALSE))
})

test_that("parts have Student's errors, and without parts there are none", {
  withr::local_seed(6)
  result <- released(marriage_of(nBoot = 5))
  expect_equal(unname(coef(result)), result$summary$Estimate)
  expect_equal(unname(sqrt(diag(vcov(result)))), result$summary[["Std. Error"]])
  expect_equal(confint(result), as.matrix(result$summary[3:4]), ignore_attr = TRUE)
  expect_identical(family(result)$link, "logit")
  share <- predict(result, newdata, type = "response", interval = "confidence")
  expect_true(all(share >= 0 & share <= 1))
  expect_true(all(share[, "lwr"] < share[, "fit"] & share[, "fit"] < share[, "upr"]))
  expect_equal(share[, "fit"], stats::plogis(predict(result, newdata)))
  expect_named(generics::augment(result, newdata), c("educ", "age", ".fitted", ".lower", ".upper"))

  whole <- released(marriage_of(inference = "none"))
  expect_named(coef(whole), c("intercept", "age"))
  for (errors_of in list(vcov, confint)) {
    expect_error(errors_of(whole), "`inference`", class = "dp_error_invalid_argument")
  }
  expect_named(generics::augment(whole, newdata), c("educ", "age", ".fitted"))
  # The variance of residuals is not a coefficient.
  squares <- dpGLM("mechanismObjective", "numeric", 10000, list(c(0, 1e5), c(18, 93)),
    income ~ age, "ols", 1)
  expect_named(coef(released(squares)), c("intercept", "age"))
})

test_that("one of several regressions must be named", {
  result <- released(line_of(c("income ~ educ", "income ~ educ + age")))
  expect_error(coef(result), "income ~ educ + age", fixed = TRUE,
    class = "dp_error_invalid_argument"
  )
  expect_named(coef(result, formula = "income ~ educ"), c("intercept", "educ"))
  expect_length(predict(result, newdata, formula = "income ~ educ + age"), 2)
  expect_error(vcov(result, formula = "age ~ educ"), class = "dp_error_invalid_argument")
})

test_that("methods that would show private rows, or that cannot work, raise errors", {
  result <- released(line_of())
  for (ask in list(residuals, fitted, deviance, logLik, stats::AIC, stats::BIC)) {
    expect_error(ask(result), "fitted rows, which are private", class = "dp_error_unsupported")
    expect_error(ask(line_of()), "fitted rows, which are private", class = "dp_error_unsupported")
  }
  refused <- function(code, ...) expect_error(code, ..., class = "dp_error_invalid_argument")
  refused(predict(result), "would show them")
  refused(predict(result, data.frame(age = 1)), '"educ"')
  refused(predict(result, newdata, type = "terms"), "type")
  refused(confint(result, "sex"), "parm")
  refused(confint(result, level = 1.5), "level")
  refused(coef(released(covariance_of())), "regression")
  refused(coef(line_of()), "release")
  mean <- mean_of(n = 10000, epsilon = 1, interval = "population")
  result <- released(mean)
  expect_equal(confint(result), matrix(result$populationInterval, 1), ignore_attr = TRUE)
  expect_equal(dimnames(confint(mean)), list("age", c("2.5 %", "97.5 %")))
  refused(confint(result, level = 0.9), "level")
})

test_that("an argument that a method does not have is refused, with what to write", {
  linear <- exactly(dpLM(income ~ educ + age, 10000, pums_ranges, epsilon = 1e16))
  result <- released(linear)
  expect_snapshot(error = TRUE, {
    confint(result, levle = 0.5)
    vcov(result, type = "HC1")
    predict(result, newdata, interval = "confidence", levle = 0.5)
    predict(result, newdata, interval = "prediction")
    generics::augment(result, newdata, conf.level = 0.5)
    generics::tidy(result, conf.leve = 0.5)
    coef(linear, complete = TRUE)
    generics::glance(linear, digits = 3)
    as.data.frame(linear, conf.level = 0.5)
    summary(result, correlation = TRUE)
  })
})

test_that("tidy() has levels, ratios and no intervals if asked", {
  withr::local_seed(4)
  logit <- released(marriage_of())
  half <- generics::tidy(logit, conf.level = 0.5)
  expect_equal(as.matrix(half[4:5]), confint(logit, level = 0.5), ignore_attr = TRUE)
  expect_equal(half[1:3], generics::tidy(logit)[1:3])
  odds <- generics::tidy(logit, conf.level = 0.5, exponentiate = TRUE)
  expect_equal(odds[c("estimate", "conf.low", "conf.high")],
    exp(half[c("estimate", "conf.low", "conf.high")]))
  expect_identical(odds$std.error, half$std.error)
  expect_named(generics::tidy(logit, conf.int = FALSE),
    c("term", "estimate", "std.error", "mark")
  )
  line <- released(exactly(dpLM(income ~ educ + age, 10000, pums_ranges, epsilon = 1e16)))
  refused <- function(code, argument) {
    error <- expect_error(code, class = "dp_error_invalid_argument")
    expect_identical(error$argument, argument)
  }
  refused(generics::tidy(line, exponentiate = TRUE), "exponentiate")
  mean <- released(mean_of())
  refused(generics::tidy(mean, exponentiate = TRUE), "exponentiate")
  refused(generics::tidy(mean, conf.level = 0.5), "conf.level")
  expect_identical(generics::tidy(mean, conf.level = 0.95), generics::tidy(mean))
  refused(generics::tidy(released(marriage_of(inference = "none")), conf.level = 0.5), "object")
  # The variance of residuals has no interval, and keeps its row.
  squares <- released(dpGLM("mechanismObjective", "numeric", 10000, list(c(0, 1e5), c(18, 93)),
    income ~ age, "ols", 1))
  expect_identical(generics::tidy(squares, conf.level = 0.5)$term,
    c("intercept", "age", "variance"))
})

test_that("predictions have names and standard errors, as lm's have", {
  result <- released(exactly(dpLM(income ~ educ + age, 10000, pums_ranges, epsilon = 1e16)))
  rows <- data.frame(educ = c(1, 10), age = c(20, 60), row.names = c("first", "second"))
  theirs <- predict(exact_line, rows, se.fit = TRUE, interval = "confidence")
  ours <- predict(result, rows, se.fit = TRUE, interval = "confidence")
  expect_equal(ours$fit, theirs$fit, tolerance = 1e-6)
  expect_equal(ours$se.fit, theirs$se.fit, tolerance = 1e-6)
  expect_named(predict(result, rows), c("first", "second"))
  withr::local_seed(5)
  logit <- released(marriage_of())
  link <- predict(logit, rows, se.fit = TRUE)
  share <- predict(logit, rows, type = "response", se.fit = TRUE)
  expect_equal(share$fit, stats::plogis(link$fit))
  expect_equal(share$se.fit, link$se.fit * stats::dlogis(link$fit))
  expect_error(predict(released(marriage_of(inference = "none")), rows, se.fit = TRUE),
    "`inference`", class = "dp_error_invalid_argument")
  # As in broom, the default scale is the link scale.
  expect_equal(generics::augment(logit, rows)$.fitted, unname(link$fit))
  expect_equal(generics::augment(logit, rows, type.predict = "response")$.fitted,
    unname(share$fit))
})

test_that("sigma(), df.residual() and terms() are lm's, or say why there are none", {
  plan <- exactly(dpLM(income ~ educ + age, 10000, pums_ranges, epsilon = 1e16))
  result <- released(plan)
  for (model in list(result, plan, released(line_of()))) {
    expect_equal(stats::sigma(model), stats::sigma(exact_line), tolerance = 1e-6)
    expect_equal(stats::df.residual(model), 9997)
    expect_identical(attr(stats::terms(model), "term.labels"), c("educ", "age"))
  }
  squares <- exactly(dpGLM("mechanismObjective", "numeric", 10000, list(c(0, 1e5), c(18, 93)),
    income ~ age, "ols", 1e6))
  expect_equal(stats::sigma(released(squares)),
    stats::sigma(stats::lm(income ~ age, within(PUMS5extract10000, income <- pmin(income, 1e5)))),
    tolerance = 1e-2)
  withr::local_seed(6)
  logit <- released(marriage_of(missing = "impute"))
  expect_identical(stats::df.residual(logit), 9998)
  uncounted <- released(marriage_of(missing = "drop"))
  for (ask in list(
    \() stats::sigma(logit), \() stats::df.residual(uncounted), \() stats::model.frame(result),
    \() stats::model.matrix(plan)
  )) {
    expect_error(ask(), class = "dp_error_unsupported")
  }
  expect_snapshot(error = TRUE, {
    stats::sigma(logit)
    stats::df.residual(uncounted)
    stats::model.matrix(result)
  })
})

test_that("a result without a regression has no family", {
  mean <- dpMean(variable = "x", n = 10, rng = c(0, 1), epsilon = 1)
  result <- mean$release(data.frame(x = rep(0.5, 10)))
  expect_refused(family(result), "object")
  expect_refused(family(mean), "object")
})
