# Sample and aggregate in general: any function of one or several columns, any number of results.

# Largest distance of selected results, in ranks or votes, and of other results, in their unit.
aggregate_range <- function(args, outputs) {
  if (selects_rank(args)) {
    least_hidden_rank(args$prob) * args$numSubsets
  } else if (args$aggregationFun == "Mode") {
    args$numSubsets
  } else {
    outputs[, 2] - outputs[, 1]
  }
}

# A mean of numbers that are moved into a range that the release finds.
is_winsorized <- function(args) {
  args$rangeMode != "tight" || args$aggregationFun == "WinsorizedMean"
}

selects_rank <- function(args) args$aggregationFun %in% c("Median", "Quantile")

# `limit` goes to then_protect(), for all numbers together.
aggregate_measurement <- function(args, blocks, numbers, limit) {
  aggregators <- rep(list(aggregator_of(args)), nrow(numbers))
  shares <- rep(results_share(args) / nrow(numbers), nrow(numbers))
  if (reports_failures(args)) {
    aggregators <- c(aggregators, mean_aggregator)
    shares <- c(shares, args$failureShare)
    blocks$outputs <- with_failure_output(blocks$outputs)
    numbers <- block_numbers(blocks, args)
  }
  parts <- if (is.list(limit)) shares_of_rho(limit$rho, shares) else
    core_share_epsilon(limit, shares)
  measurements <- lapply(seq_along(parts), function(j) {
    aggregators[[j]](c(numbers[j, ], args[c("numSubsets", "overlap")]), parts[[j]], args)
  })
  new_measurement(core_make_block_aggregate(
    blocks$columns, blocks$design, blocks$drops, blocks$fun, blocks$outputs,
    lapply(measurements, handle, "measurement")
  ))
}

# Describes the blocks for the core: columns, rows, function, and public facts about its numbers.
# The core implements named functions in exact integers.
aggregate_blocks <- function(args, promised, progress) {
  blocks <- list(
    columns = aggregate_columns(args), design = args$design, drops = drops_missing(args)
  )
  if (is.character(args$innerFun)) {
    blocks$fun <- list(args$innerFun, max(args$subsetSize, least_rows(args$innerFun)))
    return(blocks)
  }
  range <- args$outputRange %||% matrix(c(0, length(args$outcomes)), 1)
  read <- block_reader(args$outcomes, range)
  if (reports_failures(args)) read <- with_failure(read, args$outcomes)
  callback <- new_callback(
    inner_function(args$innerFun), arg = "innerFun", isolation = args$isolation
  )
  blocks$fun <- blocks_function(callback, read, framed_blocks(args), args$timeLimit, progress)
  blocks$outputs <- list(
    lower = range[, 1], upper = range[, 2], sensitivity = promised %||% rep(NaN, nrow(range))
  )
  blocks
}

# Tells whether a block is a data frame instead of the values of one column.
framed_blocks <- function(args) length(args$variable) > 1 || inherits(args$innerFun, "formula")

# Public facts about each number of a block, in one row each, in steps of 2^`exponent`.
block_numbers <- function(blocks, args) {
  if (args$rangeMode == "helper") {
    # Selections use the ranges of a release, and therefore its steps.
    return(data.frame(exponent = rep(0, nrow(args$outputRange))))
  }
  core_block_outputs(blocks$columns, blocks$design, blocks$drops, blocks$fun, blocks$outputs)
}

# Sensitivity D in the unit of the numbers. Only a plain mean gains from a D below their range.
reported_sensitivity <- function(args, blocks, numbers, outputs, call) {
  width <- outputs[, 2] - outputs[, 1]
  if (!is_plain_mean(args)) {
    return(width)
  }
  if (!is.character(args$innerFun)) {
    promised <- blocks$outputs$sensitivity
    # Allows for failed blocks, which move to the middle even if the promised range is narrow.
    return(ifelse(is.nan(promised), width, pmax(promised, width / 2)))
  }
  check_derived(args$innerFunSens, numbers$sensitivity * 2^numbers$exponent, "innerFunSens", call)
}

is_plain_mean <- function(args) {
  args$aggregationFun == "Mean" && args$rangeMode == "tight" && args$intervalShare == 0 &&
    !is_joint_mean(args)
}

# With a loose range, clamps the numbers to a reach around their private quartiles and takes the
# mean.
aggregator_of <- function(args) {
  loose <- args$rangeMode == "loose"
  aggregator <- if (loose) winsorized_aggregator else aggregators[[args$aggregationFun]]
  if (args$intervalShare > 0) aggregator <- interval_aggregator
  function(numbers, epsilon, options) {
    options$reach <- if (loose) 0.5 else winsorized_reach(numbers$numSubsets)
    aggregator(numbers, epsilon, options)
  }
}

# Winsorizing reach of Smith (2011): 4 k^(1/3 + 1/10) interquartile ranges on either side.
winsorized_reach <- function(blocks) 4 * smith11Radius(blocks)

aggregate_columns <- function(args) {
  imputed <- args$imputeRng %||% args$rng
  column_specs(args$variable, as_pairs(args$rng), as_pairs(imputed), args$varType)
}

as_pairs <- function(x) if (is.list(x)) x else list(x)

# Promised sensitivity for each number of a user's function, or NULL. Only the mean uses it.
promised_sensitivity <- function(args, call) {
  if (is.null(args$innerFunSens) || (is.character(args$innerFun) && is_plain_mean(args))) {
    return(NULL)
  }
  if (is.character(args$innerFun) || !is_plain_mean(args)) {
    stop_argument("left out: only plain means use it", describe(args$innerFunSens), "innerFunSens",
      call
    )
  }
  if (drops_missing(args)) {
    must <- 'NULL, for `missing = "drop"`: one row may change how many rows a block has'
    stop_argument(must, describe(args$innerFunSens), "innerFunSens", call)
  }
  assert_features("honest-but-curious")
  check_numbers(args$innerFunSens, arg = "innerFunSens", call = call)
  width <- args$outputRange[, 2] - args$outputRange[, 1]
  if (!length(args$innerFunSens) %in% c(1, length(width))) {
    stop_argument("a number for each result", "another count", "innerFunSens", call)
  }
  pmin(rep_len(as.double(args$innerFunSens), length(width)), width)
}

# Returns list(epsilon, accuracy). The accuracy bounds the noise, in the unit of the results, or in
# blocks for selections. It is NA if only the release determines it.
aggregate_loss <- function(args, sens, call) {
  count <- length(sens)
  if (is_gaussian(args)) {
    return(noise_loss(args, sqrt(count) * sens, args$alpha, call))
  }
  if (is_plain_mean(args) && count == 1) {
    return(noise_loss(args, sens / results_share(args), args$alpha, call))
  }
  if (is_missing(args$epsilon)) stop_argument("given", "missing", "epsilon", call)
  epsilon <- check_epsilon(args$epsilon, call)
  each <- epsilon * results_share(args) / count
  # Dropping a block removes it from one side and adds it to no other.
  moved <- if (drops_failures(args)) 2 * max(args$prob, 1 - args$prob, 0.5) else 1
  selected <- function(candidates) {
    laplaceGetAccuracy(selection_factor * moved * args$overlap, each, args$alpha / candidates)
  }
  mean_loss <- each * (1 - args$intervalShare)
  accuracy <- switch(if (args$rangeMode == "tight") args$aggregationFun else "WinsorizedMean",
    Mean = laplaceGetAccuracy(sens, mean_loss, args$alpha),
    Median = ,
    Quantile = selected(args$gridPoints),
    Mode = selected(length(args$outcomes)),
    NA_real_
  )
  list(epsilon = epsilon, accuracy = accuracy, limit = epsilon)
}
