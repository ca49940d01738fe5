# Checks the arguments of dpSampleAndAggregate() together.

check_aggregate <- function(args, call) {
  if (length(args$variable) > 1) args$columns <- args$variable
  # If rows choose their block, the number of rows is private.
  if (args$scheme == "labels") args["n_check"] <- list(NULL)
  check_range_mode(args, call)
  args <- check_range_helper(args, call)
  args <- check_output_range(args, call)
  args <- with_choices(args, call)
  args <- check_aggregator(args, call)
  check_failure_share(args, call)
  check_joint(args, call)
  if (is_gaussian(args)) check_gaussian_aggregate(args, call)
  args
}

# Refuses Gaussian noise except for a mean of all blocks.
check_gaussian_aggregate <- function(args, call) {
  usual <- list(
    aggregationFun = "Mean", rangeMode = "tight", intervalShare = 0, failureShare = 0,
    failures = "middle", interval = "noise"
  )
  for (arg in names(usual)) {
    value <- args[[arg]] %||% usual[[arg]]
    if (!identical(value, usual[[arg]])) {
      stop_argument(paste0(name_public(usual[[arg]]), ", for Gaussian noise"), name_public(value),
        arg, call
      )
    }
  }
}
