# Results from the releases of aggregators.

# Makes a result from a release by postprocessing. `steps`: step width of each number.
aggregate_describer <- function(steps) {
  force(steps)
  function(release, fields) {
    if (!reports_failures(fields)) {
      return(aggregate_result(release, steps, fields))
    }
    last <- length(release)
    c(aggregate_result(release[-last], steps, fields), failure_result(release[[last]], fields))
  }
}

aggregate_result <- function(release, steps, fields) {
  common <- fields[c("variable", "accuracy", "epsilon")]
  if (fields$rangeMode == "helper") {
    return(helped_result(release, fields, common))
  }
  if (is_joint_mean(fields)) {
    return(joint_blocks_result(as.double(release), fields, common))
  }
  if (fields$intervalShare > 0) {
    return(sampling_result(release, steps, fields, common))
  }
  of_all <- function(value) named_results(vapply(release, value, 0), fields)
  switch(if (fields$rangeMode == "loose") "WinsorizedMean" else fields$aggregationFun,
    Mode = c(list(release = fields$outcomes[[as.double(release[[1]]) + 1]]), common),
    Median = ,
    Quantile = c(list(release = of_all(as.double) * steps), common),
    WinsorizedMean = winsorized_result(
      of_all(\(x) x[[1]]), cbind(of_all(\(x) x[[2]]), of_all(\(x) x[[3]])), fields, common
    ),
    TrimmedMean = c(list(release = of_all(identity)), common),
    mean_result_of(of_all(identity), fields, common)
  )
}

# Computes the noise from the interval found. Half of the loss of a number is for its mean.
winsorized_result <- function(means, clamped, fields, common) {
  each <- fields$epsilon * results_share(fields) / length(means)
  common$accuracy <- laplaceGetAccuracy(
    fields$overlap * (clamped[, 2] - clamped[, 1]) / fields$numSubsets, each / 2, fields$alpha
  )
  c(mean_result_of(means, fields, common), list(clampedTo = clamped))
}

named_results <- function(values, fields) {
  stats::setNames(values, rownames(rbind(fields$outputRange)))
}

mean_result_of <- function(means, fields, common) {
  ends <- cbind(means - common$accuracy, means + common$accuracy)
  c(list(release = means), common, list(interval = plain_range(ends)))
}

# Simplifies one pair of bounds to a vector. Several stay a matrix with two columns.
plain_range <- function(range) if (length(range) == 2) as.double(range) else range

block_result <- function(release, fields) {
  share <- fields$varType == "logical" && identical(fields$innerFun, "mean")
  c(interval_result(release, fields), if (share) share_result(release, fields$n))
}
