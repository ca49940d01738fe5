# A plan runs a function of the caller on public rows first, and refuses one that always fails.

trial_plan <- function(innerFun, ..., outputRange = c(0, 100)) {
  aggregate_of(innerFun = innerFun, variable = "x", n = 100, outputRange = outputRange, ...)
}

test_that("a function that fails on all public blocks is refused before there are data", {
  for (fails in list(
    function(x) stop("no {such} thing"), function(x) NA, function(x) "text", function(x) c(1, 2),
    function(x) invokeRestart("abort")
  )) {
    expect_refused(trial_plan(fails), "innerFun")
    expect_refused(trial_plan(fails, aggregationFun = "Median"), "innerFun")
    expect_refused(trial_plan(fails, timeLimit = 60), "innerFun")
  }
  expect_error(trial_plan(function(x) stop("no {such} thing")),
    "4 of 4 blocks of 10 rows [(]error: no [{]such[}] thing[)].*failureShare"
  )
  votes <- function(innerFun) {
    trial_plan(innerFun, outputRange = NULL, aggregationFun = "Mode", outcomes = c("a", "b"))
  }
  expect_refused(votes(function(x) stop("no")), "innerFun")
  expect_s3_class(votes(function(x) "c"), "dpSampleAndAggregate")
})

test_that("a function that fails on a few blocks is not, nor where failures are counted", {
  sometimes <- function(x) if (min(x) < 2) stop("small") else mean(x)
  expect_s3_class(trial_plan(sometimes, rng = c(0, 100)), "dpSampleAndAggregate")
  # For whole numbers alone, or for others alone.
  for (fails in list(function(x) all(x == round(x)), function(x) any(x != round(x)))) {
    picky <- function(x) if (fails(x)) stop("no") else mean(x)
    expect_s3_class(trial_plan(picky), "dpSampleAndAggregate")
  }
  always <- function(x) stop("no")
  counted <- small(exactly(trial_plan(always, failureShare = 0.5, epsilon = 100)))
  result <- counted$release(data.frame(x = 1:100))
  # The noise of this many failures is 0 but with a probability below 1e-9.
  expect_identical(result$nFailed, 10)
  expect_identical(result$share_failed, 1)
  expect_identical(result$status, "failed")
  expect_match(format(result), "share_failed +1", all = FALSE)
  dropped <- small(exactly(
    trial_plan(always, aggregationFun = "Mean", failures = "drop", epsilon = 100)
  ))
  result <- dropped$release(data.frame(x = 1:100))
  expect_identical(result$share_failed, 1)
  expect_identical(result$status, "failed")
  works <- small(exactly(trial_plan(mean, failureShare = 0.5, epsilon = 100)))
  expect_identical(works$release(data.frame(x = 1:100))$status, "ok")
})

test_that("trials have rows as a release has them, leave no trace, and are the same each time", {
  seen <- list()
  local_replaced("dry_block", function(inner, block, fields) {
    seen <<- c(seen, list(block))
    list(message = "")
  })
  withr::local_seed(5)
  before <- .Random.seed
  trial_plan(mean)
  trial_plan(mean)
  expect_identical(.Random.seed, before)
  expect_length(seen, 8)
  expect_identical(seen[1:4], seen[5:8])
  expect_true(all(vapply(seen, \(x) length(x) == 10 && min(x) >= 0 && max(x) <= 100, NA)))
  whole <- vapply(seen[1:4], function(x) all(x == round(x)), NA)
  expect_identical(whole, c(FALSE, TRUE, FALSE, TRUE))
  seen <- list()
  aggregate_of(
    innerFun = y ~ x, variable = c("x", "y"), n = 1e6, varType = "integer",
    rng = list(c(-3, 3), c(0, 9)), outputRange = cbind(c(-9, -9), c(9, 9)), numSubsets = 4
  )
  expect_length(seen, 4)
  for (block in seen) {
    expect_identical(names(block), c("x", "y"))
    expect_identical(nrow(block), 10000L)
    expect_setequal(block$x, -3:3)
    expect_setequal(block$y, 0:9)
  }
  seen <- list()
  aggregate_of(innerFun = "mean", variable = "x", n = 100)
  expect_length(seen, 0)
})
