# Every possible release has a result, so no charged release is lost. A release whose result fails
# is kept separately.

plan_of <- function(statistic) statistic$.__enclos_env__$private$.plan

test_that("any released numbers can be described, printed and tabulated", {
  texts <- transform(PUMS5extract10000, job = "cook")
  numbers <- c(
    "mean", "share", "variance", "histogram", "logical", "texts", "tree", "covariance",
    "two_formulas", "line",
    "correlation", "components", "mean_difference", "sized_mean_difference", "classifier",
    "present_classifier", "model", "blocks", "two_numbers", "named_numbers"
  )
  extremes <- list(
    0, -1, 1e300, -1e300, 2^-1074, c(1e300, -1e300), c(0, 1e15, -1e-15), c(0, 2^-1074), 1:1000
  )
  # A release of the same shape.
  like <- function(release, values) {
    part <- function(release) rep_len(as.double(values), length(release))
    if (is.list(release)) rapply(release, part, how = "list") else part(release)
  }
  forms <- result_forms()
  for (name in numbers) {
    plan <- plan_of(forms[[name]]$statistic)
    release <- release_statistic(plan, texts)
    for (values in extremes) {
      expect_no_warning(result <- described_result(plan, like(release, values)))
      expect_type(format(result), "character")
      expect_type(as.data.frame(result)$term, "character")
    }
  }
})

test_that("cells that look alike have different names", {
  near <- c(0.1, 0.1 + 2^-55, 0.1 + 2^-54)
  expect_length(unique(edge_labels(near)), length(unique(near)))
  fields <- list(varType = "character", bins = c("NA", NA, "(other)"), other = TRUE)
  expect_equal(anyDuplicated(cell_labels(fields)), 0)
  grid <- grid_labels(c(0, 1, 2), list(origin = 1e6, binWidth = 2^-33))
  expect_equal(anyDuplicated(grid), 0)
  expect_equal(grid_labels(c(-1, 0, NA), list(origin = 0)), c("[-1,0)", "[0,1)", "NA"))
  expect_equal(grid_labels(numeric(), list(origin = 0)), character())
})

test_that("names of cells do not depend on the session's options", {
  before <- cell_labels(list(varType = "numeric", bins = c(0, 0.5, 1e12)))
  withr::local_options(OutDec = ",", digits = 3, scipen = -9)
  expect_equal(cell_labels(list(varType = "numeric", bins = c(0, 0.5, 1e12))), before)
  expect_equal(grid_labels(0, list(origin = 0.5)), "[0.5,1.5)")
})

test_that("a release whose description fails or is interrupted is kept", {
  statistic <- mean_of()
  env <- statistic$.__enclos_env__$private
  env$.plan$describe <- function(release, fields) stop("no table")
  expect_warning(
    result <- statistic$release(PUMS5extract10000), "not be described",
    class = "dp_warning_description"
  )
  expect_type(result$release, "double")
  expect_equal(result$epsilon, statistic$epsilon)
  expect_type(format(result), "character")
  expect_equal(as.data.frame(result)$estimate, result$release)
  env$.result <- NULL
  env$.plan$describe <- function(release, fields) rlang::interrupt()
  tryCatch(statistic$release(PUMS5extract10000), interrupt = function(condition) NULL)
  expect_type(statistic$result$release, "double")
})

test_that("each of many cells has its name", {
  edges <- (0:65536) / 65536
  labels <- interval_names(edges)
  expect_equal(anyDuplicated(labels), 0)
  expect_equal(labels[[1]], "[0,1.525879e-05)")
})
