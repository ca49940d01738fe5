# Counts the blocks whose function failed, as one more number of each block: 1 if it failed. One row
# is in `overlap` blocks, so it changes at most `overlap` of these numbers.

reports_failures <- function(args) args$failureShare > 0

check_failure_share <- function(args, call) {
  helped <- args$rangeMode == "helper"
  if (reports_failures(args) && (is.character(args$innerFun) || helped)) {
    why <- if (helped) "0, with a `rangeHelper`" else "0, but for a function of your own"
    stop_argument(why, name_public(args$failureShare), "failureShare", call)
  }
}

# Share of the loss for the results.
results_share <- function(args) 1 - args$failureShare

# Reads the numbers of a block, and then whether it failed: a number is missing, or there is no
# vote for any of the `outcomes`.
with_failure <- function(read, outcomes) {
  force(read)
  force(outcomes)
  function(x) {
    numbers <- read(x)
    failed <- if (is.null(outcomes)) anyNA(numbers) else numbers == length(outcomes)
    c(numbers, as.double(failed))
  }
}

with_failure_output <- function(outputs) {
  list(
    lower = c(outputs$lower, 0), upper = c(outputs$upper, 1),
    sensitivity = c(outputs$sensitivity, NaN)
  )
}

# Bound on the noise of the number of failures, exceeded with probability `alpha`. The release is
# rounded, so it is within t of the truth if the noise is below t + 1/2.
failure_accuracy <- function(fields) {
  scale <- fields$overlap / (fields$failureShare * fields$epsilon)
  max(ceiling(scale * log(1 / fields$alpha) - 0.5), 0)
}

# Converts a noisy share of the blocks to a number. If most blocks failed, results are near the
# middle of their range.
failure_result <- function(share, fields) {
  failed <- within_bounds(round(share * fields$numSubsets), 0, fields$numSubsets)
  c(failures_shown(failed, failure_accuracy(fields), fields), list(
    status = if (2 * failed > fields$numSubsets) "failed" else "ok"
  ))
}

failures_shown <- function(failed, accuracy, fields) {
  list(
    nFailed = failed, nFailedAccuracy = accuracy, share_failed = failed / fields$numSubsets
  )
}

# TRUE if the release counts the failed blocks.
counts_failures <- function(args) {
  reports_failures(args) || is_joint_mean(args) && drops_failures(args)
}
