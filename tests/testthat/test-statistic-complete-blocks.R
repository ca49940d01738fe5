# Sample and aggregate of rows that lack a value: a block sees complete rows.

gappy_blocks <- data.frame(
  x = c(rep(20, 700), rep(NA, 300)), y = c(rep(NA, 100), rep(3, 900)), z = 1:1000
)

complete_blocks <- function(innerFun, ..., epsilon = 1e6) {
  small(exactly(dpSampleAndAggregate(innerFun,
    aggregationFun = "Mean", variable = "x", n = 1000, rng = c(0, 100), numSubsets = 20,
    epsilon = epsilon, ...
  )))
}

released_blocks <- function(..., rows = gappy_blocks) complete_blocks(...)$release(rows)$release

test_that("a block sees complete rows by default, whatever its function", {
  # If a block has values in less than half of its rows, its mean is nearer to the middle. If 50 of
  # all 1000 rows have gaps, at least 25 of 50 drawn rows have gaps with a chance below 1e-18.
  few_gaps <- data.frame(x = rep(c(20, NA), c(950, 50)))
  expect_equal(released_blocks("mean", rows = few_gaps), 20, tolerance = 1e-4)
  expect_equal(released_blocks("median"), 20, tolerance = 1e-4)
  expect_equal(released_blocks("var"), 0, tolerance = 0.1)
  for (scheme in list("partition", "labels", "resampled")) {
    overlap <- if (scheme == "resampled") 2 else 1
    of <- function(innerFun, range) {
      released_blocks(innerFun, outputRange = range, scheme = scheme, overlap = overlap)
    }
    expect_equal(of(function(x) mean(x), c(0, 100)), 20, tolerance = 1e-3)
    expect_equal(of(function(x) sum(is.na(x)), c(0, 100)), 0, tolerance = 1e-3)
  }
  # A row of several columns is complete or not. 600 of 1000 are complete.
  rows <- exactly(small(dpSampleAndAggregate(function(block) nrow(block), "Mean",
    variable = c("x", "y"), n = 1000, numSubsets = 20, rng = list(c(0, 100), c(0, 10)),
    outputRange = c(0, 100), epsilon = 1e6
  )))
  expect_equal(rows$release(gappy_blocks)$release, 30, tolerance = 1e-3)
})

test_that("quartiles of a range helper are those of complete rows", {
  helped <- exactly(small(dpSampleAndAggregate("median",
    aggregationFun = "Mean", variable = "x", n = 1000, rng = c(0, 100), numSubsets = 20,
    epsilon = 1e4, rangeMode = "helper", rangeHelper = function(x) x, gridPoints = 101
  )))
  result <- helped$release(gappy_blocks)
  expect_true(result$inputRange[[1]] >= 19 && result$inputRange[[2]] <= 21)
  expect_equal(result$release, 20, tolerance = 0.05)
})

test_that("one row moves a block of complete rows by as much as the plan says", {
  of <- function(innerFun, ...) complete_blocks(innerFun, ..., epsilon = 1)
  # Blocks have 50 places: a mean counts at least 25 rows.
  expect_equal(of("mean")$innerFunSens, 100 / 25, tolerance = 1e-9)
  expect_equal(of("median")$innerFunSens, 100, tolerance = 1e-9)
  expect_equal(of("var")$innerFunSens, diff(of("var")$outputRange), tolerance = 1e-9)
  expect_identical(of("mean")$measurement(d_in = 1L), 1)
  labels <- of("median", scheme = "labels")
  expect_equal(labels$innerFunSens, 50, tolerance = 1e-9)
})

# A block of four places, so a mean counts two rows at least.
test_that("D_SEN_1 neighbours of all kinds move a mean of a block by its sensitivity at most", {
  values <- c(0, 0.5, 1, NA)
  rows <- as.matrix(expand.grid(values, values, values, values))
  plan <- exactly(small(dpSampleAndAggregate("mean",
    aggregationFun = "Mean", variable = "x", n = 4, rng = c(0, 1), numSubsets = 1, epsilon = 1e7
  )))
  means <- apply(unique(t(apply(rows, 1, sort, na.last = TRUE))), 1, function(x) {
    c(plan$release(data.frame(x = x))$release, x)
  })
  counted <- function(x) {
    c(sum(is.na(x)), vapply(values[1:3], function(v) sum(x == v, na.rm = TRUE), 0))
  }
  apart <- 0
  for (i in seq_len(ncol(means))) {
    for (j in seq_len(i)) {
      moved <- sum(abs(counted(means[-1, i]) - counted(means[-1, j])))
      if (moved <= 2) apart <- max(apart, abs(means[1, i] - means[1, j]))
    }
  }
  expect_equal(plan$innerFunSens, 0.5)
  expect_lte(apart, 0.5 + 1e-3)
  expect_gte(apart, 0.5 - 1e-3)
})

test_that("a promised sensitivity needs blocks of a public number of rows", {
  withr::local_options(opendp_features = c("contrib", "honest-but-curious"))
  promised <- function(...) {
    complete_blocks(function(x) mean(x), outputRange = c(0, 100), innerFunSens = 60, ...)
  }
  expect_refused(promised(), "innerFunSens")
  expect_s3_class(promised(missing = "impute"), "dpSampleAndAggregate")
})

test_that("plans of blocks from before there was a choice impute, and keep their hash", {
  imputing <- complete_blocks("mean", missing = "impute")
  expect_identical(imputing$missing, "impute")
  expect_null(plan_of(imputing)$args$missing)
  expect_identical(plan_hash(complete_blocks("mean", imputeRng = c(0, 100), missing = "impute")),
    plan_hash(complete_blocks("mean", imputeRng = c(0, 100))))
  node <- plan_of(imputing)
  node$args$missing <- NULL
  expect_identical(remade(node)$missing, "impute")
  expect_identical(plan_hash(remade(node)), plan_hash(imputing))
  dropping <- complete_blocks("mean")
  expect_identical(remade(plan_of(dropping))$missing, "drop")
  expect_identical(plan_hash(exactly(small(from_json(to_json(dropping))))), plan_hash(dropping))
  expect_gt(abs(released_blocks("mean", missing = "impute") - 20), 5)
})

test_that("a dry run has complete rows in its blocks, as a release has", {
  plan <- complete_blocks(function(x) sum(is.na(x)), outputRange = c(0, 100))
  tried <- dry_run(plan, gappy_blocks)
  expect_identical(unique(unlist(tried$results)), 0L)
  expect_true(all(tried$blocks$rows < 50) && all(tried$blocks$rows > 10))
  imputing <- complete_blocks(function(x) sum(is.na(x)), outputRange = c(0, 100),
    missing = "impute")
  expect_identical(unique(dry_run(imputing, gappy_blocks)$blocks$rows), 50L)
})
