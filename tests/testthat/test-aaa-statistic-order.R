# Calls of statistics give the columns first. Calls in the order of plans still work.

declared_order <- function(name) declaration_of(generator_of(name))$arguments

# The valid arguments of a statistic: those before `...` without a name, the others with theirs. An
# argument of the order that is not given has its default value.
call_of <- function(name, order) {
  given <- valid_arguments[[name]]
  defaults <- formals(generator_of(name))
  leading <- order[seq_len(match("...", order) - 1)]
  last <- max(match(intersect(leading, names(given)), leading))
  unnamed <- lapply(leading[seq_len(last)], function(argument) {
    if (argument %in% names(given)) given[[argument]] else eval(defaults[[argument]], given)
  })
  c(unnamed, given[setdiff(names(given), leading)])
}

# Functions have no form in JSON.
text_of <- function(statistic) {
  tryCatch(as.character(to_json(statistic)), dp_error_serialization = conditionMessage)
}

test_that("calls by position, in either order, and by name make the same plan", {
  checked <- 0
  for (name in names(valid_arguments)) {
    build <- function(args) small(do.call(generator_of(name), args, quote = TRUE))
    named <- build(valid_arguments[[name]])
    calls <- list(
      now = call_of(name, names(formals(generator_of(name)))),
      plan = call_of(name, declared_order(name))
    )
    for (order in names(calls)) {
      object <- build(calls[[order]])
      expect_identical(plan_hash(object), plan_hash(named), info = paste(name, order))
      expect_identical(text_of(object), text_of(named), info = paste(name, order))
      checked <- checked + any(rlang::names2(calls[[order]]) == "")
    }
  }
  expect_identical(checked, 2 * length(valid_arguments))
})

test_that("every statistic takes its columns first, then `n`, `rng` and `epsilon`", {
  leading <- c("variable", "columns", "variables", "formula", "n", "rng", "epsilon")
  keep <- c("dpContingency", "dpKMeans", "dpMeanDifference", "dpNaiveBayes", "dpPCA")
  for (name in exported_statistics()) {
    now <- names(formals(generator_of(name)))
    expect_true(now[[1]] %in% leading[1:4], info = name)
    first <- now[now %in% leading[-(1:4)]]
    expect_identical(now[seq_along(first) + 1] == first, rep(!name %in% keep, length(first)),
      info = name
    )
    expect_setequal(now, declared_order(name))
  }
})

builds <- function(code) plan_hash(suppressMessages(small(code)))
usual <- function() dpMean("age", 1000, c(0, 100), 1)
same <- function(code) expect_identical(builds(code), builds(usual()))

test_that("the name of a mechanism or a type tells that a call is in the order of plans", {
  same(dpMean("mechanismLaplace", "numeric", "age", 1000, c(0, 100), NULL, 1))
  # A hash has the arguments in the letter case of the call.
  expect_identical(
    builds(dpMean("MECHANISMLAPLACE", "Numeric", "age", 1000, epsilon = 1, rng = c(0, 100))),
    builds(dpMean("age", 1000, c(0, 100), 1, mechanism = "MECHANISMLAPLACE", varType = "Numeric"))
  )
  same(dpMean("mechanismLaplace", variable = "age", n = 1000, rng = c(0, 100), epsilon = 1))
  same(dpMean(mechanism = "mechanismLaplace", "numeric", "age", 1000, c(0, 100), epsilon = 1))
  same(dpMean("mechanismLaplace", varType = "numeric", "age", 1000, c(0, 100), epsilon = 1))
  same(dpMean$new("mechanismLaplace", "numeric", "age", 1000, c(0, 100), NULL, 1))
  pass <- function(...) dpMean(...)
  same(pass("mechanismLaplace", "numeric", "age", 1000, rng = c(0, 100), epsilon = 1))
  same((function(...) dpMean("mechanismLaplace", ...))("numeric", "age", 1000, c(0, 100), NULL, 1))
  same((function(...) dpMean("age", ..., rng = c(0, 100)))(1000, 1))
})

test_that("columns may have the name of a type", {
  expect_identical(
    builds(dpMean("numeric", 1000, c(0, 100), 1)),
    builds(dpMean(variable = "numeric", n = 1000, rng = c(0, 100), epsilon = 1))
  )
  texts <- builds(dpHistogram(variable = "character", n = 9, epsilon = 1, bins = c("a", "b")))
  cells <- function(...) builds(dpHistogram(..., epsilon = 1, bins = c("a", "b")))
  expect_identical(cells("character", 9), texts)
  expect_identical(cells("character", "character", 9), texts)
  expect_identical(cells("character", variable = "character", n = 9), texts)
})

test_that("the order of plans is known from the inner function", {
  mean <- function(x) base::mean(x)
  hash <- builds(dpSampleAndAggregate("age", 1000, c(0, 100), 1, "median", numSubsets = 10))
  for (plan in list(
    dpSampleAndAggregate("median", "Mean", "mechanismLaplace", 10, "numeric", "age", 1000,
      rng = c(0, 100), epsilon = 1
    ),
    dpSampleAndAggregate("median", "Mean", numSubsets = 10, variable = "age", n = 1000,
      rng = c(0, 100), epsilon = 1
    )
  )) expect_identical(builds(plan), hash)
  by_name <- suppressMessages(dpSampleAndAggregate(
    innerFun = mean, variable = "age", n = 1000, rng = c(0, 100), epsilon = 1, numSubsets = 10,
    outputRange = c(0, 100)
  ))
  first <- suppressMessages(dpSampleAndAggregate(
    mean, variable = "age", n = 1000, rng = c(0, 100), epsilon = 1, numSubsets = 10,
    outputRange = c(0, 100)
  ))
  expect_identical(plan_hash(first), plan_hash(by_name))
})

test_that("other calls are in the order of calls, and errors name its arguments", {
  refused <- function(code, argument, text) {
    error <- expect_error(code, class = "dp_error_invalid_argument")
    expect_identical(error$argument, argument)
    expect_match(conditionMessage(error), text, fixed = TRUE)
  }
  refused(dpMean("age", "1000", c(0, 100), 1), "n", "`n` must be")
  refused(dpMean("age", 1000, "numeric", 1), "rng", "`rng` must be")
  refused(dpMean("age", 1000, c(0, 100), 1, "mechanismLaplace"), "...", "without a name")
  refused(dpMean("age", 1000, c(0, 100), 1, mechanisn = "mechanismLaplace"), "mechanisn",
    "Write `mechanism`"
  )
  refused(dpMean("age", 1000, c(0, 100), 1, mech = "mechanismLaplace"), "mech", "Write `mechanism`")
  refused(dpMean("mechanismLaplace", "numeric", "age", 1000, epsilom = 1), "epsilom",
    "Write `epsilon`"
  )
  refused(dpMean("mechanismLaplace", n = 1000), c("variable", "rng", "epsilon"), "must be given")
})

test_that("no argument is evaluated twice, in either order", {
  count <- 0
  once <- function(x) {
    count <<- count + 1
    x
  }
  same(dpMean(once("mechanismLaplace"), once("numeric"), once("age"), 1000, c(0, 100), NULL, 1))
  expect_identical(count, 3)
  same(dpMean(once("age"), once(1000), c(0, 100), 1))
  expect_identical(count, 5)
})

test_that("the check detects a lost order", {
  # Without the name of a mechanism, the second text is an invalid number of rows.
  expect_error(dpMean("laplace", "numbers", "age", 1000), class = "dp_error_invalid_argument")
  local_replaced("tells_plan_order", function(...) FALSE)
  expect_error(dpMean("mechanismLaplace", "numeric", "age", 1000, c(0, 100), NULL, 1),
    class = "dp_error_invalid_argument"
  )
})

test_that("an unquoted name of a column raises an error with the corrected call", {
  says <- function(code, text, argument = "variable") {
    error <- expect_error(code, class = "dp_error_invalid_argument")
    expect_identical(error$argument, argument)
    expect_match(conditionMessage(error), text, fixed = TRUE)
  }
  says(dpMean(aged, n = 1000, rng = c(0, 100), epsilon = 1), 'Write `dpMean("aged", ...)`.')
  says(dpMean(variable = aged, n = 1000), 'Write `dpMean("aged", ...)`.')
  says(dpMean("mechanismLaplace", "numeric", aged, 1000), 'Write `dpMean("aged", ...)`.')
  # `rank` is a function here.
  says(dpQuantile(rank, 1000, c(0, 1), 1, prob = 0.5), 'Write `dpQuantile("rank", ...)`.')
  says(dpPCA(c(aged, wages), 2, 1000), 'Write `dpPCA(c("aged", "wages"), ...)`.', "columns")
  says((function(...) dpMean(...))(aged, 1000), 'Write `dpMean("aged", ...)`.')
})

test_that("columns can be given by variables, and errors of other code stay", {
  column <- "age"
  same(dpMean(column, 1000, c(0, 100), 1))
  same((function(x) dpMean(x, 1000, c(0, 100), 1))(column))
  same((function(...) dpMean(...))(column, 1000, c(0, 100), 1))
  expect_error(dpMean(stop("own"), 1000), "^own$", class = "simpleError")
  expect_error(dpMean(paste0(none, "x"), 1000), "none", class = "simpleError")
  error <- expect_error(dpMean(1, 1000, c(0, 100), 1), class = "dp_error_invalid_argument")
  expect_match(conditionMessage(error), "`variable` must be", fixed = TRUE)
})
