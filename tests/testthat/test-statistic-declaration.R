# Consequences of a statistic's declaration.

generators <- function() mget(exported_statistics(), asNamespace("PSIlence"))

test_that("every statistic is declared, with its own fields, plan and arguments", {
  expect_gte(length(generators()), 10)
  for (name in exported_statistics()) {
    generator <- get(name, asNamespace("PSIlence"))
    declared <- declaration_of(generator)
    expect_identical(deparse(declared$call), paste0(name, "()"))
    named <- c(declared$required, unlist(declared$or), names(declared$or))
    expect_identical(setdiff(named, names(formals(generator))), character())
    expect_identical(formals(generator), formals(class_of(generator)$public_methods$initialize))
    expect_true(all(c("measurement", "epsilon") %in% names(class_of(generator)$active)))
  }
})

test_that("every argument has a kind, which states the requirement in words", {
  for (name in exported_statistics()) {
    kinds <- declaration_of(get(name))$kinds
    expect_setequal(names(kinds), setdiff(names(formals(get(name))), "..."))
    for (argument in names(kinds)) {
      expect_true(nzchar(kinds[[argument]]$must), label = paste(name, argument))
      expect_identical(names(formals(kinds[[argument]]$check)), c("value", "arg", "call", "args"))
    }
  }
})

test_that("the plan checks all arguments that no kind checks", {
  # Checked with other arguments, or ignored if others decide.
  by_plan <- c(
    "epsilon", "accuracy", "delta", "globalEps", "epsilonDist", "accuracyVals", "bins",
    "imputeBins", "depth", "leaves", "gran", "innerFunSens", "aggregationFunSens", "subsetSize",
    "outputRange", "outcomes", "rangeHelper"
  )
  for (name in exported_statistics()) {
    kinds <- declaration_of(get(name))$kinds
    taken <- vapply(kinds, function(kind) {
      identical(tryCatch(kind$check(globalenv(), "x", NULL, list()), error = identity), globalenv())
    }, NA)
    allowed <- c(by_plan, if (name == "dpHistogram") c("rng", "imputeRng"))
    expect_identical(setdiff(names(kinds)[taken], allowed), character(), label = name)
  }
})

test_that("an invalid argument raises an error with its name, in any statistic", {
  wrong <- list(
    mechanism = "mechanismNone", varType = "complex", variable = 1, n = 0.5, n_check = "guess",
    alpha = 2, gamma = 1, missing = "keep", nBoot = 0, gridPoints = 1, prob = 2, intercept = "yes",
    ridge = -1, meanShare = 1, lambda = 257, percentiles = 2, branching = 1, trim = 1, overlap = 0,
    isolation = "some", failureShare = 1, intervalShare = 1, rangeMode = "wide", scheme = "all",
    k = 0, impute = 1, other = NA, origin = Inf, binWidth = 0, granularity = -1, columns = "x",
    formula = "y", objective = "lasso", sens = 1, aggregationFun = "Sum", timeLimit = 0
  )
  seen <- character()
  for (name in names(valid_arguments)) {
    arguments <- intersect(names(wrong), names(formals(generator_of(name))))
    for (argument in arguments) {
      expect_refused(build_with(name, argument, wrong[[argument]]), argument)
    }
    seen <- c(seen, arguments)
  }
  expect_setequal(seen, names(wrong))
})

test_that("arguments are checked once, after those that their kinds read", {
  seen <- character()
  noted <- function(reads = character()) {
    argument_kind("anything", reads = reads, check = function(value, arg, call, args) {
      seen <<- c(seen, arg)
      if (arg == "a") args$b else if (arg != "d") value + 1
    })
  }
  kinds <- list(a = noted("b"), b = noted("c"), c = noted(), d = noted("elsewhere"))
  checked <- checked_arguments(list(a = 0, b = 1, c = 2, d = 3), kinds, NULL)
  expect_identical(seen, c("c", "b", "a", "d"))
  expect_identical(checked, list(a = 2, b = 2, c = 3, d = NULL))
})

test_that("a check returns the argument in its canonical form", {
  kinds <- declaration_of(dpVariance)$kinds
  checked <- checked_arguments(
    list(varType = "DOUBLE", alpha = 0.1, n = 5L, rng = c(3, 1), missing = "Impute"), kinds, NULL
  )
  expect_identical(checked,
    list(varType = "numeric", alpha = 0.1, n = 5, rng = c(1, 3), missing = "impute"))
  chosen <- checked_arguments(list(mechanism = NULL), declaration_of(dpHistogram)$kinds, NULL)
  expect_identical(chosen, list(mechanism = NULL))
})

test_that("a saved statistic holds nothing of how its class is made", {
  for (name in c("dpMean", "dpHistogram")) {
    statistic <- build_with(name, character(), NULL)
    expect_identical(environment(class_of(generator_of(name))$public_methods$initialize),
      asNamespace("PSIlence"))
    expect_identical(parent.env(statistic$.__enclos_env__), asNamespace("PSIlence"))
  }
})
