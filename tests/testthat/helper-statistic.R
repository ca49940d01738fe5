# Tests use few rows and small losses, so warnings about wide noise are expected.
small <- function(statistic) suppressWarnings(statistic, classes = "dp_warning_noise")

built <- function(generator, args) small(do.call(generator, args))

# A valid statistic of all rows, with some arguments replaced. NULL removes an argument.
mean_of <- function(...) {
  args <- list(
    mechanism = "mechanismLaplace", varType = "numeric", variable = "age", n = 10000,
    rng = c(0, 100), epsilon = 0.1, missing = "impute", conversion = "truncate"
  )
  built(dpMean, utils::modifyList(args, list(...)))
}

aggregate_of <- function(...) {
  args <- list(
    innerFun = "mean", aggregationFun = "Mean", mechanism = "mechanismLaplace", numSubsets = 10,
    varType = "numeric", variable = "age", n = 10000, rng = c(0, 100), epsilon = 1,
    missing = "impute"
  )
  built(dpSampleAndAggregate, utils::modifyList(args, list(...)))
}

# Allows plans of functions that must fail, by skipping their trial on public rows.
local_untried <- function(env = parent.frame()) {
  local_replaced("check_trial", function(args, call) NULL, env)
}

# Four rows in four blocks, for audits. Omit `outputRange` for classes without it.
tiny_aggregate <- function(..., epsilon = 1) {
  args <- utils::modifyList(list(
    innerFun = "median", variable = "x", n = 4, numSubsets = 4, rng = c(0, 1), epsilon = epsilon
  ), list(...))
  ranged <- is.function(args$innerFun) && is.null(args$outcomes) && is.null(args$rangeHelper)
  if (ranged) args$outputRange <- c(0, 1)
  do.call(aggregate_of, args)
}

# One aggregator of each kind.
aggregators_of_all_kinds <- function() {
  list(
    Mean = list(innerFun = max), Loose = list(rangeMode = "loose"),
    Interval = list(intervalShare = 0.5),
    Median = list(aggregationFun = "Median", gridPoints = 11),
    Quantile = list(aggregationFun = "Quantile", prob = 0.9, gridPoints = 11),
    Winsorized = list(aggregationFun = "WinsorizedMean", gridPoints = 11),
    Trimmed = list(aggregationFun = "TrimmedMean", trim = 0.3),
    Mode = list(innerFun = max, aggregationFun = "Mode", outcomes = c(0, 1)),
    Helper = list(rangeMode = "helper", rangeHelper = function(x) x, gridPoints = 11)
  )
}

variance_of <- function(...) {
  args <- list(
    mechanism = "mechanismLaplace", varType = "numeric", variable = "age", n = 10000,
    rng = c(0, 100), epsilon = 0.1, missing = "impute", conversion = "truncate"
  )
  built(dpVariance, utils::modifyList(args, list(...)))
}

histogram_of <- function(...) {
  args <- list(
    varType = "numeric", variable = "educ", n = 10000, epsilon = 0.1, missing = "impute",
    closed = "right", conversion = "truncate"
  )
  built(dpHistogram, utils::modifyList(args, list(...)))
}

# Counts of strings, with negligible noise.
sharp_counts <- function(n, bins) {
  exactly(dpHistogram("character", "x", n, epsilon = 1e6, bins = bins, missing = "impute"))
}

pums_ranges <- list(c(-10000, 713000), c(1, 16), c(18, 93))

covariance_of <- function(...) {
  args <- list(
    mechanism = "mechanismLaplace", varType = "numeric", n = 10000,
    columns = c("income", "educ", "age"), rng = pums_ranges, globalEps = 1, missing = "impute"
  )
  changed <- list(...)
  args[names(changed)] <- changed
  built(dpCovariance, args)
}

exact_covariance <- function(data, ..., n = nrow(data)) {
  exactly(covariance_of(..., n = n, globalEps = 1e16))$release(data)
}

tree_of <- function(...) {
  args <- list(
    varType = "numeric", variable = "x", n = 10, depth = 3, rng = c(0, 10), globalEps = 1,
    missing = "impute"
  )
  built(dpTree, utils::modifyList(args, list(...)))
}

exact_histogram <- function(x, ..., n = length(x)) {
  data <- data.frame(x = x)
  statistic <- exactly(histogram_of(..., variable = "x", n = n, epsilon = exact_epsilon))
  statistic$release(data)
}

released <- function(statistic) statistic$release(PUMS5extract10000)

expect_refused <- function(object, argument) {
  error <- testthat::expect_error(object, class = "dp_error_invalid_argument")
  testthat::expect_equal(error$argument, argument)
}

# At this loss the noise is far below the differences that tests look for.
exact_epsilon <- 1e14

exactly <- function(statistic) suppressWarnings(statistic, classes = "dp_warning_large_epsilon")

exact_mean <- function(data, ..., variable = "x", n = nrow(data)) {
  exactly(mean_of(..., variable = variable, n = n, epsilon = exact_epsilon))$release(data)$release
}

exact_aggregate <- function(data, ..., variable = "x", n = nrow(data)) {
  statistic <- exactly(aggregate_of(..., variable = variable, n = n, epsilon = exact_epsilon))
  statistic$release(data)$release
}

# Parses "name=value; name=(a,b); name=[(a,b) (c,d)]" into a list.
statistic_args <- function(text) {
  pairs <- trimws(strsplit(text, ";")[[1]])
  values <- lapply(sub("^[^=]*=", "", pairs), oracle_arg)
  stats::setNames(values, sub("=.*", "", pairs))
}

oracle_arg <- function(text) {
  if (startsWith(text, "[")) {
    return(lapply(regmatches(text, gregexpr("\\([^)]*\\)", text))[[1]], oracle_arg))
  }
  oracle_value(gsub("[()]", "", text), ",")
}

# Parses numbers, logical values or strings. "NULL" is NULL.
oracle_value <- function(text, split = ";") {
  if (text == "NULL") {
    return(NULL)
  }
  value <- utils::type.convert(strsplit(text, split, fixed = TRUE)[[1]], as.is = TRUE)
  if (is.integer(value)) as.double(value) else value
}

formula_rows <- function(name, defects = FALSE) {
  rows <- read_fixture("psi_formulas.csv")
  rows <- rows[rows$`function` == name & (rows$basis == "reference-defect") == defects, ]
  stopifnot(defects || nrow(rows) > 0)
  lapply(seq_len(nrow(rows)), function(i) {
    list(args = statistic_args(rows$args[[i]]), value = oracle_value(rows$value[[i]]))
  })
}

# Runs every row of the behaviour oracle for a class, by its id. Rows marked `change` say what the
# reference did. The list gives the required behaviour instead.
test_behaviours <- function(class, behaviours) {
  test_that(paste("the tests cover every oracle row for", class), {
    rows <- read_fixture("psi_behaviour.csv")
    expect_setequal(names(behaviours), rows$id[rows$class == class])
  })
  for (id in names(behaviours)) {
    test_that(paste("behaviour matches row", id), {
      behaviours[[id]]()
    })
  }
}

# Data that the example statistics are released from.
example_rows <- function() {
  transform(PUMS5extract10000, job = c("cook", "nurse", "clerk")[educ %% 3 + 1])
}

# Every statistic in each of its forms, with facts about its result. Its table has `rows` rows, and
# it can be plotted as `pictures`, the first by default.
statistic_examples <- function() {
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
  list(
    mean = form(mean_of(), 1, "estimates"),
    share = form(mean_of(varType = "logical", variable = "sex"), 1, "estimates"),
    whole = form(mean_of(varType = "integer", epsilon = NULL, accuracy = 1), 1, "estimates"),
    snapped_mean = form(mean_of(mechanism = "mechanismSnapping"), 1, "estimates"),
    present_mean = form(mean_of(missing = "drop"), 1, "estimates"),
    gaussian_mean = form(mean_of(epsilon = NULL, rho = 0.01), 1, "estimates"),
    gaussian_share = form(
      mean_of(varType = "logical", variable = "sex", epsilon = 1, delta = 1e-9,
        interval = "population"), 1, "estimates"
    ),
    gaussian_present_mean = form(
      mean_of(epsilon = NULL, rho = 0.01, missing = "drop", interval = "population"), 1,
      "estimates"
    ),
    variance = form(variance_of(), 1, "estimates"),
    gaussian_variance = form(variance_of(epsilon = NULL, rho = 0.01), 1, "estimates"),
    gaussian_sampled_variance = form(
      variance_of(epsilon = NULL, rho = 0.01, interval = "population"), 1, "estimates"
    ),
    present_variance = form(variance_of(missing = "drop"), 1, "estimates"),
    sampled_variance = form(variance_of(interval = "population"), 1, "estimates"),
    sampled_present_variance = form(
      variance_of(missing = "drop", interval = "population"), 1, "estimates"
    ),
    histogram = form(histogram_of(rng = c(0, 16), nBins = 4), 4, c("counts", "cdf")),
    gaussian_histogram = form(
      histogram_of(rng = c(0, 16), nBins = 4, epsilon = NULL, rho = 0.01), 4, c("counts", "cdf")
    ),
    logical = form(histogram_of(varType = "logical", variable = "sex"), 3, "counts"),
    texts = form(
      histogram_of(varType = "character", variable = "job", bins = jobs[1:2], other = TRUE), 3,
      "counts"
    ),
    stability = form(
      histogram_of(varType = "character", variable = "job", epsilon = 1), 3, "counts"
    ),
    grid = form(histogram_of(variable = "age", binWidth = 100, epsilon = 1), 1, "counts"),
    none = form(histogram_of(
      variable = "age", n = 2, binWidth = 1, epsilon = 1, n_check = "resize"
    ), 0, character()),
    median = form(
      dpMedian(varType = "integer", variable = "age", n = 10000, rng = c(18, 93), epsilon = 1,
        missing = "impute", conversion = "truncate", score = "balance"), 1, "estimates"
    ),
    quantile = form(
      dpQuantile(varType = "integer", variable = "age", n = 10000, prob = 0.9, rng = c(18, 93),
        epsilon = 1, missing = "impute", conversion = "truncate", score = "balance"), 1, "estimates"
    ),
    nearest_quantile = form(
      dpQuantile(variable = "age", n = 10000, prob = 0.9, rng = c(18, 93), epsilon = 1), 1,
      "estimates"
    ),
    spaced_quantiles = form(
      dpQuantiles(variable = "income", n = 10000, probs = c(0.1, 0.5), rng = c(0, 750000),
        epsilon = 1), 2, "estimates"
    ),
    quantiles = form(
      dpQuantiles(varType = "integer", variable = "age", n = 10000, probs = c(0.1, 0.5, 0.9),
        rng = c(18, 93), epsilon = 1, missing = "impute", conversion = "truncate"), 3, "estimates"
    ),
    present_quantiles = form(
      dpQuantiles(varType = "numeric", variable = "age", n = 10000, probs = c(0.1, 0.5),
        rng = c(18, 93), gridPoints = 76, epsilon = 1, missing = "drop"), 2, "estimates"
    ),
    sampled_median = form(
      dpMedian(varType = "integer", variable = "age", n = 10000, rng = c(18, 93), epsilon = 1,
        missing = "impute", conversion = "truncate", interval = "population",
        score = "balance"), 1, "estimates"
    ),
    sampled_quantile = form(
      dpQuantile(varType = "numeric", variable = "age", n = 10000, prob = 0.9, rng = c(18, 93),
        epsilon = 1, missing = "drop", interval = "population", score = "balance",
        spacing = "even"), 1, "estimates"
    ),
    sampled_quantiles = form(
      dpQuantiles(varType = "integer", variable = "age", n = 10000, probs = c(0.1, 0.5, 0.9),
        rng = c(18, 93), epsilon = 1, missing = "impute", conversion = "truncate",
        interval = "population"), 3, "estimates"
    ),
    found_mean = form(mean_of(rng = bounds(), epsilon = 1), 1, "estimates"),
    found_present_variance = form(
      variance_of(rng = bounds(), epsilon = NULL, rho = 0.1, missing = "drop"), 1, "estimates"
    ),
    found_line = form(
      dpLM(income ~ age, 10000, list(bounds(0.2), c(18, 93)), epsilon = 1, missing = "impute"), 2,
      "coefficients"
    ),
    found_tree = form(
      dpTree("numeric", "age", 10000, 3, bounds(0.5, sides = "positive"), globalEps = 1,
        missing = "impute"), 8, c("cdf", "leaves", "tree")
    ),
    bounds = form(
      dpBounds(varType = "numeric", variable = "age", n = 10000, epsilon = 1), 2, "counts"
    ),
    tree = form(
      dpTree("numeric", "age", 10000, 3, c(0, 128), globalEps = 1, missing = "impute"), 8,
      c("cdf", "leaves", "tree")
    ),
    present_tree = form(
      dpTree("numeric", "age", 10000, 3, c(0, 128), globalEps = 1, missing = "drop"), 8,
      c("cdf", "leaves", "tree")
    ),
    gaussian_tree = form(
      dpTree(variable = "age", n = 10000, depth = 3, rng = c(0, 128), rho = 0.1,
        missing = "impute"),
      8, c("cdf", "leaves", "tree")
    ),
    gaussian_covariance = form(
      dpCovariance(n = 10000, columns = c("educ", "age"), rng = pums_ranges[2:3], epsilon = 1,
        delta = 1e-9, intercept = TRUE, formula = educ ~ age, missing = "impute"),
      3, c("entries", "coefficients")
    ),
    covariance = form(
      dpCovariance("mechanismLaplace", "numeric", 10000, c("educ", "age"),
        list(c(1, 16), c(18, 93)), globalEps = 1, intercept = TRUE, formula = educ ~ age,
        missing = "impute"
      ), 3, c("entries", "coefficients")
    ),
    two_formulas = form(
      dpCovariance("mechanismLaplace", "numeric", 10000, c("educ", "age"),
        list(c(1, 16), c(18, 93)), globalEps = 1, formula = list(educ ~ age, age ~ educ),
        missing = "impute"
      ), 3, c("entries", "coefficients")
    ),
    present_covariance = form(
      covariance_of(missing = "drop", intercept = TRUE, formula = income ~ educ + age), 6,
      c("entries", "coefficients")
    ),
    weighted_covariance = form(
      covariance_of(columns = c("income", "age"), rng = pums_ranges[c(1, 3, 2)], missing = "drop",
        intercept = TRUE, formula = income ~ I(age^2), weights = "educ"), 6,
      c("entries", "coefficients")
    ),
    ranged_covariance = form(
      covariance_of(rng = do.call(rbind, pums_ranges), mechanism = "mechanismSnapping"), 6,
      "entries"
    ),
    correlation = form(
      dpCorrelation(c("income", "educ", "age"), 10000, pums_ranges, epsilon = 1,
        missing = "impute"), 3, "correlations"
    ),
    present_correlation = form(
      dpCorrelation(c("educ", "age"), 10000, pums_ranges[2:3], epsilon = 1, missing = "drop"), 1,
      "correlations"
    ),
    components = form(
      dpPCA(c("income", "educ", "age"), 2, 10000, pums_ranges, epsilon = 1, missing = "impute"), 2,
      c("variances", "loadings")
    ),
    present_components = form(
      dpPCA(c("educ", "age"), 1, 10000, pums_ranges[2:3], epsilon = 1, scale = "public",
        missing = "drop"), 1, c("variances", "loadings")
    ),
    gaussian_components = form(
      dpPCA(c("income", "educ", "age"), 2, 10000, pums_ranges, rho = 0.1, missing = "impute"), 2,
      c("variances", "loadings")
    ),
    mean_difference = form(
      dpMeanDifference("income", "sex", c(0, 1), 10000, c(0, 2e5), epsilon = 1,
        missing = "impute"), 1, "estimates"
    ),
    present_mean_difference = form(
      dpMeanDifference("age", "job", c("cook", "clerk"), 10000, c(18, 93), epsilon = 1,
        missing = "drop"), 1, "estimates"
    ),
    sized_mean_difference = form(
      dpMeanDifference("income", "sex", c(0, 1), rng = c(0, 2e5), epsilon = 1,
        groupSizes = c(4876, 5124), missing = "impute"), 1, "estimates"
    ),
    classifier = form(
      dpNaiveBayes(married ~ age + educ, c(0, 1), 10000, pums_ranges[3:2], epsilon = 1,
        missing = "impute"), 4, c("means", "rows")
    ),
    present_classifier = form(
      dpNaiveBayes(job ~ age, jobs, 10000, list(c(18, 93)), epsilon = 1, missing = "drop"), 3,
      c("means", "rows")
    ),
    clusters = form(
      dpKMeans(c("age", "educ"), 3, 10000, pums_ranges[3:2], epsilon = 1), 6, c("centres", "sizes")
    ),
    clusters_of_three = form(
      dpKMeans(c("age", "educ", "sex"), 2, 10000, c(pums_ranges[3:2], list(c(0, 1))), epsilon = 1,
        iterations = 3, varType = "integer", conversion = "truncate"), 6, c("centres", "sizes")
    ),
    contingency = form(
      dpContingency(c("sex", "educ"), list(educ = 1:16, sex = c(0, 1)), n = 10000, epsilon = 1,
        missing = "impute"), 32,
      c("tiles", "counts")
    ),
    present_contingency = form(
      dpContingency(c("sex", "married", "job"), list(c(0, 1), c(0, 1), jobs[-1]),
        n = 10000, epsilon = 1, missing = "drop"), 27, "counts"
    ),
    summed_margins = form(
      dpContingency(c("sex", "married"), list(c(0, 1), c(0, 1)), list("sex", "married"), 10000, 1,
        missing = "impute"), 4, c("sex", "married")
    ),
    margins = form(
      dpContingency(c("sex", "educ", "job"), list(c(0, 1), 1:6, jobs[1:2]),
        list(c("sex", "educ"), c("sex", "job")), 10000, 1, missing = "impute", other = TRUE), 30,
      c("sex:educ", "sex:job")
    ),
    hitters = form(of_jobs("mechanismExponential", jobs), 2, "estimates"),
    counted_hitters = form(of_jobs("mechanismLaplace", jobs), 2, "counts"),
    gaussian_hitters = form(
      dpHeavyHitters(variable = "job", n = 10000, k = 2, bins = jobs, rho = 0.1), 2, "counts"
    ),
    stable_hitters = form(of_jobs("mechanismStability"), 2, "counts"),
    stable_set = form(of_jobs("mechanismStability", jobs), 2, "estimates"),
    no_set = form(
      small(dpHeavyHitters("mechanismStability", "character", "job", 9, epsilon = 0.01, k = 1,
        bins = jobs, delta = 1e-12, n_check = "resize")), 0, character()
    ),
    line = form(
      dpLM(income ~ age, 10000, list(c(0, 2e5), c(18, 93)), epsilon = 1, missing = "impute"), 2,
      "coefficients"
    ),
    gaussian_line = form(
      dpLM(income ~ age, 10000, list(c(0, 2e5), c(18, 93)), rho = 0.1, missing = "drop"), 2,
      "coefficients"
    ),
    line_from_origin = form(
      dpLM(income ~ age - 1, 10000, list(c(0, 2e5), c(18, 93)), epsilon = 1, missing = "impute"), 1,
      "coefficients"
    ),
    present_line = form(
      dpLM(income ~ educ + age, 10000, pums_ranges, epsilon = 1, missing = "drop"), 3,
      "coefficients"
    ),
    sandwich_line = form(
      dpLM(income ~ educ + age, 10000, pums_ranges, epsilon = 1, vcov = "sandwich",
        missing = "impute"), 3, "coefficients"
    ),
    weighted_line = form(
      dpLM(income ~ age, 10000, pums_ranges[c(1, 3, 2)], epsilon = 1, missing = "drop",
        weights = "educ"), 2, "coefficients"
    ),
    line_of_terms = form(
      dpLM(log(income) ~ I(age^2) * sex + educ, 10000, missing = "drop", levels = list(sex = 0:1),
        rng = list(income = c(0, 713000), age = c(18, 93), educ = c(1, 16),
          "log(income)" = c(5, 14)), epsilon = 1), 5,
      "coefficients"
    ),
    model = form(model(), 3, "coefficients"),
    model_of_terms = form(
      dpGLM("mechanismObjective", "numeric", 10000, list(c(0, 1), c(18, 93)),
        I(married == 1) ~ pmax(age - 40, 0) + sex, "logit", 1, levels = list(sex = 0:1),
        missing = "impute", inference = "none"), 3, "coefficients"
    ),
    parts = form(model(nBoot = 5, inference = "parts"), 3, "coefficients"),
    present_model = form(model(missing = "drop"), 3, "coefficients"),
    model_with_offset = form(
      dpGLM("mechanismObjective", "numeric", 10000, list(c(0, 20), c(18, 93), c(0, 1)),
        educ ~ age + offset(log(sex + 1)), "poisson", 1, missing = "impute",
        inference = "none"), 2, "coefficients"
    ),
    weighted_model = form(
      dpGLM("mechanismObjective", "numeric", 10000, list(c(0, 1), c(18, 93), c(1, 16)),
        married ~ age, "logit", 1, missing = "drop", inference = "onestep", weights = "educ"), 2,
      "coefficients"
    ),
    one_step_model = form(
      dpGLM("mechanismObjective", "numeric", 10000, pums_ranges[3:2], age ~ educ, "ols",
        epsilon = 1, missing = "drop", inference = "onestep", vcov = "sandwich"), 3,
      "coefficients"
    ),
    blocks = form(aggregate_of(), 1, "estimates"),
    gaussian_blocks = form(aggregate_of(epsilon = NULL, rho = 0.1), 1, "estimates"),
    gaussian_numbers = form(
      aggregate_of(innerFun = function(x) range(x), outputRange = rbind(c(0, 100), c(0, 100)),
        epsilon = NULL, rho = 0.1), 2, "estimates"
    ),
    block_median = form(aggregate_of(aggregationFun = "Median", score = "balance"), 1, "estimates"),
    two_numbers = form(
      aggregate_of(innerFun = function(x) range(x), outputRange = rbind(c(0, 100), c(0, 100))), 2,
      "estimates"
    ),
    named_numbers = form(
      aggregate_of(
        innerFun = income ~ educ, variable = c("income", "educ"), rng = list(c(0, 2e5), c(1, 16)),
        outputRange = rbind(constant = c(-1e5, 1e5), educ = c(-2e4, 2e4))
      ), 2, "estimates"
    ),
    vote = form(
      aggregate_of(
        innerFun = function(x) if (mean(x) > 44) "old" else "young", aggregationFun = "Mode",
        outcomes = c("old", "young")
      ), 1, "estimates"
    ),
    winsorized = form(aggregate_of(aggregationFun = "WinsorizedMean"), 1, "estimates"),
    trimmed = form(aggregate_of(aggregationFun = "TrimmedMean", trim = 0.3), 1, "estimates"),
    sampled = form(aggregate_of(intervalShare = 0.2), 1, "estimates"),
    labels = form(aggregate_of(scheme = "labels"), 1, "estimates"),
    helped = form(
      aggregate_of(rangeMode = "helper", rangeHelper = function(x) x, gridPoints = 11), 1,
      "estimates"
    ),
    counted_failures = form(
      aggregate_of(innerFun = mean, outputRange = c(0, 100), failureShare = 0.2), 1, "estimates"
    ),
    working_blocks = form(
      aggregate_of(
        innerFun = function(x) c(low = min(x), high = max(x)), numSubsets = 100,
        outputRange = rbind(low = c(0, 50), high = c(0, 100)), failures = "drop",
        interval = "population"
      ), 2, "estimates"
    ),
    spread_of_blocks = form(
      aggregate_of(innerFun = "median", interval = "population"), 1, "estimates"
    ),
    working_median = form(
      aggregate_of(
        innerFun = mean, outputRange = c(0, 100), aggregationFun = "Median", failures = "drop",
        score = "balance"
      ), 1, "estimates"
    )
  )
}

# The examples with a release of each.
result_forms <- function() {
  data <- example_rows()
  lapply(statistic_examples(), function(example) {
    c(example, list(result = example$statistic$release(data)))
  })
}

example_statistics <- function() lapply(statistic_examples(), `[[`, "statistic")

# Statistics that hold a user function, or a formula used as one.
holds_code <- function(statistic) any(vapply(plan_of(statistic)$args, is_code_of_caller, NA))

# Arguments that build each statistic, with several sets if they select different code. The name
# begins with the class.
valid_arguments <- local({
  column <- list(varType = "numeric", variable = "x", n = 10)
  ranged <- c(column, list(rng = c(0, 1)))
  laplace <- list(mechanism = "mechanismLaplace")
  texts <- list(varType = "character", variable = "x", n = 10, epsilon = 1)
  pairs <- list(varType = "numeric", n = 10, rng = list(c(0, 1), c(0, 1)))
  blocks <- c(laplace, ranged, list(numSubsets = 2, epsilon = 1))
  list(
    dpMean = c(laplace, ranged, list(epsilon = 1)),
    `dpMean, bounds found` = c(laplace, column, list(rng = bounds(), epsilon = 1)),
    dpVariance = c(laplace, ranged, list(epsilon = 1)),
    dpHistogram = c(ranged, list(nBins = 2, epsilon = 1)),
    `dpHistogram of texts` = c(texts, list(bins = c("a", "b"))),
    `dpHistogram, stability` = c(column, list(binWidth = 1, epsilon = 1)),
    dpCovariance = c(laplace, pairs, list(columns = c("x", "y"), globalEps = 1)),
    dpTree = c(ranged, list(depth = 2, globalEps = 1)),
    dpMedian = c(ranged, list(epsilon = 1)),
    dpQuantile = c(ranged, list(prob = 0.5, epsilon = 1)),
    dpBounds = c(column, list(epsilon = 1)),
    dpQuantiles = c(ranged, list(probs = c(0.25, 0.75), epsilon = 1)),
    dpHeavyHitters = c(
      list(mechanism = "mechanismExponential"), texts, list(k = 1, bins = c("a", "b"))
    ),
    `dpHeavyHitters, counts` = c(
      list(mechanism = "mechanismLaplace"), texts, list(k = 1, bins = c("a", "b"))
    ),
    `dpHeavyHitters, stability` = c(list(mechanism = "mechanismStability"), texts, list(k = 1)),
    `dpHeavyHitters, set` = c(
      list(mechanism = "mechanismStability"), texts, list(k = 1, bins = c("a", "b"))
    ),
    dpContingency = list(
      variables = c("x", "y"), levels = list(c("a", "b"), c(0, 1)), n = 10, epsilon = 1
    ),
    `dpContingency, margins` = list(
      variables = c("x", "y"), levels = list(c("a", "b"), c(0, 1)), margins = list("x", "y"),
      n = 10, epsilon = 1
    ),
    dpCorrelation = c(pairs[-1], list(columns = c("x", "y"), epsilon = 1)),
    `dpCorrelation, bounds found` = list(
      columns = c("x", "y"), n = 10, rng = list(bounds(), c(0, 1)), epsilon = 1
    ),
    dpPCA = c(pairs[-1], list(columns = c("x", "y"), k = 1, epsilon = 1)),
    dpLM = c(pairs[-1], list(formula = "y ~ x", epsilon = 1)),
    dpMeanDifference = c(ranged[-1], list(group = "y", groups = c(0, 1), epsilon = 1)),
    dpNaiveBayes = c(pairs[-1], list(formula = "z ~ x + y", levels = c(0, 1), epsilon = 1)),
    dpKMeans = c(pairs[-1], list(columns = c("x", "y"), k = 2, epsilon = 1)),
    dpGLM = c(
      list(mechanism = "mechanismObjective"), pairs,
      list(formula = "y ~ x", objective = "ols", epsilon = 1)
    ),
    dpSampleAndAggregate = c(blocks, list(innerFun = "mean", aggregationFun = "Mean")),
    `dpSampleAndAggregate of a function` = c(
      blocks, list(innerFun = max, aggregationFun = "Median", outputRange = c(0, 1))
    )
  )
})

generator_of <- function(name) get(sub("[, ].*", "", name))

# Builds the statistic with one argument replaced. NULL stays NULL.
build_with <- function(name, argument, value) {
  arguments <- valid_arguments[[name]]
  arguments[argument] <- list(value)
  suppressWarnings(do.call(generator_of(name), arguments), classes = "dp_warning")
}

# Names of all exported statistic constructors.
exported_statistics <- function() {
  exports <- mget(getNamespaceExports("PSIlence"), asNamespace("PSIlence"))
  generators <- names(Filter(function(x) inherits(x, "dp_generator"), exports))
  grep("^dp", generators, value = TRUE)
}

# Expands "UTIL-026 and UTIL-028 to UTIL-030" to four ids.
ids_in <- function(lines) {
  pattern <- "[A-Z]+-[0-9]{3}( to [A-Z]+-[0-9]{3})?"
  unlist(lapply(unlist(regmatches(lines, gregexpr(pattern, lines))), function(found) {
    ends <- strsplit(found, " to ")[[1]]
    numbers <- as.integer(sub(".*-", "", ends))
    sprintf("%s-%03d", sub("-.*", "", found), seq(numbers[[1]], numbers[[length(numbers)]]))
  }))
}

# Mutant of square_draws() that treats a released curvature as noiseless.
no_noise_of_squares <- function(size) matrix(0, kept_draws, size * (size + 1) / 2)

# Compares coefficients with a model's, first as they are, then in units of their errors. The
# first comparison mostly tests the largest coefficient.
expect_coefficients <- function(found, model, tolerance = 1e-3, ...) {
  wanted <- unname(stats::coef(model))
  for (units in list(1, sqrt(diag(stats::vcov(model))))) {
    expect_equal(unname(found) / units, wanted / units, tolerance = tolerance, ...)
  }
}

# Compares the covariance of a result's coefficients with a matrix, in units of its errors: on
# average, and entry by entry.
expect_errors <- function(result, wanted, tolerance = 1e-3) {
  units <- outer(sqrt(diag(wanted)), sqrt(diag(wanted)))
  apart <- abs(vcov(result) - wanted) / units
  expect_lt(mean(apart), tolerance * mean(abs(wanted) / units))
  expect_lt(max(apart), tolerance)
}

# Predictions for rows outside of the declared ranges, on purpose.
anywhere <- function(predictions) suppressWarnings(predictions, classes = "dp_warning_new_rows")
