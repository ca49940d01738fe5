# Intervals state their target. Each has a row in helper-interval-coverage.R, with its assumption
# and rows that break it.

# Release methods that no example covers.
other_ways <- function() {
  two <- list(x = c(0, 1), y = c(0, 1))
  list(
    dpGLM(n = 1000, rng = two, formula = y ~ x, objective = "ols", epsilon = 1),
    dpGLM(n = 1000, rng = two, formula = y ~ x, objective = "logit", epsilon = 1),
    dpHistogram(variable = "x", n = 1000, rng = bounds(), nBins = 4, epsilon = 2),
    dpCovariance(n = 1000, columns = c("x", "y"), rng = list(bounds(), c(0, 1)), globalEps = 2),
    dpCorrelation(c("x", "y"), 1000, two, epsilon = 1, law = "normal"),
    dpPCA(c("x", "y"), 1, 1000, two, epsilon = 1, law = "normal")
  )
}

# The elements of a result that look like intervals or errors, whatever is said of them.
interval_like <- function(result) {
  has_ends <- function(x) {
    if (!is.list(x) || length(x) == 0) return(FALSE)
    tables <- if (is.data.frame(x)) list(x) else Filter(is.data.frame, x)
    any(c("lower", "upper", "Std. Error") %in% unlist(lapply(tables, names)))
  }
  held <- names(Filter(has_ends, unclass(result)))
  setdiff(union(held, grep("nterval", names(result), value = TRUE)), c("bounds", "counts"))
}

test_that("every interval of a result names its target, and has a row with its assumption", {
  listed <- vapply(interval_rows, `[[`, "", "key")
  expect_false(anyDuplicated(vapply(interval_rows, label_of_interval, "")) > 0)
  expect_true(all(nzchar(vapply(interval_rows, `[[`, "", "assumes"))))
  rows <- data.frame(x = rep_len(c(0, 1), 1000), y = rep_len(c(0, 0, 1), 1000))
  results <- c(
    lapply(result_forms(), function(form) list(form$statistic, form$result)),
    lapply(other_ways(), function(statistic) list(statistic, statistic$release(rows)))
  )
  seen <- lapply(results, function(pair) {
    result <- pair[[2]]
    covers <- covers_of(result)
    expect_true(all(interval_like(result) %in% names(covers)))
    expect_true(all(covers %in% unlist(target_of)))
    table <- as.data.frame(result)
    expect_identical(is.null(table$conf.low), is.null(table$covers))
    if (length(covers) > 0) paste(class(pair[[1]])[[1]], names(covers), covers, sep = ", ")
  })
  expect_setequal(unlist(seen), listed)
})

test_that("an element that looks like an interval is noticed", {
  expect_identical(interval_like(list(newInterval = 1:2, a = 1)), "newInterval")
  expect_identical(interval_like(list(table = data.frame(lower = 1, upper = 2))), "table")
  expect_identical(interval_like(list(lines = list(a = data.frame(`Std. Error` = 1,
    check.names = FALSE)))), "lines")
})

test_that("intervals cover where their assumption holds", {
  for (row in interval_rows) {
    for (population in row$holds) {
      hits <- hits_of_interval(row, population, in_tier(20, 1000))
      again <- function() hits_of_interval(row, population, 10000)
      label <- paste(label_of_interval(row), "of", population$name)
      expect_gt(length(hits), in_tier(0, 500), label = label)
      expect_true(covers_often(hits, again), info = paste(label, mean(hits)))
    }
  }
})

test_that("rows that break the assumption of an interval are found out", {
  releases <- in_tier(40, 400)
  for (row in Filter(function(row) !is.null(row$breaks), interval_rows)) {
    # A share of 0.35 does not reach this once in 1e9 checks.
    hits <- hits_of_interval(row, row$breaks, releases)
    expect_lt(mean(hits), 0.85, label = label_of_interval(row))
  }
})

test_that("bounds that were found have no interval for the population, and no error", {
  wide <- bounds(smallest = 1)
  expect_refused(dpMean(variable = "x", n = 1000, rng = wide, epsilon = 1,
    interval = "population"), "interval")
  expect_refused(dpVariance(variable = "x", n = 1000, rng = wide, epsilon = 1,
    interval = "population"), "interval")
  expect_refused(dpLM(y ~ x, 1000, list(c(0, 1), wide), epsilon = 1, vcov = "sandwich"), "vcov")
  logit <- function(...) {
    dpGLM(n = 1000, rng = list(c(0, 1), wide), formula = y ~ x, objective = "logit", epsilon = 1,
      ...)
  }
  expect_refused(logit(inference = "onestep"), "inference")
  expect_refused(logit(nBoot = 5), "nBoot")
  expect_error(dpMean(variable = "x", n = 1000, rng = wide, epsilon = 1, interval = "population"),
    "no interval for the population")
  # Left out, all of the loss is for the coefficients.
  expect_identical(logit()$inference, "none")

  rows <- data.frame(x = rep_len(c(1, 3, 5, 9), 1000), y = rep_len(c(0, 0, 1), 1000))
  two <- list(x = wide, y = c(0, 1))
  for (statistic in list(
    logit(), dpLM(x ~ y, 1000, two, epsilon = 2),
    dpMeanDifference("x", "y", c(0, 1), 1000, wide, 2),
    dpCorrelation(c("x", "y"), 1000, two, epsilon = 2),
    dpPCA(c("x", "y"), 1, 1000, two, epsilon = 2),
    dpNaiveBayes(y ~ x, c(0, 1), 1000, list(wide), 2),
    dpKMeans(c("x", "y"), 2, 1000, two, 2, iterations = 2),
    dpCovariance(n = 1000, columns = c("x", "y"), rng = two, globalEps = 2, formula = x ~ y),
    dpTree(variable = "x", n = 1000, rng = wide, depth = 12, globalEps = 2)
  )) {
    result <- statistic$release(rows)
    label <- class(statistic)[[1]]
    expect_identical(result$status, "ok", label = label)
    expect_true(all(covers_of(result) %in% target_of$found_rows))
    expect_true(all(as.data.frame(result)$covers %in% target_of$found_rows))
    expect_false(any(c("populationInterval", "standardError", "summary") %in% names(result)))
    expect_false(any(c("lower", "upper") %in% names(result$cdf)))
    expect_true(all(names(result$linearRegression) %in% "Estimate"))
    expect_refused(confint(result), "object")
    expect_no_match(format(result), "for the population|of the population")
    expect_no_match(release2json(statistic), "of the population|Std. Error")
    for (what in names(pictures(result))) {
      expect_no_match(picture(result, what, NULL)$note, "the population")
    }
    plot(result)
  }
  expect_refused(vcov(logit()$release(rows)), "object")
  line <- dpLM(x ~ y, 1000, two, epsilon = 2)$release(rows)
  expect_named(summary(line), c("term", "estimate"))
  expect_refused(predict(line, data.frame(y = 1), interval = "confidence"), "object")
})

test_that("a quantile's interval holds at bounds that were found, in the tails too", {
  releases <- in_tier(40, 1000)
  probs <- c(0.01, 0.5, 0.99)
  plan <- exactly(dpQuantiles(variable = "x", n = 2000, probs = probs, gridPoints = 101,
    rng = bounds(beta = 0.01), epsilon = 4, interval = "population"))
  populations <- list(
    skewed = list(draw = skewed_rows, truth = stats::qlnorm(probs)),
    heavy = list(draw = heavy_rows, truth = stats::qt(probs, 2))
  )
  ends_at_found <- 0
  for (name in names(populations)) {
    population <- populations[[name]]
    hits <- rowSums(replicate(releases, {
      result <- plan$release(population$draw(2000))
      ends <- result$populationInterval
      used <- unlist(result$bounds[c("lower", "upper")])
      ends_at_found <- ends_at_found + sum(ends[c(1, 3), ] %in% used)
      ends[, 1] <= population$truth & population$truth <= ends[, 2]
    }))
    enough <- in_tier(least_hits(releases), 0.92 * releases)
    expect_gte(min(hits), enough, label = name)
  }
  # An end that is a found bound would be the bound of nothing.
  expect_identical(ends_at_found, 0)
})
