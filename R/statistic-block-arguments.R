# Checks of each argument of dpSampleAndAggregate() separately.

range_modes <- c("tight", "loose", "helper")
isolations <- c("hermetic", "none")
failure_rules <- c("middle", "drop")
block_intervals <- c("noise", "population")
block_schemes <- c("partition", "resampled", "subsets", "labels")

# Sensitivity of the function of a block with m rows, for reports only. The noise comes from the
# stability map of the chain.
inner_sensitivities <- list(
  mean = function(width, m) width / m,
  median = function(width, m) width,
  var = function(width, m) width^2 / m
)

# Accepts a function. It is isolated, because the object and the field of this name keep it.
function_of_block <- function() {
  words <- paste0(in_words(names(inner_sensitivities)), ", a function, or a formula")
  argument_kind(words, reads = "isolation", check = function(value, arg, call, args) {
    if (!is.function(value) && !inherits(value, "formula")) {
      check_name(value, names(inner_sensitivities), arg, call)
    } else if (args$isolation == "none") {
      assert_features("honest-but-curious")
      value
    } else {
      isolated(value, arg, call)$fun
    }
  })
}

# Accepts one of these texts, or an object from a function such as `maker` that includes arguments.
one_of_made <- function(choices, maker, null = FALSE) {
  kind <- one_of(choices, null)
  kind$must <- paste0(kind$must, ", or what [", maker, "()] and its like make")
  kind
}

# Checks the columns: named functions take one.
columns_of_blocks <- function() {
  kind <- column_names(1)
  check <- kind$check
  kind$reads <- "innerFun"
  kind$check <- function(value, arg, call, args) {
    columns <- check(value, arg, call, args)
    if (length(columns) > 1 && is.character(args$innerFun)) {
      stop_argument("one name, for a named `innerFun`", "several", arg, call)
    }
    columns
  }
  kind
}

count_of_blocks <- function() {
  kind <- count_from(1, most_blocks)
  count <- kind$check
  kind$must <- paste0(kind$must, ", or NULL")
  kind$check <- function(value, arg, call, args) {
    if (!is.null(value)) count(value, arg, call, args)
  }
  kind
}

sample_aggregate_kinds <- list(
  mechanism = one_of(additive_mechanisms), innerFun = function_of_block(),
  aggregationFun = one_of_made(names(aggregators), "aggregator_mean", null = TRUE),
  numSubsets = count_of_blocks(),
  innerFunSens = with_others("a number for each result of a function, otherwise NULL"),
  aggregationFunSens = with_others("NULL: it follows from the other arguments"),
  subsetSize = with_others('a whole number, for the scheme `"subsets"`, otherwise NULL'),
  variable = columns_of_blocks(), rng = bounds_of("variable", alone = TRUE),
  imputeRng = imputed_bounds_of("variable", alone = TRUE),
  missing = missing_rule(null = TRUE),
  outputRange = with_others(
    "a pair of finite bounds for each result of a function, otherwise NULL"
  ),
  prob = share(zero = TRUE, one = TRUE), trim = share(zero = TRUE),
  outcomes = with_others('two or more different strings or numbers, for `"Mode"`, otherwise NULL'),
  gridPoints = whole_number(min = 2, max = 1e6), rangeMode = one_of(range_modes),
  intervalShare = share(zero = TRUE), scheme = one_of_made(block_schemes, "scheme_partition"),
  overlap = count_from(1),
  timeLimit = real_number(above = 0, null = TRUE),
  rangeHelper = with_others('a function, for `rangeMode = "helper"`, otherwise NULL'),
  isolation = one_of(isolations), failureShare = share(zero = TRUE),
  failures = one_of(failure_rules, null = TRUE), interval = one_of(block_intervals, null = TRUE),
  score = quantile_rule("score")
)
