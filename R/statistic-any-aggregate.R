# Sample and aggregate in general: any function of one or several columns, any number of results.

plan_any_aggregate <- function(args, call) {
  progress <- block_progress(args$numSubsets)
  outputs <- output_bounds(args)
  count <- nrow(outputs)
  sensitivity <- outputs[, 2] - outputs[, 1]
  promised <- promised_sensitivity(args, outputs, call)
  if (!is.null(promised)) sensitivity <- pmin(sensitivity, promised)
  sens <- args$overlap * sensitivity / args$numSubsets
  check_derived(args$aggregationFunSens, max(sens), "aggregationFunSens", call)
  loss <- aggregate_loss(args, sens, count, call)
  measurement <- with_features("contrib", {
    numbers <- lapply(seq_len(count), function(j) {
      block_numbers(outputs[j, ], promised[j], args$numSubsets, args$overlap)
    })
    aggregate_measurement(args, outputs, promised, numbers, loss$epsilon, progress)
  })
  if (!measurement(d_in = protected_rows, d_out = loss$epsilon)) {
    stop_dp("the loss of this chain exceeds `epsilon`.", "failed_map")
  }
  fields <- aggregate_fields(args, loss, sensitivity, sens, measurement, outputs)
  new_plan(fields, any_aggregate_result, progress, read = columns_of)
}

aggregate_measurement <- function(args, outputs, promised, numbers, epsilon, progress) {
  aggregator <- aggregator_of(args)
  # A little less for each, so that their sum, rounded up, is not above.
  each <- if (length(numbers) == 1) epsilon else epsilon / length(numbers) * (1 - 2^-40)
  measurements <- lapply(numbers, function(of_one) aggregator(of_one, each, args))
  inner <- inner_function(named_function(args$innerFun))
  read <- if (is.null(args$outcomes)) read_numbers(nrow(outputs)) else read_vote(args$outcomes)
  framed <- length(args$variable) > 1 || inherits(args$innerFun, "formula")
  closure <- blocks_function(inner, read, framed, args$timeLimit, progress)
  new_measurement(core_make_block_aggregate(
    aggregate_columns(args), args$design, closure,
    list(
      lower = outputs[, 1], upper = outputs[, 2],
      sensitivity = promised %||% rep(NaN, nrow(outputs))
    ),
    lapply(measurements, handle, "measurement")
  ))
}

named_function <- function(inner) {
  if (!is.character(inner)) {
    return(inner)
  }
  switch(inner, mean = function(x) mean(x), median = function(x) stats::median(x),
    var = function(x) stats::var(x)
  )
}

# With a loose range the mean is that of numbers moved between their private quartiles, in place of
# a wider interval around these.
aggregator_of <- function(args) {
  loose <- args$rangeMode == "loose"
  aggregator <- if (loose) winsorized_aggregator else aggregators[[args$aggregationFun]]
  if (args$intervalShare > 0) aggregator <- interval_aggregator
  function(numbers, epsilon, options) {
    options$reach <- if (loose) 0.5 else winsorized_reach(numbers$blocks)
    aggregator(numbers, epsilon, options)
  }
}

# Smith (2011): 4 k^(1/3 + 1/10) interquartile ranges on either side.
winsorized_reach <- function(blocks) 4 * blocks^(1 / 3 + 1 / 10)

aggregate_columns <- function(args) {
  bounds <- function(ranges, i) vapply(ranges, `[[`, 0, i)
  rng <- as_pairs(args$rng)
  imputeRng <- as_pairs(args$imputeRng)
  list(
    name = args$variable, lower = bounds(rng, 1), upper = bounds(rng, 2),
    impute_lower = bounds(imputeRng, 1), impute_upper = bounds(imputeRng, 2),
    whole = rep(args$varType != "numeric", length(args$variable))
  )
}

as_pairs <- function(x) if (is.list(x)) x else list(x)

# A row for each number of a block: its lower and upper bound. For named functions from those of the
# column, for votes their places.
output_bounds <- function(args) {
  if (!is.null(args$outcomes)) {
    return(matrix(c(0, length(args$outcomes)), 1))
  }
  if (!is.character(args$innerFun)) {
    return(args$outputRange)
  }
  if (args$innerFun != "var") {
    return(matrix(args$rng, 1))
  }
  # The largest variance of a block, that of the smallest: see block_statistic.h.
  m <- min(args$subsetSize)
  share <- if (m %% 2 == 0) m / (4 * (m - 1)) else (m + 1) / (4 * m)
  matrix(c(0, diff(args$rng)^2 * share), 1)
}

# One for each number, or NULL: only the mean makes use of it.
promised_sensitivity <- function(args, outputs, call) {
  if (is.null(args$innerFunSens)) {
    return(NULL)
  }
  if (is.character(args$innerFun) || args$aggregationFun != "Mean" || args$rangeMode == "loose" ||
    args$intervalShare > 0) {
    stop_argument("left out: only plain means of functions of your own use it",
      describe(args$innerFunSens), "innerFunSens", call
    )
  }
  assert_features("honest-but-curious")
  check_numbers(args$innerFunSens, arg = "innerFunSens", call = call)
  if (!length(args$innerFunSens) %in% c(1, nrow(outputs))) {
    stop_argument("a number for each result", "another count", "innerFunSens", call)
  }
  pmin(rep_len(as.double(args$innerFunSens), nrow(outputs)), outputs[, 2] - outputs[, 1])
}

# list(epsilon, accuracy): the accuracy is that of the noise in the unit of the results, in blocks
# for what is selected, and NA where it is not known before a release.
aggregate_loss <- function(args, sens, count, call) {
  if (args$aggregationFun == "Mean" && args$rangeMode == "tight" && args$intervalShare == 0 &&
    count == 1) {
    return(check_loss(args$epsilon, args$accuracy, sens, args$alpha, call))
  }
  if (is_missing(args$epsilon)) stop_argument("given", "missing", "epsilon", call)
  epsilon <- check_epsilon(args$epsilon, call)
  each <- epsilon / count
  selected <- function(candidates) {
    laplaceGetAccuracy(selection_factor * args$overlap, each, args$alpha / candidates)
  }
  mean_loss <- each * (1 - args$intervalShare)
  accuracy <- switch(if (args$rangeMode == "loose") "WinsorizedMean" else args$aggregationFun,
    Mean = laplaceGetAccuracy(sens, mean_loss, args$alpha),
    Median = ,
    Quantile = selected(args$gridPoints),
    Mode = selected(length(args$outcomes)),
    NA_real_
  )
  list(epsilon = epsilon, accuracy = accuracy)
}

any_aggregate_result <- function(release, fields) {
  kind <- if (fields$rangeMode == "loose") "WinsorizedMean" else fields$aggregationFun
  of_all <- function(value) {
    values <- vapply(release, value, 0)
    stats::setNames(values, rownames(fields$outputRange))
  }
  common <- fields[c("variable", "accuracy", "epsilon")]
  switch(kind,
    Mode = c(list(release = fields$outcomes[[as.double(release[[1]]) + 1]]), common),
    Median = ,
    Quantile = c(list(release = quantile_values(release, fields)), common),
    WinsorizedMean = c(list(release = of_all(\(x) x[[1]])), common, list(
      clampedTo = cbind(of_all(\(x) x[[2]]), of_all(\(x) x[[3]]))
    )),
    TrimmedMean = c(list(release = of_all(\(x) x)), common),
    if (fields$intervalShare > 0) {
      sampling_result(release, fields, common)
    } else {
      mean_result_of(of_all(\(x) x), fields, common)
    }
  )
}

# Candidates come in steps of the range of their number.
quantile_values <- function(release, fields) {
  ranges <- rbind(fields$outputRange)
  values <- vapply(seq_along(release), function(j) {
    as.double(release[[j]]) * 2^block_numbers(ranges[j, ], NULL, 1, 1)$exponent
  }, 0)
  stats::setNames(values, rownames(fields$outputRange))
}

mean_result_of <- function(means, fields, common) {
  ends <- cbind(means - fields$accuracy, means + fields$accuracy)
  interval <- if (length(means) == 1) as.double(ends) else ends
  c(list(release = means), common, list(interval = interval))
}

# An interval for what the blocks estimate: they are independent, so the variance of their mean is
# that of a block over k, and the noise comes on top. Both are released; a bias of blocks is not in
# it.
sampling_result <- function(release, fields, common) {
  ranges <- rbind(fields$outputRange)
  means <- numeric(length(release))
  variances <- means
  for (j in seq_along(release)) {
    step <- 2^block_numbers(ranges[j, ], NULL, 1, 1)$exponent
    means[[j]] <- release[[j]][[1]] * step
    variances[[j]] <- max(release[[j]][[2]], 0) * step^2
  }
  noise <- fields$accuracy / log(1 / fields$alpha)
  spread <- stats::qnorm(1 - fields$alpha / 2) *
    sqrt(variances / fields$numSubsets + 2 * noise^2)
  ends <- cbind(means - spread, means + spread)
  means <- stats::setNames(means, rownames(fields$outputRange))
  c(mean_result_of(means, fields, common), list(
    blockVariance = variances,
    samplingInterval = if (length(means) == 1) as.double(ends) else ends
  ))
}
