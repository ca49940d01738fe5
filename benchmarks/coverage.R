# Question: how often do the intervals of the statistics cover the true statistic of the used data?
#
#   Rscript benchmarks/coverage.R [releases [classes]]
#
# `classes` is a regular expression: only lines whose class it matches are made.
#
# One line for each release method: the number of `releases` releases whose interval, or bound from
# `accuracy`, holds. A true interval falls below `lowest`, the nominal level less three standard
# deviations of the binomial law, in about one of 700 runs. If a release has several intervals, all
# have to hold if the line says so. Otherwise their mean counts. The noise is secret, so every run
# is different. vignettes/dp-mean.Rmd quotes a run.
library(PSIlence)
options(width = 120)

given <- commandArgs(TRUE)
releases <- as.numeric(c(given, 2000)[[1]])
classes <- c(given, "", "")[[2]]
alpha <- 0.05
people <- PUMS5extract10000
people$kin <- c("single", "couple", "family")[1 + people$married + (people$age %% 3 == 0)]
n <- nrow(people)
laplace <- "mechanismLaplace"
snapping <- "mechanismSnapping"
income_range <- c(0, 200000)
income <- pmin(pmax(people$income, 0), 200000)
present <- seq_len(n) %% 10 != 0
gappy <- people
gappy$income[!present] <- NA
kin <- table(people$kin)

within <- function(exact, ends) ends[[1]] <= exact && exact <= ends[[2]]

# A release method: the target of its interval, and a function that releases once and tells whether
# the interval of the result covers.
row <- function(class, what, statistic, covers, data = people) {
  force(covers)
  list(class = class, what = what, once = function() covers(statistic$release(data)))
}

pure <- function(mechanism) list(mechanism = mechanism, epsilon = 0.1)
concentrated <- list(rho = 0.005) # which a loss of epsilon = 0.1 is at most

mean_row <- function(class, noise) {
  statistic <- do.call(dpMean, c(
    list(varType = "numeric", variable = "income", n = n, rng = income_range), noise
  ))
  row(class, "mean of income", statistic, function(result) within(mean(income), result$interval))
}

variance_row <- function(class, noise) {
  statistic <- do.call(dpVariance, c(
    list(varType = "numeric", variable = "income", n = n, rng = income_range), noise
  ))
  row(class, "variance of income", statistic, function(result) {
    within(stats::var(income), result$interval)
  })
}

histogram_row <- function(class, noise) {
  statistic <- do.call(dpHistogram, c(
    list(varType = "numeric", variable = "educ", n = n, rng = c(0, 16), nBins = 4), noise
  ))
  row(class, "a count of declared cells", statistic, function(result) {
    within(sum(people$educ > 8 & people$educ <= 12), result$intervals["(8,12]", ])
  })
}

covariance_row <- function(class, ...) {
  statistic <- dpCovariance(
    varType = "numeric", n = n, columns = c("income", "age"),
    rng = list(income_range, c(18, 93)), ...
  )
  row(class, "covariance of income and age", statistic, function(result) {
    abs(result$release["income", "age"] - stats::cov(income, people$age)) <= result$accuracy[[2]]
  })
}

tree_row <- function(class, ...) {
  statistic <- dpTree(
    varType = "numeric", variable = "age", n = n, depth = 5, rng = c(0, 128), ...
  )
  row(class, "a count on the second level", statistic, function(result) {
    exact <- sum(people$age >= 32 & people$age < 64)
    abs(result$release[[3]][[2]] - exact) <= result$accuracy[[2]]
  })
}

# Covers all values at once.
hitters_row <- function(class, ...) {
  statistic <- dpHeavyHitters(
    varType = "character", variable = "kin", n = n, k = 2, bins = names(kin), ...
  )
  row(class, "the counts of all values, at once", statistic, function(result) {
    exact <- kin[result$release]
    all(result$intervals[, 1] <= exact & exact <= result$intervals[, 2])
  })
}

table_levels <- list(sex = 0:1, married = 0:1, educ = 1:16)
margins <- list(c("sex", "educ"), c("married", "educ"))
table_row <- function(class, what, ...) {
  statistic <- dpContingency(names(table_levels), table_levels, n = n, epsilon = 0.5, ...)
  row(class, what, statistic, function(result) {
    cells <- if (is.data.frame(result$release)) result$release else result$release[[1]]
    wanted <- cells$sex == 1 & cells$educ == 9
    if (!is.null(cells$married)) wanted <- wanted & cells$married == 1
    exact <- sum(people$sex == 1 & people$educ == 9 & (is.null(cells$married) | people$married))
    abs(cells$count[wanted] - exact) <= result$accuracy[[1]]
  })
}

# The statistic of the data as used: clamped to the bounds that a release found.
found_row <- function(class, what, new, exact, rng = bounds(sides = "positive"), ...) {
  force(exact)
  statistic <- new(varType = "numeric", variable = "income", n = n, rng = rng, epsilon = 1, ...)
  row(class, what, statistic, function(result) {
    used <- pmin(pmax(people$income, result$bounds$lower), result$bounds$upper)
    exact(result, used)
  })
}

# Distance of a candidate from the quantile, in rows. The accuracy bounds its excess over the best
# candidate.
rank_row <- function(class, what, statistic, prob) {
  off <- function(t) abs((1 - prob) * sum(people$age < t) - prob * sum(people$age > t))
  best <- min(vapply(18:93, off, 0))
  row(class, what, statistic, function(result) off(result$release) <= best + result$accuracy)
}

# Each rank that equal values have may be meant. Where all values are candidates the best choice of
# them misses none.
quantiles_row <- function(class, rng, ...) {
  probs <- c(0.1, 0.5, 0.9)
  statistic <- dpQuantiles(
    varType = "integer", variable = "age", n = n, probs = probs, rng = rng, ...
  )
  row(class, "ranks of three quantiles of age, at once", statistic, function(result) {
    used <- people$age
    if (!is.null(result$bounds)) {
      used <- pmin(pmax(used, result$bounds$lower), result$bounds$upper)
    }
    above <- vapply(result$release, function(t) sum(used < t), 0) - probs * n
    below <- probs * n - vapply(result$release, function(t) sum(used <= t), 0)
    all(pmax(above, below) <= result$accuracy)
  })
}

# Intervals for a population need one: each release has new rows, with a slope of 1.
line_range <- list(c(-4, 4), c(-1, 1))
line_row <- function(class, what, statistic, covers) {
  force(covers)
  list(class = class, what = what, once = function() {
    x <- stats::runif(2000, -1, 1)
    covers(statistic$release(data.frame(x = x, y = x + stats::rnorm(2000))))
  })
}

# Blocks estimate a population value, and `samplingInterval` covers sampling and noise. The
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

# A user-defined answer: the sum of a hundred numbers.
answer_row <- function(class, new, ...) {
  built <- new(varType = "numeric", rng = c(0, 1), epsilon = 0.5, ...)
  numbers <- (0:99) / 99
  list(class = class, what = "a sum", once = function() {
    within(sum(numbers), built$evaluate(sum, numbers, sens = 1)$interval)
  })
}

# The population means of rows in a cluster, assigned to the nearest centre before the last
# iteration.
cluster_range <- list(age = c(18, 93), educ = c(1, 16))
clusters_row <- function(class, epsilon) {
  columns <- names(cluster_range)
  widths <- vapply(cluster_range, diff, 0)
  population <- sweep(as.matrix(people[columns]), 2, widths, "/")
  statistic <- dpKMeans(columns, 3, n, cluster_range, epsilon)
  list(class = class, what = "means of clusters, population", once = function() {
    result <- statistic$release(people[sample(n, n, TRUE), ])
    distances <- apply(sweep(as.matrix(result$previous), 2, widths, "/"), 1, function(centre) {
      colSums((t(population) - centre)^2)
    })
    cluster <- max.col(-distances, "first")
    means <- vapply(columns, function(column) tapply(people[[column]], cluster, mean), 1:3 + 0)
    mean(result$intervals[, 1] <= means & means <= result$intervals[, 2])
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
  mean_row("dpMean", pure(laplace)),
  mean_row("dpMean, snapping", pure(snapping)),
  mean_row("dpMean, Gaussian", concentrated),
  row(
    "dpMean, drop", "mean of the incomes present",
    dpMean(variable = "income", n = n, rng = income_range, epsilon = 0.1, missing = "drop"),
    function(result) within(mean(income[present]), result$interval), gappy
  ),
  row(
    "dpMean, logical", "a share", dpMean(varType = "logical", variable = "married", n = n,
      epsilon = 0.1),
    function(result) within(mean(people$married), result$interval)
  ),
  found_row("dpMean, bounds()", "mean of income, in the bounds found", dpMean,
    function(result, used) within(mean(used), result$interval)
  ),
  variance_row("dpVariance", pure(laplace)),
  variance_row("dpVariance, snapping", pure(snapping)),
  variance_row("dpVariance, Gaussian", concentrated),
  row(
    "dpVariance, drop", "variance of the incomes present",
    dpVariance(variable = "income", n = n, rng = income_range, epsilon = 0.1, missing = "drop"),
    function(result) within(stats::var(income[present]), result$interval), gappy
  ),
  found_row("dpVariance, bounds()", "variance of income, in the bounds found", dpVariance,
    function(result, used) within(stats::var(used), result$interval)
  ),
  histogram_row("dpHistogram", pure(laplace)),
  histogram_row("dpHistogram, snapping", pure(snapping)),
  histogram_row("dpHistogram, Gaussian", concentrated),
  found_row("dpHistogram, bounds()", "a count of cells in the bounds found", dpHistogram,
    function(result, used) {
      bounds <- result$bounds
      edge <- bounds$lower + (bounds$upper - bounds$lower) / 4
      within(sum(used <= edge), result$intervals[1, ])
    },
    nBins = 4
  ),
  row(
    "dpHistogram, stability", "a count far above the threshold",
    dpHistogram(varType = "integer", variable = "age", n = n, binWidth = 1, epsilon = 1),
    function(result) within(sum(people$age == 40), result$intervals["[40,41)", ])
  ),
  tree_row("dpTree", globalEps = 1),
  tree_row("dpTree, Gaussian", rho = 0.5),
  row(
    "dpTree, cdf", "a share of the rows below an edge",
    dpTree(variable = "age", n = n, depth = 5, rng = c(0, 128), globalEps = 1),
    function(result) {
      within(mean(people$age < 44), result$cdf[result$cdf$val == 44, c("lowerNoise", "upperNoise")])
    }
  ),
  found_row("dpTree, bounds()", "a share of the rows, in the bounds found", dpTree,
    function(result, used) {
      below <- result$cdf[2, ]
      within(mean(used < below$val), below[c("lowerNoise", "upperNoise")])
    },
    depth = 3
  ),
  table_row("dpContingency", "a cell of three columns"),
  table_row("dpContingency, margins", "a cell of a margin, counted apart", margins = margins),
  row(
    "dp_association", "Cramer's V of the rows",
    dpContingency(c("sex", "married"), table_levels[c("sex", "married")], n = n, epsilon = 0.1),
    function(result) {
      within(abs(stats::cor(people$sex, people$married)),
        dp_association(result, sampling = FALSE)$conf.int)
    }
  ),
  covariance_row("dpCovariance", mechanism = laplace, globalEps = 0.3),
  covariance_row("dpCovariance, snapping", mechanism = snapping, globalEps = 0.3),
  covariance_row("dpCovariance, Gaussian", rho = 0.045),
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
  quantiles_row("dpQuantiles", c(18, 93), epsilon = 0.1),
  quantiles_row("dpQuantiles, bounds()", bounds(sides = "positive"), epsilon = 1),
  row(
    "dpHeavyHitters", "count of the value told, below the largest",
    dpHeavyHitters(
      mechanism = "mechanismExponential", varType = "character", variable = "kin", n = n,
      epsilon = 0.01, k = 1, bins = names(kin)
    ),
    function(result) kin[[result$release]] >= max(kin) - result$accuracy
  ),
  hitters_row("dpHeavyHitters, counts", epsilon = 0.1),
  hitters_row("dpHeavyHitters, Gaussian", rho = 0.005),
  clusters_row("dpKMeans", 1),
  clusters_row("dpKMeans, little noise", 2.9),
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

cases <- Filter(function(case) grepl(classes, case$class), cases)
coverage <- vapply(cases, function(case) mean(replicate(releases, case$once())), 0)
lowest <- 1 - alpha - 3 * sqrt(alpha * (1 - alpha) / releases)
print(data.frame(
  class = vapply(cases, `[[`, "", "class"), `interval of` = vapply(cases, `[[`, "", "what"),
  coverage = round(coverage, 4), lowest = round(lowest, 4), enough = coverage >= lowest,
  check.names = FALSE
), row.names = FALSE, right = FALSE)
