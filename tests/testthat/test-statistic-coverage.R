# How often intervals, and the bounds that `accuracy` states, hold. benchmarks/coverage.R counts in
# more releases and prints a table.

releases <- in_tier(200, 4000)
nominal <- 0.95

# Intervals from a first-order approximation cover slightly less or more: `at_least`.
covers_often_enough <- function(hits, at_least = nominal) {
  sum(hits) >= least_of(length(hits), at_least)
}

nearly_nominal <- 0.92

within <- covers_parts()$within
data <- covers_parts()$data

# Release variants, and whether the interval of a result covers the value in the data.
ways <- facts_of_statistics("covers")

# Statistics with population intervals have separate tests below.
for_populations <- c(
  "dpCorrelation", "dpGLM", "dpKMeans", "dpLM", "dpMeanDifference", "dpNaiveBayes", "dpPCA"
)

hits_of <- function(way) {
  replicate(releases, way$covers(way$statistic$release(data)))
}

test_that("the tests cover every exported statistic", {
  expect_setequal(c(sub(",.*", "", names(ways)), for_populations), exported_statistics())
})

test_that("intervals and accuracies hold at their stated rate, in every release variant", {
  for (name in names(ways)) {
    expect_true(covers_often_enough(hits_of(ways[[name]])), label = name)
  }
})

test_that("the check detects intervals of half the length", {
  statistic <- ways$dpMean$statistic
  hits <- replicate(1000, {
    result <- statistic$release(data)
    within(mean(data$x), result$release + c(-1, 1) * result$accuracy / 2)
  })
  expect_false(covers_often_enough(hits))
})

test_that("slopes from parts and from moments cover the population's slopes", {
  bounds <- list(c(-4, 4), c(-1, 1))
  line <- function() {
    x <- stats::runif(2000, -1, 1)
    data.frame(x = x, y = x + stats::rnorm(2000))
  }
  parts <- dpGLM("mechanismObjective", "numeric", 2000, bounds, y ~ x, "ols", epsilon = 1,
    nBoot = 8, missing = "impute")
  # With the released ridge that privacy needs, the slope is below 1.
  slope <- (1 / 3) / (1 / 3 + parts$lambda)
  hits <- replicate(releases, within(slope, unlist(parts$release(line())$summary["x", 3:4])))
  expect_true(covers_often_enough(hits))
  matrix <- dpCovariance("mechanismLaplace", "numeric", 2000, c("y", "x"), bounds, globalEps = 1,
    formula = y ~ x, missing = "impute")
  hits <- replicate(releases, {
    row <- matrix$release(line())$linearRegression["x", ]
    abs(row$Estimate - 1) <= stats::qnorm(0.975) * row[["Std. Error"]]
  })
  expect_true(covers_often_enough(hits))
  model <- dpLM(y ~ x, 2000, bounds, epsilon = 1, missing = "impute")
  hits <- replicate(releases, within(1, unlist(model$release(line())$summary["x", 3:4])))
  expect_true(covers_often_enough(hits, nearly_nominal))
  one_step <- dpGLM("mechanismObjective", "numeric", 2000, bounds, y ~ x, "ols", epsilon = 1,
    missing = "impute")
  hits <- replicate(releases, within(1, unlist(one_step$release(line())$summary["x", 3:4])))
  expect_true(covers_often_enough(hits, nearly_nominal))
})

test_that("intervals of correlations and of component variances cover the population's", {
  # Two normal columns of variance 1 and correlation 0.6 have components of variances 1.6 and 0.4.
  bounds <- list(c(-4, 4), c(-4, 4))
  rows <- function() {
    x <- stats::rnorm(2000)
    data.frame(x = x, y = 0.6 * x + 0.8 * stats::rnorm(2000))
  }
  for (epsilon in c(0.2, 1, 2.9)) {
    plan <- small(dpCorrelation(c("x", "y"), 2000, bounds, epsilon = epsilon, missing = "impute"))
    hits <- replicate(releases, within(0.6, plan$release(rows())$intervals))
    expect_true(covers_often_enough(hits, nearly_nominal), label = paste("correlation at", epsilon))
  }
  plan <- dpPCA(c("x", "y"), 1, 2000, bounds, epsilon = 2.9, missing = "impute")
  hits <- replicate(releases, within(1.6, plan$release(rows())$intervals))
  expect_true(covers_often_enough(hits, nearly_nominal), label = "variance of a component")
})

test_that("intervals of means of groups, and of their difference, cover the population's", {
  # A skewed column with mean 0.2 in one group and 0.3 in the other.
  rows <- function(second) {
    in_second <- if (is.null(second)) stats::runif(1000) < 0.4 else seq_len(1000) <= second
    x <- stats::rbeta(1000, ifelse(in_second, 3, 2), ifelse(in_second, 7, 8))
    data.frame(x = ifelse(stats::runif(1000) < 0.1, NA, x), y = c("a", "b")[in_second + 1])
  }
  for (epsilon in c(0.5, 2.9)) {
    for (sizes in list(NULL, c(600, 400))) {
      plan <- dpMeanDifference("x", "y", c("b", "a"), 1000, c(0, 1), epsilon,
        groupSizes = rev(sizes), missing = "drop")
      hits <- replicate(releases, {
        within(0.1, plan$release(rows(rev(sizes)[1]))$populationInterval)
      })
      label <- paste("difference at", epsilon, toString(sizes))
      expect_true(covers_often_enough(hits, nearly_nominal), label = label)
    }
    plan <- small(dpNaiveBayes(y ~ x, c("a", "b"), 1000, list(c(0, 1)), epsilon, missing = "drop"))
    hits <- replicate(releases, within(0.3, confint(plan$release(rows(NULL)), "x:b")))
    expect_true(covers_often_enough(hits, nearly_nominal), label = paste("mean at", epsilon))
  }
})

test_that("intervals of centres cover the means of the population's clusters", {
  # Two heaps in skewed columns. The true centre is the mean of very many rows nearest to it.
  rows <- function(n) {
    is_high <- stats::runif(n) < 0.4
    of_heap <- function() stats::rbeta(n, ifelse(is_high, 6, 2), ifelse(is_high, 3, 8))
    data.frame(x = of_heap(), y = of_heap())
  }
  many <- rows(2e5)
  for (epsilon in c(0.5, 2.9)) {
    plan <- small(dpKMeans(c("x", "y"), 2, 2000, list(c(0, 1), c(0, 1)), epsilon, iterations = 3))
    hits <- replicate(releases, {
      result <- plan$release(rows(2000))
      centres <- as.matrix(result$previous)
      apart <- as.matrix(many) %*% (centres[2, ] - centres[1, ])
      in_first <- apart <= sum(centres[2, ]^2 - centres[1, ]^2) / 2
      within(mean(many$y[in_first]), result$intervals["y:1", ])
    })
    expect_true(covers_often_enough(hits, nearly_nominal), label = paste("centre at", epsilon))
  }
})

test_that("intervals of user-defined answers cover them", {
  numbers <- (0:99) / 99
  built <- list(
    mechanismLaplace(varType = "numeric", rng = c(0, 1), epsilon = 0.5),
    mechanismGaussian(varType = "numeric", rng = c(0, 1), epsilon = 0.5, delta = 1e-6),
    mechanismSnapping(varType = "numeric", rng = c(0, 1), epsilon = 0.5, minB = 100)
  )
  # Each answer has independent noise and an interval. Building the chain from data to answers, as
  # evaluate() does, takes longer than drawing noise.
  at_once <- 40
  answers <- function(x) rep(sum(x), at_once)
  for (mechanism in built) {
    hits <- replicate(releases / at_once, {
      ends <- matrix(mechanism$evaluate(answers, numbers, sens = 1)$interval, ncol = 2)
      ends[, 1] <= sum(numbers) & sum(numbers) <= ends[, 2]
    })
    expect_true(covers_often_enough(hits), label = mechanism$mechanism)
  }
})

test_that("D-82: intervals with sampling and noise cover the estimand of the blocks", {
  # Each release draws new rows from a population whose mean, median and midrange are 50.
  hits <- function(...) {
    statistic <- aggregate_of(
      variable = "x", n = 1000, numSubsets = 40, rng = c(0, 100), intervalShare = 0.5, ...
    )
    function(target = 50) {
      replicate(releases, {
        result <- statistic$release(data.frame(x = stats::rnorm(1000, 50, 15)))
        within(target, result$samplingInterval)
      })
    }
  }
  sampled <- hits(innerFun = "mean", epsilon = 2.9)
  noisy <- hits(innerFun = "median", epsilon = 0.1)
  both <- hits(innerFun = "mean", scheme = "labels", epsilon = 1)
  for (covers in list(sampled, noisy, both)) {
    expect_true(covers_often_enough(covers()))
  }
  expect_false(covers_often_enough(sampled(70)))
})
