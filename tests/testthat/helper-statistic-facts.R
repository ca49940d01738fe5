# What tests know about each statistic. A file helper-statistic-<name>.R has all facts of one class,
# a list `tested_<name>`. Its elements are quoted calls of named lists:
#
#   arguments   arguments that build the statistic, with several sets if they select different code
#   examples    each form of the statistic, with facts about its result: its table has `rows` rows,
#               and it can be plotted as `pictures`, the first by default
#   guarantees  rows of the table of test-statistic-guarantees.R
#   audits      audit cases (helper-audit.R)
#   random      functions that draw arguments (helper-random-plans.R)
#   covers      release variants, and whether the interval of a result covers the value in the data
#
# Names of elements begin with the class, except in `examples`. A call is evaluated in the
# environment of a function such as examples_parts(), with what facts of several classes share.

kinds_of_facts <- c("arguments", "examples", "guarantees", "audits", "random", "covers")

# The facts of one kind, of all statistics.
facts_of_statistics <- function(kind) {
  home <- environment(facts_of_statistics)
  parts <- get(paste0(kind, "_parts"), home)
  tested <- mget(ls(home, pattern = "^tested_"), envir = home)
  do.call(c, lapply(unname(tested), function(one) {
    stopifnot(names(one) %in% kinds_of_facts)
    eval(one[[kind]], parts())
  }))
}

statistic_examples <- function() facts_of_statistics("examples")

delayedAssign("valid_arguments", facts_of_statistics("arguments"))

statistic_audits <- function() facts_of_statistics("audits")

delayedAssign("random_arguments", facts_of_statistics("random"))

arguments_parts <- function() {
  column <- list(varType = "numeric", variable = "x", n = 10)
  ranged <- c(column, list(rng = c(0, 1)))
  laplace <- list(mechanism = "mechanismLaplace")
  texts <- list(varType = "character", variable = "x", n = 10, epsilon = 1)
  pairs <- list(varType = "numeric", n = 10, rng = list(c(0, 1), c(0, 1)))
  blocks <- c(laplace, ranged, list(numSubsets = 2, epsilon = 1))
  environment()
}

examples_parts <- function() {
  form <- function(statistic, rows, pictures) {
    list(statistic = statistic, rows = rows, pictures = pictures)
  }
  of_jobs <- function(mechanism, bins = NULL) {
    dpHeavyHitters(mechanism, "character", "job", 10000, epsilon = 1, k = 2, bins = bins)
  }
  model <- function(..., missing = "impute", inference = "none") {
    dpGLM("mechanismObjective", "numeric", 10000, list(c(0, 2e5), c(18, 93)), income ~ age, "ols",
      epsilon = 1, ..., missing = missing, inference = inference)
  }
  jobs <- c("cook", "nurse", "clerk")
  environment()
}

guarantees_parts <- function() {
  rows <- function(x, ...) data.frame(x = x, ...)
  laplace <- "mechanismLaplace"
  snapping <- "mechanismSnapping"
  # The noise exceeds this multiple of its scale once in 1e11 times.
  far <- 25
  numbers <- rows(c(10, 10, 0, 4))
  means <- list(
    data = numbers, other = rows(c(0, 10, 0, 4)), exact = 6, reach = far * 2.5, rest = 1e-4,
    number = function(result) result$release
  )
  mean_for <- function(mechanism) {
    function(epsilon) {
      mean_of(mechanism = mechanism, variable = "x", n = 4, rng = c(0, 10), epsilon = epsilon)
    }
  }
  variances <- list(
    data = rows(c(1, 0, 0, 0)), other = rows(c(0, 0, 0, 0)), exact = 0.25, reach = far / 4,
    rest = 1e-5, number = function(result) result$release
  )
  variance_for <- function(mechanism) {
    function(epsilon) {
      variance_of(mechanism = mechanism, variable = "x", n = 4, rng = c(0, 1), epsilon = epsilon)
    }
  }
  counts <- list(
    data = numbers, other = rows(c(0, 10, 0, 4)), exact = 0, reach = 2 * far * 2, rest = 1e-5,
    number = function(result) -diff(unlist(result$counts))
  )
  counts_for <- function(mechanism) {
    function(epsilon) {
      histogram_of(mechanism = mechanism, variable = "x", n = 4, rng = c(0, 10), nBins = 2,
        epsilon = epsilon)
    }
  }
  texts <- list(
    data = rows(rep(c("a", "b"), c(3, 2))), other = rows(rep(c("a", "b"), c(2, 3))), exact = 1,
    reach = 0, rest = 0, number = function(result) match(result$release, c("a", "b", "c"))
  )
  # Enough rows with each value that both can be released.
  stable <- list(
    data = rows(rep(c("a", "b"), c(31, 29))), other = rows(rep(c("a", "b"), c(30, 30))), exact = 2,
    reach = 2 * far * 2, rest = 0,
    number = function(result) result$counts$a - result$counts$b
  )
  corners <- rows(c(1, 0, 0), y = c(1, 0, 0))
  covariances <- list(
    data = corners, other = rows(c(0, 0, 0), y = c(0, 0, 0)), exact = 1, reach = far * 3,
    rest = 1e-5, number = function(result) sum(as.matrix(result$release)[c(1, 2, 4)])
  )
  covariance_for <- function(mechanism) {
    function(epsilon) {
      dpCovariance(mechanism, "numeric", 3, c("x", "y"), list(c(0, 1), c(0, 1)),
        globalEps = epsilon, missing = "impute")
    }
  }
  middles <- list(
    data = rows(c(0, 0, 10)), other = rows(c(10, 0, 10)), exact = 0, reach = 0, rest = 0,
    number = function(result) result$release
  )
  # Means of 3 / 4 and 1 / 4. A row moves them by a third.
  groups <- list(
    data = rows(c(1, 0.5, 0.75, 0, 0.5, 0.25), y = c(0, 0, 0, 1, 1, 1)),
    other = rows(c(0, 0.5, 0.75, 0, 0.5, 0.25), y = c(0, 0, 0, 1, 1, 1)), exact = 0.5,
    reach = far * 40, rest = 1e-5, number = function(result) result$release
  )
  with_build <- function(row, build) c(list(build = build), row)
  environment()
}

covers_parts <- function() {
  within <- function(x, interval) x >= interval[[1]] && x <= interval[[2]]

  data <- data.frame(
    x = seq(0, 100, length.out = 50), y = rep(c(0, 30, 10, 90, 50), 10),
    kind = rep(c("a", "b", "c"), c(22, 20, 8))
  )
  laplace <- "mechanismLaplace"
  snapping <- "mechanismSnapping"
  way <- function(statistic, covers) list(statistic = statistic, covers = covers)
  mean_by <- function(mechanism) {
    way(mean_of(mechanism = mechanism, variable = "x", n = 50, epsilon = 0.5), function(result) {
      within(mean(data$x), result$interval)
    })
  }
  variance_by <- function(mechanism) {
    statistic <- variance_of(mechanism = mechanism, variable = "x", n = 50, epsilon = 0.5)
    way(statistic, function(result) within(stats::var(data$x), result$interval))
  }
  histogram_by <- function(mechanism) {
    statistic <- histogram_of(
      mechanism = mechanism, variable = "x", n = 50, rng = c(0, 100), nBins = 4
    )
    count <- sum(data$x > 25 & data$x <= 50)
    way(statistic, function(result) within(count, unlist(result$intervals[2, ])))
  }
  covariance_by <- function(mechanism) {
    statistic <- dpCovariance(mechanism, "numeric", 50, c("x", "y"), list(c(0, 100), c(0, 100)),
      globalEps = 1, missing = "impute")
    way(statistic, function(result) {
      abs(result$release[["x"]][[2]] - stats::cov(data$x, data$y)) <= result$accuracy[[2]]
    })
  }
  rank_of <- function(statistic, prob) {
    off <- function(t) abs((1 - prob) * sum(data$x < t) - prob * sum(data$x > t))
    best <- min(vapply(statistic$candidates, off, 0))
    way(statistic, function(result) off(result$release) <= best + result$accuracy)
  }
  counts <- table(data$kind)
  environment()
}
