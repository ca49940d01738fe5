# A plan on public data: results without noise, and no trace in the plan.

own_function <- function(innerFun, ..., numSubsets = 10) {
  aggregate_of(
    innerFun = innerFun, variable = "x", n = 100, numSubsets = numSubsets, outputRange = c(0, 50),
    ...
  )
}

thirty_rows <- function(statistic) {
  texts <- statistic$varType %in% c("character", "factor")
  x <- if (texts) rep(c("a", "b"), 15) else (1:30) / 30
  data.frame(x = x, y = (30:1) / 30, z = rep(0:1, 15))
}

public <- data.frame(x = as.double(1:100), y = c(2, 5))

test_that("each block reports its rows, its result, and the cause of a failure", {
  local_untried()
  tried <- dry_run(own_function(function(x) if (length(x) == 10) stop("ten {rows}")), public)
  expect_equal(nrow(tried$blocks), 10)
  expect_equal(tried$blocks$rows, rep(10, 10))
  expect_true(all(tried$blocks$failed))
  expect_equal(tried$blocks$message, rep("error: ten {rows}", 10))
  expect_true(all(tried$blocks$seconds >= 0))
  expect_null(tried$refused)
  expect_null(tried$result)
  expect_match(format(tried), "failed +10 of 10 [(]100 %[)]", all = FALSE)
  expect_match(format(tried), "10 x error: ten [{]rows[}]", all = FALSE)
})

test_that("results that a release would reject differ from those that it would clamp", {
  local_untried()
  fault <- function(value, ...) {
    blocks <- dry_run(own_function(function(x) value, ...), public, blocks = 2)$blocks
    expect_identical(blocks$failed, nzchar(blocks$message))
    blocks$message[[1]]
  }
  expect_identical(fault(1), "")
  expect_identical(fault(TRUE), "")
  expect_identical(fault("1"), "a result that is a string, not 1 numbers")
  expect_identical(fault(c(1, 2)), "a result that is a numeric vector of length 2, not 1 numbers")
  expect_identical(fault(NULL), "a result that is NULL")
  expect_identical(fault(NaN), "a missing result")
  expect_identical(fault(Sys.Date()), "a result that is an object of class Date")
  expect_identical(fault(list(1)), "a result that is a list of length 1")
  outside <- function(value) {
    dry_run(own_function(function(x) value), public, blocks = 1)$blocks$outside
  }
  found <- c(outside(51), outside(-1), outside(50), outside("a"))
  expect_identical(found, c(TRUE, TRUE, FALSE, FALSE))
  votes <- function(value) {
    plan <- aggregate_of(
      innerFun = function(x) value, aggregationFun = "Mode", outcomes = c("a", "b"), variable = "x",
      n = 100
    )
    dry_run(plan, public, blocks = 1)$blocks
  }
  expect_false(votes("a")$failed)
  expect_identical(votes("c")$message, "a result that is none of `outcomes`")
})

test_that("rows are as in a release: clamped, imputed, and as many per block as planned", {
  gaps <- data.frame(x = c(-5, NA, 200, Inf, rep(7, 96)))
  tried <- dry_run(own_function(function(x) range(x)[[2]], imputeRng = c(3, 4)), gaps)
  expect_true(all(unlist(tried$results) %in% c(7, 100)))
  seen <- dry_run(own_function(function(x) sum(is.na(x) | x < 0 | x > 100)), gaps)
  expect_true(all(unlist(seen$results) == 0))
  both <- aggregate_of(
    innerFun = function(block) stats::coef(stats::lm(y ~ x, block)), variable = c("x", "y"), n = 50,
    rng = list(c(0, 100), c(0, 9)), outputRange = cbind(c(-9, -9), c(9, 9)), numSubsets = 5
  )
  tried <- dry_run(both, public, blocks = 3)
  expect_equal(nrow(tried$blocks), 3)
  expect_equal(tried$blocks$rows, rep(10, 3))
  expect_false(any(tried$blocks$failed))
  expect_named(tried$results[[1]], c("(Intercept)", "x"))
  line <- aggregate_of(
    innerFun = y ~ x, variable = c("x", "y"), n = 50, rng = list(c(0, 100), c(0, 9)),
    outputRange = cbind(c(-9, -9), c(9, 9)), numSubsets = 5
  )
  expect_false(any(dry_run(line, public)$blocks$failed))
})

test_that("warnings are counted, slow blocks fail, and R's generator is restored", {
  local_untried()
  noisy <- own_function(function(x) {
    warning("once")
    warning("twice")
    1
  })
  tried <- expect_no_warning(dry_run(noisy, public, blocks = 2))
  expect_equal(tried$blocks$warnings, c(2, 2))
  slow <- own_function(function(x) {
    Sys.sleep(0.05)
    1
  }, timeLimit = 0.01)
  expect_identical(dry_run(slow, public, blocks = 1)$blocks$message, "took longer than `timeLimit`")
  set.seed(7)
  before <- .Random.seed
  dry_run(noisy, public, blocks = 2)
  expect_identical(.Random.seed, before)
})

test_that("a dry run takes any number of rows and leaves the statistic unchanged", {
  for (name in names(valid_arguments)) {
    statistic <- build_with(name, character(), NULL)
    tried <- dry_run(statistic, thirty_rows(statistic))
    expect_s3_class(tried, "dp_dry_run")
    expect_null(tried$refused)
    expect_true(xor(is.null(tried$blocks), is.null(tried$result)), label = name)
    expect_null(statistic$result)
    expect_gte(tried$seconds, 0)
    expect_match(format(tried)[[1]], "^Dry run of the .* public data$")
    expect_identical(print_silently(tried), tried)
  }
})

test_that("a dry run reports errors of a release, and rejects invalid arguments", {
  dates <- data.frame(x = Sys.Date() + 1:100)
  for (statistic in list(mean_of(variable = "x"), own_function(max))) {
    tried <- dry_run(statistic, dates)
    expect_match(tried$refused, "`x`.*not a Date")
    expect_null(tried$result)
    expect_match(format(tried), "release[(][)] would refuse data of this form: ", all = FALSE)
  }
  expect_refused(dry_run(1, public), "statistic")
  expect_refused(dry_run(mean_of()), "public_data")
  expect_refused(dry_run(own_function(max), public[1:9, ]), "public_data")
  expect_refused(dry_run(own_function(max), public, blocks = 0), "blocks")
})

test_that("a dry run calls a function and reads its results as a release does", {
  local_untried()
  rows <- data.frame(x = as.double(1:100))
  votes <- aggregate_of(
    innerFun = function(x) factor(if (mean(x) > 50) "high" else "low"), aggregationFun = "Mode",
    outcomes = c("low", "high"), variable = "x", n = 100
  )
  expect_false(any(dry_run(votes, rows)$blocks$failed))
  steps <- 0
  counting <- aggregate_of(
    innerFun = function(x) {
      steps <<- steps + 1
      steps
    }, outputRange = c(0, 100), variable = "x", n = 100
  )
  expect_identical(unlist(dry_run(counting, rows)$results), rep(1, 10))
  classed <- aggregate_of(
    innerFun = function(x) structure(1, class = "other"), outputRange = c(0, 1), variable = "x",
    n = 100
  )
  expect_true(all(dry_run(classed, rows)$blocks$failed))
  leaving <- aggregate_of(
    innerFun = function(x) invokeRestart("abort"), outputRange = c(0, 1), variable = "x", n = 100
  )
  expect_identical(unique(dry_run(leaving, rows)$blocks$message), "left without a result")
})

test_that("the print says what a release does with blocks that fail", {
  local_untried()
  fails <- function(...) dry_run(own_function(function(x) stop("no"), ...), public)
  expect_match(paste(format(fails()), collapse = "\n"), "counted as the middle of `outputRange`")
  expect_match(paste(format(fails(failures = "drop")), collapse = "\n"), "which are left out")
})
