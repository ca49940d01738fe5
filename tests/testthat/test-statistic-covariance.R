columns <- c("income", "educ", "age")

test_that("releases converge to the covariances of the data as used", {
  result <- exact_covariance(PUMS5extract10000, intercept = TRUE)
  used <- PUMS5extract10000[columns]
  size <- sqrt(diag(stats::cov(used)))
  expect_equal(as.matrix(result$release) / outer(size, size), stats::cor(used), tolerance = 1e-5)
  expect_equal(unname(result$means / colMeans(used)), rep(1, 3), tolerance = 1e-5)
  small <- data.frame(x1 = c(0, 5, 3), x2 = c(1, 2, 3))
  row <- formula_rows("covar")[[1]]
  found <- exact_covariance(small, columns = c("x1", "x2"), rng = list(c(0, 5), c(1, 3)))$release
  expect_equal(found[cbind(c(1, 2, 2), c(1, 1, 2))], row$value, tolerance = 1e-8)
})

test_that("regressions match the oracle, wherever the response stands", {
  row <- formula_rows("linearReg")[[1]]
  data <- data.frame(y = row$args$y, a = row$args$a, b = row$args$b)
  slopes <- formula_rows("linearRegSlopes")[[1]]$value
  for (order in list(1:3, c(2, 3, 1))) {
    covariance <- stats::cov(data[order])
    formula <- check_formula(y ~ a + b)
    found <- line_table(covariance_line(covariance, formula, 8))
    expect_equal(round(c(found$Estimate, found$sampling), 5), row$value)
    expect_equal(found[["Std. Error"]], found$sampling)
    with_means <- line_table(covariance_line(covariance, formula, 8, means = colMeans(data)))
    expect_equal(with_means$Estimate, slopes[c(3, 1, 2)])
    expect_equal(rownames(with_means), c("intercept", "a", "b"))
  }
})

test_that("D-47: standard errors include the noise", {
  # The spread of estimates over releases from the same data.
  statistic <- covariance_of(
    columns = c("educ", "age"), rng = pums_ranges[2:3], globalEps = 0.2, intercept = TRUE,
    formula = educ ~ age
  )
  tables <- replicate(1000, released(statistic)$linearRegression, simplify = FALSE)
  noise <- vapply(tables, function(table) table[["Std. Error"]]^2 - table$sampling^2, numeric(2))
  estimates <- vapply(tables, function(table) table$Estimate, numeric(2))
  expect_lt(max(abs(apply(estimates, 1, stats::sd) / sqrt(rowMeans(noise)) - 1)), 0.25)
})

test_that("a ridge shrinks estimates like added rows", {
  data <- PUMS5extract10000[c("income", "age", "educ")]
  covariance <- stats::cov(data)
  widths <- c(income = 1, age = 75, educ = 15)
  formula <- check_formula(income ~ age + educ)
  found <- line_table(covariance_line(covariance, formula, 10000, widths = widths, ridge = 0.1))
  # Rows of centred predictors whose squares add up to n - 1 times the ridge.
  centred <- scale(as.matrix(data), scale = FALSE)
  extra <- sqrt(0.1 * 9999) * cbind(0, diag(widths[-1]))
  line <- stats::lm.fit(rbind(centred, extra)[, -1], c(centred[, 1], 0, 0))
  expect_equal(found$Estimate, unname(stats::coef(line)), tolerance = 1e-9)
  free <- line_table(covariance_line(covariance, formula, 10000))
  expect_true(all(abs(found$Estimate) < abs(free$Estimate)))
  expect_true(all(found$sampling < free$sampling))
  statistic <- covariance_of(formula = income ~ age, ridge = 1e6)
  expect_lt(abs(released(statistic)$linearRegression$Estimate), 1)
  expect_equal(statistic$ridge, 1e6)
  once <- coefficientRelease("income ~ age", covariance, 10000)$coefficients$Estimate
  halved <- coefficientRelease("income ~ age", covariance, 10000, ridge = 1)$coefficients$Estimate
  expect_equal(halved, once / 2)
  expect_refused(covariance_of(ridge = -1), "ridge")
})

test_that("an invalid covariance matrix is repaired, and the result says so", {
  broken <- matrix(c(1, 2, 2, 1), 2, dimnames = list(c("y", "x"), c("y", "x")))
  found <- line_table(covariance_line(broken, check_formula(y ~ x), 10))
  expect_equal(found$status, "repaired")
  expect_true(all(is.finite(unlist(found[1:3]))))
})

test_that("a matrix far from any covariance, or with very different units, has a regression", {
  columns <- c("y", "x", "z")
  rough <- matrix(c(5, -9, 1, -9, -2, 3, 1, 3, 0), 3, dimnames = list(columns, columns))
  for (ridge in c(0, 1)) {
    found <- coefficientRelease("y ~ x + z", rough, 100, ridge = ridge)$coefficients
    expect_true(all(is.finite(as.matrix(found[1:3]))))
    expect_equal(found$status, rep("repaired", 2))
  }
  apart <- diag(c(1, 1e18, 1e-18))
  apart[1, 2:3] <- apart[2:3, 1] <- c(1e8, 1e-10)
  dimnames(apart) <- list(columns, columns)
  found <- coefficientRelease("y ~ x + z", apart, 100)$coefficients
  expect_equal(found$Estimate / c(1e-10, 1e8), c(1, 1))
  expect_equal(found$status, rep("ok", 2))
})

test_that("noise has the promised spread", {
  data <- data.frame(x = rep(0:1, 5), y = rep(0, 10))
  truth <- c(stats::var(data$x), 0, 0)
  missed <- function(statistic) {
    misses <- replicate(2000, {
      result <- statistic$release(data)
      found <- result$release[cbind(c(1, 2, 2), c(1, 1, 2))]
      abs(found - truth) > result$accuracy
    })
    rowSums(misses)
  }
  small_one <- function(...) {
    covariance_of(columns = c("x", "y"), rng = list(c(0, 1), c(0, 1)), n = 10, alpha = 0.2, ...)
  }
  expect_true(can_occur(missed(small_one(epsilonDist = rep(1 / 3, 3))), 2000, 0.2))
  # The bound of a joint release counts the worst case of all moments in an entry.
  expect_true(all(missed(small_one()) <= most_of(2000, 0.2, 3)))
})

test_that("a joint release has the published noise, less than separate entries", {
  withr::local_seed(5)
  statistic <- covariance_of(columns = c("x", "y"), rng = list(c(-1, 1), c(-1, 1)), n = 200,
    globalEps = 2, intercept = TRUE)
  data <- data.frame(x = rep(c(-0.5, 0.5), 100), y = rep(c(0.5, -0.5, -0.5, 0.5), 50))
  draws <- replicate(3000, {
    result <- statistic$release(data)
    c(result$release[[1]][[2]], result$release[[1]][[1]], result$means[["x"]])
  })
  # s = 3^2 / (2 * 2) for a product and a sum, 2 s for a square. Means are near 0.
  scales <- c(2.25 / 199, 4.5 / 199, 2.25 / 200)
  spread <- rowMeans(abs(draws - c(0, stats::var(data$x), 0)))
  # 3000 draws: means of absolute values are off by 0.15 less than once in 1e12 runs.
  expect_lt(max(abs(spread / scales - 1)), 0.15)
  apart <- covariance_of(columns = c("x", "y"), rng = list(c(-1, 1), c(-1, 1)), n = 200,
    globalEps = 2, epsilonDist = rep(1 / 3, 3))
  expect_true(all(statistic$accuracy[[2]] < apart$accuracy[[2]] / 1.5))
})

test_behaviours("dpCovariance", list(
  `COV-001` = function() {
    expect_refused(covariance_of(columns = c("income", "educ"), rng = pums_ranges[1:2],
      epsilon = rep(-0.1, 3)), "epsilon")
  },
  `COV-002` = function() {
    for (rng in list(list(100), matrix(c(1, 16), 1))) {
      expect_error(
        covariance_of(columns = c("income", "educ"), rng = rng, epsilon = 0.1),
        "list of 2 pairs, for \"income\", \"educ\"",
        fixed = TRUE, class = "dp_error_invalid_argument"
      )
    }
  },
  `COV-003` = function() for (n in c(-1, 0.5)) expect_refused(covariance_of(n = n), "n"),
  `COV-004` = function() {
    expect_equal(covariance_of(epsilon = rep(1, 6), globalEps = NULL)$globalEps, 6)
  },
  `COV-005` = function() {
    expect_warning(statistic <- covariance_of(globalEps = 6, epsilonDist = rep(1 / 6, 6)),
      class = "dp_warning_large_epsilon"
    )
    expect_equal(statistic$epsilon, rep(1, 6))
  },
  `COV-006` = function() {
    expect_warning(
      statistic <- covariance_of(globalEps = 6, epsilonDist = c(.1, .1, .1, .5, .1, .1)),
      class = "dp_warning_large_epsilon"
    )
    expect_equal(statistic$epsilon, c(.6, .6, .6, 3, .6, .6))
  },
  `COV-007` = function() expect_refused(covariance_of(epsilon = 1), "epsilon"),
  `COV-008` = function() expect_refused(covariance_of(epsilon = c(1, 1, 1)), "epsilon"),
  `COV-009` = function() {
    expect_length(covariance_of(globalEps = NULL, accuracy = 1)$epsilon, 6)
  },
  `COV-010` = function() {
    result <- released(covariance_of(epsilon = rep(1, 6), formula = "income~educ"))
    expect_true(all(c("release", "variable", "linearRegression") %in% names(result)))
  },
  `COV-011` = function() {
    statistic <- exactly(covariance_of(epsilon = rep(1e10, 6), formula = "income~educ"))
    found <- coefficientRelease("income~age", released(statistic)$release, n = 10000)
    expect_named(found, c("name", "n", "formula", "coefficients"))
    slope <- stats::coef(stats::lm(income ~ age, PUMS5extract10000))[["age"]]
    expect_equal(found$coefficients$Estimate, slope, tolerance = 1e-6)
  },
  `COV-012` = function() {
    statistic <- covariance_of(columns = c("sex", "married"), rng = list(c(0, 1), c(0, 1)))
    expect_equal(statistic$sens, rep(1 / 10000, 3))
  },
  `COV-013` = function() {
    statistic <- covariance_of(columns = c("educ", "age"), rng = list(c(1, 16), c(0, 120)),
      globalEps = 0.3, epsilonDist = rep(1 / 3, 3))
    expect_equal(statistic$epsilon, rep(0.1, 3))
    expect_equal(statistic$accuracyVals, c(1.34808, 10.78464, 86.27709) / 2, tolerance = 1e-6)
  },
  `COV-014` = function() {
    statistic <- covariance_of(columns = c("educ", "age"), rng = list(c(1, 16), c(0, 120)),
      globalEps = NULL, accuracyVals = c(1, 2, 3))
    expect_equal(statistic$epsilon, c(0.1348080, 0.5392318, 2.8759030) / 2, tolerance = 1e-6)
  },
  `COV-015` = function() {
    expect_refused(covariance_of(globalEps = NULL, accuracyVals = 1:2), "accuracyVals")
  },
  `COV-016` = function() {
    for (shares in list(rep(0.1, 6), c(1.5, rep(-0.1, 5)))) {
      expect_refused(covariance_of(epsilonDist = shares), "epsilonDist")
    }
  },
  `COV-017` = function() expect_refused(covariance_of(epsilonDist = c(0.5, 0.5)), "epsilonDist"),
  `COV-018` = function() expect_refused(covariance_of(globalEps = NULL), "epsilon"),
  `COV-019` = function() {
    tables <- released(
      covariance_of(formula = c("income~educ", "income~educ+age"))
    )$linearRegression
    expect_length(tables, 2)
    expect_type(tables[[2]]$Estimate, "double")
    expect_equal(rownames(tables[[2]]), c("educ", "age"))
  },
  `COV-020` = function() {
    one <- covariance_of(formula = income ~ educ)
    expect_s3_class(released(one)$linearRegression, "data.frame")
    expect_length(released(covariance_of(formula = list(income ~ educ, "age~educ")))$
      linearRegression, 2)
    expect_refused(covariance_of(formula = income ~ scale(educ)), "formula")
    expect_refused(covariance_of(formula = ~educ), "formula")
    expect_refused(covariance_of(formula = income ~ nowhere), "formula")
  },
  `COV-021` = function() {
    result <- exact_covariance(PUMS5extract10000, intercept = TRUE, formula = "income~educ")
    expected <- stats::coef(stats::lm(income ~ educ, PUMS5extract10000))
    expect_equal(result$linearRegression$Estimate, unname(expected), tolerance = 1e-5)
    statistic <- covariance_of(intercept = TRUE, epsilonDist = rep(1 / 6, 6))
    expect_equal(statistic$globalEps, 1)
    expect_equal(statistic$measurement(d_in = 1L), 1)
    expect_equal(sum(statistic$meanEpsilon), 0.1)
  },
  `COV-022` = function() {
    result <- exact_covariance(PUMS5extract10000, formula = "age~income+educ")
    expected <- stats::coef(stats::lm(age ~ income + educ, PUMS5extract10000))[-1]
    expect_equal(result$linearRegression$Estimate / unname(expected), c(1, 1), tolerance = 1e-3)
  },
  `COV-023` = function() {
    expect_equal(covariance_of(rng = do.call(rbind, pums_ranges))$rng, pums_ranges)
  },
  `COV-024` = function() {
    data <- data.frame(x = c(NA, 2, 4), y = c(1, NA, 3))
    result <- exact_covariance(data, columns = c("x", "y"), rng = list(c(0, 4), c(0, 4)),
      imputeRng = list(c(3, 3), NULL))
    expect_equal(result$release[1, 1], 1, tolerance = 1e-6)
    expect_true(all(is.finite(as.matrix(result$release))))
  },
  `COV-025` = function() {
    statistic <- covariance_of(columns = c("x", "y"), rng = list(c(0, 1), c(0, 1)), n = 2,
      globalEps = 0.01, formula = "y~x")
    tables <- replicate(30, statistic$release(data.frame(x = 0:1, y = 0:1))$linearRegression,
      simplify = FALSE)
    expect_true(all(vapply(tables, is.data.frame, NA)))
    expect_true("repaired" %in% vapply(tables, function(table) table$status, ""))
  },
  `COV-026` = function() {
    expect_named(released(covariance_of()),
      c("release", "variable", "epsilon", "globalEps", "accuracy", "n"))
  }
))
