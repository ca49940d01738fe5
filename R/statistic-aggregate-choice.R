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
