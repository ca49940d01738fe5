# Rows of the behaviour oracle on separate functions of the old package. The row of a removed
# function also names its replacement.

# modifyList() removes an element if its value is NULL.
mean_of_value <- function(arg, value) {
  args <- list(
    mechanism = "mechanismLaplace", varType = "numeric", variable = "age", n = 10000,
    rng = c(0, 100), epsilon = 0.1
  )
  args[arg] <- list(value)
  do.call(dpMean, args)
}

test_that("UTIL-026 and UTIL-027: only NULL and NA are missing", {
  for (value in list(15.5, c(1, 4), 0, "")) expect_false(is_missing(value))
  for (value in list(NULL, NA, NA_real_, NA_character_)) {
    expect_true(is_missing(value))
    # Missing as if omitted, if the argument is optional. Otherwise an error.
    expect_equal(mean_of(accuracy = value, imputeRng = value)$imputeRng, c(0, 100))
    expect_refused(mean_of_value("n", value), "n")
  }
})

test_that("UTIL-028 and UTIL-029: numbers are numbers, or missing if that is allowed", {
  for (bad in list("foo", NA, NULL, c(1, NA))) expect_refused(check_numbers(bad), "bad")
  # Some of several ranges may be missing.
  ranges <- list(c(0, 1), c(2, 5))
  kept <- check_impute_ranges(list(c(0, 1), NA), ranges, c("a", "b"), "numeric", NULL)
  expect_equal(kept, ranges)
  expect_null(check_number(NULL, null = TRUE))
})

test_that("UTIL-030: the number of values, or pairs, is as expected", {
  expect_equal(checkEpsilon(c(1, 2, 0.5), 3), c(1, 2, 0.5))
  expect_refused(checkEpsilon(c(1, 2, 0.5), 5), "epsilon")
  pairs <- list(c(0, 1), c(0, 2), c(0, 3))
  expect_equal(checkRange(pairs, "numeric", "list", 3), pairs)
  expect_refused(checkRange(pairs, "numeric", "list", 5), "rng")
})

test_that("UTIL-031 to UTIL-033: a number of rows is a positive integer", {
  expect_equal(mean_of(n = 8)$n, 8)
  expect_equal(vapply(c(1, 2, 3), check_positive_whole, 0), c(1, 2, 3))
  for (bad in list(-1, 1.5, -1.5, c(1, 2), "foo", c(1, -1, 3), c(1, 1.5, 4), NA, NULL)) {
    expect_refused(mean_of_value("n", bad), "n")
  }
  expect_null(mechanismLaplace(epsilon = 1, varType = "numeric", rng = c(0, 1))$n)
})

test_that("UTIL-037: accuracies are positive numbers, one per release", {
  for (bad in list(-1, "foo", c(1, 5))) {
    expect_refused(mean_of(epsilon = NULL, accuracy = bad), "accuracy")
  }
  expect_equal(mean_of(epsilon = NULL, accuracy = 5)$accuracy, 5)
  entries <- covariance_of(
    columns = c("educ", "age"), rng = pums_ranges[2:3], globalEps = NULL, accuracyVals = c(1, 5, 9)
  )
  expect_equal(entries$accuracyVals, c(1, 5, 9))
  expect_refused(covariance_of(globalEps = NULL, accuracyVals = c(1, 5)), "accuracyVals")
})

test_that("UTIL-049: types are known in any letter case, and no others are", {
  expect_equal(check_name("Numeric", c("numeric", "factor")), "numeric")
  expect_equal(mean_of(varType = "Numeric")$varType, "numeric")
  expect_refused(mean_of(varType = "complex"), "varType")
  expect_refused(mean_of_value("varType", "NULL"), "varType")
})

test_that("UTIL-050 to UTIL-053: imputed values come from within the range", {
  for (type in c("numeric", "integer")) {
    expect_equal(check_impute_range(c(1, 2), c(0, 3), type), c(1, 2))
  }
  beyond <- list(list(c(0, 3), c(1, 2)), list(c(1.5, 3), c(1.5, 2)), list(c(0.5, 1.5), c(1, 1.5)))
  for (case in beyond) {
    expect_warning(
      found <- check_impute_range(case[[1]], c(1, 2), "numeric"), class = "dp_warning_impute_range"
    )
    expect_equal(found, case[[2]])
  }
  for (bad in list(c("a", "b"), 1)) expect_refused(mean_of(imputeRng = bad), "imputeRng")
  expect_refused(mean_of(rng = NULL, imputeRng = c(1, 2)), "rng")
  # A string has no numeric range.
  expect_warning(
    statistic <- histogram_of(nBins = 4, rng = c(0, 16), imputeBins = c("a", "b")),
    class = "dp_warning_impute_bins"
  )
  expect_equal(statistic$imputeRng, c(0, 16))
})

test_that("UTIL-054: names are known in any letter case, and stored in the canonical one", {
  expect_equal(check_name("foo", c("Foo", "Bar")), "Foo")
  for (bad in list(NA, NULL, c("Foo", "Bar"), "Baz")) {
    expect_refused(check_name(bad, c("Foo", "Bar")), "bad")
  }
})

test_that("UTIL-055 and UTIL-056: a matrix is the list of its rows, and not a vector", {
  rows <- rbind(c(1, 2), c(NA, 4), c(5, 6))
  expect_equal(rows_of_matrix(rows), list(c(1, 2), c(NA, 4), c(5, 6)))
  for (vector in list(c(1, 2, 3), 1)) expect_true(is_plain_column(vector))
  for (other in list(list(1, 2), matrix(1:4, 2))) expect_false(is_plain_column(other))
})

test_that("UTIL-057 and UTIL-058: delta belongs to the mechanism", {
  expect_warning(
    laplace <- mechanismLaplace(epsilon = 1, varType = "numeric", rng = c(0, 1), delta = 1e-5),
    class = "dp_warning_delta"
  )
  expect_equal(laplace$delta, 0)
  expect_no_warning(
    choice <- mechanismExponential(epsilon = 1, varType = "character", bins = c("a", "b"))
  )
  expect_equal(choice$delta, 0)
  for (delta in list(NULL, 1e-7)) {
    gaussian <- mechanismGaussian(epsilon = 1, varType = "numeric", rng = c(0, 1), delta = delta)
    stable <- mechanismStability(epsilon = 1, varType = "character", delta = delta)
    expect_identical(c(gaussian$delta, stable$delta), rep(delta %||% 2^-30, 2))
  }
})

test_that("STAB-001: delta lies below 1 / n, and a warning appears above 1 / n^2", {
  texts <- rep("a", 50)
  stable <- function(delta) {
    mechanismStability(epsilon = 1, varType = "character", delta = delta)$evaluate(
      identity, texts, sens = 2
    )
  }
  expect_refused(stable(1 / 50), "delta")
  expect_warning(stable(1 / 50^2), class = "dp_warning_delta")
  expect_no_warning(stable(0.9 / 50^2))
})

test_that("UTIL-060, UTIL-061 and UTIL-073: no function draws noise that protects nothing", {
  expect_length(intersect(getNamespaceExports("PSIlence"), c("dpUnif", "dpNoise", "rLap")), 0)
  # Uniform numbers replace missing values, and cannot be drawn again.
  draw <- function() fillMissing(rep(NA_real_, 5), "numeric", imputeRng = c(0, 1))
  expect_true(all(draw() > 0 & draw() < 1))
  expect_false(identical(draw(), draw()))
  expect_false("seed" %in% unlist(lapply(list(fillMissing, dpMean, mechanismLaplace), formalArgs)))
})

test_that("UTIL-070: a function gets fields and other arguments by their names", {
  f <- function(x, n, rng, more) c(n, rng, more)
  fields <- list(n = 3, rng = c(0, 5), alpha = 0.05, more = NULL)
  expect_equal(
    function_args(f, fields, list(more = 7, n = 9)), list(n = 3, rng = c(0, 5), more = 7)
  )
  expect_length(function_args(f), 0)
  laplace <- mechanismLaplace(epsilon = 1, varType = "numeric", rng = c(0, 5))
  share <- function(x, n, divisor) sum(x) / n / divisor
  expect_equal(laplace$evaluate(share, c(1, 2, 3), sens = 0, divisor = 2)$release, 1)
})

test_that("UTIL-076: a range of two numbers works in every version of R", {
  expect_equal(mean_of(rng = c(0, 5))$rng, c(0, 5))
})

test_that("UTIL-001 to UTIL-003, UTIL-059, UTIL-062 and UTIL-074: formulas as in the old tests", {
  expect_equal(variance_of(n = 2, rng = c(0, 10))$sens, 50)
  expect_equal(variance_of(n = 5, rng = c(5, 10))$sens, 5)
  stability <- "mechanismStability"
  expect_equal(round(histogramGetAccuracy(stability, 0.2, 1e-6, sensitivity = 2)), 176)
  expect_equal(round(histogramGetEpsilon(stability, 2, 1e-6, sensitivity = 2)), 35)
  expect_equal(round(histogramGetAccuracy("mechanismLaplace", 0.2, sensitivity = 2)), 30)
  expect_equal(round(histogramGetEpsilon("mechanismLaplace", 0.5, sensitivity = 2)), 12)
  expect_equal(laplaceGetAccuracy(c(1, 2), c(2, 4)), log(20) * c(1, 1) / 2)
  expect_equal(laplaceGetAccuracy(2, c(3, 4)), log(20) * 2 / c(3, 4))
  expect_equal(laplaceGetEpsilon(c(1, 2), 4), log(20) * c(1, 2) / 4)
  expect_equal(qLap(0.4, 0, 3), 3 * log(0.8))
  expect_equal(qLap(c(0.4, 0.7), 0, c(1, 5)), c(log(0.8), -5 * log(0.6)))
  expect_equal(dLap(0, 0, 2), 0.25)
})

test_that("UTIL-004 to UTIL-007: matrices and regressions as in the old tests", {
  expect_equal(c(nrow(triangle(3)), nrow(triangle(4))), c(6, 10))
  data <- data.frame(x1 = c(0, 5, 3), x2 = c(1, 2, 3))
  ranges <- list(c(0, 5), c(1, 3))
  released <- exact_covariance(data, columns = names(data), rng = ranges)$release
  expect_equal(as.matrix(released), stats::cov(data), tolerance = 1e-7)
  for (terms in list("age", "educ")) {
    others <- union(terms, c("age", "educ")[seq_len(1 + (terms == "educ"))])
    covariance <- stats::cov(PUMS5extract10000[c("income", others)])
    formula <- stats::reformulate(terms, "income")
    found <- coefficientRelease(formula, covariance, n = 10000)$coefficients
    line <- stats::lm(formula, PUMS5extract10000)
    expect_equal(floor(found$Estimate[[1]]), floor(stats::coef(line)[[2]]))
  }
})

test_that("UTIL-009: blocks are a random partition, into at most as many parts as rows", {
  expect_equal(aggregate_of(n = 10, numSubsets = 3)$subsetSizes, c(4, 3, 3))
  expect_refused(aggregate_of(n = 10, numSubsets = 11), "numSubsets")
  # A sum of powers of two shows which rows were added, and how often.
  data <- data.frame(x = 2^(0:9))
  blocks <- function(fun) {
    exact_aggregate(data,
      n = 10, numSubsets = 3, rng = c(0, 1023), innerFun = fun, outputRange = c(0, 1023)
    )
  }
  expect_equal(round(3 * blocks(sum)), 1023)
  first <- replicate(10, round(3 * blocks(function(x) if (1 %in% x) sum(x) else 0)))
  expect_gt(length(unique(first)), 1)
})

test_that("UTIL-023 and UTIL-024: formulas that promised too much are replaced or removed", {
  expect_gt(treeGetAccuracy(1, c(0, 100), 1), 2 * 93.33158)
  expect_gt(treeGetParameters(1000, c(0, 100), 1), 2 * 0.09333158)
  expect_false(exists("heavyhittersGetAccuracy"))
  expect_false(exists("heavyhittersGetParameters"))
})

test_that("UTIL-025: counts are in decreasing order, including missing values", {
  texts <- rep(c("a", "b", "a", "c", "a", "b", NA), each = 1000)
  statistic <- exactly(dpHeavyHitters(
    mechanism = "mechanismStability", varType = "character", variable = "x", n = 7000,
    epsilon = 1e8, k = 4, delta = 1e-9
  ))
  counts <- unlist(statistic$release(data.frame(x = texts))$counts)
  expect_equal(unname(counts), c(3000, 2000, 1000, 1000))
  expect_equal(names(counts)[1:2], c("a", "b"))
  expect_setequal(names(counts)[3:4], c("c", "NA"))
})
