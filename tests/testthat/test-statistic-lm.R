pums_line <- function(formula = income ~ educ + age, ..., epsilon = 1e16) {
  small(exactly(dpLM(formula,
    n = 10000, epsilon = epsilon, rng = list(c(-10000, 713000), c(1, 16), c(18, 93)), ...
  )))
}

exact_line <- stats::lm(income ~ educ + age, PUMS5extract10000)

test_that("without noise it equals R's lm(), with and without an intercept", {
  result <- released(pums_line())
  expect_equal(result$release$estimate, unname(stats::coef(exact_line)), tolerance = 1e-6)
  expect_equal(rownames(result$release), c("intercept", "educ", "age"))
  theirs <- stats::coef(summary(exact_line))
  expect_equal(result$summary[["Std. Error"]], unname(theirs[, 2]), tolerance = 1e-6)
  expect_equal(unname(as.matrix(result$summary[3:4])), unname(stats::confint(exact_line)),
    tolerance = 1e-6)
  expect_named(result$summary, c("Estimate", "Std. Error", "2.5%", "97.5%"))
  expect_equal(confint(result), as.matrix(result$summary[3:4]), ignore_attr = TRUE)
  expect_equal(result$variance, stats::sigma(exact_line)^2, tolerance = 1e-6)
  expect_identical(result$status, "ok")

  origin <- stats::lm(income ~ educ + age - 1, PUMS5extract10000)
  result <- released(pums_line(income ~ educ + age - 1))
  expect_equal(result$release$estimate, unname(stats::coef(origin)), tolerance = 1e-6)
  expect_equal(unname(vcov(result)), unname(stats::vcov(origin)), tolerance = 1e-6,
    ignore_attr = c("noise", "covers"))
  expect_equal(result$variance, stats::sigma(origin)^2, tolerance = 1e-6)
})

test_that("it is the regression of a covariance matrix from the same moments", {
  columns <- c("income", "educ", "age")
  plan <- pums_line(epsilon = 1, missing = "impute")
  matrix <- covariance_of(columns = columns, intercept = TRUE, formula = income ~ educ + age)
  values <- in_doubles(matrix$measurement(
    arg = columns_of(PUMS5extract10000, columns)
  ))
  line <- lm_result(values, plan$getFields())
  table <- joint_covariance(values, matrix$getFields())$linearRegression
  expect_identical(line$release$estimate, table$Estimate)
  expect_identical(line$summary[["Std. Error"]], table[["Std. Error"]])
  expect_identical(attr(line$summary, "errors"), attr(table, "errors"))
  slopes <- joint_covariance(values, covariance_of(columns = columns, formula = income ~ educ +
    age)$getFields())$linearRegression
  expect_identical(slopes$Estimate, table$Estimate[-1])
  expect_equal(attr(slopes, "errors")$noise, attr(table, "errors")$noise[-1, ])
})

test_that("the loss is the requested epsilon, and the noise comes from the moments", {
  plan <- pums_line(epsilon = 0.5)
  expect_identical(plan$epsilon, 0.5)
  expect_identical(plan$measurement(d_in = 1L), 0.5)
  expect_identical(plan$variable, c("income", "educ", "age"))
  expect_true(is.na(plan$accuracy))
})

test_that("intervals cover the population's coefficients for large and small noise", {
  # y = 1 + 2 x + e, with 300 rows each. If an interval covers in 92% of releases, it covers in
  # fewer than 84% of 600 with probability below 1e-9.
  line <- function() {
    x <- stats::runif(300, -1, 1)
    data.frame(x = x, y = 1 + 2 * x + stats::rnorm(300))
  }
  truth <- c(1, 2)
  for (epsilon in c(0.5, 2, 50)) {
    plan <- exactly(dpLM(y ~ x, 300, list(c(-6, 8), c(-1, 1)), epsilon, missing = "impute"))
    covers <- rowMeans(replicate(600, {
      ends <- plan$release(line())$summary[3:4]
      ends[, 1] <= truth & truth <= ends[, 2]
    }))
    expect_true(all(covers >= 0.84), label = paste("at epsilon", epsilon, toString(covers)))
  }
  # Without the noise they would not cover.
  plan <- dpLM(y ~ x, 300, list(c(-6, 8), c(-1, 1)), 0.5, missing = "impute")
  covers <- rowMeans(replicate(600, {
    result <- plan$release(line())
    reach <- 2 * sqrt(diag(attr(result$summary, "errors")$sampling))
    abs(coef(result) - truth) <= reach
  }))
  expect_true(all(covers < 0.84))
})

test_that("rows with gaps are imputed, or dropped and counted", {
  withr::local_seed(3)
  data <- data.frame(x = stats::runif(2000, 0, 10))
  data$y <- 2 * data$x + stats::rnorm(2000)
  data$x[1:300] <- NA
  complete <- stats::lm(y ~ x, data)
  plan <- exactly(dpLM(y ~ x, 2000, list(c(-5, 25), c(0, 10)), 1e10, missing = "drop"))
  result <- plan$release(data)
  expect_equal(result$release$estimate, unname(stats::coef(complete)), tolerance = 1e-5)
  expect_equal(result$summary[["Std. Error"]], unname(stats::coef(summary(complete))[, 2]),
    tolerance = 1e-5)
  expect_equal(c(result$nPresent, result$share_missing), c(1700, 0.15), tolerance = 1e-6)
  imputed <- exactly(dpLM(y ~ x, 2000, list(c(-5, 25), c(0, 10)), 1e10,
    imputeRng = list(c(0, 20), c(5, 5))))$release(data)
  data$x[1:300] <- 5
  expect_equal(imputed$release$estimate, unname(stats::coef(stats::lm(y ~ x, data))),
    tolerance = 1e-5)
})

test_that("if few rows are left, the result only says so", {
  plan <- small(dpLM(y ~ x, 40, list(c(0, 1), c(0, 1)), 1, missing = "drop"))
  # The noise of the count hides it in nearly all releases.
  results <- replicate(20, plan$release(data.frame(y = rep(NA, 40), x = 1)), simplify = FALSE)
  few <- Filter(function(result) result$status == "few", results)
  expect_gt(length(few), 0)
  result <- few[[1]]
  expect_true(all(is.na(unlist(c(result$release, result$summary, result$variance)))))
  expect_match(format(result), "few", all = FALSE)
  expect_true(all(is.na(confint(result))))
  expect_refused(plot(result), "x")
})

test_that("a warning announces noise that hides everything, and its matrix is repaired", {
  expect_warning(
    plan <- dpLM(y ~ x, 10, list(c(0, 1), c(0, 1)), 0.1, missing = "impute"),
    "next to nothing. More of `epsilon` or `n` is needed", class = "dp_warning_noise"
  )
  expect_true(plan$noiseDominates)
  data <- data.frame(x = 1:10 / 10, y = 1:10 / 10)
  status <- replicate(40, plan$release(data)$status)
  expect_true("repaired" %in% status)
  repaired <- new_result(list(status = "repaired", release = data.frame(estimate = 1)), list())
  expect_match(reading_notes(repaired), "noise hid a part of the moments", all = FALSE)
  repeat {
    result <- plan$release(data)
    if (result$status == "repaired") break
  }
  expect_match(format(result), "\"repaired\" means that noise hid", all = FALSE)
  expect_match(generics::glance(result)$notes, "\"repaired\" means that noise hid")
  expect_match(format(plan$release(data)), "next to nothing", all = FALSE)
})

test_that("a formula has columns and terms, and needs enough rows", {
  of <- function(...) dpLM(..., rng = list(c(0, 1), c(0, 1)), epsilon = 1)
  for (formula in list(y ~ lag(x), y ~ offset(x), y ~ ., ~x, "y ~", y ~ y, y ~ 1)) {
    expect_refused(of(formula, n = 10), "formula")
  }
  expect_refused(of(y ~ x, n = 1), "n")
  expect_refused(of(y ~ x, n = 10, mechanism = "mechanismObjective"), "mechanism")
  expect_refused(
    dpLM(y ~ a + b, 2, rng = rep(list(c(0, 1)), 3), epsilon = 1, missing = "impute"), "n"
  )
})

test_that("integer and logical columns have their model too", {
  data <- data.frame(y = rep(c(TRUE, FALSE, FALSE), 20), x = rep(c(TRUE, FALSE), 30))
  logical <- exactly(dpLM(y ~ x, 60, epsilon = 1e10, varType = "logical", missing = "impute"))
  # For both values of x, a third of the values are TRUE.
  expect_equal(logical$release(data)$release$estimate, c(1 / 3, 0), tolerance = 1e-6)
  data <- data.frame(y = rep(1:6, 10), x = rep(c(3L, 0L, 5L), 20))
  whole <- exactly(dpLM(y ~ x, 60, list(c(0, 7), c(0, 5)), epsilon = 1e10, varType = "integer",
    missing = "impute"))
  exact <- unname(stats::coef(stats::lm(y ~ x, data)))
  expect_equal(whole$release(data)$release$estimate, exact, tolerance = 1e-6)
})
