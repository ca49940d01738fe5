# How a function of the caller meets all blocks: here, in child processes, or on workers.
#
# Wherever it runs, the result of a block depends on that block alone. In child processes, one for
# each block, nothing can be carried over, and what takes too long is ended. On workers a part of
# the blocks shares a process (statistic-workers.R); should that be lost whenever it is sent, its
# blocks run here, in a child process, and should that be lost, too, each in one of its own: a block
# which takes its process down spoils no other.

# For the core: a closure of columns, the places of all blocks one behind the other, and where
# blocks end. Gives a list with the numbers of each block.
blocks_function <- function(callback, read, framed, limit, progress) {
  force(callback)
  force(read)
  force(framed)
  force(limit)
  force(progress)
  function(columns, rows, ends) {
    begins <- c(0, ends)[seq_along(ends)]
    block <- function(b) {
      block_of(columns, rows[begins[[b]] + seq_len(ends[[b]] - begins[[b]])], framed)
    }
    tick <- if (progress$is_shown()) progress$tick
    pool <- worker_pool()
    if (is.null(pool)) return(run_here(block, length(ends), callback, read, limit, tick))
    run_on_workers(pool, block, length(ends), callback, read, limit, tick)
  }
}

# The rows at some places: the values of a single column, or a data frame.
block_of <- function(columns, rows, framed) {
  if (!framed) {
    return(columns[[1]][rows])
  }
  structure(lapply(columns, `[`, rows), class = "data.frame", row.names = seq_along(rows))
}

# The results of blocks, one after the other; in a process for each if there is a limit of seconds.
# `block(b)` makes the rows of number b; `tick(blocks)` says how many are done, if anybody looks.
run_here <- function(block, count, callback, read, limit, tick = NULL) {
  if (is.null(limit)) {
    run <- function(part) results_of(lapply(part, function(b) function() block(b)), callback, read)
    return(if (is.null(tick)) run(seq_len(count)) else in_parts(count, run, tick))
  }
  failed <- read(NULL)
  children <- start_children(block_task(callback, read), length(failed), count)
  on.exit(children$end())
  lapply(seq_len(count), function(b) {
    if (!is.null(tick)) tick(1)
    children$run(list(block(b)), limit) %||% failed
  })
}

# What `run(part)` gives, for parts of the numbers up to `count`: as many at once as take a
# twentieth of a second, so that a progress bar moves, and nothing else costs time.
in_parts <- function(count, run, tick) {
  results <- list()
  size <- 1
  while (length(results) < count) {
    begun <- now()
    part <- seq(length(results) + 1, min(count, length(results) + size))
    tick(length(part))
    results <- c(results, run(part))
    size <- if (now() - begun < 0.05) 2 * size else max(1, size %/% 2)
  }
  results
}

# What `read` makes of the function of each block; `blocks` are functions that make their rows.
results_of <- function(blocks, callback, read) {
  run <- function(fun, i) read(fun(blocks[[i]]()))
  call_each(callback, length(blocks), run, failed = read(NULL))
}

# For a child process, which sends back numbers alone: those of a list of blocks, in a row.
block_task <- function(callback, read) {
  force(callback)
  force(read)
  function(blocks) {
    unlist(results_of(lapply(blocks, function(rows) function() rows), callback, read))
  }
}

# Blocks whose worker was lost: all in one child process, unless there is a limit for each; if that
# is lost, too, each in one of its own.
run_lost <- function(blocks, callback, read, limit) {
  values <- if (is.null(limit)) run_together(blocks, callback, read)
  if (is.null(values)) {
    block <- function(b) blocks[[b]]
    return(run_here(block, length(blocks), callback, read, limit %||% Inf))
  }
  cut_numbers(values, length(blocks))
}

# The numbers of all blocks in a row, from one process.
run_together <- function(blocks, callback, read) {
  width <- length(blocks) * length(read(NULL))
  children <- start_children(block_task(callback, read), width, 1)
  on.exit(children$end())
  children$run(blocks, Inf)
}

# Whether another hundredth of `total` blocks is done.
moves_bar <- function(before, done, total) (100 * done) %/% total > (100 * before) %/% total

# What must be `ready()` before a release is paid, and a progress bar over `total` blocks: `start()`
# and `stop()` by who releases, `is_shown()` and `tick(blocks)` by who computes. Where a measurement
# was loaded and built anew these are two, so the session keeps the bar. It holds counts only.
block_progress <- function(total) {
  force(total)
  list(
    ready = function() check_workers(),
    start = function() {
      progress$blocks <- list(done = 0)
      if (!wants_progress()) return(invisible())
      progress$blocks$bar <- cli::cli_progress_bar(
        "Blocks", total = total, .auto_close = FALSE, .envir = progress
      )
    },
    is_shown = function() !is.null(progress$blocks$bar),
    tick = function(blocks) {
      now <- progress$blocks
      if (is.null(now$bar)) return(invisible())
      done <- now$done + blocks
      progress$blocks$done <- done
      if (moves_bar(now$done, done, total)) cli::cli_progress_update(set = done, id = now$bar)
    },
    stop = function() {
      bar <- progress$blocks$bar
      if (!is.null(bar)) cli::cli_progress_done(id = bar)
      progress$blocks <- NULL
    }
  )
}
