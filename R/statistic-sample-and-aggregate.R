#' Differentially private sample and aggregate
#'
#' `dpSampleAndAggregate()` plans a release of the aggregate of any function on random blocks of
#' rows. It splits the rows into blocks, computes the function on each, and aggregates the results
#' privately. One row changes few block results, whatever the function does. The guarantee needs
#' nothing else. Building the plan reads no data. Each call of `release()` spends `epsilon`, or
#' `rho`.
#'
#' The number of rows `n` is public. Neighbouring datasets differ in one replaced row. With the
#' scheme `"labels"` they differ by one row added or removed, and `n` only scales the report. With
#' probability `1 - alpha`, the release is within `accuracy` of the aggregate *of the block
#' results*. Accuracy does not cover sampling error, or the bias of small blocks.
#'
#' @inheritParams dpMean
#' @param mechanism (`character(1)`) `"mechanismLaplace"` or `"mechanismGaussian"`, in any letter
#'   case. `rho` or `delta` choose Gaussian noise automatically.
#' @param innerFun (`character(1)`, `function` or `formula`) Function of one block, public:
#'   `"mean"`, `"median"` or `"var"` (divisor m - 1), a formula for [stats::lm()], or an R function.
#'   The function gets a `numeric` vector, or a data frame if there are several columns. If there
#'   are several results, each is released with an equal share of `epsilon`.
#' @param variable (`character`) Names of the columns, public.
#' @param rng (`numeric(2)`, or a list of these for several columns) Lower and upper bounds, public,
#'   in the unit of the column. A list is named after the columns, or in their order. Values outside
#'   are clamped.
#' @param imputeRng (as `rng`) Ranges of the uniform draws that replace missing values, if
#'   `missing = "impute"`.
#' @param aggregationFun (`dp_aggregator` or `character(1)`) Aggregate of the block results, from
#'   [aggregator_mean()] and similar functions. Or its name, in any letter case: `"Mean"`,
#'   `"WinsorizedMean"`, `"TrimmedMean"`, `"Median"`, `"Quantile"` or `"Mode"`. If `NULL`, public
#'   numbers choose it, see [block_releases].
#' @param numSubsets (whole number) Number of blocks k, at most `n` (`n / 2` for `"var"`) in each
#'   partition, and at least 2 except for `"Mean"`. If `NULL`, public numbers choose it, see
#'   [block_releases]. For other rules see [sampleAggregateBlocks()].
#' @param innerFunSens,aggregationFunSens (`numeric` or `NULL`) Sensitivity of an R function's
#'   results to one row, and of the aggregate. They follow from the other arguments: give `NULL`, or
#'   see [block_releases].
#' @param outputRange (`numeric(2)`, or a matrix of two columns or a list with a pair for each
#'   result) Bounds of an R function's results, public and required. Results outside are clamped,
#'   and any failure counts as the middle. Row names become the names of the release.
#' @param accuracy (`numeric(1)` or `NULL`) Target accuracy, in the unit of the block results, not
#'   beside `epsilon`, for the `"Mean"` of a single result.
#' @param prob,trim,outcomes,gridPoints,rangeMode,rangeHelper,intervalShare Arguments of the
#'   aggregator, if you name it instead of making it. [aggregation_choices] explains them.
#' @param scheme,overlap,subsetSize (`dp_scheme`) Scheme of the blocks, from [scheme_partition()]
#'   and similar functions, or its name and its arguments.
#' @param timeLimit (`numeric(1)` or `NULL`) Elapsed seconds for a block. With a limit, each block
#'   has a separate process, which is stopped at the limit and then counts as a failure.
#' @param isolation (`character(1)`) `"hermetic"`, or `"none"`: you promise that the result of your
#'   function for a block depends only on that block. Results name it as `unverified`. `"none"`
#'   needs the feature `"honest-but-curious"`.
#' @param failureShare (`numeric(1)`) Share of `epsilon`, from 0 to below 1, for the number of
#'   failed blocks. A `"Mean"` with `failures = "drop"` counts them without a share.
#' @param n_check (`character(1)`) Rule for data whose number of rows differs from `n`, as in
#'   [dpMean()]. With the scheme `"labels"`, the number is private and never checked.
#' @param failures (`character(1)` or `NULL`) Rule for failed blocks. With `"middle"` or `NULL`,
#'   their results count as the middle of `outputRange`. `"drop"` leaves them out, for a `"Mean"`,
#'   which then also counts them, a `"Median"` or a `"Quantile"`.
#' @param interval (`character(1)` or `NULL`) `"population"` adds `samplingInterval`, an interval
#'   for the target of the block estimates, for the `"Mean"` of two or more disjoint blocks.
#' @param missing (`character(1)`) Rule for rows that lack a value of `variable`. With `"drop"`,
#'   blocks have only complete rows. `"impute"` draws values from `imputeRng`. The default is
#'   `"impute"` if you give `imputeRng`, and `"drop"` otherwise.
#' @param score (`character(1)`) Rule that compares candidates, for `"Median"` and `"Quantile"`, as
#'   in [dpQuantile()]. `"balance"` is the rule of older plans.
#' @param conversion (`character(1)`) Rule that converts numbers to values of `varType` `"integer"`
#'   or `"logical"`: `"round"` or `"truncate"`, as in [dpMean()].
#' @returns An R6 object of class `dpSampleAndAggregate`, with the methods and fields of [dpMean()],
#'   the other arguments as fields, and
#'
#' * `subsetSize`, `subsetSizes`: size of the smallest block, and all sizes.
#' * `innerFunSens`, `overlap`, `aggregationFunSens`, `sens`: sensitivities, see [block_releases].
#' * `outputRange`: range of the block results.
#' * `noiseAccuracy`: equal to `accuracy`, which covers only noise. For quantiles and the mode, it
#'   is in blocks: ranks or votes. `NA` if it is not known before a release.
#'
#'   `result` has `release` and further elements. Means add `interval`, which covers noise.
#'   `intervalShare` or `interval = "population"` adds `blockVariance` and `samplingInterval`.
#'   A winsorized mean and a `rangeHelper` add the ranges that they found.
#' @section How it works: See [block_releases].
#' @section Gaussian noise: See [gaussian_noise], for a `"Mean"` without `failureShare`,
#'   `intervalShare`, `failures = "drop"` or an interval for the population.
#' @section An R function of your own: It is *isolated*, runs first on public rows, and fails in a
#'   block without an error. See [block_functions].
#' @section Errors: See [statistic_errors]. `dp_error_missing_feature` if `innerFunSens` is declared
#'   for an R function, or `isolation` is `"none"`, and the feature `"honest-but-curious"` is not
#'   enabled. `dp_error_missing_package` if `timeLimit` is given, the system has no fork, and
#'   package callr is not installed.
#' @seealso [block_releases], [block_functions], [aggregation_choices], [gaussian_noise]
#' @examples
#' median_income <- dpSampleAndAggregate(
#'   "income", n = 10000, rng = c(0, 750000), epsilon = 0.1, innerFun = "median",
#'   aggregationFun = "Mean", numSubsets = 1000
#' )
#' median_income$accuracy
#' median_income$release(PUMS5extract10000)
#' @export
dpSampleAndAggregate <- new_statistic("dpSampleAndAggregate",
  "Mean of a function of blocks of rows",
  "any other estimate that an R function makes of a sample of rows",
  arguments = function(innerFun, aggregationFun = NULL, mechanism = "mechanismLaplace",
                       numSubsets = NULL, varType = "numeric", variable, n, innerFunSens = NULL,
                       aggregationFunSens = NULL, subsetSize = NULL, rng = NULL, epsilon = NULL,
                       accuracy = NULL, imputeRng = NULL, alpha = 0.05, outputRange = NULL,
                       prob = 0.5, trim = 0.25, outcomes = NULL, gridPoints = 1001,
                       rangeMode = "tight", intervalShare = 0, scheme = "partition", overlap = 1,
                       timeLimit = NULL, rangeHelper = NULL, isolation = "hermetic",
                       failureShare = 0, ..., n_check = "error", failures = NULL,
                       interval = NULL, rho = NULL, delta = NULL, missing = c("drop", "impute"),
                       score = c("nearest", "balance")) {
  },
  required = c("innerFun", "variable", "n", "rng", "epsilon"),
  or = list(epsilon = c("accuracy", "rho")),
  takes = sample_aggregate_kinds,
  plan = function(...) plan_sample_and_aggregate(...),
  fields = c(
    common_fields, "innerFun", "aggregationFun", "numSubsets", "subsetSize", "subsetSizes",
    "innerFunSens", "aggregationFunSens", "outputRange", "overlap", "noiseAccuracy", "scheme",
    "prob", "trim", "outcomes", "gridPoints", "rangeMode", "intervalShare", "timeLimit",
    "rangeHelper", "isolation", "failureShare", "failures", "interval", gaussian_fields, "missing"
  ),
  later = c("missing", "score"),
  numbers = c("n", "range", "numSubsets", "innerFun"), others = c("n", "numSubsets", "innerFun")
)

# The three named functions of one column in a partition, and their mean, have a separate chain in
# exact integers. All others go through R.
plan_sample_and_aggregate <- function(args, call) {
  args <- check_aggregate(with_mechanism(args, call), call)
  plan <- if (is_exact_aggregate(args)) plan_named_aggregate else plan_any_aggregate
  with_chosen_mechanism(c(plan(args, call), list(chosen = args$chosen)), args)
}

# Checks the arguments of dpSampleAndAggregate() together ------------------------------------------

check_aggregate <- function(args, call) {
  if (length(args$variable) > 1) args$columns <- args$variable
  # If rows choose their block, the number of rows is private.
  if (args$scheme == "labels") args["n_check"] <- list(NULL)
  check_range_mode(args, call)
  args <- check_range_helper(args, call)
  args <- check_output_range(args, call)
  args <- with_choices(args, call)
  args <- check_aggregator(args, call)
  check_failure_share(args, call)
  check_joint(args, call)
  if (is_gaussian(args)) check_gaussian_aggregate(args, call)
  args
}

# Refuses Gaussian noise except for a mean of all blocks.
check_gaussian_aggregate <- function(args, call) {
  usual <- list(
    aggregationFun = "Mean", rangeMode = "tight", intervalShare = 0, failureShare = 0,
    failures = "middle", interval = "noise"
  )
  for (arg in names(usual)) {
    value <- args[[arg]] %||% usual[[arg]]
    if (!identical(value, usual[[arg]])) {
      stop_argument(paste0(name_public(usual[[arg]]), ", for Gaussian noise"), name_public(value),
        arg, call
      )
    }
  }
}

# Joint checks of the arguments of dpSampleAndAggregate() ------------------------------------------

# Design of the blocks, and the numbers that follow from it.
check_blocks <- function(args, call) {
  k <- args$numSubsets
  repeats <- args$overlap
  if (args$scheme != "resampled" && repeats != 1) {
    stop_argument("1: only resampled partitions have another", name_public(repeats), "overlap",
      call
    )
  }
  if (k %% repeats != 0) {
    stop_argument("a multiple of `overlap`, the number of partitions", name_public(k),
      "numSubsets", call
    )
  }
  args <- check_block_sizes(args, k / repeats, repeats, call)
  binding <- c(partition = "partitions", resampled = "partitions")[args$scheme]
  number <- if (args$scheme == "subsets") args$subsetSize else repeats
  blocks <- if (args$scheme == "resampled") k / repeats else k
  args[c("design", "overlap")] <- core_block_design(
    if (is.na(binding)) args$scheme else binding[[1]], args$n, blocks, number
  )
  if (args$scheme == "labels") args["subsetSizes"] <- list(NULL)
  args
}

check_block_sizes <- function(args, each, repeats, call) {
  least <- least_rows(args$innerFun)
  if (args$scheme %in% c("partition", "resampled") && each > args$n %/% least) {
    what <- if (least == 2) "at most `n` / 2, two rows for each variance" else "at most `n`"
    stop_argument(what, name_public(args$numSubsets), "numSubsets", call)
  }
  if (args$scheme == "subsets") {
    size <- check_positive_whole(args$subsetSize, "subsetSize", call)
    if (size > args$n || size < least) stop_argument("at most `n`", "more", "subsetSize", call)
    args$subsetSize <- size
    args$subsetSizes <- rep(size, each * repeats)
  } else {
    args$subsetSize <- check_derived(args$subsetSize, args$n %/% each, "subsetSize", call)
    args$subsetSizes <- rep(args$subsetSize + (seq_len(each) <= args$n %% each), repeats)
  }
  args
}

# Least number of rows in a block.
least_rows <- function(innerFun) if (identical(innerFun, "var")) 2 else 1

check_aggregator <- function(args, call) {
  aggregator <- args$aggregationFun
  if (aggregator != "Mean" && args$numSubsets < 2) {
    stop_argument("at least 2, for this `aggregationFun`", "1", "numSubsets", call)
  }
  if (aggregator == "Median") args$prob <- 0.5
  if (!selects_rank(args)) {
    args[c("prob", "score")] <- list(NULL)
    # Removes an unused argument from the plan.
    args$chosen["score"] <- list(NULL)
  }
  if (aggregator == "TrimmedMean" && 2 * floor(args$trim * args$numSubsets) >= args$numSubsets) {
    stop_argument("a share below a half", "more", "trim", call)
  }
  check_mean(args, call)
  if (!is.null(args$timeLimit)) {
    if (is.character(args$innerFun)) {
      stop_argument("NULL unless `innerFun` is a function", "given", "timeLimit", call)
    }
    check_children(call)
  }
  check_outcomes(args, call)
  args
}

# Checks arguments that only means have.
check_range_mode <- function(args, call) {
  if (args$rangeMode != "tight" && (args$aggregationFun %||% "Mean") != "Mean") {
    stop_argument('"tight" unless `aggregationFun` is "Mean"', "another mode", "rangeMode", call)
  }
}

check_mean <- function(args, call) {
  plain <- args$aggregationFun == "Mean" && args$rangeMode == "tight"
  if (args$intervalShare > 0 && !(plain && args$scheme %in% c("partition", "labels"))) {
    stop_argument("0 unless the release is a mean of disjoint blocks",
      name_public(args$intervalShare), "intervalShare", call
    )
  }
}

check_outcomes <- function(args, call) {
  outcomes <- args$outcomes
  if (args$aggregationFun != "Mode") {
    if (!is.null(outcomes)) {
      stop_argument('NULL unless `aggregationFun` is "Mode"', "given", "outcomes", call)
    }
  } else {
    check_outcome_values(outcomes, call)
    if (is.character(args$innerFun)) {
      stop_argument('a function if `aggregationFun` is "Mode"', "a name", "innerFun", call)
    }
  }
}

check_outcome_values <- function(outcomes, call) {
  if (!are_outcomes(outcomes)) {
    stop_argument("two or more different strings or numbers", describe(outcomes), "outcomes", call)
  }
}

are_outcomes <- function(x) {
  (is.character(x) || is_numbers(x)) && length(x) >= 2 && !anyNA(x) && !anyDuplicated(x)
}

# Checks the output range of a user's function: a matrix with two columns.
check_output_range <- function(args, call) {
  range <- args$outputRange
  if (args$rangeMode == "helper") {
    return(args)
  }
  if (is.character(args$innerFun) || identical(args$aggregationFun, "Mode")) {
    if (!is.null(range)) {
      why <- "votes have none"
      if (is.character(args$innerFun)) why <- "a named `innerFun` has its own"
      stop_argument(paste("NULL:", why), describe(range), "outputRange", call)
    }
    return(args)
  }
  range <- range_matrix(range, call)
  if (anyDuplicated(rownames(range))) {
    stop_argument("named with different names", paste("named", in_quotes(rownames(range))),
      "outputRange", call
    )
  }
  args$outputRange <- if (inherits(args$innerFun, "formula")) {
    coefficient_ranges(range, args$innerFun, call)
  } else {
    range
  }
  args
}

# Orders ranges like the coefficients: the constant under any of its names, and the columns by name.
# Leaves unnamed ranges, and ranges of formulas with other terms, unchanged.
coefficient_ranges <- function(range, formula, call) {
  check_formula_size(formula, call, "innerFun")
  terms <- or_else(stats::terms(formula))
  columns <- attr(terms, "term.labels")
  plain <- !is.null(terms) && all(columns %in% all.vars(formula[[length(formula)]]))
  if (is.null(rownames(range)) || !plain) {
    return(range)
  }
  constant <- setdiff(rownames(range), columns)
  if (length(constant) != attr(terms, "intercept") || !all(columns %in% rownames(range))) {
    stop_argument(
      paste0(
        "named after the columns ", in_quotes(columns),
        if (attr(terms, "intercept")) " and, as you like, the constant", ", or not named"
      ),
      paste("named", in_quotes(rownames(range))), "outputRange", call
    )
  }
  range[c(constant, columns), , drop = FALSE]
}

is_pairs <- function(x) is_numbers(x) && is.matrix(x) && ncol(x) == 2 && nrow(x) >= 1

range_matrix <- function(given, call) {
  range <- given
  what <- "a pair of finite bounds, or a matrix or list with one for each result"
  if (is.list(range)) range <- do.call(rbind, range)
  if (is_numbers(range) && is.null(dim(range)) && length(range) == 2) range <- matrix(range, 1)
  if (!is_pairs(range)) {
    stop_argument(what, describe(given), "outputRange", call)
  }
  storage.mode(range) <- "double"
  if (!all(is.finite(range), is.finite(range[, 2] - range[, 1]))) {
    stop_argument(what, "missing or infinite ones", "outputRange", call)
  }
  if (!all(range[, 1] < range[, 2])) {
    stop_argument("lower bounds below upper ones", "others", "outputRange", call)
  }
  range
}

# The named functions of one column in a partition, and their mean, in exact integers --------------

# The fields of all plans of blocks.

is_exact_aggregate <- function(args) {
  is.character(args$innerFun) && args$scheme == "partition" && is_plain_mean(args) &&
    !drops_missing(args)
}

plan_named_aggregate <- function(args, call) {
  sensitivity <- inner_sensitivities[[args$innerFun]](diff(args$rng), args$subsetSize)
  sensitivity <- check_derived(args$innerFunSens, sensitivity, "innerFunSens", call)
  sens <- sensitivity / args$numSubsets
  sens <- check_derived(args$aggregationFunSens, sens, "aggregationFunSens", call)
  loss <- noise_loss(args, sens, args$alpha, call)
  built <- with_features("contrib", {
    rows <- prepared_rows(args$varType, args$n, args$rng, args$imputeRng)
    blocks <- named_blocks(rows, args$innerFun, args$numSubsets)
    measurement <- aggregate_chain(rows, blocks, args$numSubsets, loss$limit)
    list(measurement = reported(measurement, loss$limit), range = blocks$range)
  })
  fields <- aggregate_fields(args, loss, sensitivity, sens, built$measurement, built$range)
  new_plan(fields, block_result, range = diff(built$range), call = call)
}

aggregate_fields <- function(args, loss, sensitivity, sens, measurement, range) {
  what <- if (is.character(args$innerFun)) args$innerFun else "user function"
  aggregate <- c(
    Mean = "mean", WinsorizedMean = "winsorized mean", TrimmedMean = "trimmed mean",
    Median = "median", Quantile = paste("quantile", args$prob), Mode = "mode"
  )[[args$aggregationFun]]
  name <- paste(
    aggregate, "of the", what, "of", toString(args$variable), "in", args$numSubsets, "blocks"
  )
  fields <- statistic_fields(name, args, loss, sens, measurement)
  own <- c(
    "innerFun", "aggregationFun", "numSubsets", "subsetSize", "subsetSizes", "overlap", "scheme",
    "prob", "trim", "outcomes", "gridPoints", "rangeMode", "intervalShare", "timeLimit",
    "rangeHelper", "isolation", "failureShare"
  )
  c(fields, args[own], list(
    missing = args$missing, failures = args$failures %||% "middle",
    interval = args$interval %||% "noise",
    innerFunSens = sensitivity, aggregationFunSens = sens, outputRange = plain_range(range),
    noiseAccuracy = loss$accuracy, rho = NULL, sigma = loss$sigma
  ))
}
