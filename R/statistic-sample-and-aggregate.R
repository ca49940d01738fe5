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
