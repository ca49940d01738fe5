# If rows with missing values are dropped, the release covers the remaining rows.

dropping <- function(of, ..., epsilon = exact_epsilon) {
  exactly(of(..., variable = "x", missing = "drop", epsilon = epsilon))
}

present_median <- function(..., prob = 0.5) {
  built(dpQuantile, utils::modifyList(
    list(varType = "integer", variable = "x", n = 8, prob = prob, rng = c(0, 20)), list(...)
  ))
}

gaps <- c(3, NA, 7, 5, NaN, 9, 11, NA)
present <- c(3, 7, 5, 9, 11)

test_that("releases converge to the statistic of the rows with a value", {
  data <- data.frame(x = gaps)
  for (type in c("numeric", "integer")) {
    mean <- dropping(mean_of, n = 8, varType = type)$release(data)
    expect_equal(mean$release, 7, tolerance = 1e-9)
    expect_equal(c(mean$nPresent, mean$share_missing), c(5, 3 / 8), tolerance = 1e-9)
    expect_identical(mean$status, "ok")
    expect_equal(mean$interval, c(7, 7), tolerance = 1e-9)
    variance <- dropping(variance_of, n = 8, varType = type)$release(data)
    expect_equal(variance$release, stats::var(present), tolerance = 1e-6)
    expect_equal(variance$std, stats::sd(present), tolerance = 1e-6)
    expect_equal(variance$nPresent, 5, tolerance = 1e-9)
  }
  middle <- exactly(present_median(missing = "drop", epsilon = 1e6))$release(data)
  expect_equal(middle$release, 7)
  shares <- data.frame(x = c(TRUE, NA, FALSE, TRUE, TRUE, NA))
  share <- dropping(mean_of, n = 6, varType = "logical")$release(shares)
  expect_equal(share$release, 0.75, tolerance = 1e-9)
  expect_equal(unlist(share$histogram), c(`0` = 1, `1` = 3))
})

test_that("values are clamped, and integers drop fractions and infinities", {
  data <- data.frame(x = c(-50, 250, NA, 40.9))
  expect_equal(dropping(mean_of, n = 4)$release(data)$release, 140.9 / 3, tolerance = 1e-9)
  whole <- dropping(mean_of, n = 4, varType = "integer")
  expect_equal(whole$release(data)$release, 140 / 3, tolerance = 1e-9)
  infinite <- data.frame(x = c(Inf, 20, NA, 40))
  expect_equal(whole$release(infinite)$release, 30, tolerance = 1e-9)
  expect_equal(dropping(mean_of, n = 4)$release(infinite)$release, 160 / 3, tolerance = 1e-9)
})

test_that("a plan that resizes treats absent rows as missing values", {
  statistic <- dropping(mean_of, n = 9, n_check = "resize")
  result <- statistic$release(data.frame(x = c(3, 5)))
  expect_equal(result$release, 4, tolerance = 1e-9)
  expect_equal(result$nPresent, 2, tolerance = 1e-9)
})

test_that("without a value there is no release, and its result has the same form", {
  for (of in list(mean_of, variance_of)) {
    # At this epsilon, the noise on a count of none is 0 except once in e^50 releases.
    statistic <- exactly(of(variable = "x", n = 100, missing = "drop", epsilon = 100))
    none <- statistic$release(data.frame(x = rep(NA_real_, 100)))
    all <- statistic$release(data.frame(x = rep(50, 100)))
    expect_identical(none$status, "few")
    expect_identical(none$release, NA_real_)
    expect_identical(names(none), names(all))
    expect_type(format(none), "character")
    expect_equal(nrow(as.data.frame(none)), 1)
    expect_identical(summary(statistic)$release, all$release)
  }
})

test_that("a count that noise may have taken below n counts as n", {
  statistic <- mean_of(variable = "x", n = 1000, missing = "drop", epsilon = 1)
  counts <- replicate(400, statistic$release(data.frame(x = rep(50, 1000)))$nPresent)
  # Noise of scale 2 lowers it by more than 2 log(10) with probability 1 / 20.
  expect_lte(sum(counts < 1000), most_of(400, 0.05))
  expect_lte(max(counts), 1000)
  few <- replicate(50, statistic$release(data.frame(x = rep(c(50, NA), 500)))$nPresent)
  expect_true(all(abs(few - 500) < 60))
})

test_that("a tenth of missing values moves a mean by the predicted amount", {
  x <- pmin(stats::qlnorm((seq_len(10000) - 0.5) / 10000, 9.8, 1), 750000)
  x[seq(10, 10000, 10)] <- NA
  data <- data.frame(x = x)
  statistic <- mean_of(
    variable = "x", n = 10000, rng = c(0, 750000), missing = "drop", epsilon = 0.5
  )
  truth <- mean(x, na.rm = TRUE)
  off <- replicate(1500, statistic$release(data)$release) - truth
  # The root mean square of 1500 heavy-tailed draws is off by 3 %.
  expect_equal(sqrt(mean(off^2)), 327, tolerance = 0.25)
  imputed <- mean_of(variable = "x", n = 10000, rng = c(0, 750000), epsilon = 0.5)
  expect_gt(imputed$release(data)$release - truth, 30000)
})

test_that("intervals cover at the promised rate, whatever is missing", {
  withr::local_seed(31)
  for (lost in c(0, 0.3)) {
    x <- stats::runif(200, 0, 30)
    x[seq_len(200 * lost)] <- NA
    data <- data.frame(x = x)
    truths <- c(mean(x, na.rm = TRUE), stats::var(x, na.rm = TRUE))
    for (type in c("numeric", "integer")) {
      if (type == "integer") {
        truths <- c(mean(trunc(x), na.rm = TRUE), stats::var(trunc(x), na.rm = TRUE))
      }
      for (way in 1:2) {
        statistic <- list(mean_of, variance_of)[[way]](
          variable = "x", n = 200, missing = "drop", epsilon = 1, alpha = 0.1, varType = type
        )
        covered <- replicate(400, {
          result <- statistic$release(data)
          result$interval[[1]] <= truths[[way]] && truths[[way]] <= result$interval[[2]]
        })
        expect_gte(sum(covered), least_of(400, 0.9))
      }
    }
  }
})

# A row that gains a value, or moves from one end to the other. Half-widths are 50, so a value at
# the upper end adds 1 to each moment. `scales` are the ratios to the moments' noise.
dropped_moments <- local({
  case <- function(of, from, draws, evidence) {
    list(
      make = function(excess) {
        of(variable = "x", n = 2, missing = "drop", epsilon = 2 * excess)$measurement
      },
      data = list(data.frame(x = c(NA, from)), data.frame(x = c(NA, 100))), d_in = 1L,
      evidence = evidence, draws = draws
    )
  }
  moments <- function(scales) {
    laplace_evidence(
      0, 1, scales,
      numbers = function(releases) in_columns(releases) / 50^(seq_along(scales) - 1)
    )
  }
  first <- entry(2)
  list(
    `a mean that gets a value` = case(mean_of, NA_real_, 25000, moments(c(1, 1))),
    `a mean with another value` = case(mean_of, 0, 16000, first),
    `a variance that gets a value` = case(variance_of, NA_real_, 50000, moments(c(2, 1, 2))),
    `a variance with another value` = case(variance_of, 0, 16000, first)
  )
})
test_audits(dropped_moments)

test_that("the loss is the measurement's map, and a median costs no more than without gaps", {
  for (epsilon in c(0.1, 1 / 3, 2.9)) {
    for (of in list(mean_of, variance_of)) {
      statistic <- of(variable = "x", n = 10, missing = "drop", epsilon = epsilon)
      expect_identical(statistic$measurement(d_in = 1L), epsilon)
      expect_identical(statistic$epsilon, epsilon)
    }
  }
  widths <- function(prob, missing, ...) {
    present_median(prob = prob, missing = missing, epsilon = 1, ...)$accuracy
  }
  for (prob in c(0.5, 0.9)) expect_identical(widths(prob, "drop"), widths(prob, "impute"))
  of_balance <- widths(0.9, "drop", score = "balance")
  expect_equal(of_balance, 1.8 * widths(0.9, "impute", score = "balance"))
})

test_that("prints state the imputation assumption and the dropped rows", {
  imputing <- mean_of()
  expect_match(format(imputing), "imputeRng .*uniform draws from here", all = FALSE)
  expect_match(format(released(imputing)), "Missing values are replaced by", all = FALSE)
  drops <- mean_of(missing = "drop")
  expect_null(drops$imputeRng)
  expect_match(format(drops), "missing +drop", all = FALSE)
  expect_no_match(format(drops), "uniform draws")
  expect_no_match(format(released(drops)), "uniform draws")
  expect_match(format(drops$result), "nPresent", all = FALSE)
  entry <- jsonlite::parse_json(release2json(list(imputing, drops)))$`dp-releases`
  expect_identical(entry[[1]]$algorithmInfo$argument$missing, "impute")
  expect_identical(entry[[2]]$algorithmInfo$argument$missing, "drop")
  expect_equal(entry[[2]]$accuracy$accuracyValue, drops$result$accuracy, tolerance = 1e-13)
})

test_that("a histogram of numbers counts missing values in a separate cell", {
  x <- c(-9, 0, 2, 2.5, 4, 4.9, 6, 99, NA, NaN, -Inf)
  cells <- function(varType, bins, x, ...) {
    found <- exact_histogram(x, varType = varType, bins = bins, missing = "drop", ...)
    round(unlist(found$release))
  }
  numbers <- cells("numeric", c(0, 2, 4, 6), x)
  expect_identical(numbers, c(`[0,2]` = 4, `(2,4]` = 2, `(4,6]` = 3, `NA` = 2))
  whole <- cells("integer", c(0, 2, 4, 6), x[-11])
  expect_identical(whole, c(`[0,2]` = 4, `(2,4]` = 2, `(4,6]` = 2, `NA` = 2))
})

test_that("integers have the same cells whether missing ones are dropped or imputed", {
  withr::local_seed(32)
  for (bins in list(c(-7, -2.5, 0, 3.5, 8), c(-9, -3, -1, 1), c(-4, -0.5, 0.5, 6))) {
    x <- c(stats::runif(200, -10, 10), -10:10, bins, next_double(bins), -next_double(-bins))
    of <- function(missing) {
      found <- exact_histogram(x, varType = "integer", bins = bins, missing = missing)
      as.double(round(unlist(found$release)))
    }
    expect_identical(of("drop"), c(of("impute"), 0))
  }
})

test_that("a histogram with a cell of missing values costs and prints like others", {
  statistic <- histogram_of(rng = c(0, 16), nBins = 4, missing = "drop")
  expect_null(statistic$imputeRng)
  expect_identical(statistic$measurement(d_in = 1L), 0.1)
  result <- released(statistic)
  expect_equal(sum(unlist(result$release)), 10000)
  expect_equal(nrow(as.data.frame(result)), 5)
  expect_match(format(result), "^  NA", all = FALSE)
  grDevices::pdf(NULL)
  withr::defer(grDevices::dev.off())
  expect_no_error(plot(result, "cdf"))
  imputing <- histogram_of(rng = c(0, 16), nBins = 4)
  expect_match(format(released(imputing)), "uniform draws from `imputeRng`", all = FALSE)
  texts <- histogram_of(varType = "character", variable = "x", n = 4, bins = c("a", "b"))
  texts$release(data.frame(x = c("a", NA, "b", "a")))
  expect_match(format(texts$result), "uniform draws from `imputeBins`", all = FALSE)
  logical <- histogram_of(varType = "logical", variable = "sex")
  expect_no_match(format(released(logical)), "uniform draws")
  # These count missing values in a cell whatever the rule.
  for (arguments in list(
    list(varType = "logical", variable = "sex"), list(variable = "age", binWidth = 5)
  )) {
    expect_null(do.call(histogram_of, c(arguments, missing = "drop"))$missing)
  }
  expect_refused(histogram_of(rng = c(0, 1), nBins = 2, missing = "drop", imputeRng = c(0, 1)),
    "imputeRng")
})

test_that("if rows are dropped nothing is imputed, and no number is snapped", {
  expect_refused(mean_of(missing = "drop", imputeRng = c(1, 2)), "imputeRng")
  expect_refused(mean_of(missing = "drop", mechanism = "mechanismSnapping"), "missing")
  expect_refused(variance_of(missing = "drop", mechanism = "mechanismSnapping"), "missing")
  expect_refused(present_median(missing = "drop", imputeRng = c(1, 2), epsilon = 1), "imputeRng")
})

test_that("blocks that impute have results of draws if no row has a value", {
  # A block without any value still has results, of draws from `imputeRng`.
  data <- data.frame(x = rep(c(NA, 0.5), 30))
  seen <- exact_aggregate(data, innerFun = function(x) mean(is.na(x)), rng = c(0, 1),
    outputRange = c(0, 1), numSubsets = 3
  )
  expect_equal(seen, 0, tolerance = 1e-6)
})
