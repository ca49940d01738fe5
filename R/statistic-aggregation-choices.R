#' Aggregators and schemes of sample and aggregate
#'
#' Objects for two arguments of [dpSampleAndAggregate()]. An aggregator (`aggregationFun`) turns the
#' results of the blocks into one release, and a scheme (`scheme`) deals rows to blocks. Each
#' function below has only the arguments of its choice, and checks them at once. They read no data.
#'
#' An object contains the name of the choice and its arguments. You can also give these to
#' `dpSampleAndAggregate()` one by one: `aggregationFun = aggregator_trimmed_mean(0.1)` makes the
#' same plan as `aggregationFun = "TrimmedMean", trim = 0.1`. Do not give an argument twice, in the
#' object and beside it.
#'
#' @param rangeMode (`character(1)`) `"tight"`, `"loose"` or `"helper"`. Use `"loose"` if the
#'   declared range is wider than the results: half of `epsilon` then finds their quartiles, and the
#'   mean is taken after clamping the results to a range around these. `"helper"` needs a
#'   `rangeHelper`.
#' @param intervalShare (`numeric(1)`) Share of `epsilon`, from 0 to below 1, to spend on the
#'   variance of block results, for an interval that also covers sampling. Superseded by `interval`
#'   of [dpSampleAndAggregate()], which takes no share.
#' @param rangeHelper (`function`) Public rule for `rangeMode = "helper"`, instead of `outputRange`.
#'   It maps ranges of the columns, in the form of `rng` (with names, if there are several), to an
#'   `outputRange`. Half of `epsilon`, in equal shares for all columns, finds the quartiles of each
#'   among `gridPoints` candidates in `rng`. The rule turns these into the range that clamps the
#'   results, and the other half of `epsilon` is spent on the mean. The field `outputRange` is the
#'   rule's result for `rng`. It is used if the rule fails in a release.
#' @param gridPoints (whole number) Number of candidates, equally spaced in the range, from 2 to
#'   1e6.
#' @param trim (`numeric(1)`) Share of block results to leave out at each end, below one half.
#' @param prob (`numeric(1)`) Share of block results below the quantile, from 0 to 1.
#' @param score (`character(1)`) Rule that compares candidates, see [dpSampleAndAggregate()].
#' @param outcomes (`character` or `numeric`) All valid results, two or more. A block with a
#'   different result has no vote.
#' @param overlap (whole number) Number of independent partitions. It divides `numSubsets`.
#' @param subsetSize (whole number) Number of rows in each subset, at most `n`.
#' @returns An object of class `dp_aggregator` or `dp_scheme`, which prints its choice.
#' @section Aggregators: `aggregator_mean()` is the mean. `aggregator_winsorized_mean()` is for
#'   ranges that are wider than necessary. A few bad blocks hardly move
#'   `aggregator_trimmed_mean()`, `aggregator_median()` and `aggregator_quantile()`.
#'   `aggregator_mode()` is the most frequent of declared outcomes.
#' @section Schemes: `scheme_partition()` makes disjoint blocks whose sizes differ by at most one.
#'   `scheme_resampled()` makes several independent partitions, with `numSubsets` blocks in all.
#'   `scheme_subsets()` makes `numSubsets` sets of rows, each without replacement. `scheme_labels()`
#'   sends each row to an independent random block. Then the number of rows is private.
#' @section Errors: `dp_error_invalid_argument`, which names the argument.
#' @examples
#' aggregator_trimmed_mean(trim = 0.1)
#'
#' typical <- dpSampleAndAggregate(
#'   innerFun = function(x) mean(x, trim = 0.1), outputRange = c(0, 100000),
#'   aggregationFun = aggregator_median(), scheme = scheme_resampled(overlap = 2),
#'   mechanism = "mechanismLaplace", numSubsets = 200, varType = "numeric", variable = "income",
#'   n = 10000, rng = c(0, 750000), epsilon = 0.5
#' )
#' typical$release(PUMS5extract10000)
#' @name aggregation_choices
NULL

#' @rdname aggregation_choices
#' @export
aggregator_mean <- function(rangeMode = if (is.null(rangeHelper)) "tight" else "helper",
                            intervalShare = 0, rangeHelper = NULL, gridPoints = 1001) {
  call <- environment()
  options <- list(
    rangeMode = rangeMode, intervalShare = intervalShare, rangeHelper = rangeHelper,
    gridPoints = gridPoints
  )
  mean <- block_choice("aggregationFun", "Mean", options, call)
  check_mean_options(mean$options, call)
  if (!is.null(rangeHelper)) {
    mean$options$rangeHelper <- isolated(rangeHelper, "rangeHelper", call)$fun
  }
  mean
}

# Checks the options of a mean together.
check_mean_options <- function(options, call) {
  helped <- options$rangeMode == "helper"
  if (helped) {
    check_function(options$rangeHelper, arg = "rangeHelper", call = call)
  } else if (!is.null(options$rangeHelper)) {
    stop_argument('NULL unless `rangeMode = "helper"`', "given", "rangeHelper", call)
  }
  if (options$rangeMode != "tight" && options$intervalShare > 0) {
    stop_argument("0 unless the release is a mean of disjoint blocks",
      name_public(options$intervalShare), "intervalShare", call
    )
  }
}

#' @rdname aggregation_choices
#' @export
aggregator_winsorized_mean <- function(gridPoints = 1001) {
  block_choice("aggregationFun", "WinsorizedMean", list(gridPoints = gridPoints), environment())
}

#' @rdname aggregation_choices
#' @export
aggregator_trimmed_mean <- function(trim = 0.25) {
  mean <- block_choice("aggregationFun", "TrimmedMean", list(trim = trim), environment())
  if (trim >= 0.5) stop_argument("a share below a half", "more", "trim", environment())
  mean
}

#' @rdname aggregation_choices
#' @export
aggregator_median <- function(gridPoints = 1001, score = c("nearest", "balance")) {
  options <- list(gridPoints = gridPoints, score = first_choice(score, quantile_rules$score))
  block_choice("aggregationFun", "Median", options, environment())
}

#' @rdname aggregation_choices
#' @export
aggregator_quantile <- function(prob, gridPoints = 1001, score = c("nearest", "balance")) {
  check_given("prob", call = environment())
  options <- list(
    prob = prob, gridPoints = gridPoints, score = first_choice(score, quantile_rules$score)
  )
  block_choice("aggregationFun", "Quantile", options, environment())
}

#' @rdname aggregation_choices
#' @export
aggregator_mode <- function(outcomes) {
  check_given("outcomes", call = environment())
  check_outcome_values(outcomes, environment())
  block_choice("aggregationFun", "Mode", list(outcomes = outcomes), environment())
}

#' @rdname aggregation_choices
#' @export
scheme_partition <- function() block_choice("scheme", "partition", list(), environment())

#' @rdname aggregation_choices
#' @export
scheme_resampled <- function(overlap) {
  check_given("overlap", call = environment())
  block_choice("scheme", "resampled", list(overlap = overlap), environment())
}

#' @rdname aggregation_choices
#' @export
scheme_subsets <- function(subsetSize) {
  check_given("subsetSize", call = environment())
  size <- check_positive_whole(subsetSize)
  block_choice("scheme", "subsets", list(subsetSize = size), environment())
}

#' @rdname aggregation_choices
#' @export
scheme_labels <- function() block_choice("scheme", "labels", list(), environment())

# Makes the choice `name` for an `argument` of dpSampleAndAggregate(), with its own arguments.
block_choice <- function(argument, name, options, call) {
  kinds <- sample_aggregate_kinds[names(options)]
  # In a plan the older rule is NULL, which would not print.
  if ("score" %in% names(kinds)) kinds$score <- one_of(quantile_rules$score)
  class <- c(aggregationFun = "dp_aggregator", scheme = "dp_scheme")[[argument]]
  structure(
    list(
      argument = argument, name = name, options = checked_arguments(options, kinds, call)
    ),
    class = c(class, "dp_choice")
  )
}

#' @export
format.dp_choice <- function(x, ...) {
  options <- Filter(Negate(is.null), x$options)
  said <- if (length(options) > 0) paste0(": ", describe_arguments(options))
  paste0("<", sub("^dp_", "", class(x)[[1]]), " ", x$name, said, ">")
}

#' @export
print.dp_choice <- function(x, ...) {
  cat(format(x), "\n", sep = "")
  invisible(x)
}
