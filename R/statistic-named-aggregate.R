# The named functions of one column in a partition, and their mean, in exact integers. The fields of
# all plans of blocks.

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
