# Every statistic accepts or rejects any value of any argument before it reads data.

bad_values <- list(
  NA, NaN, Inf, 0, -1, 1e-320, 2^53 + 2, 0.5, "a", character(), list(), c(1, 2, NA), factor("a"),
  TRUE, sum, as.Date("2020-01-01"), structure(1, class = "integer64")
)

test_that("the tests cover every exported statistic, with valid arguments", {
  expect_setequal(sub("[, ].*", "", names(valid_arguments)), exported_statistics())
  examples <- vapply(example_statistics(), function(statistic) class(statistic)[[1]], "")
  expect_setequal(unique(examples), exported_statistics())
  for (name in names(valid_arguments)) {
    expect_s3_class(build_with(name, character(), NULL), sub("[, ].*", "", name))
  }
})

is_answer <- function(outcome) {
  inherits(outcome, "dpStatistic") || (inherits(outcome, "dp_error") && is.null(outcome$trace))
}

shown_as <- function(argument, values) {
  vapply(values, function(value) paste(argument, "as", toString(deparse(value))), "")
}

# An expectation takes longer than building a statistic, so there is one per class.
test_that("D_R_9 any value of any argument gives an object or a documented error", {
  for (name in names(valid_arguments)) {
    unanswered <- lapply(setdiff(names(formals(generator_of(name))), "..."), function(argument) {
      answered <- vapply(bad_values, function(value) {
        is_answer(tryCatch(build_with(name, argument, value), error = identity))
      }, NA)
      shown_as(argument, bad_values[!answered])
    })
    expect_identical(unlist(unanswered), character(), label = name)
  }
})

# Values that every statistic with the argument rejects: wrong type, wrong length, or out of range.
refused_values <- list(
  mechanism = list(NA, 1, "mechanismNoisy", c("mechanismLaplace", "mechanismLaplace")),
  varType = list(NULL, NA, 1, "words"),
  variable = list(NULL, NA, 1, NA_character_, factor("x")),
  n = list(NULL, NA, 0, -1, 0.5, "10", c(10, 10), Inf),
  missing = list(NULL, NA, TRUE, "ignore", c("impute", "drop")),
  n_check = list(NULL, NA, TRUE, "ignore", c("refuse", "resize")),
  epsilon = list(0, -1, "1", Inf, TRUE, list(1)),
  globalEps = list(0, -1, "1", c(1, 1), Inf),
  alpha = list(NULL, NA, 0, 1, 2, -0.1, "a", c(0.1, 0.2)),
  rng = list(0, "a", c(1, 1), c(0, NA), c(0, Inf), list(c(0, 1)), list(1, "a")),
  imputeRng = list("a", 1:3, c(5, 6), list("a", "b")),
  nBins = list(1, 0, -2, "a", c(2, 3), 1e300),
  granularity = list(),
  binWidth = list(0, -1, "a", c(1, 2)),
  origin = list(NULL, NA, "a", Inf),
  impute = list(NULL, NA, 1, "a"),
  other = list(NULL, NA, 1, "a"),
  intercept = list(NULL, NA, 1, "a"),
  nBoot = list(0, 0.5, "a", c(2, 3)),
  numSubsets = list(0, 0.5, 11, "a"),
  columns = list(NULL, 1, "x", c("x", "x"), c("x", NA)),
  formula = list("y", "y ~", ~x, y ~ z + y, 1),
  objective = list(NULL, 1, "huber"),
  innerFun = list(NULL, 1, "max", NA),
  aggregationFun = list(1, "Sum"),
  prob = list(NULL, -0.1, 1.1, "a", c(0.1, 0.2)),
  percentiles = list(-0.1, 1.1, "a", NA),
  depth = list(0, 0.5, 17, "a"),
  k = list(NULL, 0, 0.5, "a"),
  gridPoints = list(1, 0.5, "a"),
  sens = list(1, "a"),
  gamma = list(),
  groups = list(NULL, NA, "a", c("a", NA), c(1, 1), c(1, 2, 3), c(1, Inf), factor(c("a", "b"))),
  groupSizes = list(NA, 5, c(5, 1), c(5, 5.5), c(5, NA), "a"),
  levels = list(NULL, NA, "a", c("a", NA), c(1, 1), c(1, Inf), factor(c("a", "b")), 1:1001),
  variables = list(NULL, 1, "x", c("x", "x"), c("x", NA)),
  margins = list(1, list(), "z", list("x", "z"), list(c("x", "x")), list("x", "x")),
  meanShare = list(NULL, 0, 1, "a")
)

# Statistics of strings or undeclared cells ignore a range, so a wrong one is no error.
unread <- list(
  `dpHistogram of texts` = c("rng", "imputeRng", "nBins", "granularity"),
  `dpHistogram, stability` = c("rng", "imputeRng", "nBins"),
  dpCovariance = c("epsilon", "levels"), dpTree = "epsilon", dpLM = "levels", dpGLM = "levels"
)

is_refused_by_name <- function(name, argument, value) {
  error <- tryCatch(build_with(name, argument, value), error = identity)
  inherits(error, "dp_error_invalid_argument") && identical(error$argument, argument) &&
    grepl(paste0("`", argument, "` must"), conditionMessage(error), fixed = TRUE)
}

test_that("invalid values raise errors that name the argument, in every statistic", {
  for (name in names(valid_arguments)) {
    arguments <- intersect(names(formals(generator_of(name))), names(refused_values))
    taken <- lapply(setdiff(arguments, unread[[name]]), function(argument) {
      values <- refused_values[[argument]]
      # NULL is what plans have that were made before there was the argument.
      later <- argument %in% declaration_of(generator_of(name))$later
      if (later) values <- Filter(Negate(is.null), values)
      refused <- vapply(values, function(value) is_refused_by_name(name, argument, value), NA)
      shown_as(argument, values[!refused])
    })
    expect_identical(unlist(taken), character(), label = name)
  }
})

test_that("the check detects accepted values and other errors", {
  expect_false(is_refused_by_name("dpMean", "n", 10))
  expect_false(is_refused_by_name("dpMean", "epsilon", 1e-320))
  expect_identical(shown_as("n", list(10, NULL)), c("n as 10", "n as NULL"))
})

test_that("every statistic rejects unknown arguments and names missing ones", {
  for (name in names(valid_arguments)) {
    error <- tryCatch(build_with(name, "epsilom", 1), error = identity)
    expect_s3_class(error, "error")
    expect_match(conditionMessage(error), "epsilom|unused argument")
    for (argument in c("variable", "n", "epsilon", "globalEps")) {
      arguments <- valid_arguments[[name]]
      if (!argument %in% names(arguments)) next
      arguments[argument] <- NULL
      error <- tryCatch(do.call(generator_of(name), arguments), error = identity)
      expect_s3_class(error, "dp_error_invalid_argument")
      expect_match(conditionMessage(error), "given|missing|left out")
    }
  }
})

test_that("D_DOM_4 every statistic rejects data without suitable columns", {
  frame <- function(column) {
    structure(list(x = column, y = column), class = "data.frame", row.names = 1:10)
  }
  wrong <- list(
    NULL, 1:10, list(x = 1:10), data.frame(z = 1:10), frame(as.list(1:10)),
    frame(as.Date("2020-01-01") + 0:9), frame(Sys.time() + 1:10), frame(I(1:10)),
    frame(structure(1:10 + 0, class = "integer64")), frame(1i + 1:10), frame(matrix(1:10, 10)),
    data.frame(x = 1:10, x = 1:10, y = 1:10, y = 1:10, check.names = FALSE)
  )
  for (name in names(valid_arguments)) {
    statistic <- build_with(name, character(), NULL)
    for (data in wrong) {
      error <- tryCatch(statistic$release(data), error = identity)
      expect_s3_class(error, "dp_error_invalid_argument")
      expect_identical(error$argument, "data")
    }
    expect_null(statistic$result)
  }
})

test_that("a missing argument is named", {
  expect_refused(dpMean(), c("variable", "n", "rng", "epsilon"))
  expect_refused(dpMean("mechanismLaplace", "numeric", "age"), c("n", "rng", "epsilon"))
  expect_refused(dpMean("mechanismLaplace", "logical", "age"), c("n", "epsilon"))
  expect_refused(dpMean("mechanismLaplace", "numeric", "age", accuracy = 1), c("n", "rng"))
  expect_refused(dpMean("mechanismLaplace", "numeric", "age", epsilon = 1, rng = c(0, 1)), "n")
  expect_error(dpMean(), paste0(
    "^`variable`, `n`, `rng` and `epsilon` \\(or `accuracy`, `rho`\\) must be given, ",
    "not left out.$"
  ))
  expect_error(
    dpTree("numeric", "age", 10),
    "^`rng` and `globalEps` \\(or `epsilon`, `accuracy`, `rho`\\) must"
  )
})

test_that("all missing arguments of a statistic are named at once", {
  for (name in names(valid_arguments)) {
    error <- tryCatch(generator_of(name)(), error = identity)
    expect_s3_class(error, "dp_error_invalid_argument")
    without <- formals(generator_of(name))
    needed <- setdiff(names(Filter(rlang::is_missing, without)), "...")
    expect_identical(setdiff(needed, error$argument), character(), label = name)
    for (argument in error$argument) expect_match(conditionMessage(error), argument)
    # Giving the named arguments is enough, except for one kind that has alternatives.
    given <- valid_arguments[[name]][names(valid_arguments[[name]]) %in% error$argument]
    built <- tryCatch(built(generator_of(name), given), error = identity)
    if (inherits(built, "error")) expect_length(built$argument, 1)
  }
})

test_that("a single error reports all missing and wrong arguments", {
  expect_refused(dpMean(n = 0.5, rng = c(1, 1), epsilon = -1), c("variable", "n", "rng", "epsilon"))
  # Checks that depend on a wrong argument are skipped.
  expect_refused(mean_of(varType = "words", rng = "a", alpha = 2), c("varType", "alpha"))
  expect_refused(mean_of(n = "many", epsilon = "much"), c("n", "epsilon"))
  expect_refused(dpMean(variable = 1, n = 10, rng = c(0, 1)), c("epsilon", "variable"))
  expect_refused(
    dpLM("y ~", n = 0, rng = 1, epsilon = Inf, alpha = 0), c("formula", "n", "epsilon", "alpha")
  )
  expect_error(dpMean(variable = "age", n = 0, alpha = 1, rng = c(0, 1), epsilon = 1), paste0(
    "^several arguments are missing or invalid:\n",
    "\\* `n` must be a whole number at least 1, not 0.\n\\* `alpha` must be .*\\.$"
  ))
})

test_that("mechanism and type have defaults, and give the same plan as if written out", {
  same <- function(short, long) expect_identical(plan_hash(short), plan_hash(long))
  same(dpMean(variable = "x", n = 1e4, rng = c(0, 1), epsilon = 0.1),
    dpMean("mechanismLaplace", "numeric", "x", 1e4, c(0, 1), epsilon = 0.1))
  same(dpVariance(variable = "x", n = 1e4, rng = c(0, 1), epsilon = 0.1),
    dpVariance("mechanismLaplace", "numeric", "x", 1e4, c(0, 1), epsilon = 0.1))
  same(dpHistogram(variable = "x", n = 1e4, rng = c(0, 1), nBins = 4, epsilon = 0.1),
    dpHistogram("numeric", "x", 1e4, rng = c(0, 1), nBins = 4, epsilon = 0.1))
  same(dpHistogram(variable = "x", n = 1e4, bins = c("a", "b"), epsilon = 0.1),
    dpHistogram("character", "x", 1e4, bins = c("a", "b"), epsilon = 0.1))
  same(dpTree(variable = "x", n = 1e4, rng = c(0, 1), globalEps = 0.1),
    dpTree("numeric", "x", 1e4, rng = c(0, 1), globalEps = 0.1))
  same(dpMedian(variable = "x", n = 1e4, rng = c(0, 1), epsilon = 0.1),
    dpMedian("mechanismExponential", "numeric", "x", 1e4, c(0, 1), epsilon = 0.1))
  same(dpHeavyHitters(variable = "x", n = 1e4, epsilon = 1, k = 2),
    dpHeavyHitters(NULL, "character", "x", 1e4, 1, 2))
  same(dpSampleAndAggregate("mean", variable = "x", n = 1e4, numSubsets = 10, rng = c(0, 1),
      epsilon = 1, aggregationFun = "Mean"),
    aggregate_of(variable = "x", rng = c(0, 1), missing = "drop"))
})

test_that("a single epsilon is the loss of all parts, even if each could have one", {
  same <- function(...) expect_identical(plan_hash(..1), plan_hash(..2))
  tree <- function(...) small(dpTree(variable = "x", n = 1e4, rng = c(0, 1), ...))
  same(tree(epsilon = 0.3), tree(globalEps = 0.3))
  same(tree(epsilon = 0.3, depth = 3), tree(globalEps = 0.3, depth = 3))
  expect_equal(tree(epsilon = 0.3, depth = 3)$globalEps, 0.3)
  # A statistic of one level always had only one.
  expect_null(plan_of(tree(epsilon = 0.3, depth = 1))$args$globalEps)
  same(covariance_of(epsilon = 0.3, globalEps = NULL), covariance_of(globalEps = 0.3))
  expect_refused(tree(epsilon = -1), "epsilon")
  expect_refused(tree(epsilon = c(1, 1), depth = 3), "epsilon")
  expect_refused(covariance_of(epsilon = 0, globalEps = NULL), "epsilon")
  expect_refused(covariance_of(epsilon = c(1, 1), globalEps = NULL), "epsilon")
})

test_that("unknown arguments raise errors", {
  expect_refused(mean_of(lambda = 1e-6), "lambda")
  expect_refused(aggregate_of(gamma = 1), "gamma")
  expect_refused(dpMean("mechanismLaplace", "numeric", "age", 1, c(0, 1), NULL, 1, NULL, NULL, 0.05,
    20, NULL, 3), "...")
})

test_that("epsilon, accuracy and alpha keep their rules", {
  expect_equal(mean_of(epsilon = 1, accuracy = 55)$accuracy, laplaceGetAccuracy(0.01, 1))
  expect_equal(mean_of(epsilon = NA, accuracy = 0.3)$accuracy, 0.3)
  expect_refused(mean_of(epsilon = NULL), "epsilon")
  expect_refused(mean_of(epsilon = c(1, 2)), "epsilon")
  expect_refused(mean_of(epsilon = Inf), "epsilon")
  expect_refused(mean_of(epsilon = NULL, accuracy = -1), "accuracy")
  expect_refused(mean_of(alpha = 2), "alpha")
  expect_warning(mean_of(epsilon = 3), class = "dp_warning_large_epsilon")
  expect_warning(mean_of(epsilon = NULL, accuracy = 0.001), class = "dp_warning_large_epsilon")
  expect_no_warning(mean_of(epsilon = 2.99))
})

test_that("a range is sorted, finite, and contains different values", {
  expect_equal(mean_of(rng = c(100, 0))$rng, c(0, 100))
  expect_warning(statistic <- mean_of(rng = c(-10, 0, 100)), class = "dp_warning_range")
  expect_equal(statistic$rng, c(-10, 100))
  for (rng in list(NULL, 100, c(5, 5), c(NA, 1), c(0, Inf), c(-1e308, 1e308), list(c(0, 1)), "a")) {
    expect_refused(do.call(dpMean, list(
      mechanism = "mechanismLaplace", varType = "numeric", variable = "age", n = 10, rng = rng,
      epsilon = 1
    )), "rng")
  }
  expect_equal(mean_of(varType = "logical", rng = c(3, 9))$rng, c(0, 1))
})

test_that("bounds of integers are rounded inwards", {
  statistic <- mean_of(varType = "integer", rng = c(0.5, 10.5), imputeRng = c(1.2, 3.9))
  expect_equal(statistic$rng, c(1, 10))
  expect_equal(statistic$imputeRng, c(2, 3))
  expect_refused(mean_of(varType = "integer", rng = c(0.2, 1.8)), "rng")
  expect_refused(mean_of(varType = "integer", imputeRng = c(0.2, 0.8)), "imputeRng")
})

test_that("the range of imputed values lies within the range of all values", {
  expect_equal(mean_of(imputeRng = c(10, 20))$imputeRng, c(10, 20))
  expect_equal(mean_of()$imputeRng, c(0, 100))
  expect_warning(statistic <- mean_of(imputeRng = c(-5, 20)), class = "dp_warning_impute_range")
  expect_equal(statistic$imputeRng, c(0, 20))
  expect_warning(statistic <- mean_of(imputeRng = c(5, 200)), class = "dp_warning_impute_range")
  expect_equal(statistic$imputeRng, c(5, 100))
  expect_warning(
    mean_of(varType = "logical", imputeRng = c(2, 3)),
    class = "dp_warning_impute_range"
  )
  expect_refused(mean_of(imputeRng = c(200, 300)), "imputeRng")
  expect_refused(mean_of(imputeRng = c(20, 10)), "imputeRng")
  expect_refused(mean_of(imputeRng = c("wrong", "type")), "imputeRng")
  expect_refused(mean_of(imputeRng = 1:3), "imputeRng")
})

test_that("errors quote a string, a number or a pair, and describe other values by type", {
  named <- list(
    `"five"` = "five", `"{x}\\n"` = "{x}\n", `5` = 5L, `0.5` = 0.5, `0 and Inf` = c(0, Inf),
    `NA and 1` = c(NA, 1), "a missing value" = NA_character_,
    "a numeric vector of length 3" = c(1, 2, 3), "a character vector of length 2" = c("a", "b"),
    "an object of class Date" = Sys.Date(), "an object of class factor" = factor("a"),
    "a string" = "\xff", "a list of length 2" = list(1, 2)
  )
  for (i in seq_along(named)) expect_identical(name_public(named[[i]]), names(named)[[i]])
  expect_identical(nchar(name_public(strrep("x", 1000))), 62L)
})

test_that("names match in any letter case and are stored in the canonical one", {
  statistic <- aggregate_of(
    mechanism = "MECHANISMLAPLACE", varType = "Numeric", innerFun = "MEDIAN",
    aggregationFun = "mean"
  )
  expect_equal(statistic$mechanism, "mechanismLaplace")
  expect_equal(statistic$varType, "numeric")
  expect_equal(statistic$innerFun, "median")
  expect_equal(statistic$aggregationFun, "Mean")
})

test_that("messages state the requirement, then the given value", {
  expect_snapshot(error = TRUE, {
    mean_of(mechanism = "mechanismExponential")
    mean_of(varType = "character")
    mean_of(n = 0.5)
    mean_of(rng = NULL)
    mean_of(rng = c(0, Inf))
    mean_of(sens = 7)
    aggregate_of(innerFun = "max")
    aggregate_of(numSubsets = 10001)
    aggregate_of(innerFun = max)
    aggregate_of(subsetSize = 999)
  })
})

test_that("a column for the mechanism, and a model that is none, name the argument to write", {
  expect_error(
    dpMean(mechanism = "income", n = 10, rng = c(0, 1), epsilon = 1, variable = "income"),
    "give a column as `variable = `", class = "dp_error_invalid_argument", fixed = TRUE
  )
  plan <- dpMedian(variable = "age", n = 10000, rng = c(18, 93), epsilon = 0.1)
  plan$release(PUMS5extract10000)
  expect_error(confint(plan), "interval = \"population\"", class = "dp_error_invalid_argument",
    fixed = TRUE
  )
})
