# Plan of an aggregate of any function of blocks.

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
