test_that("a generator and its `new` build the same object from positional or named arguments", {
  expect_identical(dpMean$new, dpMean)
  build <- list("mechanismLaplace", "numeric", "age", 100, c(0, 1), NULL, 1)
  fields <- function(object) {
    fields <- object$getFields()
    fields[setdiff(names(fields), c("measurement", "input_metric"))]
  }
  expect_equal(fields(do.call(dpMean, build)), fields(do.call(dpMean$new, build)))
  named <- dpMean(
    epsilon = 1, rng = c(0, 1), n = 100, variable = "age", varType = "numeric",
    mechanism = "mechanismLaplace"
  )
  expect_equal(fields(named), fields(do.call(dpMean, build)))
  expect_s3_class(named, c("dpMean", "dpStatistic", "R6"), exact = TRUE)
})

test_that("a generator has its constructor's arguments and answers the rest of R6", {
  expect_identical(formals(dpMean), formals(dpMean$public_methods$initialize))
  expect_equal(dpMean$classname, "dpMean")
  expect_equal(dpSampleAndAggregate$classname, "dpSampleAndAggregate")
  expect_true("new" %in% utils::.DollarNames(dpMean, "^n"))
  expect_null(dpMean$nothing)
})

test_that("a generator prints what it builds and its arguments", {
  expect_snapshot(print(dpMean))
  expect_invisible(print_silently(dpMean))
})
