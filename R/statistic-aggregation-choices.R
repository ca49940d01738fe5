#' Aggregators and schemes of sample and aggregate
#'
#' What [dpSampleAndAggregate()] takes as `aggregationFun`, how the results of blocks become one
#' release, and as `scheme`, which rows a block has. Each of these functions has the arguments of
#' its own choice alone, and checks them at once. They read no data.
#'
#' An object stands for the name of the choice and for its arguments, which `dpSampleAndAggregate()`
#' takes one by one as well: `aggregationFun = aggregator_trimmed_mean(0.1)` is the same plan as
#' `aggregationFun = "TrimmedMean", trim = 0.1`. So what an object says must not be given beside it.
#'
#' @param rangeMode (`character(1)`) `"tight"`, or `"loose"` if the declared range is wider than the
#'   results; then half of `epsilon` finds their quartiles, and the mean is that of results moved
#'   between these; or `"helper"`, with a `rangeHelper`.
#' @param intervalShare (`numeric(1)`) Share of `epsilon`, from 0 to below 1, that pays for the
#'   variance of block results, and so for an interval which covers sampling too. Superseded by
#'   `interval` of [dpSampleAndAggregate()], which takes no share.
#' @param rangeHelper (`function`) A public rule from ranges of the columns to a range of results,
#'   see [dpSampleAndAggregate()].
#' @param gridPoints (whole number) Candidates, at equal distances in the range, from 2 to 1e6.
#' @param trim (`numeric(1)`) Share of block results left out at each end, below one half.
#' @param prob (`numeric(1)`) Share of block results below, from 0 to 1.
#' @param outcomes (`character` or `numeric`) All results that count, two or more; a block with
#'   another one has no vote.
#' @param overlap (whole number) Number of independent partitions; it divides `numSubsets`.
#' @param subsetSize (whole number) Rows in each subset, at most `n`.
#' @returns An object of class `dp_aggregator` or `dp_scheme`, which prints what it says.
#' @section Aggregators: `aggregator_mean()` is the mean; `aggregator_winsorized_mean()` is for
#'   ranges that are wider than need be; results of a few bad blocks hardly move
#'   `aggregator_trimmed_mean()`, `aggregator_median()` and `aggregator_quantile()`;
#'   `aggregator_mode()` is the most frequent of declared outcomes.
#' @section Schemes: `scheme_partition()`: disjoint blocks whose sizes differ by one at most.
#'   `scheme_resampled()`: several independent partitions, `numSubsets` blocks in all.
#'   `scheme_subsets()`: `numSubsets` sets of rows, each without replacement. `scheme_labels()`:
#'   each row goes to a block of its own choice; then the number of rows is a secret.
#' @section Errors: `dp_error_invalid_argument`, by the name of the argument.
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
    mean$options$rangeHelper <- sealed(rangeHelper, "rangeHelper", call)$fun
  }
  mean
}

# What the options of a mean must be together.
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
aggregator_median <- function(gridPoints = 1001) {
  block_choice("aggregationFun", "Median", list(gridPoints = gridPoints), environment())
}

#' @rdname aggregation_choices
#' @export
aggregator_quantile <- function(prob, gridPoints = 1001) {
  check_given("prob", call = environment())
  options <- list(prob = prob, gridPoints = gridPoints)
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

# The choice `name` for an `argument` of dpSampleAndAggregate(), with the arguments that go with it.
block_choice <- function(argument, name, options, call) {
  kinds <- sample_aggregate_kinds[names(options)]
  class <- c(aggregationFun = "dp_aggregator", scheme = "dp_scheme")[[argument]]
  structure(
    list(
      argument = argument, name = name, options = checked_arguments(options, kinds, call)
    ),
    class = c(class, "dp_choice")
  )
}

# Arguments with each choice in the place of its object: by its name, and the arguments that go with
# it. These must be at their `defaults`, or there would be two answers.
spread_choices <- function(args, defaults, call) {
  for (argument in names(args)) {
    choice <- args[[argument]]
    if (!inherits(choice, "dp_choice") || !identical(choice$argument, argument)) next
    for (option in names(choice$options)) {
      if (!identical(args[[option]], defaults[[option]])) {
        stop_argument(paste0("left out: `", argument, "` says it"), "given", option, call)
      }
    }
    args[names(choice$options)] <- choice$options
    args[[argument]] <- choice$name
  }
  args
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
