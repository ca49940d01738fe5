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
