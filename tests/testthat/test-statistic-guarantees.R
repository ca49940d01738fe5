# Guarantees of every statistic: with little noise it equals the exact statistic, and it hides one
# row as well as it claims (helper-audited-statistics.R). Each class, and each way to release it, is
# a row of this table. A class without a row fails.
#
# `build(epsilon)` makes the statistic for `data`. `other` differs in its first row. `number` is a
# number of a result, and `exact` its value for `data` without noise. Releases miss it by at most
# `reach / epsilon + rest`, except once in 1e11 times. `rest` is the error of the answer grid. If a
# neighbour has the same statistic, `apart` has a different one.
guarantees <- local({
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
  list(
    dpMean = with_build(means, mean_for(laplace)),
    `dpMean, snapping` = with_build(means, mean_for(snapping)),
    dpVariance = with_build(variances, variance_for(laplace)),
    `dpVariance, snapping` = with_build(variances, variance_for(snapping)),
    # Noise of the squares and noise of the sum: the midpoint is far from the mean.
    `dpVariance, sampled` = with_build(
      utils::modifyList(variances, list(reach = far)), function(epsilon) {
        variance_of(variable = "x", n = 4, rng = c(0, 1), epsilon = epsilon,
          interval = "population")
      }
    ),
    # Standard deviation D / epsilon.
    `dpMean, Gaussian` = with_build(means, function(epsilon) {
      mean_of(variable = "x", n = 4, rng = c(0, 10), epsilon = NULL, rho = epsilon^2 / 2)
    }),
    `dpVariance, Gaussian` = with_build(variances, function(epsilon) {
      variance_of(variable = "x", n = 4, rng = c(0, 1), epsilon = NULL, rho = epsilon^2 / 2)
    }),
    `dpHistogram, Gaussian` = with_build(counts, function(epsilon) {
      histogram_of(variable = "x", n = 4, rng = c(0, 10), nBins = 2, epsilon = NULL,
        rho = epsilon^2 / 2)
    }),
    `dpCovariance, Gaussian` = with_build(covariances, function(epsilon) {
      dpCovariance(n = 3, columns = c("x", "y"), rng = list(c(0, 1), c(0, 1)), rho = epsilon^2 / 2,
        missing = "impute")
    }),
    dpHistogram = with_build(counts, counts_for(laplace)),
    `dpHistogram, snapping` = with_build(counts, counts_for(snapping)),
    `dpHistogram, stability` = with_build(stable, function(epsilon) {
      histogram_of(varType = "character", variable = "x", n = 60, epsilon = epsilon, delta = 2e-4)
    }),
    dpContingency = list(
      build = function(epsilon) {
        dpContingency(c("x", "y"), list(c(0, 1), c(0, 1)), n = 3, epsilon = epsilon,
          missing = "impute")
      },
      data = rows(c(1, 0, 1), y = c(0, 0, 1)), other = rows(c(0, 0, 1), y = c(1, 0, 1)), exact = 1,
      reach = 2 * far * 2, rest = 1e-5,
      number = function(result) sum(result$release$count * c(0, 1, -1, 0))
    ),
    `dpContingency, margins` = list(
      build = function(epsilon) {
        dpContingency(c("x", "y", "z"), list(0:9, 0:9, 0:9), list("x", "y"), 3, epsilon,
          missing = "impute")
      },
      data = rows(c(1, 0, 1), y = c(0, 0, 1), z = 0),
      other = rows(c(0, 0, 1), y = c(1, 0, 1), z = 0), exact = 1, reach = 8 * far * 2, rest = 1e-5,
      number = function(result) {
        result$release$x$count[[2]] - result$release$y$count[[2]]
      }
    ),
    dpTree = list(
      build = function(epsilon) {
        dpTree("numeric", "x", 4, 2, c(0, 10), globalEps = epsilon, missing = "impute")
      },
      data = rows(c(1, 9, 9, 1)), other = rows(c(9, 9, 9, 1)), exact = 0, reach = 4 * far * 4,
      rest = 1e-5,
      number = function(result) {
        sum(result$release[[2]] * c(1, -1), result$release[[3]] * c(1, 0, 0, -1))
      }
    ),
    dpCovariance = with_build(covariances, covariance_for(laplace)),
    `dpCovariance, snapping` = with_build(covariances, covariance_for(snapping)),
    dpMedian = with_build(middles, function(epsilon) {
      dpMedian(varType = "numeric", variable = "x", n = 3, rng = c(0, 10), epsilon = epsilon,
        gridPoints = 2, missing = "impute")
    }),
    dpQuantile = with_build(middles, function(epsilon) {
      dpQuantile(varType = "numeric", variable = "x", n = 3, prob = 0.5, rng = c(0, 10),
        epsilon = epsilon, gridPoints = 2, missing = "impute")
    }),
    `dpQuantile, sampled` = with_build(middles, function(epsilon) {
      dpQuantile(varType = "numeric", variable = "x", n = 3, prob = 0.5, rng = c(0, 10),
        epsilon = epsilon, gridPoints = 2, interval = "population", missing = "impute")
    }),
    # Scale 16 / 4 over half of epsilon.
    `dpMean, bounds found` = with_build(
      utils::modifyList(means, list(reach = far * 8)), function(epsilon) {
        mean_of(variable = "x", n = 4, epsilon = epsilon,
          rng = bounds(0.5, smallest = 1, largest = 16, sides = "positive", beta = 1e-12))
      }
    ),
    dpBounds = list(
      build = function(epsilon) {
        dpBounds(varType = "numeric", variable = "x", n = 4, epsilon = epsilon, smallest = 1,
          largest = 4, sides = "positive", beta = 1e-12)
      },
      data = rows(c(0.5, 3, 3, 3)), other = rows(c(3, 3, 3, 3)), exact = 0, reach = 0, rest = 0,
      number = function(result) result$release[["lower"]]
    ),
    dpQuantiles = with_build(middles, function(epsilon) {
      dpQuantiles(varType = "numeric", variable = "x", n = 3, probs = 0.5, rng = c(0, 10),
        epsilon = epsilon, gridPoints = 2, missing = "impute")
    }),
    `dpQuantiles, sampled` = with_build(middles, function(epsilon) {
      dpQuantiles(varType = "numeric", variable = "x", n = 3, probs = 0.5, rng = c(0, 10),
        epsilon = epsilon, gridPoints = 2, interval = "population", missing = "impute")
    }),
    dpHeavyHitters = with_build(texts, function(epsilon) {
      dpHeavyHitters("mechanismExponential", "character", "x", 5, epsilon, k = 1,
        bins = c("a", "b", "c"))
    }),
    `dpHeavyHitters, stability` = with_build(stable, function(epsilon) {
      dpHeavyHitters("mechanismStability", "character", "x", 60, epsilon, k = 2, delta = 2e-4)
    }),
    # A large gap decides whether the set is released.
    `dpHeavyHitters, set` = list(
      build = function(epsilon) {
        dpHeavyHitters("mechanismStability", "character", "x", 8, epsilon, k = 1,
          bins = c("a", "b", "c"), delta = 0.01)
      },
      data = rows(rep(c("a", "b"), c(6, 2))), other = rows(rep(c("a", "b"), c(5, 3))),
      apart = rows(rep(c("a", "b"), c(2, 6))), exact = 1, reach = 0, rest = 0,
      number = function(result) match(result$release, c("a", "b", "c"))
    ),
    # Correlations of 1 and -1. With negligible noise, a column keeps some variance.
    dpCorrelation = list(
      build = function(epsilon) {
        dpCorrelation(c("x", "y"), 3, list(c(0, 1), c(0, 1)), epsilon = epsilon, missing = "impute")
      },
      data = corners, other = rows(c(0, 0, 0), y = c(0, 0, 0)),
      apart = rows(c(1, 0, 0), y = c(0, 1, 1)), exact = 1, reach = far * 40, rest = 1e-5,
      number = function(result) result$release["x", "y"]
    ),
    # First component of two equal or opposite columns.
    dpPCA = list(
      build = function(epsilon) {
        dpPCA(c("x", "y"), 1, 3, list(c(0, 1), c(0, 1)), epsilon = epsilon, missing = "impute")
      },
      data = corners, other = rows(c(0, 0, 0), y = c(0, 0, 0)),
      apart = rows(c(1, 0, 0), y = c(0, 1, 1)), exact = 0.5, reach = far * 40, rest = 1e-5,
      number = function(result) prod(result$release$PC1)
    ),
    dpLM = list(
      build = function(epsilon) {
        dpLM(y ~ x, 3, list(c(0, 1), c(0, 1)), epsilon = epsilon, missing = "impute")
      },
      data = corners, other = rows(c(0, 0, 0), y = c(0, 0, 0)),
      apart = rows(c(1, 0, 0), y = c(0, 1, 1)), exact = 1, reach = far * 40, rest = 1e-5,
      number = function(result) result$release["x", "estimate"]
    ),
    dpMeanDifference = with_build(groups, function(epsilon) {
      dpMeanDifference("x", "y", c(0, 1), 6, c(0, 1), epsilon = epsilon, missing = "impute")
    }),
    `dpMeanDifference, by design` = with_build(groups, function(epsilon) {
      dpMeanDifference("x", "y", c(0, 1), rng = c(0, 1), epsilon = epsilon, groupSizes = c(3, 3),
        missing = "impute")
    }),
    dpNaiveBayes = with_build(
      utils::modifyList(groups, list(exact = 0.75, number = function(result) {
        result$release$mean[[1]]
      })),
      function(epsilon) {
        dpNaiveBayes(y ~ x, c(0, 1), 6, list(c(0, 1)), epsilon = epsilon, missing = "impute")
      }
    ),
    # A row of the cluster with larger values, whose mean is released.
    dpKMeans = list(
      build = function(epsilon) {
        dpKMeans(c("x", "y"), 2, 6, list(c(0, 1), c(0, 1)), epsilon, iterations = 2)
      },
      data = rows(c(1, 0.9, 0.8, 0.2, 0.1, 0), y = c(1, 0.9, 0.8, 0.2, 0.1, 0)),
      other = rows(c(0, 0.9, 0.8, 0.2, 0.1, 0), y = c(0, 0.9, 0.8, 0.2, 0.1, 0)), exact = 0.9,
      reach = far * 40, rest = 1e-5, number = function(result) max(result$release$x)
    ),
    dpGLM = list(
      build = function(epsilon) {
        dpGLM("mechanismObjective", "numeric", 4, list(c(0, 1), c(-1, 1)), y ~ x, "ols",
          epsilon = epsilon, intercept = FALSE, inference = "none", missing = "impute")
      },
      # Much of the error comes from the ridge that privacy needs, which also scales as one over
      # epsilon.
      data = rows(c(1, 1, 1, 1), y = c(1, 0, 1, 1)),
      other = rows(c(-1, 1, 1, 1), y = c(1, 0, 1, 1)), exact = 0.75, reach = 1e4, rest = 1e-3,
      number = function(result) result$release["x", "estimate"]
    ),
    dpSampleAndAggregate = with_build(means, function(epsilon) {
      aggregate_of(variable = "x", n = 4, numSubsets = 4, rng = c(0, 10), epsilon = epsilon)
    })
  )
})

test_that("every exported statistic has a row", {
  expect_setequal(sub(",.*", "", names(guarantees)), exported_statistics())
  for (name in names(guarantees)) {
    expect_s3_class(small(guarantees[[name]]$build(1)), sub(",.*", "", name))
  }
})

misses <- function(row, number, epsilon) {
  abs(number - row$exact) > row$reach / epsilon + row$rest
}

for (name in names(guarantees)) {
  row <- guarantees[[name]]

  test_that(paste(name, "converges to the exact statistic as epsilon grows"), {
    for (epsilon in 10^c(3, 6, 9)) {
      statistic <- small(exactly(row$build(epsilon)))
      for (i in 1:5) {
        expect_false(misses(row, row$number(statistic$release(row$data)), epsilon))
      }
    }
    # Releases converge to these data: releases of other data converge elsewhere.
    other <- statistic$release(row$apart %||% row$other)
    expect_true(misses(row, row$number(other), epsilon))
  })
}

test_that("every exported statistic is audited", {
  expect_setequal(sub(",.*", "", names(statistic_audits())), exported_statistics())
})

test_audits(statistic_audits())
