# Every interval of the statistics: its target, its assumption, rows that meet the assumption, and
# rows that break it. test-statistic-interval-targets.R releases both.

# Functions of the number of rows. Skewed rows have a tail like incomes. Heavy rows have no variance
# unless they are bounded. A tenth of gappy rows has a value.
skewed_rows <- function(n) {
  x <- stats::rlnorm(n)
  data.frame(
    x = x, y = 0.5 * x + stats::rlnorm(n), group = stats::rbinom(n, 1, 0.4),
    label = sample(c("a", "b"), n, TRUE)
  )
}
heavy_rows <- function(n) {
  x <- stats::rt(n, 2)
  data.frame(x = x, y = 0.5 * x + stats::rt(n, 2), group = stats::rbinom(n, 1, 0.4))
}
gappy_rows <- function(n) {
  rows <- skewed_rows(n)
  rows[stats::runif(n) < 0.9, c("x", "y")] <- NA
  rows
}
normal_rows <- function(n) {
  x <- stats::rnorm(n)
  data.frame(x = x, y = 0.6 * x + 0.8 * stats::rnorm(n), group = stats::rbinom(n, 1, 0.4))
}
# Residuals of one variance, and residuals that are wide where the predictor is large.
alike_rows <- function(n) {
  x <- pmin(stats::rexp(n), 10)
  data.frame(x = x, y = x + stats::rexp(n))
}
unlike_rows <- function(n) {
  x <- 10 * stats::rbinom(n, 1, 0.05)
  data.frame(x = x, y = 5 + stats::runif(n, -1, 1) * ifelse(x > 0, 5, 0.1))
}
# A few rows make up most of the variance of each column and of their covariance.
rare_rows <- function(n) {
  size <- ifelse(stats::runif(n) < 0.02, 5, 0.1)
  data.frame(x = size * sample(c(-1, 1), n, TRUE), y = size * sample(c(-1, 1), n, TRUE))
}
logit_rows <- function(n) {
  x <- stats::runif(n, -2, 2)
  data.frame(x = x, y = stats::rbinom(n, 1, stats::plogis(x)))
}
poisson_rows <- function(n) {
  x <- stats::runif(n, -2, 2)
  data.frame(x = x, y = stats::rpois(n, exp(0.2 + 0.4 * x)))
}
# Four columns. All but the first have the same variance, so eigenvalues are close together.
even_rows <- function(n) {
  rows <- as.data.frame(matrix(stats::rnorm(4 * n), n, dimnames = list(NULL, letters[1:4])))
  rows$a <- rows$a * sqrt(2)
  rows
}
# Each row appears 50 times. Intervals for a population assume independent rows.
copied <- function(rows) {
  force(rows)
  function(n) rows(n / 50)[rep(seq_len(n / 50), each = 50), , drop = FALSE]
}
# The number of rows differs from the `n` of the statistic.
times <- function(share, rows) {
  force(share)
  force(rows)
  function(n) rows(share * n)
}

# `rng`: bounds of x. Bounds of y are 1.5 times as wide. `source`: independent rows that the
# truth is computed from.
population <- function(name, rows, rng, missing = "impute", source = rows) {
  list(name = name, rows = rows, rng = rng, missing = missing, source = source)
}
of_skewed <- population("skewed", skewed_rows, c(0, 20))
of_heavy <- population("heavy", heavy_rows, c(-50, 50))
of_gappy <- population("gappy", gappy_rows, c(0, 20), "drop")
of_normal <- population("normal", normal_rows, c(-5, 5))
of_alike <- population("alike", alike_rows, c(0, 10))
of_unlike <- population("unlike", unlike_rows, c(0, 10))
of_logit <- population("logit", logit_rows, c(-2, 2))
of_poisson <- population("poisson", poisson_rows, c(-2, 2))
of_even <- population("even", even_rows, c(-5, 5))
of_copies <- population("copied", copied(skewed_rows), c(0, 20))
of_rare <- population("rare", rare_rows, c(-5, 5))
one_row <- population("one", function(n) skewed_rows(1)[rep(1, n), ], c(0, 20),
  source = skewed_rows)
signs_rows <- function(n) {
  data.frame(x = sample(c(-1, 1), n, TRUE), y = sample(c(-1, 1), n, TRUE))
}
copied_signs <- population("copied", copied(signs_rows), c(-1, 1))
unusual <- list(of_skewed, of_heavy, of_gappy)
bounds_of_y <- function(population) 1.5 * population$rng

# Rows of a population as a statistic uses them. If bounds were found, `x` is not clamped.
as_used <- function(population, n, in_range = TRUE) {
  moved <- function(x, rng) pmin(pmax(x, rng[1]), rng[2])
  rows <- population$source(n)
  if (is.null(rows$x)) return(rows)
  if (population$missing == "drop") rows <- rows[!is.na(rows$x), ]
  if (in_range) rows$x <- moved(rows$x, population$rng)
  if (!all(rows$y %in% 0:1)) rows$y <- moved(rows$y, bounds_of_y(population))
  rows
}

# `statistic(population)` makes the statistic, and `ends(result)` reads an interval. It must cover
# `truth(rows, result)`, computed from very many rows of the population, or from the released rows
# if it is `for_rows`. `holds`: populations that meet the assumption. `breaks`: one that does not.
# Rows of one interval differ in their `setting`.
interval_row <- function(class, element, target, assumes, statistic, ends, truth, holds, breaks,
                         for_rows = FALSE, n = 1000, setting = NULL) {
  list(
    key = paste(class, element, target, sep = ", "), setting = setting, assumes = assumes,
    statistic = statistic, ends = ends, truth = truth, holds = holds, breaks = breaks,
    for_rows = for_rows, n = n
  )
}

label_of_interval <- function(row) paste(c(row$key, row$setting), collapse = ", ")

# Whether each of `releases` covers. A release that found no bounds has no interval and does not
# count. This decision uses only the first release, whose noise is independent of the second's.
hits_of_interval <- function(row, population, releases) {
  statistic <- exactly(small(row$statistic(population)))
  many <- if (!row$for_rows) withr::with_seed(1, as_used(population, 2e5))
  unlist(replicate(releases, simplify = FALSE, {
    rows <- population$rows(row$n)
    result <- statistic$release(rows)
    if (!lacks_release(result)) {
      same <- replace(population, "source", list(function(n) rows))
      used <- many %||% as_used(same, row$n, in_range = is.null(result$bounds))
      ends <- row$ends(result)
      truth <- row$truth(used, result)
      isTRUE(ends[[1]] <= truth && truth <= ends[[2]])
    }
  }))
}

# A true share of 0.92 fails once in 1e12 checks.
least_hits <- function(releases) stats::qbinom(1e-12, releases, 0.92)

# Whether an interval covers. In the long tier at least 0.92 of 1,000 releases must cover. Cells
# below this need 0.935 of 10,000.
covers_often <- function(hits, again) {
  if (in_tier(TRUE, FALSE)) return(sum(hits) >= least_hits(length(hits)))
  mean(hits) >= 0.92 || mean(again()) >= 0.935
}

of_one_column <- function(generator, ..., bounds = NULL, epsilon = 1) {
  arguments <- list(...)
  function(population) {
    do.call(generator, c(list(variable = "x", n = 1000, rng = bounds %||% population$rng,
      epsilon = epsilon, missing = population$missing), arguments))
  }
}
of_two_columns <- function(generator, ..., epsilon = 50) {
  arguments <- list(...)
  function(population) {
    do.call(generator, c(
      list(n = 1000, rng = list(x = population$rng, y = bounds_of_y(population)),
        epsilon = epsilon, missing = population$missing), arguments
    ))
  }
}

interval_rows <- local({
  rows <- target_of$rows
  moved <- target_of$moved
  found <- target_of$found_rows
  at_found <- function(generator, ...) {
    of_one_column(generator, ..., n_check = "resize", bounds = bounds(), epsilon = 5)
  }
  moved_to <- function(x, result) {
    pmin(pmax(x, result$bounds$lower), result$bounds$upper)
  }
  independent <- "rows are drawn independently of each other"
  mean_is_normal <- paste0(independent, ", and a mean of n of them is normal")
  counted <- "the data have n rows"
  on_halves <- population("halved", times(1 / 2, skewed_rows), c(0, 20))
  # First edge of a histogram with four cells.
  first_edge <- function(result) {
    if (is.null(result$bounds)) {
      return(as.double(sub("^.*,(.*).$", "\\1", rownames(result$intervals)[[1]])))
    }
    result$bounds$lower + (result$bounds$upper - result$bounds$lower) / 4
  }
  of_ends <- function(name) function(result) result[[name]]
  first_interval <- function(result) result$intervals[1, ]
  mean_of_x <- function(used, result) mean(used$x)
  slope <- function(used, result) stats::cov(used$x, used$y) / stats::var(used$x)
  slope_of_summary <- function(result) unlist(result$summary["x", 3:4])
  line_by <- function(...) of_two_columns(dpLM, formula = y ~ x, ...)
  model_by <- function(...) of_two_columns(dpGLM, formula = y ~ x, ...)
  logit_by <- function(...) {
    function(population) {
      dpGLM(n = 1000, rng = list(y = c(0, 1), x = population$rng), formula = y ~ x,
        objective = "logit", epsilon = 5, ...)
    }
  }
  blocks_of <- function(..., aggregationFun = "Mean") {
    function(population) {
      dpSampleAndAggregate(innerFun = "mean", aggregationFun = aggregationFun, numSubsets = 20,
        mechanism = "mechanismLaplace", varType = "numeric", variable = "x", n = 1000,
        epsilon = 50, rng = population$rng, missing = "impute", ...)
    }
  }
  logit_slope <- function(used, result) 1
  counts_by <- function(...) {
    function(population) {
      dpGLM(n = 1000, rng = list(y = c(0, 12), x = population$rng), formula = y ~ x,
        objective = "poisson", epsilon = 20, ...)
    }
  }
  poisson_slope <- function(used, result) 0.4
  largest_variance <- function(used, result) eigen(stats::cov(used[c("x", "y")]))$values[[1]]
  even_components <- function(...) {
    function(population) {
      columns <- names(population$rows(1))
      dpPCA(columns, 3, 1000, stats::setNames(rep(list(population$rng), 4), columns), ...)
    }
  }
  second_interval <- function(result) result$intervals[2, ]
  mean_of_group <- function(used, group) mean(used$x[used$group == group])

  list(
    interval_row("dpMean", "interval", rows, counted, of_one_column(dpMean, n_check = "resize"),
      of_ends("interval"), mean_of_x, unusual, on_halves, for_rows = TRUE),
    interval_row("dpMean", "populationInterval", moved, mean_is_normal,
      of_one_column(dpMean, interval = "population"), of_ends("populationInterval"), mean_of_x,
      unusual, of_copies),
    interval_row("dpMean", "populationInterval", target_of$population, independent,
      function(population) {
        dpMean(varType = "logical", variable = "group", n = 1000, epsilon = 1,
          interval = "population")
      },
      of_ends("populationInterval"), function(used, result) 0.4, list(of_skewed), of_copies),
    interval_row("dpVariance", "interval", rows, counted,
      of_one_column(dpVariance, n_check = "resize"), of_ends("interval"),
      function(used, result) stats::var(used$x), unusual, on_halves, for_rows = TRUE),
    interval_row("dpVariance", "populationInterval", moved,
      paste0(independent, ", and a variance of n of them is normal"),
      of_one_column(dpVariance, interval = "population", epsilon = 10),
      of_ends("populationInterval"),
      function(used, result) stats::var(used$x), unusual,
      one_row),
    interval_row("dpVariance", "stdInterval", moved,
      paste0(independent, ", and a variance of n of them is normal"),
      of_one_column(dpVariance, interval = "population", epsilon = 10), of_ends("stdInterval"),
      function(used, result) stats::sd(used$x), unusual,
      one_row),
    interval_row("dpMedian", "populationInterval", target_of$population,
      paste0(independent, ", and so many that a count of them is normal"),
      of_one_column(dpMedian, interval = "population", epsilon = 5), of_ends("populationInterval"),
      function(used, result) stats::median(used$x), unusual, of_copies),
    interval_row("dpQuantile", "populationInterval", target_of$population,
      paste0(independent, ", and so many that a count of them is normal"),
      of_one_column(dpQuantile, prob = 0.9, interval = "population", epsilon = 5),
      of_ends("populationInterval"),
      function(used, result) stats::quantile(used$x, 0.9), unusual, of_copies),
    interval_row("dpQuantiles", "populationInterval", target_of$population,
      paste0(independent, ", and so many that a count of them is normal"),
      of_one_column(dpQuantiles, gridPoints = 101, probs = c(0.2, 0.7), interval = "population",
        epsilon = 5),
      function(result) result$populationInterval[2, ],
      function(used, result) stats::quantile(used$x, 0.7), unusual, of_copies),
    interval_row("dpHistogram", "intervals", rows, counted,
      of_one_column(dpHistogram, nBins = 4, n_check = "resize"),
      function(result) unlist(result$intervals[1, ]),
      function(used, result) sum(used$x < first_edge(result)), unusual, on_halves,
      for_rows = TRUE),
    interval_row("dpTree", "cdf", moved,
      paste0(independent, ", and so many that a count of them is normal"),
      of_one_column(dpTree, depth = 2), function(result) unlist(result$cdf[2, c("lower", "upper")]),
      function(used, result) mean(used$x < result$cdf$val[[2]]), unusual, of_copies),
    interval_row("dpTree", "meanInterval", rows, counted,
      of_one_column(dpTree, depth = 2, n_check = "resize"), of_ends("meanInterval"), mean_of_x,
      unusual, on_halves, for_rows = TRUE),
    interval_row("dpHeavyHitters", "intervals", rows, counted,
      function(population) {
        dpHeavyHitters("mechanismLaplace", "character", "label", 1000, 1, k = 1,
          bins = c("a", "b"), n_check = "resize")
      },
      function(result) unlist(result$intervals[1, ]),
      function(used, result) sum(used$label == result$release), list(of_skewed),
      population("doubled", times(2, skewed_rows), c(0, 20)), for_rows = TRUE),
    interval_row("dpContingency", "accuracy", rows, counted,
      function(population) {
        dpContingency(c("group", "label"), list(0:1, c("a", "b")), n = 1000, epsilon = 1,
          missing = "impute", n_check = "resize")
      },
      function(result) result$release$count[[1]] + c(-1, 1) * result$accuracy[[1]],
      function(used, result) sum(used$group == 0 & used$label == "a"), list(of_skewed), on_halves,
      for_rows = TRUE),
    interval_row("dpCovariance", "accuracy", rows, counted,
      function(population) {
        dpCovariance(n = 1000, columns = c("x", "y"), globalEps = 5, missing = population$missing,
          rng = list(population$rng, bounds_of_y(population)), n_check = "resize")
      },
      function(result) result$release[["x"]][[2]] + c(-1, 1) * result$accuracy[[2]],
      function(used, result) stats::cov(used$x, used$y), unusual, on_halves, for_rows = TRUE),
    interval_row("dpCovariance", "linearRegression", target_of$classical,
      "rows are drawn independently, and residuals have one variance whatever the predictors",
      function(population) {
        dpCovariance(n = 1000, columns = c("x", "y"), globalEps = 50, intercept = TRUE,
          rng = list(population$rng, bounds_of_y(population)), formula = y ~ x)
      },
      function(result) confint(result)["x", ], slope, list(of_alike), of_unlike),
    interval_row("dpLM", "summary", target_of$classical,
      "rows are drawn independently, and residuals have one variance whatever the predictors",
      line_by(), slope_of_summary, slope, list(of_alike), of_unlike),
    interval_row("dpLM", "summary", moved,
      paste0(independent, ", and so many that their moments are normal"),
      line_by(vcov = "sandwich"), slope_of_summary, slope, list(of_alike, of_unlike),
      population("copied", copied(unlike_rows), c(0, 10))),
    interval_row("dpGLM", "summary", target_of$classical,
      "rows are drawn independently, and residuals have one variance whatever the predictors",
      model_by(objective = "ols"), slope_of_summary, slope, list(of_alike), of_unlike),
    interval_row("dpGLM", "summary", target_of$model,
      "rows are drawn independently from the model",
      logit_by(), slope_of_summary, logit_slope, list(of_logit),
      population("copied", copied(logit_rows), c(-2, 2))),
    interval_row("dpGLM", "summary", moved,
      paste0(independent, ", and so many that their moments are normal"),
      logit_by(vcov = "sandwich"), slope_of_summary, logit_slope, list(of_logit),
      population("copied", copied(logit_rows), c(-2, 2))),
    interval_row("dpGLM", "summary", moved,
      paste0(independent, ", and so many in each part that its coefficients are normal"),
      logit_by(nBoot = 5), slope_of_summary, logit_slope, list(of_logit), NULL,
      setting = "parts"),
    interval_row("dpGLM", "summary", target_of$model,
      "rows are drawn independently from the model",
      counts_by(), slope_of_summary, poisson_slope, list(of_poisson),
      population("copied", copied(poisson_rows), c(-2, 2)), setting = "counts"),
    interval_row("dpGLM", "summary", moved,
      paste0(independent, ", and so many that their moments are normal"),
      counts_by(vcov = "sandwich"), slope_of_summary, poisson_slope, list(of_poisson),
      population("copied", copied(poisson_rows), c(-2, 2)), setting = "counts"),
    interval_row("dpMeanDifference", "populationInterval", moved, mean_is_normal,
      function(population) {
        dpMeanDifference("x", "group", c(0, 1), 1000, population$rng, 5,
          missing = population$missing)
      },
      of_ends("populationInterval"),
      function(used, result) mean_of_group(used, 0) - mean_of_group(used, 1), unusual, of_copies),
    interval_row("dpNaiveBayes", "intervals", moved, mean_is_normal,
      function(population) {
        dpNaiveBayes(group ~ x, c(0, 1), 1000, list(population$rng), 1,
          missing = population$missing)
      },
      first_interval, function(used, result) mean_of_group(used, 0), unusual, of_copies),
    interval_row("dpKMeans", "intervals", moved, mean_is_normal,
      function(population) {
        dpKMeans(c("x", "y"), 2, 1000, list(population$rng, bounds_of_y(population)), 5,
          iterations = 2)
      },
      first_interval,
      function(used, result) {
        # Distances are shares of the ranges. The range of y is wider.
        centres <- as.matrix(result$previous) %*% diag(c(1.5, 1))
        at <- as.matrix(used[c("x", "y")]) %*% diag(c(1.5, 1))
        away <- vapply(1:2, function(k) colSums((t(at) - centres[k, ])^2), numeric(nrow(at)))
        mean(used$x[away[, 1] <= away[, 2]])
      }, list(of_normal), population("copied", copied(normal_rows), c(-5, 5))),
    interval_row("dpCorrelation", "intervals", moved,
      paste0(independent, ", and so many that their moments are normal"),
      of_two_columns(dpCorrelation, columns = c("x", "y")), first_interval,
      function(used, result) stats::cor(used$x, used$y), unusual,
      copied_signs),
    interval_row("dpCorrelation", "intervals", target_of$normal,
      "rows are drawn independently, and columns are normal",
      of_two_columns(dpCorrelation, columns = c("x", "y"), law = "normal"), first_interval,
      function(used, result) stats::cor(used$x, used$y), list(of_normal), of_rare),
    interval_row("dpPCA", "intervals", moved,
      paste0(independent, ", and so many that their moments are normal"),
      of_two_columns(dpPCA, columns = c("x", "y"), k = 1), first_interval, largest_variance,
      unusual, one_row),
    interval_row("dpPCA", "intervals", moved,
      paste0(independent, ", and so many that their moments are normal"),
      of_two_columns(dpPCA, columns = c("x", "y"), k = 1, epsilon = 1), first_interval,
      largest_variance, c(unusual, list(of_normal)), NULL, setting = "much noise"),
    interval_row("dpPCA", "intervals", target_of$normal,
      "rows are drawn independently, and columns are normal",
      of_two_columns(dpPCA, columns = c("x", "y"), k = 1, law = "normal"), first_interval,
      largest_variance, list(of_normal), of_rare),
    interval_row("dpPCA", "intervals", target_of$normal,
      "rows are drawn independently, and columns are normal",
      even_components(epsilon = 1, law = "normal"), first_interval, function(used, result) 2,
      list(of_even), NULL, setting = "much noise"),
    interval_row("dpPCA", "intervals", target_of$normal,
      "rows are drawn independently, and columns are normal",
      even_components(epsilon = 50, law = "normal"), second_interval, function(used, result) 1,
      list(of_even), NULL, setting = "equal variances"),
    # Intervals at bounds that were found.
    interval_row("dpMean", "interval", found, counted, at_found(dpMean), of_ends("interval"),
      function(used, result) mean(moved_to(used$x, result)), unusual, on_halves, for_rows = TRUE),
    interval_row("dpVariance", "interval", found, counted, at_found(dpVariance),
      of_ends("interval"), function(used, result) stats::var(moved_to(used$x, result)), unusual,
      on_halves, for_rows = TRUE),
    interval_row("dpTree", "cdf", found, counted, at_found(dpTree, depth = 2),
      function(result) unlist(result$cdf[2, c("lowerNoise", "upperNoise")]),
      function(used, result) mean(used$x < result$cdf$val[[2]]), unusual,
      on_halves,
      for_rows = TRUE),
    interval_row("dpTree", "meanInterval", found, counted, at_found(dpTree, depth = 2),
      of_ends("meanInterval"), function(used, result) mean(moved_to(used$x, result)), unusual,
      on_halves, for_rows = TRUE),
    interval_row("dpHistogram", "intervals", found, counted, at_found(dpHistogram, nBins = 4),
      function(result) unlist(result$intervals[1, ]),
      function(used, result) {
        # Rows outside are in the cell NA, if it exists.
        moves <- !"NA" %in% rownames(result$intervals)
        sum(used$x < first_edge(result) & (moves | used$x >= result$bounds$lower))
      }, unusual, on_halves, for_rows = TRUE),
    interval_row("dpCovariance", "accuracy", found, counted,
      function(population) {
        dpCovariance(n = 1000, columns = c("x", "y"), globalEps = 5, missing = population$missing,
          rng = list(x = bounds(), y = bounds_of_y(population)), n_check = "resize")
      },
      function(result) result$release[["x"]][[2]] + c(-1, 1) * result$accuracy[[2]],
      function(used, result) stats::cov(moved_to(used$x, result), used$y), unusual, on_halves,
      for_rows = TRUE),
    interval_row("dpSampleAndAggregate", "interval", rows, counted,
      blocks_of(n_check = "resize"),
      of_ends("interval"), mean_of_x, list(of_skewed), on_halves, for_rows = TRUE),
    # No mean of 50 rows is outside of the interval that is found.
    interval_row("dpSampleAndAggregate", "interval", target_of$winsorized, counted,
      blocks_of(aggregationFun = "WinsorizedMean", n_check = "resize"),
      of_ends("interval"), mean_of_x, list(of_skewed), on_halves, for_rows = TRUE),
    interval_row("dpSampleAndAggregate", "samplingInterval", target_of$blocks,
      "rows are drawn independently, and a mean of the numbers of blocks is normal",
      blocks_of(interval = "population"),
      of_ends("samplingInterval"), mean_of_x, list(of_normal), of_copies)
  )
})
