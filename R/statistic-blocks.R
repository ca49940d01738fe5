# Runs the user's function on every block: here, in child processes, or on workers.
#
# The result of a block depends only on that block, wherever it runs. Child processes, one for each
# block, share no state, and a time limit can end them. A worker process runs some of the blocks
# (statistic-workers.R). If it is lost each time, its blocks run in one child process here. If that
# is lost, too, each block gets a separate one, so a crash only affects its own block.

# Makes a closure for the core. Its arguments are columns, the concatenated row indices of all
# blocks, and the ends of the blocks. It returns a list with the numbers of each block.
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

# Rows at these indices: the values of a single column, or a data frame.
block_of <- function(columns, rows, framed) {
  if (!framed) {
    return(columns[[1]][rows])
  }
  structure(lapply(columns, `[`, rows), class = "data.frame", row.names = seq_along(rows))
}

# Concatenated results of the blocks, with a process for each if there is a limit in seconds.
# `block(b)` makes the rows of block b. `tick(blocks)` reports progress, if it is shown.
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

# Calls `run(part)` for parts of the numbers up to `count`. A part takes about a twentieth of a
# second, so a progress bar moves at little cost.
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

# Applies the function to each block and `read` to its result. `blocks` are functions that make
# rows.
results_of <- function(blocks, callback, read) {
  run <- function(fun, i) read(fun(blocks[[i]]()))
  call_each(callback, length(blocks), run, failed = read(NULL))
}

# Task for a child process, which only returns numbers: the concatenated results of several blocks.
block_task <- function(callback, read) {
  force(callback)
  force(read)
  function(blocks) {
    unlist(results_of(lapply(blocks, function(rows) function() rows), callback, read))
  }
}

# Reruns the blocks of a lost worker: in one child process, or separately if there is a limit for
# each or that process is lost, too.
run_lost <- function(blocks, callback, read, limit) {
  values <- if (is.null(limit)) run_together(blocks, callback, read)
  if (is.null(values)) {
    block <- function(b) blocks[[b]]
    return(run_here(block, length(blocks), callback, read, limit %||% Inf))
  }
  cut_numbers(values, length(blocks))
}

# Concatenated numbers of all blocks, from one process.
run_together <- function(blocks, callback, read) {
  width <- length(blocks) * length(read(NULL))
  children <- start_children(block_task(callback, read), width, 1)
  on.exit(children$end())
  children$run(blocks, Inf)
}

# Tells whether another hundredth of `total` blocks is done.
moves_bar <- function(before, done, total) (100 * done) %/% total > (100 * before) %/% total

# Collects conditions that must be `ready()` before a release is charged, and a progress bar over
# `total` blocks. The releasing code calls `start()` and `stop()`. The computing code calls
# `is_shown()` and `tick(blocks)`. After a measurement is loaded and rebuilt these are two objects,
# so the session keeps the bar. It holds only counts.
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
