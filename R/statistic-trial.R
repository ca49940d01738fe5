# Every plan first runs the user's function on public rows. A release hides which blocks failed, so
# a function that always fails would spend the budget on the middle of its range.

# Number of trial blocks. They alternate between values of any size and whole numbers, because a
# function may accept only one kind. After a few seconds, only the first block of each kind still
# begins.
most_trials <- 4
trial_kinds <- 2
trial_seconds <- 2

# Largest number of rows in a trial block. Blocks of a release can be as large as the data.
most_trial_rows <- 1e4

# Rejects a function that fails on most trial blocks, unless the release counts failures.
check_trial <- function(args, call) {
  if (is.character(args$innerFun) || counts_failures(args)) {
    return(invisible())
  }
  faults <- trial_faults(args)
  failed <- nzchar(faults)
  if (2 * sum(failed) <= length(failed)) {
    return(invisible())
  }
  fault <- faults[failed][[1]]
  rows <- trial_rows(args)
  stop_dp(
    paste0(
      "`innerFun` must work on blocks of rows drawn evenly from `rng`, which are public. It ",
      "failed on {sum(failed)} of {length(failed)} blocks of {rows} row{?s} ({fault}). Fix it, or ",
      "release how many blocks fail: set `failureShare`, or for a mean `failures = \"drop\"`."
    ),
    "invalid_argument", argument = "innerFun", call = call
  )
}

trial_rows <- function(args) min(args$subsetSize, most_trial_rows)

# Gives the reason why each trial block failed, or "". The draws are the same each time, so a plan
# is either always rejected or never.
trial_faults <- function(args) {
  callback <- new_callback(
    inner_function(args$innerFun), arg = "innerFun", isolation = args$isolation
  )
  blocks <- with_generators_kept({
    set.seed(1, kind = "Mersenne-Twister")
    lapply(seq_len(most_trials), function(b) {
      trial_block(args, whole = args$varType != "numeric" || b %% trial_kinds == 0)
    })
  })
  begun <- now()
  faults <- character()
  for (block in blocks) {
    if (length(faults) >= trial_kinds && now() - begun > trial_seconds) break
    faults <- c(faults, trial_fault(block, callback, args))
  }
  faults
}

trial_block <- function(args, whole) {
  rows <- trial_rows(args)
  columns <- lapply(as_pairs(args$rng), function(rng) {
    share <- stats::runif(rows)
    values <- rng[[1]] * (1 - share) + rng[[2]] * share
    if (whole) round(values) else values
  })
  names(columns) <- args$variable
  block_of(columns, seq_len(rows), framed_blocks(args))
}

# A vote for no outcome is not a fault: the data may have only a few values, unlike the random
# draws.
trial_fault <- function(block, callback, args) {
  if (is.null(args$timeLimit)) {
    run <- function(fun, i) dry_block(fun, block, args)
    tried <- call_each(callback, 1, failed = left_its_block, run = run)[[1]]
    strange_vote <- !is.null(args$outcomes) && !inherits(tried$value, "error") &&
      !identical(tried, left_its_block)
    return(if (strange_vote) "" else tried$message)
  }
  read <- with_failure(block_reader(args$outcomes, rbind(args$outputRange)), args$outcomes)
  found <- run_here(function(b) block, 1, callback, read, args$timeLimit)[[1]]
  failed <- found[[length(found)]] == 1 && is.null(args$outcomes)
  if (failed) "an error, no result, or none within `timeLimit`" else ""
}
