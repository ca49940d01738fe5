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

# Checks of each argument of dpSampleAndAggregate() separately -------------------------------------

range_modes <- c("tight", "loose", "helper")
isolations <- c("hermetic", "none")
failure_rules <- c("middle", "drop")
block_intervals <- c("noise", "population")
block_schemes <- c("partition", "resampled", "subsets", "labels")

# Sensitivity of the function of a block with m rows, for reports only. The noise comes from the
# stability map of the chain.
inner_sensitivities <- list(
  mean = function(width, m) width / m,
  median = function(width, m) width,
  var = function(width, m) width^2 / m
)

# Accepts a function. It is isolated, because the object and the field of this name keep it.
function_of_block <- function() {
  words <- paste0(in_words(names(inner_sensitivities)), ", a function, or a formula")
  argument_kind(words, reads = "isolation", check = function(value, arg, call, args) {
    if (!is.function(value) && !inherits(value, "formula")) {
      check_name(value, names(inner_sensitivities), arg, call)
    } else if (args$isolation == "none") {
      assert_features("honest-but-curious")
      value
    } else {
      isolated(value, arg, call)$fun
    }
  })
}

# Accepts one of these texts, or an object from a function such as `maker` that includes arguments.
one_of_made <- function(choices, maker, null = FALSE) {
  kind <- one_of(choices, null)
  kind$must <- paste0(kind$must, ", or what [", maker, "()] and its like make")
  kind
}

# Checks the columns: named functions take one.
columns_of_blocks <- function() {
  kind <- column_names(1)
  check <- kind$check
  kind$reads <- "innerFun"
  kind$check <- function(value, arg, call, args) {
    columns <- check(value, arg, call, args)
    if (length(columns) > 1 && is.character(args$innerFun)) {
      stop_argument("one name, for a named `innerFun`", "several", arg, call)
    }
    columns
  }
  kind
}

count_of_blocks <- function() {
  kind <- count_from(1, most_blocks)
  count <- kind$check
  kind$must <- paste0(kind$must, ", or NULL")
  kind$check <- function(value, arg, call, args) {
    if (!is.null(value)) count(value, arg, call, args)
  }
  kind
}

sample_aggregate_kinds <- list(
  mechanism = one_of(additive_mechanisms), innerFun = function_of_block(),
  aggregationFun = one_of_made(names(aggregators), "aggregator_mean", null = TRUE),
  numSubsets = count_of_blocks(),
  innerFunSens = with_others("a number for each result of a function, otherwise NULL"),
  aggregationFunSens = with_others("NULL: it follows from the other arguments"),
  subsetSize = with_others('a whole number, for the scheme `"subsets"`, otherwise NULL'),
  variable = columns_of_blocks(), rng = bounds_of("variable", alone = TRUE),
  imputeRng = imputed_bounds_of("variable", alone = TRUE),
  missing = missing_rule(null = TRUE),
  outputRange = with_others(
    "a pair of finite bounds for each result of a function, otherwise NULL"
  ),
  prob = share(zero = TRUE, one = TRUE), trim = share(zero = TRUE),
  outcomes = with_others('two or more different strings or numbers, for `"Mode"`, otherwise NULL'),
  gridPoints = whole_number(min = 2, max = 1e6), rangeMode = one_of(range_modes),
  intervalShare = share(zero = TRUE), scheme = one_of_made(block_schemes, "scheme_partition"),
  overlap = count_from(1),
  timeLimit = real_number(above = 0, null = TRUE),
  rangeHelper = with_others('a function, for `rangeMode = "helper"`, otherwise NULL'),
  isolation = one_of(isolations), failureShare = share(zero = TRUE),
  failures = one_of(failure_rules, null = TRUE), interval = one_of(block_intervals, null = TRUE),
  score = quantile_rule("score")
)

# Reads the result of a user's function of a block -------------------------------------------------

# A failure is a result, too: NaN, which the core replaces by the middle of the declared range, or
# an empty vote. Results never dispatch methods: classed objects count as failures, except tables,
# and factors, whose codes are read.

# Chooses how to read results: as votes, or as a number for each row of `range`.
block_reader <- function(outcomes, range) {
  if (is.null(outcomes)) read_numbers(nrow(range), rownames(range)) else read_vote(outcomes)
}

# Reads `width` numbers, in the order of `names` if they have these names. Missing numbers become
# NaN, and all do if the length is wrong.
read_numbers <- function(width, names = NULL) {
  force(width)
  force(names)
  function(x) {
    numbers <- plain_numbers_of(x)
    own <- attr(x, "names", exact = TRUE)
    if (!is.null(names) && is.character(own) && setequal(own, names) && length(own) == width) {
      numbers <- numbers[match(names, own)]
    }
    if (length(numbers) != width) numbers <- rep(NaN, width)
    numbers[is.na(numbers)] <- NaN
    numbers
  }
}

# Index of a vote among the public outcomes, from 0. Other votes get the index after the last.
read_vote <- function(outcomes) {
  force(outcomes)
  function(x) {
    vote <- if (is_text_column(x)) core_texts(x) else plain_numbers_of(x)
    place <- if (length(vote) == 1) match(vote, outcomes, nomatch = 0) else 0
    if (place == 0) as.double(length(outcomes)) else place - 1
  }
}

# Plain doubles without attributes. Empty unless the input is a plain numeric vector or a table.
plain_numbers_of <- function(x) {
  plain <- !is.object(x) || identical(oldClass(x), "table")
  if (!plain || isS4(x) || match(typeof(x), c("logical", "integer", "double"), 0) == 0) {
    return(double())
  }
  attributes(x) <- NULL
  as.double(x)
}

# Makes a formula into a function: the coefficients of its linear regression on a block. Plans keep
# formulas without their environment, so R finds functions in them from package stats.
inner_function <- function(inner) {
  if (!inherits(inner, "formula")) {
    return(inner)
  }
  environment(inner) <- asNamespace("stats")
  function(block) unclass(stats::coef(stats::lm(inner, data = block)))
}

# Counts the blocks whose function failed, as one more number of each block ------------------------

# The number is 1 if the function failed. One row is in `overlap` blocks, so it changes at most
# `overlap` of these numbers.

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

# Notes of sample and aggregate about missing rows and failing blocks ------------------------------

# They follow only from the plan, because the numbers of complete rows and of failures are
# private.

notes_of_blocks <- function(statistic, fields) {
  if (statistic != "dpSampleAndAggregate") {
    return(NULL)
  }
  can_lack_rows <- drops_missing(fields) || fields$scheme == "labels"
  c(
    if (can_lack_rows) note_of_few_rows(fields),
    if (can_lack_rows && !is.character(fields$innerFun)) note_of_unknown_failures(fields),
    note_of_balanced_blocks(fields)
  )
}

note_of_few_rows <- function(fields) {
  named <- if (is.character(fields$innerFun)) fields$innerFun else "function"
  if (named == "mean" && fields$scheme != "labels") {
    paste0("a block with fewer than ", ceiling(fields$subsetSize / 2), " complete rows counts the ",
      "middle of `rng` for each row that it lacks"
    )
  } else {
    paste(
      switch(named,
        mean = , median = "a block without a complete row",
        var = "a block of fewer than two complete rows",
        "a block whose complete rows are too few for `innerFun`"
      ),
      if (drops_failures(fields)) "is left out" else "counts as the middle of `outputRange`"
    )
  }
}

note_of_unknown_failures <- function(fields) {
  if (!counts_failures(fields)) {
    "how many blocks fail is not released: `failureShare` releases it"
  }
}

# Notes that all candidates on one side of the results have the same balance of blocks.
note_of_balanced_blocks <- function(fields) {
  if (selects_rank(fields) && is.null(fields$score)) {
    paste("if most results are between two candidates, the release can be any candidate: use",
      'score = "nearest"'
    )
  }
}

# Notes more failures than noise explains, for a release that counts them.
note_of_failures <- function(x) {
  if (isTRUE(x$nFailed > x$nFailedAccuracy)) {
    paste0("about ", show_number(x$nFailed, 4),
      " blocks failed: the release says nothing of their rows"
    )
  }
}
