# Question: how close to the truth are estimates, next to other ways to the same answer?
#
#   Rscript benchmarks/utility.R [releases]
#
# For each way the root of the mean squared error in `releases` releases, and the ratio to the first
# one: below 1 is closer than the first. The noise is secret, and so no run is like another.
library(PSIlence)
options(width = 100)

releases <- as.numeric(c(commandArgs(TRUE), 100)[[1]])
losses <- c(0.1, 0.5, 1, 5)

rmse <- function(found, truth) sqrt(mean((found - truth)^2))

# `ways`: functions of epsilon that give a function, which releases once.
compare_errors <- function(title, truth, ways) {
  cat("\n", title, "\n", sep = "")
  errors <- vapply(losses, function(epsilon) {
    vapply(ways, function(way) {
      once <- suppressWarnings(way(epsilon), classes = "dp_warning")
      rmse(replicate(releases, once()), truth)
    }, 0)
  }, numeric(length(ways)))
  errors <- matrix(errors, length(ways), dimnames = list(names(ways), paste("epsilon", losses)))
  ratios <- round(t(t(errors) / errors[1, ]), 2)
  colnames(ratios) <- paste("ratio", losses)
  print(cbind(as.data.frame(signif(errors, 4)), ratios))
}

# Means, with and without gaps ---------------------------------------------------------------------

n <- 1e4
people <- PUMS5extract10000
people$income <- pmin(pmax(people$income, 0), 750000)
gaps <- people
gaps$income[seq(1, n, by = 10)] <- NA
errors_of_mean <- function(rows, ...) {
  truth <- mean(rows$income, na.rm = TRUE)
  function(epsilon) {
    plan <- dpMean(variable = "income", n = n, rng = c(0, 750000), epsilon = epsilon, ...)
    function() plan$release(rows)$release - truth
  }
}
# The truth has no bounds. Once in 10,000 releases an empty cell makes found bounds far too wide,
# and the error of all releases together with it.
error_of_bounds <- function(rng) {
  truth <- mean(PUMS5extract10000$income)
  function(epsilon) {
    plan <- dpMean(variable = "income", n = n, rng = rng, epsilon = epsilon)
    function() plan$release(PUMS5extract10000)$release - truth
  }
}
compare_errors("Mean of income, bounds found", 0, list(
  `0 to 750000 declared` = error_of_bounds(c(0, 750000)),
  `0 to 7500000 declared` = error_of_bounds(c(0, 7500000)),
  `a quarter of the loss` = error_of_bounds(bounds(smallest = 1, sides = "positive")),
  `a tenth of the loss` = error_of_bounds(bounds(0.1, smallest = 1, sides = "positive"))
))

compare_errors("Mean of income, range 750000, of the rows that have one", 0, list(
  `nothing missing` = errors_of_mean(people),
  `nothing missing, interval` = errors_of_mean(people, interval = "population"),
  `nothing missing, drop` = errors_of_mean(people, missing = "drop"),
  `nothing missing, drop, interval` = errors_of_mean(people,
    missing = "drop", interval = "population"),
  `a tenth missing, drop` = errors_of_mean(gaps, missing = "drop"),
  `a tenth missing, drop, interval` = errors_of_mean(gaps,
    missing = "drop", interval = "population"),
  `a tenth missing, impute` = errors_of_mean(gaps)
))

# Quantiles together, one by one, and of a tree ----------------------------------------------------

smooth <- data.frame(income = stats::qlnorm((1:n - 0.5) / n, 9.8, 1))
probs <- c(0.1, 0.25, 0.5, 0.75, 0.9)
quantile_ways <- function(rows) {
  common <- list(varType = "numeric", variable = "income", n = n, rng = c(0, 750000))
  plan_of <- function(constructor, ...) do.call(constructor, c(common, list(...)))
  list(
    dpQuantiles = function(epsilon) {
      plan <- plan_of(dpQuantiles, probs = probs, epsilon = epsilon)
      function() plan$release(rows)$release
    },
    `dpQuantile, five times` = function(epsilon) {
      plans <- lapply(probs, function(prob) plan_of(dpQuantile, prob = prob, epsilon = epsilon / 5))
      function() vapply(plans, function(plan) plan$release(rows)$release, 0)
    },
    dpTree = function(epsilon) {
      plan <- plan_of(dpTree, epsilon = epsilon, percentiles = probs)
      function() plan$release(rows)$percentiles$value
    },
    `dpTree, binary` = function(epsilon) {
      plan <- plan_of(dpTree, epsilon = epsilon, percentiles = probs, depth = 10)
      function() plan$release(rows)$percentiles$value
    }
  )
}
for (name in c("the census extract", "smooth incomes")) {
  rows <- if (name == "smooth incomes") smooth else people
  truth <- stats::quantile(rows$income, probs, type = 1, names = FALSE)
  compare_errors(paste("Five quantiles of", name), truth, quantile_ways(rows))
}

# The most frequent of 500 names -------------------------------------------------------------------

set.seed(1)
counts <- as.vector(stats::rmultinom(1, n, 1 / (1:500)))
labels <- sprintf("%03d", 1:500)
named <- data.frame(name = rep(labels, counts))
cat("\nNames of the k most frequent of 500 that are missed\n")
misses <- vapply(losses, function(epsilon) {
  vapply(c(5, 20, 50), function(k) {
    top <- labels[order(-counts)[seq_len(k)]]
    plan <- suppressWarnings(dpHeavyHitters(varType = "character", variable = "name", n = n,
      k = k, epsilon = epsilon, bins = labels), classes = "dp_warning")
    mean(replicate(releases, k - sum(plan$release(named)$release %in% top)))
  }, 0)
}, numeric(3))
dimnames(misses) <- list(paste("k", c(5, 20, 50)), paste("epsilon", losses))
print(misses)

# Entries of a covariance matrix -------------------------------------------------------------------

entries <- list(c("income", "educ"), c("income", "income"))
entry_ways <- function(pair) {
  columns <- c("income", "age", "educ")
  entry <- function(...) {
    function(epsilon) {
      plan <- dpCovariance(n = n, columns = columns, globalEps = epsilon,
        rng = list(c(0, 750000), c(18, 93), c(1, 16)), ...)
      function() {
        matrix <- as.matrix(plan$release(people)$release)
        dimnames(matrix) <- list(columns, columns)
        matrix[[pair[[1]], pair[[2]]]]
      }
    }
  }
  list(together = entry(), `entry by entry` = entry(epsilonDist = rep(1 / 6, 6)))
}
for (pair in entries) {
  compare_errors(paste("Covariance of", toString(pair), "of three columns"),
    stats::cov(people[[pair[[1]]]], people[[pair[[2]]]]), entry_ways(pair))
}

# Linear regression: the slope of years of education -----------------------------------------------

set.seed(1)
n <- 1e4
age <- sample(18:90, n, TRUE)
educ <- sample(1:16, n, TRUE, prob = dnorm(1:16, 10, 3.4))
income <- pmin(exp(8 + 0.12 * educ + 0.006 * age + rnorm(n)), 750000)
made <- data.frame(income, age, educ)
ranges <- list(c(0, 750000), c(18, 93), c(1, 16))

slope_ways <- function(data) {
  columns <- c("income", "age", "educ")
  list(
    dpLM = function(epsilon) {
      plan <- dpLM(income ~ age + educ, nrow(data), ranges, epsilon)
      function() coef(plan$release(data))[["educ"]]
    },
    `dpCovariance, by entry` = function(epsilon) {
      plan <- dpCovariance("mechanismLaplace", "numeric", nrow(data), columns, ranges,
        globalEps = epsilon, epsilonDist = rep(1 / 6, 6), formula = income ~ age + educ
      )
      function() coef(plan$release(data))[["educ"]]
    },
    `dpGLM, least squares` = function(epsilon) {
      plan <- dpGLM("mechanismObjective", "numeric", nrow(data), ranges, income ~ age + educ, "ols",
        epsilon = epsilon
      )
      function() coef(plan$release(data))[["educ"]]
    }
  )
}
people <- transform(PUMS5extract10000[names(made)], income = pmin(pmax(income, 0), 750000))
for (name in c("made-up rows", "the census extract")) {
  data <- if (name == "made-up rows") made else people
  truth <- coef(lm(income ~ age + educ, data))[["educ"]]
  compare_errors(paste("Slope of educ, income ~ age + educ,", name), truth, slope_ways(data))
}

# Linear regression: fitted values of the census extract -------------------------------------------

ranges[[1]] <- c(0, 200000)
people$income <- pmin(people$income, 200000)
exact <- fitted(lm(income ~ age + educ, people))
design <- cbind(1, people$age, people$educ)
cat("\nMedian root mean squared error of fitted values, income up to 200000, epsilon 1\n")
errors <- vapply(slope_ways(people)[c("dpLM", "dpGLM, least squares")], function(way) {
  plan <- environment(way(1))$plan
  stats::median(replicate(releases, rmse(design %*% coef(plan$release(people)), exact)))
}, 0)
print(rbind(error = errors, ratio = errors / errors[[1]]), digits = 3)

# Principal components -----------------------------------------------------------------------------

set.seed(16)
plane <- qr.Q(qr(matrix(sin(1:16), 8)))
rows <- matrix(rnorm(2e4), n) %*% diag(c(0.6, 0.45)) %*% t(plane) + 0.1 * matrix(rnorm(8e4), n)
eight <- as.data.frame(pmin(pmax(rows, -1), 1))
exact <- prcomp(eight)$rotation[, 1:2]
cat("\nLoss of a plane, 1 - |E'V|^2 / 2, of two components of eight columns\n")
print(vapply(losses, function(epsilon) {
  plan <- suppressWarnings(dpPCA(names(eight), 2, n, rep(list(c(-1, 1)), 8), epsilon))
  mean(replicate(releases, 1 - sum((t(as.matrix(plan$release(eight)$release)) %*% exact)^2) / 2))
}, 0))

# Naive Bayes --------------------------------------------------------------------------------------

# diffprivlib 0.6.6, measured once at epsilon 1 on the census extract: 0.355 of rows in the wrong
# class.
cat("\nShare of the census extract in the wrong class, married ~ age + educ, diffprivlib .355\n")
bounds <- list(age = c(18, 93), educ = c(1, 16))
wrong <- function(epsilon) {
  plan <- dpNaiveBayes(married ~ age + educ, c(0, 1), 1e4, bounds, epsilon)
  found <- replicate(releases, {
    mean(predict(plan$release(PUMS5extract10000), PUMS5extract10000) != PUMS5extract10000$married)
  })
  c(mean = mean(found), worst = max(found))
}
errors <- vapply(c(losses, 1e9), function(epsilon) {
  suppressWarnings(wrong(epsilon), classes = "dp_warning")
}, c(mean = 0, worst = 0))
colnames(errors) <- c(paste("epsilon", losses), "no noise")
print(round(errors, 4))
cat("CPU time of a release at epsilon 1, ms\n")
plan <- dpNaiveBayes(married ~ age + educ, c(0, 1), 1e4, bounds, epsilon = 1)
print(1e3 * system.time(for (i in 1:100) plan$release(PUMS5extract10000))[["user.self"]] / 100)

# Clusters -----------------------------------------------------------------------------------------

# diffprivlib 0.6.6, measured once at epsilon 1 on two scaled columns of the census extract: 1.06.
cat("\nSum of squares of four clusters of the census extract over the least, diffprivlib 1.06\n")
excess <- function(ranges) {
  columns <- names(ranges)
  shares <- function(rows) {
    mapply(function(name, range) {
      (pmin(pmax(rows[[name]], range[[1]]), range[[2]]) - range[[1]]) / diff(range)
    }, columns, ranges)
  }
  rows <- shares(PUMS5extract10000)
  least <- kmeans(rows, 4, iter.max = 50, nstart = 50)$tot.withinss
  function(epsilon) {
    plan <- dpKMeans(columns, 4, 1e4, ranges, epsilon)
    found <- replicate(releases, {
      centres <- shares(plan$release(PUMS5extract10000)$release)
      apart <- apply(centres, 1, function(centre) colSums((t(rows) - centre)^2))
      sum(apply(apart, 1, min)) / least
    })
    c(mean = mean(found), worst = max(found))
  }
}
for (other in list(list(educ = c(1, 16)), list(income = c(0, 2e5)))) {
  of_columns <- excess(c(list(age = c(18, 93)), other))
  found <- vapply(c(losses, 1e9), function(epsilon) {
    suppressWarnings(of_columns(epsilon), classes = "dp_warning")
  }, c(mean = 0, worst = 0))
  colnames(found) <- c(paste("epsilon", losses), "no noise")
  cat("age and", names(other), "\n")
  print(round(found, 4))
}
cat("CPU time of a release at epsilon 1, ms\n")
plan <- dpKMeans(c("age", "educ"), 4, 1e4, bounds, epsilon = 1)
print(1e3 * system.time(for (i in 1:100) plan$release(PUMS5extract10000))[["user.self"]] / 100)

# Difference of means ------------------------------------------------------------------------------

# Noise alone, next to noisy counts, sums and sums of squares of both groups, each with the scales
# that one replaced row allows: 4, 4 and 8 over epsilon of n_1, of both sums and of both squares.
with_sex <- transform(PUMS5extract10000, income = pmin(pmax(income, 0), 2e5))
of_groups <- split((with_sex$income - 1e5) / 1e5, with_sex$sex)
truth <- 1e5 * (mean(of_groups[[1]]) - mean(of_groups[[2]]))
laplace <- function(scale) scale * (rexp(1) - rexp(1))
difference_ways <- list(
  dpMeanDifference = function(epsilon) {
    plan <- dpMeanDifference("income", "sex", c(0, 1), 1e4, c(0, 2e5), epsilon)
    function() plan$release(with_sex)$release
  },
  `counts, sums and squares apart` = function(epsilon) {
    function() {
      first <- length(of_groups[[1]]) + laplace(4 / epsilon)
      sums <- vapply(of_groups, sum, 0) + c(laplace(4 / epsilon), laplace(4 / epsilon))
      1e5 * (sums[[1]] / first - sums[[2]] / (1e4 - first))
    }
  },
  `sizes public` = function(epsilon) {
    plan <- dpMeanDifference("income", "sex", c(0, 1), rng = c(0, 2e5), epsilon = epsilon,
      groupSizes = lengths(of_groups, use.names = FALSE))
    function() plan$release(with_sex)$release
  }
)
compare_errors("Difference of mean incomes of the sexes", truth, difference_ways)

# Tables -------------------------------------------------------------------------------------------

crossed <- transform(PUMS5extract10000,
  old = as.numeric(age > 42), schooling = findInterval(educ, c(9, 12, 14))
)
variables <- c("sex", "married", "schooling", "old")
values <- list(c(0, 1), c(0, 1), 0:3, c(0, 1))
crossed$cell <- as.character(interaction(crossed[variables]))
cell_names <- as.character(do.call(interaction, expand.grid(values)))
compare_errors("32 cells of a table of four columns",
  as.vector(table(factor(crossed$cell, cell_names))), list(
    dpContingency = function(epsilon) {
      plan <- dpContingency(variables, values, n = n, epsilon = epsilon)
      function() plan$release(crossed)$release$count
    },
    `dpHistogram of a column of combinations` = function(epsilon) {
      plan <- dpHistogram(varType = "character", variable = "cell", n = n, epsilon = epsilon,
        bins = cell_names)
      function() unlist(plan$release(crossed)$release)[cell_names]
    }
  ))

# Consistent counts of two margins with a column in common, next to a table for each with a half of
# the loss.
pairs <- list(c("sex", "schooling"), c("schooling", "old"))
of_pairs <- function(count) unlist(lapply(pairs, count))
compare_errors("Two margins of this table",
  of_pairs(function(pair) as.vector(table(crossed[pair]))), list(
    `dpContingency, margins` = function(epsilon) {
      plan <- dpContingency(variables, values, pairs, n, epsilon)
      function() unlist(lapply(plan$release(crossed)$counts, `[[`, "count"))
    },
    `a dpContingency for each` = function(epsilon) {
      plans <- lapply(pairs, function(pair) {
        dpContingency(pair, values[match(pair, variables)], n = n, epsilon = epsilon / 2)
      })
      function() unlist(lapply(plans, function(plan) plan$release(crossed)$release$count))
    }
  ))

# Sample and aggregate: mean or median of the results of blocks ------------------------------------

# 200 results with a normal law of standard deviation 1, one of each block, in a range of width w
# about a middle that is w / 10 away from theirs.
cat("\nErrors (RMSE) of aggregates of 200 normal results, mean / median; what is chosen\n")
cat("where `aggregationFun` is left out, and how much worse it is than the better of both\n")
blocks <- 200
aggregate_results <- function(width, weight, ...) {
  suppressMessages(suppressWarnings(dpSampleAndAggregate(
    innerFun = "median", mechanism = "mechanismLaplace", numSubsets = blocks, varType = "numeric",
    variable = "x", n = blocks, rng = width * c(-0.4, 0.6), epsilon = weight / blocks, ...
  ), classes = "dp_warning"), classes = "dp_message")
}
weights <- c(5, 20, 30, 40, 45, 50, 100, 300)
errors_of <- function(width) {
  vapply(weights, function(weight) {
    found <- vapply(c(Mean = "Mean", Median = "Median"), function(aggregator) {
      plan <- aggregate_results(width, weight, aggregationFun = aggregator)
      rmse(replicate(10 * releases, plan$release(data.frame(x = rnorm(blocks)))$release), 0)
    }, 0)
    chosen <- aggregate_results(width, weight)$aggregationFun
    shown <- paste(formatC(found, digits = 2, format = "fg"), collapse = "/")
    worse <- max(0, round(100 * (found[[chosen]] / min(found) - 1)))
    paste0(shown, " ", chosen, if (worse > 0) paste0(" +", worse, "%"))
  }, "")
}
table <- t(vapply(c(6, 20, 100), errors_of, character(length(weights))))
dimnames(table) <- list(paste("w", c(6, 20, 100)), paste("epsilon k", weights))
print(noquote(t(table)))

choices <- c(`left out` = "", Mean = "Mean", Median = "Median")
aggregate_ways <- lapply(choices, function(aggregator) {
  function(epsilon) {
    plan <- suppressMessages(dpSampleAndAggregate(
      innerFun = "median", aggregationFun = if (aggregator != "") aggregator,
      mechanism = "mechanismLaplace", varType = "numeric", variable = "income", n = n,
      rng = c(0, 750000), epsilon = epsilon
    ), classes = "dp_message")
    function() plan$release(PUMS5extract10000)$release
  }
})
compare_errors("Median of income by blocks, census extract, range 750000",
  median(PUMS5extract10000$income), aggregate_ways)

# Sample and aggregate: intervals for the population -----------------------------------------------

# The median of 50 ages in each of 200 blocks. Failures are none.
cat("\nHalf-widths, of the noise and of the interval for the population: 200 medians of ages\n")
block_ways <- list(
  `no interval` = list(), `interval` = list(interval = "population"),
  `interval, failures dropped` = list(interval = "population", failures = "drop"),
  `intervalShare 0.3` = list(intervalShare = 0.3)
)
half_widths <- function(options, epsilon) {
  plan <- do.call(dpSampleAndAggregate, c(options, list(
    innerFun = function(x) sort(x)[[25]], outputRange = c(18, 93), aggregationFun = "Mean",
    mechanism = "mechanismLaplace", numSubsets = 200, varType = "numeric", variable = "age", n = n,
    rng = c(18, 93), epsilon = epsilon
  )))
  sampling <- replicate(ceiling(releases / 5), {
    ends <- plan$release(PUMS5extract10000)$samplingInterval
    if (is.null(ends)) NA_real_ else diff(ends) / 2
  })
  c(plan$accuracy, stats::median(sampling))
}
table <- do.call(rbind, lapply(block_ways, function(options) {
  as.double(vapply(losses, function(epsilon) half_widths(options, epsilon), numeric(2)))
}))
colnames(table) <- paste(rep(c("noise", "population"), length(losses)), rep(losses, each = 2))
print(signif(table, 3))
