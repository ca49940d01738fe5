# Plan of a histogram.

# Sensitivity in L1 and L2: one replaced row takes one from a count and adds one to another.
histogram_sensitivity <- 2
l2_of_counts <- sqrt(2)

plan_histogram <- function(args, call) {
  args <- with_mechanism(args, call, also = NULL)
  args <- check_histogram(args, call)
  stable <- args$mechanism == "mechanismStability"
  loss <- if (stable) stability_loss(args, call) else histogram_loss(args, call)
  cells <- if (stable) NULL else histogram_cells(args, call)
  args[names(cells)] <- cells
  built <- with_features("contrib", if (stable) {
    stability_chain(args, loss)
  } else {
    measurement <- reported(histogram_chain(args, loss$limit), loss$limit)
    list(measurement = measurement, threshold = NULL)
  })
  fields <- histogram_plan_fields(args, loss, built)
  read <- if (args$varType == "character") text_column_of else column_of
  if (args$varType == "logical" && !args$impute) fields$varType <- "factor"
  describe <- if (stable) stability_result else histogram_describer(fields)
  plan <- new_plan(fields, describe,
    read = read, class = c(
      if (has_ordered_cells(args)) "dp_ordered_histogram", "dp_histogram_result"
    ),
    within = if (stable) "the count of an omitted cell is no larger" else
      "the noise of a count is no larger",
    range = args$n, call = call
  )
  with_chosen_mechanism(plan, args)
}

has_ordered_cells <- function(args) {
  args$varType %in% c("numeric", "integer") && args$mechanism != "mechanismStability"
}

histogram_plan_fields <- function(args, loss, built) {
  name <- paste("histogram of", args$variable)
  sens <- if (is_gaussian(args)) l2_of_counts else histogram_sensitivity
  fields <- statistic_fields(name, args, loss, sens, built$measurement)
  fields$delta <- loss$delta
  others <- args[setdiff(histogram_fields, "threshold")]
  names(others) <- setdiff(histogram_fields, "threshold")
  c(fields, others, list(threshold = built$threshold, rho = NULL, sigma = loss$sigma))
}

# Checks arguments together, except those that depend on cells.
check_histogram <- function(args, call) {
  args$mechanism <- histogram_mechanism(args, call)
  args["missing"] <- list(histogram_missing(args, call))
  args$snapping <- snapping_of(args$mechanism, 0, args$n, args$gamma)
  args
}

# Rule for missing values in declared cells of numbers and texts, which can have one more cell. NULL
# if there is no choice: logical columns have `impute`, texts `other`, and undeclared cells include
# missing values.
histogram_missing <- function(args, call) {
  if (args$mechanism == "mechanismStability") {
    return(NULL)
  }
  if (args$missing == "drop") {
    if (args$varType == "logical") refuse_imputation(args$impute, "impute", "FALSE", call)
    if (args$varType == "character") {
      refuse_imputation(!is.null(args$imputeBins), "imputeBins", "NULL", call)
    }
  }
  if (args$varType != "logical" && !args$other) args$missing
}

refuse_imputation <- function(asked, arg, usual, call) {
  if (asked) stop_argument(paste0(usual, ', for `missing = "drop"`'), "given", arg, call)
}

# Declared cells have exact counts with noise. Undeclared cells are released only if they are large.
histogram_mechanism <- function(args, call) {
  if (!is.null(args$mechanism)) {
    return(args$mechanism)
  }
  numeric <- args$varType %in% c("numeric", "integer")
  sized <- !is.null(c(args$nBins, args$granularity, args$binWidth))
  if (numeric && is.null(args$bins) && !sized) {
    stop_argument("given, or `granularity`, `binWidth` or `bins` in its place", "left out", "nBins",
      call
    )
  }
  known <- !is.null(args$bins) || args$varType == "logical" || (numeric && !is_missing(args$rng))
  if (known) "mechanismLaplace" else "mechanismStability"
}

histogram_loss <- function(args, call) {
  if (is_gaussian(args)) {
    loss <- noise_loss(args, l2_of_counts, args$alpha, call)
    return(c(loss, delta = loss$limit$delta %||% 0))
  }
  if (!is_missing(args$delta)) {
    warn_dp("`delta` is not used by the Laplace mechanism, and 0.", "delta", call = call)
  }
  alpha <- noise_alpha(args$mechanism, args$alpha)
  c(noise_loss(args, histogram_sensitivity, alpha, call), delta = 0)
}
