bounds_of <- function(...) {
  args <- list(varType = "numeric", variable = "x", n = 1000, epsilon = 1)
  built(dpBounds, utils::modifyList(args, list(...)))
}

found <- function(x, ...) {
  # With the default, an empty cell shows in one of 10,000 releases.
  statistic <- exactly(bounds_of(n = length(x), epsilon = 1e6, beta = 1e-15, ...))
  statistic$release(data.frame(x = x))
}

test_that("with little noise the bounds are the ends of the occupied cells", {
  of <- function(...) unname(found(...)$release)
  expect_identical(of(c(3, 5, 9)), c(2, 16))
  expect_identical(of(c(-3, 5, 9)), c(-4, 16))
  expect_identical(of(c(-3, -1.5, -1)), c(-4, -0.5))
  expect_identical(of(c(0, 0, 1e-9)), c(-2^-10, 2^-10))
  expect_identical(of(c(2, 4), base = 10, smallest = 1), c(1, 10))
  expect_identical(of(c(1e300, Inf, 5)), c(4, 2^40))
  expect_identical(of(c(-Inf, 5), largest = 1000), c(-1000, 8))
  expect_identical(of(c(-5, 3), sides = "positive"), c(0, 4))
  expect_identical(of(c(-5, 3), sides = "negative"), c(-8, 0))
  expect_identical(of(c(7.4, -7.4), varType = "integer", smallest = 1), c(-8, 8))
})

test_that("rows without a value are in no cell", {
  result <- found(c(NA, NaN, NA, 3))
  expect_identical(unname(result$release), c(2, 4))
  expect_equal(sum(result$counts$count), 1, tolerance = 1e-3)
  nothing <- found(c(NA, NaN))
  expect_identical(nothing$release, c(lower = NA_real_, upper = NA_real_))
  expect_identical(nothing$status, "not found")
  expect_identical(nrow(nothing$counts), 0L)
  expect_output(print(nothing), "not found")
  expect_identical(found(c(NA, Inf, -Inf), varType = "integer")$status, "not found")
})

test_that("an empty cell shows at most as often as `beta` says", {
  statistic <- bounds_of(beta = 0.2, smallest = 1, largest = 16, sides = "positive", n = 1000)
  data <- data.frame(x = rep(0.5, 1000))
  cells <- nrow(statistic$cells)
  expect_identical(cells, 5L)
  expect_equal(statistic$threshold, 2 * log(5 / 0.4))
  wrong <- replicate(4000, statistic$release(data)$release[["upper"]] > 1)
  # Four empty cells with probability beta / 5 each, on a lattice of counts.
  expected <- 1 - (1 - 0.2 / 5)^4
  expect_lt(abs(mean(wrong) - expected), 0.036)
})

test_that("the loss of the chain is the promised one", {
  for (sides in c("both", "positive")) {
    chain <- bounds_of(sides = sides)$measurement
    expect_lte(chain(d_in = 1L), 1)
    expect_gt(chain(d_in = 1L), 1 - 1e-12)
  }
})

test_that("arguments raise errors that name them before any data are read", {
  refused <- function(..., argument) {
    error <- expect_error(bounds_of(...), class = "dp_error_invalid_argument")
    expect_identical(error$argument, argument)
  }
  refused(base = 1, argument = "base")
  refused(base = 1 + 1e-9, argument = "base")
  refused(smallest = 0, argument = "smallest")
  refused(largest = 2^-11, argument = "largest")
  refused(largest = 2^53, argument = "largest")
  refused(largest = Inf, argument = "largest")
  refused(sides = "left", argument = "sides")
  refused(beta = 0, argument = "beta")
  refused(epsilon = NULL, argument = "epsilon")
  refused(varType = "logical", argument = "varType")
  expect_warning(
    dpBounds(varType = "numeric", variable = "x", n = 10, epsilon = 0.1),
    class = "dp_warning_noise"
  )
})

test_that("clippingBias() is the bias of a clamped mean and of dpMean()'s noise", {
  x <- c(0, 1, 2, 97, NA, Inf)
  table <- clippingBias(x, list(c(0, 100), c(0, 10)), c(0.5, 1), n = 1000)
  expect_identical(table$lower, rep(0, 4))
  expect_identical(table$upper, c(100, 100, 10, 10))
  expect_identical(table$epsilon, c(0.5, 1, 0.5, 1))
  expect_equal(table$bias, c(0, 0, 13 / 4 - 25, 13 / 4 - 25))
  expect_equal(table$clamped, c(0, 0, 0.25, 0.25))
  statistic <- mean_of(variable = "x", n = 1000, rng = c(0, 100), epsilon = 0.5)
  expect_equal(table$noise[[1]], sqrt(2) * laplaceGetAccuracy(statistic$sens, 0.5, exp(-1)))
  expect_equal(table$rmse, sqrt(table$bias^2 + table$noise^2))
  expect_error(clippingBias("a", c(0, 1), 1), class = "dp_error_invalid_argument")
  expect_error(clippingBias(NA_real_, c(0, 1), 1), class = "dp_error_invalid_argument")
  expect_error(clippingBias(1, c(0, 1), 0), class = "dp_error_invalid_argument")
})
