# What every script here stands on: contenders run in turns in one process, and what counts is the
# median of the ratios within a round, because absolute times drift on shared machines.

# Runs each of `contenders` (functions without arguments) once per round. Prints the median time of
# each and the median of its time over that of `ours`, the name of the first by default.
compare <- function(question, contenders, rounds = 5, ours = names(contenders)[[1]]) {
  times <- vapply(seq_len(rounds), function(round) {
    vapply(contenders, function(body) {
      gc(FALSE)
      unname(system.time(body(), gcFirst = FALSE)[["elapsed"]])
    }, numeric(1))
  }, numeric(length(contenders)))
  times <- matrix(times, nrow = length(contenders), dimnames = list(names(contenders), NULL))
  ratios <- sweep(times, 2, pmax(times[ours, ], 1e-3), `/`)
  result <- data.frame(
    contender = rownames(times),
    seconds = signif(apply(times, 1, stats::median), 3),
    `times ours` = signif(apply(ratios, 1, stats::median), 3),
    check.names = FALSE
  )
  cat("\n", question, "\n", sep = "")
  print(result, row.names = FALSE, right = FALSE)
  invisible(result)
}

# "1 thread" and "4 threads", as the machine has them.
thread_counts <- function() unique(c(1L, parallel::detectCores()))
