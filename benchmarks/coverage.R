# Question: how often do the intervals of the statistics cover what the data as used have?
#
#   Rscript benchmarks/coverage.R [releases]
#
# One line for each way to release: in how many of `releases` releases the interval, or the bound
# that `accuracy` states, holds. A true one falls below `lowest`, the nominal level less three
# standard deviations of the binomial law, in about one of 700 runs. The noise is secret, and so no
# run is like another. vignettes/dp-mean.Rmd quotes a run.
library(PSIlence)
options(width = 120)

releases <- as.numeric(c(commandArgs(TRUE), 2000)[[1]])
alpha <- 0.05
people <- PUMS5extract10000
people$kin <- c("single", "couple", "family")[1 + people$married + (people$age %% 3 == 0)]
n <- nrow(people)
laplace <- "mechanismLaplace"
snapping <- "mechanismSnapping"
income_range <- c(0, 200000)
income <- pmin(pmax(people$income, 0), 200000)
kin <- table(people$kin)

within <- function(exact, ends) ends[[1]] <= exact && exact <= ends[[2]]

# A way to release: what its interval is of, and a function that releases once and tells whether the
# interval of the result covers.
row <- function(class, what, statistic, covers, data = people) {
  force(covers)
  list(class = class, what = what, once = function() covers(statistic$release(data)))
}

mean_row <- function(class, mechanism) {
  statistic <- dpMean(
    mechanism = mechanism, varType = "numeric", variable = "income", n = n, rng = income_range,
    epsilon = 0.1
  )
  row(class, "mean of income", statistic, function(result) within(mean(income), result$interval))
}

variance_row <- function(class, mechanism) {
  statistic <- dpVariance(
    mechanism = mechanism, varType = "numeric", variable = "income", n = n, rng = income_range,
    epsilon = 0.1
  )
  row(class, "variance of income", statistic, function(result) {
    within(stats::var(income), result$interval)
  })
}

histogram_row <- function(class, mechanism) {
  statistic <- dpHistogram(
    mechanism = mechanism, varType = "numeric", variable = "educ", n = n, rng = c(0, 16),
    nBins = 4, epsilon = 0.1
  )
  row(class, "a count of declared cells", statistic, function(result) {
    within(sum(people$educ > 8 & people$educ <= 12), result$intervals["(8,12]", ])
  })
}

covariance_row <- function(class, mechanism) {
  statistic <- dpCovariance(
    mechanism = mechanism, varType = "numeric", n = n, columns = c("income", "age"),
    rng = list(income_range, c(18, 93)), globalEps = 0.3
  )
  row(class, "covariance of income and age", statistic, function(result) {
    abs(result$release["income", "age"] - stats::cov(income, people$age)) <= result$accuracy[[2]]
  })
}

# How far a candidate is from being the quantile, in rows; the accuracy bounds what it is beyond the
# best of them.
rank_row <- function(class, what, statistic, prob) {
  off <- function(t) abs((1 - prob) * sum(people$age < t) - prob * sum(people$age > t))
  best <- min(vapply(18:93, off, 0))
  row(class, what, statistic, function(result) off(result$release) <= best + result$accuracy)
}

# Intervals for a population need one: each release has rows of its own, with a slope of 1.
line_range <- list(c(-4, 4), c(-1, 1))
line_row <- function(class, what, statistic, covers) {
  force(covers)
  list(class = class, what = what, once = function() {
    x <- stats::runif(2000, -1, 1)
    covers(statistic$release(data.frame(x = x, y = x + stats::rnorm(2000))))
  })
}

# Blocks estimate what a population has, and `samplingInterval` knows of sampling and of noise. The
# population is normal: its mean, and median, is 50.
sampled_row <- function(class, what, exact, rows = 2000, ...) {
  force(exact)
  force(rows)
  statistic <- dpSampleAndAggregate(
    aggregationFun = "Mean", mechanism = laplace, varType = "numeric", variable = "x", n = rows,
    rng = c(0, 100), interval = "population", ...
  )
  list(class = class, what = what, once = function() {
    result <- statistic$release(data.frame(x = stats::rnorm(rows, 50, 10)))
    within(exact, result$samplingInterval)
  })
}

# An answer of one's own: the sum of a hundred numbers.
answer_row <- function(class, new, ...) {
  built <- new(varType = "numeric", rng = c(0, 1), epsilon = 0.5, ...)
  numbers <- (0:99) / 99
  list(class = class, what = "a sum", once = function() {
    within(sum(numbers), built$evaluate(sum, numbers, sens = 1)$interval)
  })
}

slope_from_covariance <- dpCovariance(
  mechanism = laplace, varType = "numeric", n = 2000, columns = c("y", "x"), rng = line_range,
  globalEps = 1, formula = y ~ x
)
slope_from_parts <- dpGLM(
  mechanism = "mechanismObjective", varType = "numeric", n = 2000, rng = line_range,
  formula = y ~ x, objective = "ols", epsilon = 1, nBoot = 8
)
# With the ridge that privacy needs, which is told, the slope of the population is less than 1.
ridge_slope <- (1 / 3) / (1 / 3 + slope_from_parts$lambda)
choice <- mechanismExponential(
  varType = "character", bins = names(kin), epsilon = 0.01, sens = 1
)

cases <- list(
  mean_row("dpMean", laplace),
  mean_row("dpMean, snapping", snapping),
  variance_row("dpVariance", laplace),
  variance_row("dpVariance, snapping", snapping),
  histogram_row("dpHistogram", laplace),
  histogram_row("dpHistogram, snapping", snapping),
  row(
    "dpHistogram, stability", "a count far above the threshold",
    dpHistogram(varType = "integer", variable = "age", n = n, binWidth = 1, epsilon = 1),
    function(result) within(sum(people$age == 40), result$intervals["[40,41)", ])
  ),
  row(
    "dpTree", "a count on the second level",
    dpTree(
      varType = "numeric", variable = "age", n = n, depth = 5, rng = c(0, 128), globalEps = 1
    ),
    function(result) {
      exact <- sum(people$age >= 32 & people$age < 64)
      abs(result$release[[3]][[2]] - exact) <= result$accuracy[[2]]
    }
  ),
  covariance_row("dpCovariance", laplace),
  covariance_row("dpCovariance, snapping", snapping),
  line_row("dpCovariance, formula", "a slope, population", slope_from_covariance, function(result) {
    slope <- result$linearRegression["x", ]
    abs(slope$Estimate - 1) <= stats::qnorm(1 - alpha / 2) * slope$`Std. Error`
  }),
  line_row("dpGLM, parts", "a slope with ridge, population", slope_from_parts, function(result) {
    within(ridge_slope, unlist(result$summary["x", 3:4]))
  }),
  rank_row(
    "dpMedian", "rank of the median of age",
    dpMedian(varType = "integer", variable = "age", n = n, rng = c(18, 93), epsilon = 0.1), 0.5
  ),
  rank_row(
    "dpQuantile", "rank of the upper quartile of age",
    dpQuantile(
      varType = "integer", variable = "age", n = n, prob = 0.75, rng = c(18, 93), epsilon = 0.1
    ),
    0.75
  ),
  row(
    "dpHeavyHitters", "count of the value told, below the largest",
    dpHeavyHitters(
      mechanism = "mechanismExponential", varType = "character", variable = "kin", n = n,
      epsilon = 0.01, k = 1, bins = names(kin)
    ),
    function(result) kin[[result$release]] >= max(kin) - result$accuracy
  ),
  row(
    "dpSampleAndAggregate", "mean of income over 100 blocks",
    dpSampleAndAggregate(
      innerFun = "mean", aggregationFun = "Mean", numSubsets = 100, mechanism = laplace,
      varType = "numeric", variable = "income", n = n, epsilon = 0.1, rng = income_range
    ),
    function(result) within(mean(income), result$interval)
  ),
  row(
    "dpSampleAndAggregate, helper", "mean over blocks of a row, in the range found",
    dpSampleAndAggregate(
      innerFun = "median", aggregationFun = "Mean", rangeMode = "helper",
      rangeHelper = function(x) x, numSubsets = n, mechanism = laplace, varType = "numeric",
      variable = "income", n = n, epsilon = 0.1, rng = income_range
    ),
    function(result) {
      used <- pmin(pmax(income, result$outputRange[[1]]), result$outputRange[[2]])
      within(mean(used), result$interval)
    }
  ),
  sampled_row(
    "dpSampleAndAggregate, sampling", "mean, population; little noise", 50,
    innerFun = "mean", numSubsets = 100, epsilon = 2.9
  ),
  sampled_row(
    "dpSampleAndAggregate, sampling", "median, population; mostly noise", 50,
    innerFun = "median", numSubsets = 40, epsilon = 0.1
  ),
  sampled_row(
    "dpSampleAndAggregate, sampling", "variance, population; both", 100,
    innerFun = "var", numSubsets = 50, epsilon = 2
  ),
  sampled_row(
    "dpSampleAndAggregate, sampling", "mean, population; few blocks", 50,
    innerFun = "mean", numSubsets = 8, epsilon = 2
  ),
  sampled_row(
    "dpSampleAndAggregate, sampling", "median, population; labels", 50,
    innerFun = "median", numSubsets = 40, scheme = "labels", epsilon = 1
  ),
  answer_row("mechanismLaplace", mechanismLaplace),
  answer_row("mechanismGaussian", mechanismGaussian, delta = 1e-6),
  answer_row("mechanismSnapping", mechanismSnapping, minB = 100),
  list(class = "mechanismExponential", what = "score of the choice, below the best", once = \() {
    result <- choice$evaluate(table, people$kin, sens = 1)
    kin[[result$release]] >= max(kin) - result$accuracy
  })
)

coverage <- vapply(cases, function(case) mean(replicate(releases, case$once())), 0)
lowest <- 1 - alpha - 3 * sqrt(alpha * (1 - alpha) / releases)
print(data.frame(
  class = vapply(cases, `[[`, "", "class"), `interval of` = vapply(cases, `[[`, "", "what"),
  coverage, lowest = round(lowest, 4), enough = coverage >= lowest, check.names = FALSE
), row.names = FALSE, right = FALSE)
