counts_of <- function(result) round(unlist(result$counts, use.names = FALSE))

test_that("accuracies match known mechanisms", {
  expect_refused(histogramGetAccuracy("mechanismOther", 1), "mechanism")
})

test_that("counts converge to the counts of the data as used", {
  expect_equal(counts_of(exact_histogram(c(-5, 0, 1, 1, 2, 2.5, 9), rng = c(0, 4), nBins = 4)),
    c(4, 1, 1, 1))
  expect_equal(
    counts_of(exact_histogram(c(1L, 4L, 4L, 9L), varType = "integer", bins = c(0, 1, 4, 10))),
    c(1, 2, 1)
  )
  expect_equal(counts_of(exact_histogram(c(TRUE, TRUE, NA, FALSE), varType = "logical")),
    c(1, 2, 1))
  expect_equal(counts_of(exact_histogram(c(0, 1, 1), varType = "logical", impute = TRUE)), c(1, 2))
  texts <- c("b", "a", "b", "zz", NA)
  cells <- list(x = texts, varType = "character", bins = c("c", "a", "b"))
  expect_equal(counts_of(do.call(exact_histogram, c(cells, other = TRUE))), c(0, 1, 2, 2))
  expect_equal(counts_of(do.call(exact_histogram, c(cells, imputeBins = "a"))), c(0, 3, 2))
  cells$x <- factor(texts)
  expect_equal(sum(counts_of(do.call(exact_histogram, cells))), 5)
})

test_that("D-27: missing values and unknown texts are imputed uniformly", {
  numbers <- counts_of(exact_histogram(rep(NA_real_, 3000), rng = c(0, 3), nBins = 3))
  texts <- counts_of(
    exact_histogram(rep("?", 3000), varType = "character", bins = c("a", "b", "c"))
  )
  bits <- counts_of(exact_histogram(rep(NA, 2000), varType = "logical", impute = TRUE))
  expect_true(can_occur(c(numbers, texts), 3000, 1 / 3))
  expect_true(can_occur(bits, 2000, 1 / 2))
  within <- exact_histogram(rep(NA_real_, 10), rng = c(0, 3), nBins = 3, imputeRng = c(1.1, 1.9))
  expect_equal(counts_of(within), c(0, 10, 0))
})

test_that("cells are closed on the right, wherever their edges are", {
  edges <- c(-3, -1, -2^-1074, 0, 2^-1074, 0.1, 0.3, 1e300)
  result <- exact_histogram(edges, bins = edges)
  expect_equal(counts_of(result), c(2, 1, 1, 1, 1, 1, 1))
  above <- next_double(edges)
  expect_true(all(above > edges))
  expect_true(all((above - edges) / 2 + edges == edges | (above - edges) / 2 + edges == above))
})

test_that("D_DOM_1 all declared cells appear, whatever the data", {
  for (x in list(rep(0, 4), rep(1, 4), rep(NA_real_, 4))) {
    expect_named(exact_histogram(x, varType = "logical", impute = TRUE)$release, c("0", "1"))
    expect_named(exact_histogram(x, varType = "logical")$release, c("0", "1", "NA"))
    expect_length(exact_histogram(x, rng = c(0, 1), nBins = 3)$release, 3)
  }
})

test_that("one replaced row moves two counts, and the chain charges for both", {
  for (statistic in list(
    histogram_of(rng = c(1, 16), nBins = 15), histogram_of(varType = "logical"),
    histogram_of(varType = "character", bins = c("a", "b"), other = TRUE)
  )) {
    chain <- statistic$measurement
    expect_lte(chain(d_in = 1L), 0.1)
    expect_gt(chain(d_in = 1L), 0.1 * (1 - 1e-12))
    expect_equal(toString(chain("input_metric")), "ChangeOneDistance()")
  }
})

test_that("noise has the promised spread", {
  statistic <- histogram_of(variable = "x", n = 20, rng = c(0, 2), nBins = 2, epsilon = 1,
    alpha = 0.2)
  data <- data.frame(x = rep(0.5, 20))
  low <- replicate(4000, statistic$release(data)$counts[[1]])
  expect_true(can_occur(sum(abs(low - 20) > statistic$accuracy), 4000, 0.2))
})

# The threshold is an integer. The next lower one would multiply delta by exp(epsilon / 2).
expect_about <- function(result, delta) {
  expect_lte(result$delta, delta)
  expect_gt(result$delta, delta * exp(-result$epsilon / 2) * (1 - 1e-9))
}

test_behaviours("dpHistogram", list(
  `HIST-001` = function() {
    expect_error(histogram_of(varType = "number data", nBins = 16, rng = c(0, 16)),
      '"numeric", "integer", "logical", "character"',
      fixed = TRUE
    )
  },
  `HIST-002` = function() {
    statistic <- histogram_of(varType = "character", variable = "tobgp", n = 88, epsilon = 1,
      bins = levels(datasets::esoph$tobgp))
    result <- statistic$release(datasets::esoph)
    expect_equal(statistic$epsilon, 1)
    expect_equal(result$accuracy, 5.991465, tolerance = 1e-6)
  },
  `HIST-003` = function() {
    result <- released(histogram_of(varType = "logical", variable = "sex"))
    expect_named(result$release, c("0", "1", "NA"))
    expect_equal(dim(result$intervals), c(3, 2))
    expect_equal(result$accuracy, laplaceGetAccuracy(2, 0.1))
  },
  `HIST-004` = function() {
    statistic <- suppressWarnings(histogram_of(
      varType = "character", variable = "tobgp", n = 88, epsilon = 1, delta = 1e-4
    ))
    result <- statistic$release(datasets::esoph)
    expect_equal(result$mechanism, "mechanismStability")
    expect_equal(result$accuracy, stabilityGetAccuracy(2, 1, 1e-4))
  },
  `HIST-005` = function() {
    result <- released(histogram_of(nBins = 16, rng = c(1, 16)))
    expect_length(result$release, 16)
    expect_equal(dim(result$intervals), c(16, 2))
    expect_equal(result$mechanism, "mechanismLaplace")
  },
  `HIST-006` = function() {
    result <- released(histogram_of(nBins = 16, delta = 1e-9))
    expect_equal(result$mechanism, "mechanismStability")
    expect_equal(result$accuracy, stabilityGetAccuracy(2, 0.1, 1e-9))
    expect_true(all(grepl("^\\[-?[0-9]+,-?[0-9]+\\)$", names(result$release))))
  },
  `HIST-007` = function() expect_refused(histogram_of(rng = c(1, 16)), "nBins"),
  `HIST-008` = function() expect_refused(histogram_of(nBins = 16, delta = 0.1), "delta"),
  `HIST-009` = function() {
    result <- released(histogram_of(variable = "age", bins = c(0, seq(20, 90, 10), 100), nBins = 9))
    expect_equal(dim(result$intervals), c(9, 2))
    expect_equal(result$accuracy, laplaceGetAccuracy(2, 0.1))
  },
  `HIST-010` = function() expect_refused(histogram_of(bins = c("a", "b")), "bins"),
  `HIST-011` = function() expect_refused(histogram_of(varType = "character", bins = 1:5), "bins"),
  `HIST-012` = function() {
    expect_refused(histogram_of(varType = "logical", bins = c("wrong", "bins")), "bins")
  },
  `HIST-013` = function() {
    expect_warning(
      statistic <- histogram_of(bins = seq(0, 100, 20), rng = c(0.5, 16.5)),
      class = "dp_warning_range"
    )
    expect_equal(statistic$rng, c(0, 100))
  },
  `HIST-014` = function() {
    result <- released(histogram_of(varType = "logical", variable = "sex", impute = TRUE))
    expect_equal(dim(result$intervals), c(2, 2))
  },
  `HIST-015` = function() {
    x <- c(rep(c(0, 1), 12), NA, NA)
    statistic <- histogram_of(varType = "logical", variable = "x", n = 26, epsilon = 1,
      impute = TRUE)
    result <- statistic$release(data.frame(x = x))
    expect_equal(dim(result$intervals), c(2, 2))
    expect_equal(result$accuracy, laplaceGetAccuracy(2, 1))
  },
  `HIST-016` = function() {
    expect_length(released(histogram_of(nBins = 16, rng = c(0, 16)))$release, 16)
  },
  `HIST-017` = function() {
    result <- released(histogram_of(granularity = 1000, rng = c(0, 16)))
    expect_equal(dim(result$intervals), c(10, 2))
  },
  `HIST-018` = function() {
    for (n in c(-1, 0.5)) expect_refused(histogram_of(n = n, nBins = 4, rng = c(0, 16)), "n")
  },
  `HIST-019` = function() {
    expect_warning(
      statistic <- histogram_of(nBins = 16.5, rng = c(0, 16)),
      class = "dp_warning_n_bins"
    )
    expect_length(released(statistic)$release, 17)
  },
  `HIST-020` = function() expect_refused(histogram_of(nBins = 1, rng = c(0, 16)), "nBins"),
  `HIST-021` = function() {
    expect_equal(released(histogram_of(nBins = 4, rng = c(0, 16)))$delta, 0)
  },
  `HIST-022` = function() {
    expect_warning(
      statistic <- histogram_of(nBins = 4, rng = c(0, 16), delta = 1e-5),
      class = "dp_warning_delta"
    )
    expect_equal(statistic$delta, 0)
  },
  `HIST-023` = function() expect_about(released(histogram_of(nBins = 16)), 2^-30),
  `HIST-024` = function() expect_about(released(histogram_of(nBins = 16, delta = 1e-10)), 1e-10),
  `HIST-025` = function() {
    result <- released(histogram_of(variable = "income", rng = c(0, 750000), nBins = 5))
    expect_named(result, c(
      "release", "variable", "accuracy", "epsilon", "delta", "mechanism", "intervals", "counts"
    ))
    expect_equal(nrow(result$release), 1)
    expect_match(names(result$release)[1], "^\\[0,.*\\]$")
    expect_match(names(result$release)[-1], "^\\(.*\\]$")
    expect_equal(sum(result$release), 10000)
  },
  `HIST-026` = function() {
    statistic <- histogram_of(varType = "logical", variable = "married")
    expect_equal(statistic$varType, "factor")
    extra <- c("herfindahl", "mean", "median", "variance", "std.dev")
    expect_true(all(extra %in% names(released(statistic))))
  },
  `HIST-027` = function() {
    result <- released(histogram_of(varType = "logical", variable = "married", impute = TRUE))
    expect_true(all(c("mean", "median", "variance", "std.dev") %in% names(result)))
    expect_null(result$herfindahl)
  },
  `HIST-028` = function() {
    bins <- c("Employee", "Detailee", "Employee (part-time)")
    statistic <- histogram_of(varType = "character", variable = "Employee.Status", n = 469,
      epsilon = 0.5, bins = bins)
    result <- statistic$release(SocrataWhiteHouseEmployeeSalaries)
    expect_named(result$release, bins)
    expect_true(is.finite(result$herfindahl))
    expect_equal(result$accuracy, 11.98293, tolerance = 1e-6)
    expect_equal(statistic$imputeBins, bins)
  },
  `HIST-029` = function() {
    statistic <- histogram_of(varType = "character", variable = "Employee.Status", n = 469,
      epsilon = 0.5, delta = 1e-12)
    result <- statistic$release(SocrataWhiteHouseEmployeeSalaries)
    expect_equal(names(result$release), "Employee")
    expect_gt(result$release[[1]], result$threshold - 1)
    expect_false(is.null(result$herfindahl))
    expect_equal(dim(result$intervals), c(1, 2))
  },
  `HIST-030` = function() {
    result <- exact_histogram(c(0, 1, 2, 3, -9, 9), bins = c(0, 1, 2, 3))
    expect_equal(counts_of(result), c(3, 1, 2))
  },
  `HIST-031` = function() {
    build <- function(imputed) {
      histogram_of(varType = "character", bins = c("a", "b"), imputeBins = imputed)
    }
    expect_warning(kept <- build(c("a", "zz")), class = "dp_warning_impute_bins")
    expect_equal(kept$imputeBins, "a")
    expect_warning(all <- build("zz"), class = "dp_warning_impute_bins")
    expect_equal(all$imputeBins, c("a", "b"))
  },
  `HIST-032` = function() {
    expect_warning(
      histogram_of(nBins = 4, rng = c(0, 16), imputeBins = "a"),
      class = "dp_warning_impute_bins"
    )
  },
  `HIST-033` = function() {
    statistic <- histogram_of(nBins = 4, rng = c(0, 1), epsilon = NULL, accuracy = 10)
    expect_equal(statistic$epsilon, 0.5991465, tolerance = 1e-6)
  },
  `HIST-034` = function() {
    statistic <- suppressWarnings(
      histogram_of(varType = "character", epsilon = NULL, accuracy = 10, delta = 1e-6)
    )
    expect_equal(statistic$epsilon, 3.889864, tolerance = 1e-6)
  },
  `HIST-035` = function() {
    statistic <- histogram_of(varType = "character", epsilon = 1)
    expect_equal(statistic$accuracy, stabilityGetAccuracy(2, 1, 2^-30))
  },
  `HIST-036` = function() {
    first <- released(histogram_of(variable = "income", nBins = 5, binWidth = 5000, epsilon = 1))
    starts <- as.double(sub("^\\[(.*),.*$", "\\1", names(first$release)))
    expect_true(all(starts %% 5000 == 0))
    expect_lte(length(first$release), 5)
  },
  `HIST-037` = function() {
    x <- c(rep(c(1.5, NA), 500), 7)
    statistic <- histogram_of(variable = "x", n = 1001, nBins = 5, epsilon = 1)
    expect_setequal(names(statistic$release(data.frame(x = x))$release), c("[1,2)", "NA"))
  },
  `HIST-038` = function() {
    expect_equal(histogram_of(rng = c(10, 0), nBins = 5)$bins, seq(0, 10, 2))
  },
  `HIST-039` = function() {
    expect_equal(histogram_of(rng = c(0, 16), nBins = 4, imputeRng = c(1, 2))$imputeRng, c(1, 2))
  },
  `HIST-040` = function() {
    first <- counts_of(exact_histogram(c(TRUE, FALSE, TRUE), varType = "logical"))
    expect_equal(first, counts_of(exact_histogram(c(1, 0, 1), varType = "logical")))
  },
  `HIST-041` = function() {
    result <- exact_histogram(c(1, 1), varType = "logical", impute = TRUE)
    expect_equal(counts_of(result), c(0, 2))
    expect_equal(dim(result$intervals), c(2, 2))
  },
  `HIST-042` = function() {
    result <- exact_histogram(c(1, 1, 0, NA, NA), varType = "logical")
    expect_equal(result$mean, 2 / 3, tolerance = 1e-6)
    expect_equal(share_moments(c(0, 0, 5))$mean, 0.5)
  },
  `HIST-043` = function() expect_refused(histogram_of(bins = c(0, 5, 8, 9), nBins = 7), "nBins"),
  `HIST-044` = function() {
    expect_equal(count_projection(c(-1, -2, 0), 9), c(3, 2, 4))
  },
  `HIST-045` = function() {
    result <- histogram_of(varType = "character", variable = "x", n = 3, epsilon = 1)$release(
      data.frame(x = c("a", "b", "c"))
    )
    expect_equal(dim(result$release), c(0, 0))
    expect_equal(dim(result$intervals), c(0, 2))
  },
  `HIST-046` = function() {
    expect_equal(histogram_of(varType = "logical", granularity = 5)$nBins, 3)
  },
  `HIST-047` = function() expect_refused(histogram_of(varType = "factor"), "varType"),
  `HIST-048` = function() {
    expect_length(released(histogram_of(granularity = 3000, rng = c(1, 16)))$release, 4)
  },
  `HIST-049` = function() {
    expect_warning(
      histogram_of(mechanism = "mechanismStability", nBins = 4, rng = c(0, 16)),
      class = "dp_warning_range"
    )
  }
))
