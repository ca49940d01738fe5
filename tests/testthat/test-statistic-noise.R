# If the noise is as wide as the released range, the plan says so when it is built, and in print.

loud_mean <- function(..., epsilon = 0.1) {
  dpMean("mechanismLaplace", "numeric", "x", n = 10, rng = c(0, 100), epsilon = epsilon, ...)
}

warnings_of <- function(expr) {
  found <- list()
  withCallingHandlers(expr, warning = function(condition) {
    found <<- c(found, list(condition))
    invokeRestart("muffleWarning")
  })
  found
}

with_loss <- function(name, epsilon) {
  arguments <- valid_arguments[[name]]
  loss <- intersect(c("epsilon", "globalEps"), names(arguments))
  arguments[[loss]] <- epsilon
  do.call(generator_of(name), arguments)
}

test_that("exactly the statistics whose accuracy exceeds their range say so", {
  # No closed form gives the accuracy of coefficients.
  for (name in setdiff(names(valid_arguments), "dpGLM")) {
    warned <- warnings_of(statistic <- with_loss(name, 1e-4))
    expect_length(Filter(function(x) inherits(x, "dp_warning_noise"), warned), 1)
    expect_true(statistic$noiseDominates, label = name)
    expect_match(format(statistic), "accuracy.* says next to nothing", all = FALSE)
    warned <- warnings_of(statistic <- with_loss(name, 1e6))
    expect_length(Filter(function(x) inherits(x, "dp_warning_noise"), warned), 0)
    expect_false(statistic$noiseDominates, label = name)
    expect_no_match(format(statistic), "next to nothing")
  }
  expect_false(with_loss("dpGLM", 1e-4)$noiseDominates)
})

test_that("the warning starts where the accuracy equals the range", {
  below <- function(...) expect_no_warning(expect_false(loud_mean(...)$noiseDominates))
  above <- function(...) {
    expect_warning(statistic <- loud_mean(...), class = "dp_warning_noise")
    expect_true(statistic$noiseDominates)
  }
  below(epsilon = log(20) / 10 * 1.001)
  above(epsilon = log(20) / 10 * 0.999)
  below(epsilon = NULL, accuracy = 100)
  above(epsilon = NULL, accuracy = 100.001)
  expect_warning(
    loud_mean(), "as wide as the range.*[(]accuracy 299.6[)]. More of `epsilon` or `n`"
  )
  # For counts of blocks, the range is the number of blocks.
  median_of <- function(blocks) {
    dpSampleAndAggregate("mean", "Median", "mechanismLaplace", blocks, "numeric", "x",
      n = 10000, rng = c(0, 100), epsilon = 1)
  }
  expect_warning(median_of(10), class = "dp_warning_noise")
  expect_no_warning(median_of(1000))
})

test_that("a result says it too", {
  statistic <- mean_of(variable = "x", n = 10)
  result <- statistic$release(data.frame(x = 1:10))
  expect_match(format(result), "^  The noise is as wide.*next to nothing$", all = FALSE)
  expect_no_match(format(released(mean_of())), "next to nothing")
})
