# Trees, covariances and models of rows without missing values.

with_gaps <- function(n, share = 0.1) {
  data <- data.frame(x = stats::runif(n, 0, 10))
  data$y <- 2 * data$x + stats::rnorm(n)
  data$x[stats::runif(n) < share] <- NA
  data$y[stats::runif(n) < share] <- NaN
  data
}

present_tree <- function(..., epsilon = 1e8) {
  exactly(tree_of(..., missing = "drop", globalEps = epsilon))
}

present_covariance_of <- function(..., epsilon = 1e8) {
  exactly(covariance_of(
    columns = c("x", "y"), rng = list(c(0, 10), c(-5, 25)), missing = "drop", globalEps = epsilon,
    ...
  ))
}

test_that("a tree counts the rows with a value, and reports their number", {
  x <- c(-3, 0, 1.2, 1.3, 4.9, 5, 9, 42, Inf, -Inf, NA, NaN)
  result <- present_tree(n = 12, depth = 2)$release(data.frame(x = x))
  expect_equal(lapply(result$release, round), list(
    c(`[0,10]` = 10), c(`[0,5)` = 6, `[5,10]` = 4),
    c(`[0,2.5)` = 5, `[2.5,5)` = 1, `[5,7.5)` = 1, `[7.5,10]` = 3)
  ))
  expect_equal(round(result$missing), c(2, 2))
  expect_equal(result$nPresent, 10, tolerance = 1e-4)
  expect_equal(result$share_missing, 1 / 6, tolerance = 1e-4)
  expect_identical(result$status, "coarse")
  expect_equal(result$cdf$cdf, c(0, 0.5, 0.6, 0.7, 1), tolerance = 1e-4)
})

test_that("integers have the same cells whether missing ones are dropped or imputed", {
  withr::local_seed(4)
  x <- c(stats::runif(300, -6, 6), -5:5)
  for (depth in 1:5) {
    of <- function(missing) {
      statistic <- exactly(tree_of(
        varType = "integer", n = 311, rng = c(-5, 4), depth = depth, globalEps = 1e8,
        missing = missing
      ))
      round(unlist(statistic$release(data.frame(x = x))$release, use.names = FALSE))
    }
    expect_identical(of("drop"), of("impute"))
  }
  # With the default alpha, noise would look like a row in three of a hundred releases.
  none <- present_tree(varType = "integer", n = 3, alpha = 1e-15)
  few <- none$release(data.frame(x = c(Inf, -Inf, NA)))
  expect_equal(few$nPresent, 0, tolerance = 1e-4)
  expect_identical(few[c("mean", "median", "status")], list(
    mean = NA_real_, median = NA_real_, status = "few"
  ))
})

test_that("a level of a tree costs the same with and without a cell of missing values", {
  for (epsilon in c(0.1, 1 / 3, 2.9)) {
    drops <- small(present_tree(n = 10, epsilon = epsilon))
    imputes <- tree_of(n = 10, globalEps = epsilon)
    expect_identical(drops$measurement(d_in = 1L), imputes$measurement(d_in = 1L))
    expect_identical(drops$accuracy, imputes$accuracy)
  }
})

test_that("estimates of trees have their stated standard errors", {
  withr::local_seed(5)
  data <- data.frame(x = ifelse(stats::runif(200) < 0.3, NA, stats::runif(200, 0, 10)))
  statistic <- small(present_tree(n = 200, depth = 2, epsilon = 2))
  found <- replicate(400, {
    result <- statistic$release(data)
    c(result$nPresent, as.data.frame(result)$estimate)
  })
  said <- as.data.frame(statistic$release(data))$std.error
  root <- sqrt(tree_variances(node_variances(statistic$epsilon, TRUE), 2)$both[[1]])
  # 400 draws: the logarithm of a standard deviation has a standard error of 0.045.
  ratio <- apply(found, 1, stats::sd) / c(root, said)
  expect_true(all(abs(log(ratio)) < log(1.5)))
  expect_lt(abs(mean(found[1, ]) - sum(!is.na(data$x))), 7 * root / 20)
})

test_that("a covariance matrix uses complete rows, and so do its regressions", {
  withr::local_seed(6)
  data <- with_gaps(500)
  complete <- data[stats::complete.cases(data), ]
  complete$y <- pmin(pmax(complete$y, -5), 25)
  statistic <- present_covariance_of(n = 500, intercept = TRUE, formula = y ~ x)
  result <- statistic$release(data)
  expect_equal(as.matrix(result$release), stats::cov(complete), tolerance = 1e-4)
  expect_equal(result$means, colMeans(complete), tolerance = 1e-4)
  expect_equal(result$nPresent, nrow(complete), tolerance = 1e-4)
  fit <- stats::coef(summary(stats::lm(y ~ x, complete)))
  expect_equal(result$linearRegression$Estimate, fit[, 1], tolerance = 1e-3, ignore_attr = TRUE)
  expect_equal(result$linearRegression$sampling, fit[, 2], tolerance = 1e-2, ignore_attr = TRUE)
  more <- present_covariance_of(n = 900, n_check = "resize")$release(data)
  expect_equal(more$release, result$release, tolerance = 1e-4)
})

test_that("intervals of covariances cover, and standard errors match releases", {
  withr::local_seed(7)
  data <- with_gaps(400)
  complete <- data[stats::complete.cases(data), ]
  complete$y <- pmin(pmax(complete$y, -5), 25)
  truth <- stats::cov(complete)[c(1, 2, 4)]
  statistic <- small(present_covariance_of(
    n = 400, epsilon = 2, alpha = 0.2, intercept = TRUE, formula = y ~ x
  ))
  releases <- replicate(300, statistic$release(data), simplify = FALSE)
  missed <- rowMeans(vapply(releases, function(result) {
    abs(unlist(result$release)[c(1, 2, 4)] - truth) > result$accuracy
  }, logical(3)))
  # 300 draws: the rate 0.2 is exceeded by 0.16 with probability below 1e-10.
  expect_true(all(missed < 0.36))
  slopes <- vapply(releases, function(result) result$linearRegression["x", "Estimate"], 0)
  errors <- vapply(releases, function(result) {
    with(result$linearRegression["x", ], sqrt(`Std. Error`^2 - sampling^2))
  }, 0)
  expect_lt(abs(log(stats::sd(slopes) / stats::median(errors))), log(1.5))
})

test_that("if few rows are left, the result only says so", {
  data <- data.frame(x = rep(NA, 50), y = 1)
  statistic <- small(present_covariance_of(n = 50, epsilon = 1, formula = y ~ x))
  results <- replicate(20, statistic$release(data), simplify = FALSE)
  few <- Filter(function(result) result$status == "few", results)
  expect_gt(length(few), 0)
  expect_true(all(is.na(unlist(few[[1]]$release))))
  expect_null(few[[1]]$linearRegression)
  expect_match(format(few[[1]]), "few", all = FALSE)
  expect_s3_class(as.data.frame(few[[1]]), "data.frame")
})

test_that("a model uses the rows without a gap", {
  withr::local_seed(8)
  data <- with_gaps(2000, 0.2)
  complete <- data[stats::complete.cases(data), ]
  model <- function(objective, range, inference = "none", ...) {
    exactly(dpGLM("mechanismObjective", "numeric", 2000, list(range, c(0, 10)), y ~ x, objective,
      epsilon = 1e10, missing = "drop", inference = inference, ...))
  }
  result <- model("ols", c(-10, 30))$release(data)
  fit <- stats::lm(y ~ x, complete)
  expect_equal(result$release$estimate[1:2], stats::coef(fit), tolerance = 1e-3,
    ignore_attr = TRUE)
  expect_equal(result$release["variance", "estimate"], summary(fit)$sigma^2, tolerance = 1e-3)
  expect_equal(result$nPresent, nrow(complete), tolerance = 1e-6)
  parts <- model("ols", c(-10, 30), "parts", nBoot = 4)$release(data)
  expect_equal(parts$nPresent, nrow(complete), tolerance = 1e-6)
  expect_equal(parts$summary["x", 1], stats::coef(fit)[["x"]], tolerance = 0.01)
  data$y <- as.double(data$y > 10)
  complete <- data[stats::complete.cases(data), ]
  found <- model("logit", c(0, 1))$release(data)$release$estimate
  fit <- suppressWarnings(stats::glm(y ~ x, stats::binomial(), complete))
  expect_equal(found, stats::coef(fit), tolerance = 0.05, ignore_attr = TRUE)
})

test_that("dropping rows leaves nothing to impute, and one loss", {
  pairs <- list(columns = c("x", "y"), rng = list(c(0, 1), c(0, 1)), n = 10, missing = "drop")
  refused <- function(argument, ...) {
    expect_refused(do.call(covariance_of, c(pairs, list(...))), argument)
  }
  refused("imputeRng", imputeRng = list(c(0, 1), c(0, 1)))
  refused("missing", mechanism = "mechanismSnapping")
  refused("epsilon", epsilon = c(1, 1, 1))
  refused("epsilonDist", epsilonDist = c(0.2, 0.3, 0.5))
  refused("accuracyVals", accuracyVals = c(1, 1, 1))
  expect_refused(tree_of(missing = "drop", imputeRng = c(1, 2)), "imputeRng")
  expect_refused(
    dpGLM("mechanismObjective", "numeric", 9, list(c(0, 1), c(0, 1)), y ~ x, "ols", epsilon = 1,
      missing = "drop", imputeRng = c(0, 1)),
    "imputeRng"
  )
  statistic <- covariance_of(
    columns = c("x", "y"), rng = list(c(0, 1), c(0, 1)), n = 10, missing = "drop"
  )
  expect_null(statistic$imputeRng)
  expect_identical(statistic$globalEps, statistic$measurement(d_in = 1L))
})

# A row that gains one value, or several.
dropped_rows <- local({
  case <- function(make, draws, data, evidence) {
    list(make = make, data = data, evidence = evidence, draws = draws)
  }
  frame <- function(first) data.frame(x = c(first, 1, 0), y = c(1, 1, 0))
  list(
    `a tree that gets a value` = case(
      function(excess) {
        dpTree("numeric", "x", 4, 1, c(0, 10), globalEps = 2 * excess, missing = "drop")
      }, 25000,
      list(data.frame(x = c(NA, 9, 9, 1)), data.frame(x = c(1, 9, 9, 1))),
      laplace_evidence(c(1, 2, 1), c(2, 2, 0))
    ),
    # The noise of the count and of squares is twice as wide as the other noise.
    `a covariance that gets a value` = case(
      function(excess) {
        dpCovariance("mechanismLaplace", "numeric", 3, c("x", "y"), list(c(-1, 1), c(-1, 1)),
          globalEps = 2.5 * excess, missing = "drop")
      }, 190000,
      list(frame(NA), frame(1)),
      laplace_evidence(c(2, 1, 1, 1, 1, 1), c(3, 2, 2, 2, 2, 2), c(2, 1, 1, 2, 1, 2))
    )
  )
})
test_audits(dropped_rows)
