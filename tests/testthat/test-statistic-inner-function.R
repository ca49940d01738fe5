# Mean of an R function over blocks, with negligible noise.
aggregated <- function(inner, data = data.frame(x = as.double(1:12)), numSubsets = 4,
                       outputRange = c(-10, 20), ...) {
  exact_aggregate(data,
    innerFun = inner, numSubsets = numSubsets, outputRange = outputRange, rng = c(0, 100), ...
  )
}

test_that("any R function of a block can be aggregated", {
  expect_equal(aggregated(mean), 6.5, tolerance = 1e-6)
  expect_equal(aggregated(length), 3, tolerance = 1e-6)
  expect_equal(aggregated(function(x) sum(x) > 0), 1, tolerance = 1e-6)
  expect_equal(aggregated(max, numSubsets = 1), 12, tolerance = 1e-6)
})

test_that("it sees clamped and imputed doubles, even for integer and logical columns", {
  data <- data.frame(x = c(-5L, NA, 200L))
  seen <- function(x) sum(sort(x) == c(0, 7, 10)) + is.double(x)
  total <- exact_aggregate(data,
    innerFun = seen, numSubsets = 1, outputRange = c(0, 9), varType = "integer", rng = c(0, 10),
    imputeRng = c(7, 7)
  )
  expect_equal(total, 4, tolerance = 1e-6)
})

test_that("results outside the range are moved to its nearer end", {
  expect_equal(aggregated(function(x) 1e10), 20, tolerance = 1e-6)
  expect_equal(aggregated(function(x) -Inf), -10, tolerance = 1e-6)
})

failures <- list(
  function(x) stop("block of ", toString(x)),
  function(x) rlang::abort("no"),
  function(x) NaN,
  function(x) NA,
  function(x) NULL,
  function(x) c(1, 2),
  function(x) "3",
  function(x) list(3),
  function(x) factor(3),
  function(x) 3i,
  function(x) break,
  function(x) invokeRestart("abort"),
  function(x) x[[length(x) + 1]],
  function() 1
)

test_that("D_CTL_1 any error in a function shows nothing and counts as the middle", {
  local_untried()
  for (inner in failures) {
    expect_silent(result <- aggregated(inner))
    expect_equal(result, 5, tolerance = 1e-6, label = deparse(body(inner))[[1]])
  }
})

test_that("D_CTL_1 warnings and messages of a function are hidden, and are not failures", {
  loud <- function(x) {
    warning("block of ", toString(x))
    message("block of ", toString(x))
    3
  }
  expect_silent(result <- aggregated(loud))
  expect_equal(result, 3, tolerance = 1e-6)
  withr::local_options(warn = 2)
  expect_equal(aggregated(loud), 3, tolerance = 1e-6)
})

test_that("endless recursion in a function counts as a failure", {
  local_untried()
  withr::local_options(expressions = 500)
  endless <- function(x) endless(x)
  expect_equal(aggregated(endless), 5, tolerance = 1e-6)
})

test_that("a `break` in the function does not leave a loop around the release", {
  local_untried()
  rounds <- 0
  for (i in 1:2) {
    aggregated(function(x) break)
    rounds <- rounds + 1
  }
  expect_equal(rounds, 2)
})

test_that("D-39: the failure of one block moves only one result", {
  data <- data.frame(x = c(rep(1, 11), 100))
  fragile <- function(x) if (any(x == 100)) stop("!") else 20
  expect_equal(aggregated(fragile, data), (3 * 20 + 5) / 4, tolerance = 1e-6)
})

test_that("a function cannot remember one block when it sees the next", {
  make <- function() {
    calls <- 0
    function(x) {
      calls <<- calls + 1
      calls
    }
  }
  expect_equal(aggregated(make()), 1, tolerance = 1e-6)
})

test_that("draws of R's generator in one block do not affect another block", {
  data <- data.frame(x = as.double(1:12))
  greedy <- function(x) {
    if (any(x == 1)) stats::runif(100)
    stats::runif(1)
  }
  set.seed(3)
  draws <- stats::runif(101)
  set.seed(3)
  expected <- (3 * draws[[1]] + draws[[101]]) / 4
  expect_equal(aggregated(greedy, data), expected, tolerance = 1e-6)
})

test_that("an error caused by an interrupt is not a failure of the function", {
  interrupted <- function(x) {
    rlang::interrupt()
  }
  outcome <- tryCatch(aggregated(interrupted), interrupt = function(condition) "interrupted")
  expect_equal(outcome, "interrupted")
})

test_that("a promised sensitivity needs the feature, and reduces the noise", {
  build <- function(...) {
    aggregate_of(innerFun = mean, outputRange = c(0, 100), innerFunSens = 1, ...)
  }
  withr::with_options(list(opendp_features = NULL), {
    expect_error(build(), class = "dp_error_missing_feature")
  })
  withr::with_options(list(opendp_features = "honest-but-curious"), {
    # A failed block counts as the middle, which is half of the range away from some results.
    expect_equal(build()$innerFunSens, 50)
    expect_equal(build()$aggregationFunSens, 5)
    expect_lte(build()$measurement(d_in = 1L), 1)
    wide <- aggregate_of(innerFun = mean, outputRange = c(0, 2), innerFunSens = 5)
    expect_equal(wide$innerFunSens, 2)
  })
})

test_that("several numbers of a block are released, each in its range", {
  both <- function(x) c(low = min(x), high = max(x))
  range <- rbind(low = c(0, 20), high = c(0, 10))
  result <- exact_aggregate(data.frame(x = as.double(1:12)),
    innerFun = both, outputRange = range, numSubsets = 1, rng = c(0, 100)
  )
  expect_equal(result, c(low = 1, high = 10), tolerance = 1e-6)
})

test_that("missing numbers become the middle of their own range", {
  local_untried()
  range <- list(c(0, 20), c(0, 10))
  result <- aggregated(function(x) c(3, NA), outputRange = range)
  expect_equal(result, c(3, 5), tolerance = 1e-6)
  result <- aggregated(function(x) 3, outputRange = range)
  expect_equal(result, c(10, 5), tolerance = 1e-6)
})

test_that("a formula gives the coefficients of a regression on several columns", {
  data <- data.frame(x = as.double(1:100), z = rep(c(0, 5, 7, 9, 2), 20))
  data$y <- 2 * data$x - data$z + 3
  statistic <- exactly(aggregate_of(
    innerFun = y ~ x + z, variable = c("y", "x", "z"), n = 100, numSubsets = 5,
    rng = list(c(-300, 300), c(0, 100), c(0, 10)), epsilon = exact_epsilon,
    outputRange = rbind(const = c(-9, 9), x = c(-9, 9), z = c(-9, 9))
  ))
  expect_equal(statistic$release(data)$release, c(const = 3, x = 2, z = -1), tolerance = 1e-6)
  expect_equal(statistic$measurement(d_in = 1L), exact_epsilon)
})

test_that("a function of several columns sees a data frame of complete rows", {
  data <- data.frame(a = as.double(1:20), b = as.double(2 * (1:20)))
  whole <- function(block) is.data.frame(block) && all(block$b == 2 * block$a)
  statistic <- exactly(aggregate_of(
    innerFun = whole, variable = c("a", "b"), n = 20, numSubsets = 4,
    rng = list(c(0, 99), c(0, 99)), outputRange = c(0, 1), epsilon = exact_epsilon
  ))
  expect_equal(statistic$release(data)$release, 1, tolerance = 1e-6)
})

test_that("ranges of several results are matched by name", {
  rows <- data.frame(x = as.double(1:12))
  of <- function(inner, range) {
    exact_aggregate(rows, innerFun = inner, rng = c(0, 100), numSubsets = 4, outputRange = range)
  }
  swapped <- rbind(high = c(50, 60), low = c(0, 1))
  named <- of(function(x) c(low = 0.5, high = 55), swapped)
  expect_equal(unname(unlist(named)), c(55, 0.5), tolerance = 1e-6)
  # Unknown names and absent names do not match ranges.
  expect_equal(unname(unlist(of(function(x) c(a = 55, b = 0.5), swapped))), c(55, 0.5),
    tolerance = 1e-6
  )
  formula <- function(...) {
    aggregate_of(
      innerFun = a ~ b, variable = c("a", "b"), rng = list(c(0, 9), c(0, 9)),
      outputRange = rbind(...)
    )$outputRange
  }
  slope <- c(0, 2)
  constant <- c(-5, 5)
  expect_equal(formula(b = slope, "(Intercept)" = constant), rbind(constant, slope),
    ignore_attr = TRUE
  )
  expect_identical(rownames(formula(b = slope, any = constant)), c("any", "b"))
  expect_equal(formula(c(-5, 5), c(0, 2)), rbind(constant, slope), ignore_attr = TRUE)
  expect_error(formula(zzz = constant, qqq = slope), "named after the columns",
    class = "dp_error_invalid_argument"
  )
  expect_error(formula(b = constant, b = slope), "different names",
    class = "dp_error_invalid_argument"
  )
})

test_that("losses of covariance entries have no names, so they are not matched by name", {
  for (argument in c("epsilon", "epsilonDist", "accuracyVals")) {
    args <- list(
      mechanism = "mechanismLaplace", varType = "numeric", n = 100, columns = c("a", "b"),
      rng = list(c(0, 1), c(0, 1)), missing = "impute"
    )
    args[[argument]] <- c(b = 0.2, a = 0.3, c = 0.5)
    if (argument == "epsilonDist") args$globalEps <- 1
    expect_error(do.call(dpCovariance, args), "without names", class = "dp_error_invalid_argument")
  }
})
