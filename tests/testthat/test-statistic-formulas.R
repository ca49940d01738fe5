# Every row of the formula oracle, whose columns `args` and `value` give inputs and output. A
# function of the old package that no longer exists is represented by its replacement.

# Threshold of the old package, which is larger than delta requires.
published_threshold <- function(epsilon, delta) 1 + 2 * log(2 / delta) / epsilon

formulas <- list(
  # Sensitivities of the mean, the variance and the covariance
  meanSensitivity = function(rng, n) mean_of(rng = rng, n = n)$sens,
  varianceSensitivity = function(n, rng) variance_of(rng = rng, n = n)$sens,
  covarianceSensitivityTight = function(n, rng, intercept) {
    covariance_sensitivity(vapply(rng, diff, 0), n, intercept)
  },
  lowerTriangleSize = function(columns) nrow(triangle(length(columns))),
  covar = function(x1, x2, intercept) {
    data <- data.frame(x1, x2)
    rng <- lapply(data, range)
    released <- exact_covariance(data, columns = names(data), rng = rng, intercept = intercept)
    released$release[cbind(c(1, 2, 2), c(1, 1, 2))]
  },
  linearReg = function(formula, n, columnOrder = c("y", "a", "b"), ...) {
    found <- regression_of(formula, columnOrder, ...)
    round(c(found$Estimate, found$sampling), 5)
  },
  linearRegSlopes = function(formula, ...) {
    regression_of(formula, c("y", "a", "b"), ..., means = TRUE)$Estimate[c(2, 3, 1)]
  },

  # Laplace noise, and counts above a threshold
  dLap = dLap, pLap = pLap, qLap = qLap, meanGetCI = meanGetCI,
  laplaceGetAccuracy = laplaceGetAccuracy, laplaceGetEpsilon = laplaceGetEpsilon,
  laplaceSimultaneousAccuracyExact = laplaceSimultaneousAccuracy,
  stabilityGetAccuracy = stabilityGetAccuracy, stabilityGetEpsilon = stabilityGetEpsilon,
  stabilityThreshold = published_threshold,
  stabilitySingletonSurvival = function(epsilon, delta) {
    scale <- histogram_sensitivity / epsilon
    pLap(1 - published_threshold(epsilon, delta), b = scale)
  },
  discreteLaplaceTail = discreteLaplaceTail,

  # Histograms, and proportions
  histogramGetAccuracy = histogramGetAccuracy, histogramGetEpsilon = histogramGetEpsilon,
  histogramGetCI = function(release, nBins, accuracy) {
    as.vector(t(count_intervals(release, accuracy, NULL)))
  },
  histogramPostHerfindahl = function(release, n) {
    bins <- letters[seq_along(release)]
    statistic <- histogram_of(varType = "character", bins = bins, n = n)
    exact <- utils::modifyList(statistic$getFields(), list(epsilon = exact_epsilon))
    histogram_result(release, exact)$herfindahl
  },
  determineNumericIntegerBins = function(...) histogram_of(...)$bins,
  checkHistogramNBins = function(nBins, n) {
    suppressWarnings(histogram_of(nBins = nBins, n = n, rng = c(0, 16)))$nBins
  },
  meanPostMedian = function(release) share_result(release, 10)$median,
  meanPostStandardDeviation = function(release) share_result(release, 10)$stdDev,
  meanPostHistogram = function(release, n) {
    unlist(share_result(release, n)$histogram, use.names = FALSE)
  },

  # Trees
  treeGetAccuracy = treeGetAccuracy, treeGetParameters = treeGetParameters,
  treeRangeAccuracyBound = treeGetAccuracy,
  treeNoiseScale = function(leaves, epsilon, adjacency, root) {
    levels <- ceiling(log2(leaves))
    if (adjacency == "change-one") {
      statistic <- tree_of(depth = levels, globalEps = epsilon)
      return(unique(histogram_sensitivity / statistic$epsilon))
    }
    counts <- c(vector_domain(atom_domain(.T = "i64")), l1_distance(.T = "i64"))
    tree <- counts |> then_b_ary_tree(leaf_count = leaves, branching_factor = 2)
    as.double(tree(d_in = 1)) / epsilon
  },
  treeWeightsBelow = function(levelsBelowRoot) {
    tree_variances(rep(1, levelsBelowRoot + 1), 2)$below
  },
  treeWeightsAbove = function(levelsBelowRoot, rootPublic) {
    tree_variances(c(if (rootPublic) 0 else 1, rep(1, levelsBelowRoot)), 2)$above
  },
  treeEfficientVarianceRatio = function(levelsBelowRoot, rootPublic) {
    tree_variances(c(if (rootPublic) 0 else 1, rep(1, levelsBelowRoot)), 2)$both
  },

  # Other mechanisms
  gaussianAchievedDelta = gaussianAchievedDelta, gaussianAnalyticSigma = gaussianAnalyticSigma,
  zcdpToApproxDP = zcdpToApproxDP,
  exponentialMechanismProbabilities = exponentialMechanismProbabilities,
  privateQuantileGridProbabilities = function(z, lower, upper, alpha, epsilon, gridPoints) {
    grid <- seq(lower, upper, length.out = gridPoints)
    scores <- -abs(vapply(grid, function(t) sum(z < t), 0) - alpha * length(z))
    exponentialMechanismProbabilities(scores, epsilon, sensitivity = 1)
  },
  snappingParamsDouble = function(...) unname(snappingParams(..., unit = 2^-53)),
  objectivePerturbationEpsPrime = function(...) unname(objectivePerturbationEpsPrime(...)),
  bootSE = function(...) unlist(bootSE(...), use.names = FALSE),
  bootstrapCountProbabilities = bootstrapCountProbabilities, trimVector = trimVector,
  smith11Radius = smith11Radius, smoothSensitivityCauchyScale = smoothSensitivityCauchyScale,

  # Preparation
  censorData = censorData, makeLogical = makeLogical,
  scaleValues = function(...) plain(scaleValues(...)),
  scaleValuesInteger = function(...) scaleValues(..., varType = "integer"),
  scaleValuesFactor = function(...) plain(scaleValues(..., varType = "factor")),

  # Composition
  optimalCompositionHomogeneous = function(globalDelta, ...) {
    optimalComposition(params_of(...)[, 1], params_of(...)[, 2], globalDelta)
  },
  optimalCompositionHeterogeneous = function(globalDelta, ...) {
    optimalComposition(params_of(...)[, 1], params_of(...)[, 2], globalDelta)
  },
  advancedCompositionDRV = function(k, epsilon, delta, slack) {
    advancedComposition(k, epsilon, slack)
  },
  KOVhom = function(globalDelta, ...) KOVhom(params_of(...), globalDelta),
  KOVhet = function(globalDelta, ...) KOVhet(params_of(...), globalDelta),
  isDP = function(globalEpsilon, globalDelta, ...) {
    isDP(params_of(...), globalDelta, globalEpsilon)
  },
  distributeEpsilon = distributeEpsilon
)

# Rows that hold as a bound instead of an equality.
bounds <- list(
  # Counts that add up to n, and are at least as near to the noisy ones.
  normalizeHistogram = function(h, n, value) {
    found <- count_projection(h, n)
    expect_equal(sum(found), n)
    expect_gte(min(found), 0)
    expect_lte(sum((found - h)^2), sum((value - h)^2))
  },
  # Never below.
  compositionDelta = function(globalEpsilon, epsilons, deltas, value) {
    found <- compositionDelta(epsilons, deltas, globalEpsilon)
    expect_gte(found, value * (1 - 1e-13))
    expect_lt(found - value, 1e-13)
  },
  # Half of the noise is enough.
  covarianceSensitivity = function(n, rng, intercept, value) {
    tight <- covariance_sensitivity(vapply(rng, diff, 0), n, intercept)
    expect_equal(2 * tight, value, tolerance = 1e-14)
  },
  # The old bound is not exceeded, and the exact value is below it.
  laplaceSimultaneousAccuracyUnion = function(sensitivity, epsilon, alpha, k, value) {
    expect_equal(laplaceGetAccuracy(sensitivity, epsilon, alpha / k), value, tolerance = 1e-13)
    exact <- laplaceSimultaneousAccuracy(sensitivity, epsilon, k = k, alpha = alpha)
    expect_lte(exact, value * (1 + 1e-12))
  },
  # For a loss below 1 the classical scale is sufficient, and larger than necessary.
  gaussianClassicSigma = function(sensitivity, epsilon, delta, value) {
    expect_lte(gaussianAchievedDelta(sensitivity, epsilon, value), delta)
    expect_lt(gaussianAnalyticSigma(sensitivity, epsilon, delta), value)
  },
  # The old bound added numbers in two units. The rest of it holds.
  snappingParams = function(sensitivity, minB, epsilon, alpha, gamma, value) {
    found <- snappingParams(sensitivity, minB, epsilon, alpha, gamma)
    expect_equal(unname(found[-1]), value[-1], tolerance = 1e-13)
    expect_equal(found[["bound"]], minB + sensitivity / epsilon * (1 + log(1 / gamma)))
  },
  # The old result was NaN for a negative variance. The new one is 0.
  postStandDev = function(release, value) {
    expect_equal(variance_result(release, variance_of()$getFields())$std, value %||% 0)
  },
  # An upper bound that no longer exceeds the sum.
  approxComp = function(globalDelta, err, ..., value) {
    params <- params_of(...)
    found <- approxComp(params, globalDelta, err)
    expect_lte(found, min(value, sum(params[, 1]) * (1 + 1e-15)))
    expect_equal(found, optimalComposition(params[, 1], params[, 2], globalDelta),
      tolerance = 1e-12)
  },
  # The reference stops at a factor accurate to 1e-4, and at an error of 0.01 in epsilon.
  update_parameters = function(epsilons, deltas, hold, globalEpsilon, globalDelta, value) {
    split <- function() {
      update_parameters(cbind(epsilons, deltas), hold, globalEpsilon, globalDelta)
    }
    if (identical(value, "error")) {
      return(expect_error(split(), class = "dp_error_invalid_distance"))
    }
    found <- split()
    expect_equal(found[, 1], value, tolerance = 1e-3, ignore_attr = TRUE)
    expect_gte(sum(found[, 1]), sum(value) * (1 - 1e-4))
    expect_true(isDP(found, globalDelta, globalEpsilon))
  }
)

# Functions whose rows other tests read.
elsewhere <- c(
  sampleAndAggregateParams = "test-statistic-sample-and-aggregate.R",
  partitionSizes = "test-statistic-sample-and-aggregate.R",
  sampleAggregateMeanScale = "test-statistic-aggregators.R",
  guptDefaultBlocks = "test-statistic-block-choice.R",
  trimmedMeanSmoothSensitivity = "../cpp/sample_aggregate/trimmed_mean_test.cpp",
  trimmedMeanLocalSensitivityAtDistance = "../cpp/sample_aggregate/trimmed_mean_test.cpp"
)

# Removed: they took private numbers or invalid bounds as arguments, or scaled by the data.
gone <- c(
  "glmGetAccuracy", "glmGetParameters", "heavyhittersGetAccuracy", "heavyhittersGetParameters",
  "mapMatrixUnit", "scaleRelease"
)

params_of <- function(k = NULL, epsilon = NULL, delta = NULL, epsilons = NULL, deltas = NULL, ...) {
  cbind(if (is.null(epsilons)) rep(epsilon, k) else epsilons, deltas %||% delta)
}

regression_of <- function(formula, columnOrder, y = NULL, a = NULL, b = NULL, means = FALSE) {
  data <- if (is.null(y)) linear_example() else data.frame(y, a, b)
  data <- data[columnOrder]
  model <- check_formula(formula)
  means <- if (means) colMeans(data)
  line_table(covariance_line(stats::cov(data), model, nrow(data), means = means))
}

# For the row whose response is not first: the data of the previous row.
linear_example <- function() {
  as.data.frame(formula_rows("linearRegSlopes")[[1]]$args[c("y", "a", "b")])
}

plain <- function(x) if (is.factor(x)) as.character(x) else x

is_refused <- function(value) is.character(value) && grepl("^(error|infeasible)", value[[1]])

corrected <- function(name) {
  others <- list(
    gaussianClassicSigma = gaussianAnalyticSigma,
    normalizeHistogram = function(h, n) count_projection(h, n),
    update_parameters = function(epsilons, deltas, hold, globalEpsilon, globalDelta) {
      update_parameters(cbind(epsilons, deltas), hold, globalEpsilon, globalDelta)[, 1]
    }
  )
  formulas[[name]] %||% others[[name]]
}

test_that("every function of the formula oracle has its test", {
  functions <- unique(read_fixture("psi_formulas.csv")$`function`)
  expect_setequal(c(names(formulas), names(bounds), names(elsewhere), gone), functions)
  for (name in names(elsewhere)) {
    file <- test_path(elsewhere[[name]])
    # A built package does not contain the core's tests.
    if (dir.exists(dirname(file))) {
      expect_true(any(grepl(sprintf("formula_rows(\"%s\")", name), readLines(file), fixed = TRUE)))
    }
  }
})

# The table has 15 digits. Sums of many terms and roots lose some digits, differences of
# probabilities more.
lost <- c(
  covar = 1e-12, treeNoiseScale = 1e-12, distributeEpsilon = 1e-12, gaussianAnalyticSigma = 1e-13,
  optimalCompositionHomogeneous = 1e-11, optimalCompositionHeterogeneous = 1e-13, KOVhom = 2e-10,
  KOVhet = 1e-11, gaussianAchievedDelta = 1e-11
)
tolerance_of <- function(name) if (name %in% names(lost)) lost[[name]] else 1e-14

for (name in names(formulas)) {
  rows <- read_fixture("psi_formulas.csv")
  rows <- rows[rows$`function` == name & rows$basis != "reference-defect", ]
  if (nrow(rows) == 0) next
  test_that(paste(name, "matches the oracle"), {
    for (row in formula_rows(name)) {
      compute <- function() do.call(formulas[[name]], row$args)
      if (is_refused(row$value)) {
        expect_error(compute(), class = "dp_error")
      } else {
        expect_equal(compute(), row$value, tolerance = tolerance_of(name))
      }
    }
  })
}

for (name in names(bounds)) {
  test_that(paste(name, "holds as a bound"), {
    for (row in formula_rows(name)) do.call(bounds[[name]], c(row$args, row["value"]))
  })
}

test_that("errors of the old package are not repeated", {
  rows <- read_fixture("psi_formulas.csv")
  wrong <- unique(rows$`function`[rows$basis == "reference-defect"])
  for (name in setdiff(wrong, gone)) {
    for (row in formula_rows(name, defects = TRUE)) {
      found <- tryCatch(do.call(corrected(name), row$args), dp_error = function(e) "refused")
      expect_false(isTRUE(all.equal(found, row$value, tolerance = 1e-6)), label = name)
    }
  }
  for (name in gone) expect_false(exists(name, asNamespace("PSIlence")))
})
