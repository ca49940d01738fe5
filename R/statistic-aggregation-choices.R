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

# Spreads aggregators and schemes into the arguments of dpSampleAndAggregate() ---------------------

# Replaces the object of each choice by its name and arguments. These must be at their `defaults`,
# otherwise there would be two values.
spread_choices <- function(args, defaults, call) {
  for (argument in names(args)) {
    choice <- args[[argument]]
    if (!inherits(choice, "dp_choice") || !identical(choice$argument, argument)) next
    for (option in names(choice$options)) {
      if (!identical(args[[option]], eval(defaults[[option]], baseenv()))) {
        stop_argument(paste0("left out: `", argument, "` says it"), "given", option, call)
      }
    }
    args[names(choice$options)] <- choice$options
    args[[argument]] <- choice$name
  }
  args
}

# Default aggregators ------------------------------------------------------------------------------

# Default `aggregationFun` and `numSubsets` of dpSampleAndAggregate(), chosen by rules of public
# numbers. The plan stores the choice as if you had given it.
#
# A mean hides the width w of the results: its noise has standard deviation sqrt(2) w J / (k e),
# with e the loss of one result. A median is selected among G candidates. Candidates far from the
# middle score k / 2 worse, and the noise has scale 2 J / e. So far candidates are not selected if e
# k / J is well above 4 log(G). Beyond 6 log(G) a median only has its loss for normal
# numbers: at most a quarter of the root mean squared error. In benchmarks/utility.R, each of the
# two has up to twice the other's error from 33 to 45 (G = 1001), depending on a private width in
# standard deviations. At 6 log(G) the worst ratios of both choices are about equal.

needed_for_median <- function(gridPoints) 6 * log(gridPoints)

# Number of blocks that takes the loss of one result past that, for grids of up to 22026 points.
wanted_for_median <- 60
fewest_for_median <- 20

with_choices <- function(args, call) {
  chosen <- c("aggregationFun", "numSubsets")[vapply(
    args[c("aggregationFun", "numSubsets")], is.null, NA
  )]
  if ("numSubsets" %in% chosen) args <- with_blocks_chosen(args, call)
  args <- check_blocks(args, call)
  why <- NULL
  if ("aggregationFun" %in% chosen) {
    choice <- chosen_aggregator(args, args$numSubsets / args$overlap)
    args$aggregationFun <- choice$name
    why <- choice$why
  }
  if (length(chosen) > 0) tell_choices(args[chosen], why)
  args$chosen <- args[chosen]
  args
}

# Limits the blocks of each partition to the number that any aggregator needs.
with_blocks_chosen <- function(args, call) {
  if (args$scheme == "subsets") {
    stop_argument('given, for the scheme "subsets"', "left out", "numSubsets", call)
  }
  selects <- args$aggregationFun %||% chosen_aggregator(args, blocks_for_median(args))$name
  each <- if (selects %in% selecting_aggregators) blocks_for_median(args) else floor(sqrt(args$n))
  args$numSubsets <- args$overlap * each
  args
}

selecting_aggregators <- c("Median", "Quantile", "Mode")

blocks_for_median <- function(args) {
  loss <- loss_of_result(args) %||% Inf
  min(floor(max(fewest_for_median, min(args$n / 10, wanted_for_median / loss))), args$n)
}

# Loss of one result, as a share of `epsilon`, if it is known before the plan.
loss_of_result <- function(args) {
  if (!is_number(args$epsilon)) return(NULL)
  args$epsilon * results_share(args) / max(NROW(args$outputRange), 1)
}

# Returns list(name, why) for `each` blocks in a partition.
chosen_aggregator <- function(args, each) {
  only <- only_mean(args)
  if (!is.null(only)) return(list(name = "Mean", why = only))
  weight <- loss_of_result(args) * each
  needed <- needed_for_median(args$gridPoints)
  enough <- isTRUE(weight >= needed)
  why <- paste0(
    "the `epsilon` of a result times `numSubsets` / `overlap`, ", show_number(weight, 3), ", is ",
    if (enough) "at least" else "below", " 6 log(`gridPoints`), ", show_number(needed, 3)
  )
  list(name = if (enough) "Median" else "Mean", why = why)
}

# Reason why only a mean is possible, or NULL.
only_mean <- function(args) {
  if (is_gaussian(args)) {
    "Gaussian noise is for means"
  } else if (identical(args$innerFun, "mean") || identical(args$innerFun, "var")) {
    paste0("one row moves a `", args$innerFun, "` of a block by little, and their mean is unbiased")
  } else if (args$rangeMode != "tight") {
    "`rangeMode` is for means"
  } else if (args$intervalShare > 0) {
    "`intervalShare` is for means"
  } else if (covers_population(args)) {
    "`interval` is for means"
  } else if (!is.null(args$innerFunSens)) {
    "`innerFunSens` is for means"
  } else if (is_missing(args$epsilon)) {
    "`accuracy` is for means"
  }
}

tell_choices <- function(chosen, why) {
  each <- vapply(names(chosen), function(name) {
    value <- chosen[[name]]
    paste0("`", name, "` is ", if (is.character(value)) paste0('"', value, '"') else value)
  }, "")
  sentence <- paste0(paste(each, collapse = ", "), if (!is.null(why)) paste0(": ", why), ".")
  rlang::inform(sentence, class = c("dp_message_chosen", "dp_message"))
}
