# Shared code of the benchmarks: contenders run in turns in one process. The result is the median of
# the ratios within a round, because absolute times drift on shared machines.

# Runs each of `contenders` (functions without arguments) once per round, in every other round from
# the last to the first, so that drift is fair. Prints, and returns as a data frame, the median time
# of each and the median of its time over the time of `ours`, the name of the first by default. With
# `clock = "processor"` the time is processor time, which other work on the machine hardly changes:
# use it for contenders with one thread each.
compare <- function(question, contenders, rounds = 5, ours = names(contenders)[[1]],
                    clock = c("wall", "processor")) {
  seconds <- clocks[[match.arg(clock)]]
  times <- vapply(seq_len(rounds), function(round) {
    order <- if (round %% 2 == 0) rev(contenders) else contenders
    vapply(order, function(body) {
      gc(FALSE)
      start <- seconds()
      body()
      seconds() - start
    }, numeric(1))[names(contenders)]
  }, numeric(length(contenders)))
  times <- matrix(times, nrow = length(contenders), dimnames = list(names(contenders), NULL))
  ratios <- sweep(times, 2, times[ours, ], `/`)
  result <- data.frame(
    contender = rownames(times),
    seconds = apply(times, 1, stats::median),
    `times ours` = apply(ratios, 1, stats::median),
    check.names = FALSE
  )
  cat("\n", question, "\n", sep = "")
  shown <- result
  shown[-1] <- signif(shown[-1], 3)
  print(shown, row.names = FALSE, right = FALSE)
  invisible(result)
}

# Processor time of all threads in milliseconds. Wall time in microseconds.
clocks <- list(
  processor = function() sum(proc.time()[c("user.self", "sys.self")]),
  wall = function() as.numeric(Sys.time())
)

# Time of `contender` relative to ours, from the result of compare(). A target that bounds our time
# from above takes the inverse.
times_ours <- function(result, contender) {
  result$`times ours`[match(contender, result$contender)]
}

# Compares a measurement with a row of the table of targets, identified by `area` and `against` in
# benchmarks/targets.dcf. The measurement should be at least, or at most, the last argument. Prints
# a line. Under `make bench` the line also goes to the file for README.md. A missed target is not an
# error. Its reason belongs to the row in targets.dcf.
target <- function(area, against, measured, at_least = NULL, at_most = NULL) {
  stopifnot(is.null(at_least) != is.null(at_most), is.numeric(measured), length(measured) == 1)
  met <- if (is.null(at_most)) measured >= at_least else measured <= at_most
  bound <- if (is.null(at_most)) paste("at least", at_least) else paste("at most", at_most)
  verdict <- if (isTRUE(met)) "met" else "short"
  cat(sprintf("target: %s | %s | %.3g, %s: %s\n", area, against, measured, bound, verdict))
  results <- Sys.getenv("PSILENCE_BENCH_RESULTS")
  if (nzchar(results)) {
    line <- paste(area, against, format(measured, digits = 15), bound, sep = "\t")
    cat(line, "\n", sep = "", file = results, append = TRUE)
  }
  invisible(isTRUE(met))
}

# "1 thread" and "4 threads", or the number that the machine has.
thread_counts <- function() unique(c(1L, min(4L, parallel::detectCores())))

threads_label <- function(threads) if (threads == 1) "1 thread" else paste(threads, "threads")
