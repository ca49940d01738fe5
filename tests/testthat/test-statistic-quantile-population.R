# Population intervals for quantiles, from a tree of counts released together with them.

sampled_quantile <- function(generator = dpQuantiles, ...) {
  args <- list(
    varType = "numeric", variable = "x", n = 100, rng = c(0, 10), epsilon = 1, gridPoints = 11,
    interval = "population"
  )
  own <- if (identical(generator, dpQuantiles)) list(probs = c(0.2, 0.5)) else list(prob = 0.2)
  built(generator, utils::modifyList(c(args, own), list(...)))
}

forms <- expand.grid(
  generator = c("dpQuantile", "dpQuantiles"), varType = c("numeric", "integer"),
  missing = c("impute", "drop"), stringsAsFactors = FALSE
)

form_of <- function(i, ...) {
  sampled_quantile(get(forms$generator[[i]]), varType = forms$varType[[i]],
    missing = forms$missing[[i]], ...)
}

test_that("the loss is the composition's: half for the release, half for the tree", {
  for (i in seq_len(nrow(forms))) {
    statistic <- form_of(i)
    loss <- statistic$measurement(d_in = 1L)
    expect_identical(statistic$epsilon, loss)
    expect_lte(loss, 1)
    expect_gt(loss, 1 - 1e-9)
    # On its own, at half of the loss, the release has the same accuracy.
    alone <- form_of(i, epsilon = 0.5, interval = "none")
    expect_equal(statistic$accuracy, alone$accuracy)
    expect_identical(alone$interval, "none")
    expect_equal(form_of(i, epsilon = NULL, accuracy = alone$accuracy)$epsilon, 1)
  }
})

test_that("a replaced or dropped row moves two counts of each level by one", {
  x <- c(0, 3, 3, 10, NA)
  neighbours <- lapply(c(0, 4, 10, NA), function(value) replace(x, 2, value))
  for (i in seq_len(nrow(forms))) {
    statistic <- exactly(form_of(i, n = 5, epsilon = 1e6))
    drops <- forms$missing[[i]] == "drop"
    levels <- function(x) {
      if (!drops) x[is.na(x)] <- 7
      released <- in_doubles(statistic$measurement(arg = as.double(x)))[-1]
      lapply(released, function(level) round(unlist(level)))
    }
    before <- levels(x)
    expect_length(before, statistic$treeDepth)
    cells <- statistic$treeBranching^seq_len(statistic$treeDepth) + drops
    expect_identical(as.double(lengths(before)), cells)
    expect_true(all(vapply(before, sum, 0) == 5))
    for (other in neighbours) {
      moved <- mapply(function(a, b) sum(abs(a - b)), before, levels(other))
      expect_true(all(moved <= 2))
    }
    expect_true(all(mapply(function(a, b) sum(abs(a - b)), before, levels(neighbours[[3]])) == 2))
  }
})

test_that("the tree's noise has the scale of its share, and is independent of the release", {
  withr::local_seed(1)
  statistic <- sampled_quantile(epsilon = 2, gridPoints = 101)
  rows <- (1:100 - 0.5) / 10
  draws <- replicate(2000, {
    released <- in_doubles(statistic$measurement(arg = rows))
    c(unlist(released[[1]])[[1]], unlist(released[[2]])[[1]])
  })
  # Half of the loss for two levels: a scale of 2 / (2 / 4).
  expect_equal(statistic$treeDepth, 2)
  noise <- draws[2, ] - sum(rows < 10 / statistic$treeBranching)
  expect_equal(mean(abs(noise)), 4, tolerance = 0.2)
  expect_gt(length(unique(draws[1, ])), 5)
  together <- stats::cor.test(draws[1, ], draws[2, ], method = "spearman", exact = FALSE)
  expect_gt(together$p.value, rare)
})

test_that("without noise the ends are the edges next to the ends of a binomial test", {
  data <- data.frame(x = (1:1000 - 0.5) / 100)
  for (missing in c("impute", "drop")) {
    result <- exactly(sampled_quantile(n = 1000, epsilon = 1e6, missing = missing))$release(data)
    reach <- stats::qnorm(0.975) * sqrt(c(0.16, 0.25) / 1000)
    found <- result$populationInterval
    expect_identical(dimnames(found), list(c("20%", "50%"), c("lower", "upper")))
    leaf <- 10 / 65536
    expect_true(all(abs(found[, 1] - 10 * (c(0.2, 0.5) - reach)) <= 0.01 + leaf))
    expect_true(all(abs(found[, 2] - 10 * (c(0.2, 0.5) + reach)) <= 0.01 + leaf))
  }
})

test_that("for heaps and integers the interval contains the heap", {
  heaps <- data.frame(x = rep(c(1, 4, 8), c(2000, 6000, 2000)))
  for (varType in c("numeric", "integer")) {
    ends <- exactly(sampled_quantile(
      dpMedian, varType = varType, n = 10000, epsilon = 100, prob = NULL
    ))$release(heaps)$populationInterval
    expect_true(ends[[1]] <= 4 && 4 <= ends[[2]])
    expect_lt(diff(ends), 2)
    if (varType == "integer") expect_true(all(ends == round(ends)))
  }
})

test_that("ends are the bounds if no edge is far enough", {
  data <- data.frame(x = stats::runif(100, 0, 10))
  expect_warning(
    wide <- dpMedian(varType = "numeric", variable = "x", n = 110, rng = c(0, 10), epsilon = 0.9,
      interval = "population"),
    "will span .*% of the rows", class = "dp_warning_noise"
  )
  # Noise dominates the interval, not the release.
  expect_false(wide$noiseDominates)
  nothing <- sampled_quantile(epsilon = 0.001)$release(data)
  expect_identical(unname(nothing$populationInterval), rbind(c(0, 10), c(0, 10)))
  gaps <- sampled_quantile(missing = "drop", alpha = 1e-9)
  gaps <- gaps$release(data.frame(x = rep(NA_real_, 100)))
  expect_identical(unname(gaps$populationInterval), rbind(c(0, 10), c(0, 10)))
  expect_no_warning(dpMedian(varType = "numeric", variable = "x", n = 10000, rng = c(0, 10),
    epsilon = 1, interval = "population"))
  expect_refused(sampled_quantile(interval = "noise"), "interval")
})

test_that("the smallest and the largest value have the bounds as ends", {
  result <- sampled_quantile(n = 1000, probs = c(0, 1))$release(data.frame(x = rep(5, 1000)))
  expect_identical(result$populationInterval[["0%", "lower"]], 0)
  expect_identical(result$populationInterval[["100%", "upper"]], 10)
})

test_that("tables, confint and print show the intervals", {
  for (generator in list(dpQuantile, dpQuantiles)) {
    result <- sampled_quantile(generator, n = 1000)$release(data.frame(x = rep(1:10, 100) - 0.5))
    table <- as.data.frame(result)
    ends <- unname(matrix(result$populationInterval, ncol = 2))
    expect_equal(cbind(table$conf.low, table$conf.high), ends)
    expect_equal(confint(result), ends, ignore_attr = TRUE)
    expect_identical(rownames(confint(result)), names(result$release) %||% "x")
    expect_match(format(result), "of the population|conf.low", all = FALSE)
  }
})

test_that("intervals cover a quantile below a gap, where many edges have one share", {
  withr::local_seed(7)
  releases <- in_tier(300, 2000)
  # A tenth is above 0.3, with no value up to 99, and the same from above.
  below <- function(n) ifelse(stats::runif(n) < 0.905, 0.3, 99)
  above <- function(n) 100 - below(n)
  for (prob in c(0.9, 0.1)) {
    plan <- exactly(small(dpQuantile(variable = "x", n = 1000, prob = prob, rng = c(0, 100),
      epsilon = 0.5, interval = "population")))
    true <- if (prob > 0.5) 0.3 else 99.7
    hits <- replicate(releases, {
      x <- if (prob > 0.5) below(1000) else above(1000)
      ends <- plan$release(data.frame(x = x))$populationInterval
      ends[[1]] <= true && true <= ends[[2]]
    })
    expect_gte(sum(hits), least_of(releases, 0.95, bounds = 2))
  }
})
