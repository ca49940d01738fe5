# Default treatment of missing values in statistics.

# Builds a statistic with these arguments, except `missing`.
by_default <- function(name, ...) {
  arguments <- utils::modifyList(valid_arguments[[name]], list(...))
  suppressWarnings(do.call(generator_of(name), arguments), classes = "dp_warning")
}

has_missing_rule <- function(name) "missing" %in% names(formals(generator_of(name)))

test_that("a plan drops rows without a value unless the call says what to impute", {
  for (name in Filter(has_missing_rule, names(valid_arguments))) {
    expect_identical(plan_of(by_default(name))$args$missing, "drop", info = name)
    dropped <- build_with(name, "missing", "drop")
    expect_identical(plan_hash(by_default(name)), plan_hash(dropped), info = name)
  }
  ranged <- list(dpMean = c(0, 1), dpVariance = c(0, 1), dpTree = c(0, 1), dpMedian = c(0, 1),
    dpQuantiles = c(0, 1), dpCovariance = list(c(0, 1), c(0, 1)), dpLM = list(c(0, 1), c(0, 1)),
    dpGLM = list(c(0, 1), c(0, 1)))
  for (name in names(ranged)) {
    imputed <- by_default(name, imputeRng = ranged[[name]])
    expect_identical(imputed$missing, "impute", info = name)
    expect_identical(plan_of(imputed)$args$missing, "impute", info = name)
  }
  expect_identical(by_default("dpHistogram of texts", imputeBins = "a")$missing, "impute")
  expect_identical(by_default("dpMean", imputeRng = NA)$missing, "drop")
})

test_that("a mechanism of one number asks for imputation in writing", {
  for (name in c("dpMean", "dpVariance", "dpCovariance")) {
    expect_refused(by_default(name, mechanism = "mechanismSnapping"), "missing")
    snapped <- by_default(name, mechanism = "mechanismSnapping", missing = "impute")
    expect_identical(snapped$missing, "impute")
  }
})

test_that("a saved plan that imputes keeps its rule and hash", {
  for (statistic in list(mean_of(), tree_of(), histogram_of(rng = c(0, 16), nBins = 4))) {
    for (copy in list(small(from_json(to_json(statistic))), remade(plan_of(statistic)))) {
      expect_identical(copy$missing, "impute")
      expect_identical(plan_hash(copy), plan_hash(statistic))
    }
  }
})

# Values ------------------------------------------------------------------------------------------

# Bound that Laplace noise of this scale exceeds in one of 1e9 releases.
seldom <- function(scale) scale * log(1e9)

test_that("a histogram by default counts missing and undeclared texts apart", {
  data <- data.frame(x = rep(c("a", "b", NA), c(600, 200, 200)))
  counts <- function(...) {
    statistic <- dpHistogram(variable = "x", bins = c("a", "b"), n = 1000, epsilon = 1, ...)
    unlist(statistic$release(data)$counts)
  }
  found <- counts()
  expect_named(found, c("a", "b", "NA"))
  expect_lt(max(abs(found - c(600, 200, 200))), seldom(2) + 1)
  expect_identical(names(counts(missing = "drop")), names(found))
  expect_named(counts(other = TRUE), c("a", "b", "(other)"))
  expect_lt(abs(counts(other = TRUE)[["(other)"]] - 200), seldom(2) + 1)
  # Half of 200 goes to each, within 8 standard deviations.
  imputed <- counts(missing = "impute")
  expect_named(imputed, c("a", "b"))
  expect_lt(abs(imputed[["a"]] - 700), seldom(2) + 8 * sqrt(50))
  result <- dpHistogram(variable = "x", bins = c("a", "b"), n = 1000, epsilon = 1)$release(
    data.frame(x = rep(c("a", "b", "z", NA), c(600, 200, 150, 50)))
  )
  expect_lt(abs(result$counts$`NA` - 200), seldom(2) + 1)
  expect_identical(rownames(result$intervals), c("a", "b", "NA"))
})

test_that("a histogram refuses what imputes beside the rule that drops", {
  texts <- list(variable = "x", bins = c("a", "b"), n = 10, epsilon = 1, missing = "drop")
  expect_refused(do.call(dpHistogram, c(texts, imputeBins = "a")), "imputeBins")
  logical <- list(varType = "logical", variable = "x", n = 10, epsilon = 1)
  expect_refused(do.call(dpHistogram, c(logical, impute = TRUE, missing = "drop")), "impute")
  expect_identical(do.call(dpHistogram, c(logical, impute = TRUE))$nBins, 2L)
  expect_identical(do.call(dpHistogram, c(logical, missing = "drop"))$nBins, 3L)
})

test_that("a histogram with a cell of missing values has its distribution drawn without it", {
  statistic <- exactly(dpHistogram(
    variable = "x", rng = c(0, 4), nBins = 4, n = 8, epsilon = 1e6
  ))
  result <- statistic$release(data.frame(x = c(1, 2, 2, 4, NA, NA, NA, NA)))
  shown <- pictures(result)$cdf()$table
  expect_identical(nrow(shown), 4L)
  expect_equal(shown$estimate, c(0, 0.25, 0.75, 1), tolerance = 1e-4)
})

test_that("tables, means and models use the rows with a value by default", {
  data <- data.frame(
    a = rep(c("x", "y", NA), c(600, 200, 200)), b = rep(c("u", "v"), 500),
    x = rep(c(10, 20, NA), c(300, 500, 200))
  )
  table <- dpContingency(c("a", "b"), list(c("x", "y"), c("u", "v")), n = 1000, epsilon = 1)
  counts <- table$release(data)$release
  expect_lt(abs(sum(counts$count[counts$a == "x" & counts$b != "NA"]) - 600), 2 * seldom(2) + 2)
  expect_true("NA" %in% counts$a)
  expect_no_error(dpContingency(
    c("a", "b"), list(c("x", "y"), c("u", "v")), n = 1000, epsilon = 1, other = TRUE
  ))
  mean <- exactly(dpMean(variable = "x", n = 1000, rng = c(0, 100), epsilon = 1e6))$release(data)
  expect_equal(mean$release, 13000 / 800, tolerance = 1e-3)
  expect_equal(mean$share_missing, 0.2, tolerance = 1e-3)
})

test_that("a logistic regression of responses with gaps covers its coefficients by default", {
  withr::local_seed(3)
  x <- stats::runif(1e4, 0, 80)
  y <- stats::rbinom(1e4, 1, stats::plogis(-5.5 + 0.06 * x))
  y[sample(1e4, 200)] <- NA
  model <- dpGLM(
    formula = y ~ x, objective = "logit", n = 1e4, rng = list(c(0, 1), c(0, 80)), epsilon = 1
  )
  covers <- replicate(12, {
    ends <- stats::confint(model$release(data.frame(x, y)))
    all(ends[, 1] <= c(-5.5, 0.06) & ends[, 2] >= c(-5.5, 0.06))
  })
  # Two intervals of 95% cover both in nine of ten releases or more. So at most one of twelve that
  # covers has a chance of 12 * 0.9 * 0.1^11 + 0.1^12, below 2e-10.
  expect_gt(sum(covers), 1)
})

# Messages ----------------------------------------------------------------------------------------

test_that("no message advises to make up the number of rows", {
  error <- expect_error(mean_of(n = 9)$release(data.frame(age = 1:8)), class = "dp_error_rows")
  expect_no_match(conditionMessage(error), "resize")
  expect_match(conditionMessage(error), "dp_tbl()", fixed = TRUE)
})
