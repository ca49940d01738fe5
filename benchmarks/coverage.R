# Question: how often do the intervals of the statistics cover what the data as used have?
#
#   Rscript benchmarks/coverage.R [releases]
#
# One line for each class: in how many of `releases` releases of the same data the interval covers
# the exact statistic. A true interval falls below `lowest`, the nominal level less three standard
# deviations of the binomial law, in about one of 700 runs. The noise is secret, and so no run is
# like another. vignettes/dp-mean.Rmd quotes a run.
library(PSIlence)

releases <- as.numeric(c(commandArgs(TRUE), 2000)[[1]])
alpha <- 0.05
people <- PUMS5extract10000
n <- nrow(people)
income <- pmin(pmax(people$income, 0), 200000)
mechanism <- "mechanismLaplace"

covers <- function(interval, exact) interval[[1]] <= exact && exact <= interval[[2]]

# A statistic, and whether a result covers; each call of `covered()` looks at one interval.
cases <- list(
  dpMean = list(
    what = "mean of income",
    statistic = dpMean(
      mechanism = mechanism, varType = "numeric", variable = "income", n = n, rng = c(0, 200000),
      epsilon = 0.1
    ),
    covered = function(result) covers(result$interval, mean(income))
  ),
  dpVariance = list(
    what = "variance of income",
    statistic = dpVariance(
      mechanism = mechanism, varType = "numeric", variable = "income", n = n, rng = c(0, 200000),
      epsilon = 0.1
    ),
    covered = function(result) covers(result$interval, stats::var(income))
  ),
  dpHistogram = list(
    what = "rows in (8,12] of educ",
    statistic = dpHistogram(
      varType = "numeric", variable = "educ", n = n, rng = c(0, 16), nBins = 4, epsilon = 0.1
    ),
    covered = function(result) {
      covers(result$intervals["(8,12]", ], sum(people$educ > 8 & people$educ <= 12))
    }
  ),
  `dpHistogram, stability` = list(
    what = "rows of age 40",
    statistic = dpHistogram(
      varType = "integer", variable = "age", n = n, binWidth = 1, epsilon = 1
    ),
    covered = function(result) covers(result$intervals["[40,41)", ], sum(people$age == 40))
  ),
  dpTree = list(
    what = "rows with age in (32,64]",
    statistic = dpTree(
      varType = "numeric", variable = "age", n = n, depth = 5, rng = c(0, 128), globalEps = 1
    ),
    covered = function(result) {
      exact <- sum(people$age > 32 & people$age <= 64)
      abs(result$release[[3]][[2]] - exact) <= result$accuracy[[2]]
    }
  ),
  dpCovariance = list(
    what = "covariance of income and age",
    statistic = dpCovariance(
      mechanism = mechanism, varType = "numeric", n = n, columns = c("income", "age"),
      rng = list(c(0, 200000), c(18, 93)), globalEps = 0.3
    ),
    covered = function(result) {
      abs(result$release["income", "age"] - stats::cov(income, people$age)) <= result$accuracy[[2]]
    }
  ),
  dpQuantile = list(
    what = "rank of the upper quartile of age",
    statistic = dpQuantile(
      varType = "integer", variable = "age", n = n, prob = 0.75, rng = c(18, 93), epsilon = 0.1
    ),
    covered = local({
      off <- function(t) abs(0.25 * sum(people$age < t) - 0.75 * sum(people$age > t))
      best <- min(vapply(18:93, off, 0))
      function(result) off(result$release) <= best + result$accuracy
    })
  ),
  dpSampleAndAggregate = list(
    what = "mean of income over 100 blocks",
    statistic = dpSampleAndAggregate(
      innerFun = "mean", aggregationFun = "Mean", numSubsets = 100, mechanism = mechanism,
      varType = "numeric", variable = "income", n = n, epsilon = 0.1, rng = c(0, 200000)
    ),
    covered = function(result) covers(result$interval, mean(income))
  )
)

coverage <- vapply(cases, function(case) {
  mean(replicate(releases, case$covered(case$statistic$release(people))))
}, 0)
lowest <- 1 - alpha - 3 * sqrt(alpha * (1 - alpha) / releases)
print(data.frame(
  class = names(cases), interval = vapply(cases, `[[`, "", "what"), coverage,
  lowest = round(lowest, 4), enough = coverage >= lowest
), row.names = FALSE, right = FALSE)
