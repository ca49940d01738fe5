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

# Plan of an aggregate of any function of blocks ---------------------------------------------------

plan_any_aggregate <- function(args, call) {
  # Functions of the core finish before a progress bar could appear.
  progress <- if (!is.character(args$innerFun)) block_progress(args$numSubsets)
  promised <- promised_sensitivity(args, call)
  blocks <- aggregate_blocks(args, promised, progress)
  check_trial(args, call)
  numbers <- block_numbers(blocks, args)
  steps <- 2^numbers$exponent
  outputs <- args$outputRange %||% (cbind(numbers$lower, numbers$upper) * steps)
  sensitivity <- reported_sensitivity(args, blocks, numbers, outputs, call)
  sens <- args$overlap * sensitivity / args$numSubsets
  check_derived(args$aggregationFunSens, max(sens), "aggregationFunSens", call)
  loss <- aggregate_loss(args, sens, call)
  measurement <- with_features("contrib", if (args$rangeMode == "helper") {
    helped_measurement(args, blocks, loss$epsilon)
  } else if (is_joint_mean(args)) {
    joint_blocks_measurement(args, blocks, loss$epsilon)
  } else {
    aggregate_measurement(args, blocks, numbers, loss$limit)
  })
  most <- if (is.list(loss$limit)) loss$limit$rho else loss$epsilon
  if (!measurement(d_in = protected_rows, d_out = most)) {
    stop_dp("the loss of this chain exceeds `epsilon`.", "failed_map")
  }
  measurement <- reported(measurement, loss$limit)
  fields <- aggregate_fields(args, loss, sensitivity, sens, measurement, outputs)
  new_plan(fields, aggregate_describer(steps), progress,
    read = columns_of, within = aggregate_error(args),
    unverified = c(
      if (!is.null(promised)) "innerFunSens", if (args$isolation == "none") "isolation"
    ),
    range = aggregate_range(args, outputs), span = outputs[, 2] - outputs[, 1],
    covers = if (is_winsorized(args)) c(interval = target_of$winsorized), call = call
  )
}

# Names the error that the accuracy bounds, to end a sentence.
aggregate_error <- function(args) {
  of_rank <- if (is.null(args$score)) {
    "the rank among blocks is this close to the best candidate's"
  } else {
    "the wanted rank is within this many blocks of those nearest to the release"
  }
  switch(args$aggregationFun,
    Median = ,
    Quantile = of_rank,
    Mode = "the gap to the most votes is no larger",
    "the noise is no larger"
  )
}

# Ranges from rules of the user --------------------------------------------------------------------

# GUPT's third method sets the range of results by a rule of the user, from private quartiles of the
# columns. The quartiles have been released, so the rule can use them freely.

# Input of the rule: pairs in the form of `rng`. `ends` holds all lower and then all upper ends.
helper_inputs <- function(ends, variable) {
  pairs <- matrix(ends, ncol = 2)
  if (nrow(pairs) == 1) {
    return(as.double(pairs))
  }
  stats::setNames(lapply(seq_len(nrow(pairs)), function(i) pairs[i, ]), variable)
}

# Ranges of the results for arbitrary columns. They give the number and names of results, and the
# fallback of a release if the rule fails.
check_range_helper <- function(args, call) {
  if (args$rangeMode != "helper") {
    if (!is.null(args$rangeHelper)) {
      stop_argument('NULL unless `rangeMode = "helper"`', "given", "rangeHelper", call)
    }
    return(args)
  }
  check_function(args$rangeHelper, arg = "rangeHelper", call = call)
  if (!is.null(args$outputRange)) {
    stop_argument("NULL: `rangeHelper` gives it", describe(args$outputRange), "outputRange", call)
  }
  ends <- do.call(rbind, as_pairs(args$rng))
  rule <- new_callback(args$rangeHelper, "rangeHelper", call)
  args$rangeHelper <- rule$fun
  range <- helped_range(rule, args$variable, ends)
  if (is.null(range) || (is.character(args$innerFun) && nrow(range) != 1)) {
    what <- "a function from ranges of the columns, such as `rng`, to an `outputRange`"
    stop_argument(what, "one that is not", "rangeHelper", call)
  }
  args$outputRange <- range
  args
}

# Returns a matrix of two columns, or NULL if the rule fails.
helped_range <- function(rule, variable, ends) {
  inputs <- helper_inputs(ends, variable)
  call_once(rule, function(fun) range_matrix(fun(inputs), NULL))
}

# Wraps the rule for the core, which expects only numbers and has a fallback if there are none.
helper_closure <- function(rule, variable) {
  force(rule)
  force(variable)
  function(ends) as.double(helped_range(rule, variable, ends))
}

# Spends half the loss, in equal shares, on quartiles of all columns, and the other half on the
# means.
helped_measurement <- function(args, blocks, epsilon) {
  whole <- if (args$varType == "numeric") "numeric" else "integer"
  candidates <- lapply(as_pairs(args$rng), function(rng) {
    quantile_candidates(args$gridPoints, rng, whole)
  })
  # An added or removed row moves the score of a quartile by at most three quarters. If incomplete
  # rows are dropped, a replaced row counts as one removed row and one added row.
  factor <- selection_factor * if (adds_rows(args)) 0.75 else if (blocks$drops) 1.5 else 1
  selections <- 2 * length(candidates)
  rule <- helper_closure(new_callback(args$rangeHelper, "rangeHelper"), args$variable)
  new_measurement(core_make_helped_mean(
    blocks$columns, blocks$design, blocks$drops, blocks$fun, blocks$outputs, candidates, rule,
    args$outputRange,
    factor * 2 * selections, 2 * nrow(args$outputRange) * args$overlap, protected_rows, epsilon
  ))
}

# Means, the ranges that were found for them, and the quartiles behind these ranges.
helped_result <- function(release, fields, common) {
  count <- nrow(rbind(fields$outputRange))
  numbers <- matrix(release[seq_len(3 * count)], ncol = 3, byrow = TRUE)
  range <- numbers[, 2:3, drop = FALSE]
  rownames(range) <- rownames(rbind(fields$outputRange))
  quartiles <- matrix(release[-seq_len(3 * count)], ncol = 2, byrow = TRUE)
  common$accuracy <- laplaceGetAccuracy(
    fields$overlap * (range[, 2] - range[, 1]) / fields$numSubsets, fields$epsilon / (2 * count),
    fields$alpha
  )
  c(mean_result_of(named_results(numbers[, 1], fields), fields, common), list(
    outputRange = plain_range(range), inputRange = helper_inputs(quartiles, fields$variable)
  ))
}

# Aggregators --------------------------------------------------------------------------------------

# Aggregators turn the numbers of all blocks into one release, with a loss of at most `epsilon`.
#
# `numbers` has public facts about them. `lower`, `upper` and `sensitivity` are in steps of
# 2^`exponent`. `numSubsets`: number of blocks. `overlap`: number of blocks that one protected row
# can change. `move`: the effect of that row on the sum of all numbers.

numbers_space <- function(numbers, metric = change_one_distance()) {
  bounds <- c(numbers$lower, numbers$upper)
  c(vector_domain(atom_domain(bounds = bounds, .T = "i64"), size = numbers$numSubsets), metric)
}

# `limit` goes to then_protect(). It can be a rho.
mean_aggregator <- function(numbers, limit, options) {
  numbers_space(numbers, l1_distance("i64")) |>
    then_block_total() |>
    then_protect(limit, d_in = numbers$move) |>
    then_mean_of(numbers$numSubsets, numbers$exponent)
}

# Scores a candidate by the ranks of its nearest blocks, or in older plans by the balance of blocks
# below and above it.
quantile_aggregator <- function(numbers, epsilon, options) {
  drops <- drops_failures(options)
  space <- if (drops) working_space(numbers) else numbers_space(numbers)
  candidates <- number_candidates(numbers, options$gridPoints)
  select <- function(step, space) {
    calibrated(step, space, max_divergence(), candidates, options$prob, least,
      d_in = as.integer(numbers$overlap * if (drops) 2 else 1), loss = epsilon
    )
  }
  if (is.null(options$score)) {
    return(select("make_private_quantile", if (drops) space else then_metric_unbounded(space)))
  }
  select("private_quantile_of_cells", then_find_bin(space, edges = number_halves(candidates)))
}

# Smallest whole numbers that are nearer to the next candidate.
number_halves <- function(candidates) ceiling(halves_between(candidates))

# Space of the numbers of blocks that did not fail. Their count is private, so changing a number
# removes it and adds another.
working_space <- function(numbers) {
  bounds <- c(numbers$lower, numbers$upper)
  c(vector_domain(atom_domain(bounds = bounds, .T = "i64")), symmetric_distance())
}

# Equally spaced points from one end of the numbers to the other, rounded to steps.
number_candidates <- function(numbers, gridPoints) {
  unique(round(seq(numbers$lower, numbers$upper, length.out = gridPoints)))
}

# Spends a quarter of the loss on each quartile and half on the mean. Quartiles keep the balance
# score: if all numbers are between two candidates, all candidates on the side of a quartile score
# the same. So the interval is wide but contains the numbers, and the release says how wide it is.
# The range helper uses quartiles of rows, which are more numerous and more spread out.
winsorized_aggregator <- function(numbers, epsilon, options) {
  space <- numbers_space(numbers)
  candidates <- number_candidates(numbers, options$gridPoints)
  calibrated("winsorized_mean", space, numbers$exponent, c(0.25, 0.75), candidates, options$reach,
    2 * selection_factor, least,
    d_in = as.integer(numbers$overlap), loss = epsilon
  )
}

# Spends half of the loss to locate the numbers, and half on the noise of the mean.
trimmed_aggregator <- function(numbers, epsilon, options) {
  space <- numbers_space(numbers)
  trim <- floor(options$trim * numbers$numSubsets)
  calibrated("trimmed_sum", space, trim, least,
    d_in = as.integer(numbers$overlap), loss = epsilon
  ) |> then_mean_of(numbers$numSubsets - 2 * trim, numbers$exponent)
}

# Outcome with the most votes. A block's number is the index of its vote, or one past the last if it
# has none.
mode_aggregator <- function(numbers, epsilon, options) {
  places <- (seq_along(options$outcomes) - 1) / 2^numbers$exponent
  votes <- numbers_space(numbers) |>
    then_count_by_categories(
      categories = places, null_category = FALSE, .MO = "LInfDistance<f64>", .TOA = "f64"
    )
  calibrated("make_noisy_max", votes, max_divergence(), least, FALSE,
    d_in = as.integer(numbers$overlap), loss = epsilon
  )
}

aggregators <- list(
  Mean = mean_aggregator,
  WinsorizedMean = winsorized_aggregator,
  TrimmedMean = trimmed_aggregator,
  Median = quantile_aggregator,
  Quantile = quantile_aggregator,
  Mode = mode_aggregator
)
