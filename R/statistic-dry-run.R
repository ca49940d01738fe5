#' Try a statistic or a query on public data
#'
#' Tests a plan on public data before it reads private data. A dry run shows whether the plan
#' accepts the columns, what an R function of [dpSampleAndAggregate()] does with blocks of rows, and
#' how long that takes. A release hides all of this: a failing block silently counts as the middle
#' of `outputRange`, unless `failures` or `failureShare` say otherwise.
#'
#' **Never use private data here.** The output has no noise, and nothing is charged. Use public data
#' of the same form, such as a published sample or made-up rows.
#'
#' Blocks have the size that the plan gives them. Their rows are random, without replacement. Values
#' are clamped as in a release, and missing values are imputed or their rows leave the block. The
#' function runs, and its results are read, as in a release. But it runs in this process, and no
#' `timeLimit` ends it.
#'
#' A query runs in a separate session on rows that fit its schema, with epsilon 1 (or rho 1), and a
#' delta of 1e-6 if its keys need one. The query's own session spends nothing, and its data are not
#' read.
#'
#' @param statistic A statistic, such as [dpMean()] makes, or a query, such as `summarise()` makes
#'   from a [dp_tbl()]. It does not change, and neither does its `result`.
#' @param public_data (`data.frame`) Public rows, no fewer than a block has. Their number can
#'   differ from `n`. For a query the default is 1000 rows of [dp_made_up()].
#' @param blocks (whole number) Number of blocks to try. The default is the number in the plan.
#' @returns A list of class `dp_dry_run`, which prints:
#'
#' * `refused`: the message of the error that `release()` would raise for data of this
#'   form, or `NULL`. If it
#'   is not `NULL`, the elements below are `NULL`.
#' * `blocks`: for an R function, a data frame with a row for each block: `rows`, `seconds`,
#'   `failed`, `message` (the error, or the fault in the result), `warnings`, and `outside` (whether
#'   a result was beyond `outputRange`, so that a release would clamp it).
#' * `results`: for an R function, a list with its result for each block.
#' * `result`: for any other statistic, a [dp_result] of these rows, with its noise. For a query,
#'   the output of [release()].
#' * `seconds`: the total time.
#' @section Errors: `dp_error_invalid_argument` for other arguments.
#' @examples
#' plan <- dpSampleAndAggregate(
#'   innerFun = function(x) if (max(x) > 6e5) stop("too rich") else median(x),
#'   outputRange = c(0, 30000), aggregationFun = "Median", mechanism = "mechanismLaplace",
#'   numSubsets = 100, varType = "numeric", variable = "income", n = 10000, rng = c(0, 750000),
#'   failureShare = 0.2, epsilon = 1
#' )
#' tried <- dry_run(plan, PUMS5extract10000)
#' tried
#' sum(tried$blocks$failed)
#' @export
dry_run <- function(statistic, public_data = NULL, blocks = NULL) UseMethod("dry_run")

# S3 method names contain dots.
#' @export
dry_run.default <- function(statistic, public_data = NULL, # nolint: object_name_linter.
                            blocks = NULL) {
  check_class(statistic, "dpStatistic")
  check_whole(blocks, min = 1, null = TRUE)
  if (is.null(public_data)) stop_argument("given", "left out", "public_data", rlang::current_env())
  plan <- statistic$.__enclos_env__$private$.plan
  begun <- proc.time()[["elapsed"]]
  tried <- tryCatch(
    list(columns = read_columns(plan, public_data)),
    dp_error_invalid_argument = function(error) list(refused = conditionMessage(error)),
    dp_error_rows = function(error) list(refused = conditionMessage(error))
  )
  if (is.null(tried[["refused"]])) {
    own <- !is.null(plan$fields$innerFun) && !is.character(plan$fields$innerFun)
    tried <- if (own) {
      dry_blocks(plan$fields, tried$columns, blocks)
    } else {
      list(result = described_result(plan, released_by(plan, tried$columns)))
    }
  }
  told <- list(
    refused = tried[["refused"]], blocks = tried[["blocks"]], results = tried[["results"]],
    result = tried[["result"]],
    seconds = proc.time()[["elapsed"]] - begun
  )
  structure(told, class = "dp_dry_run", name = plan$about$name,
    failed = if (drops_failures(plan$fields)) "left out" else counted_as_middle
  )
}

#' @export
format.dp_dry_run <- function(x, ...) {
  header <- paste0("Dry run of the ", attr(x, "name"), ", on public data")
  if (!is.null(x$refused)) {
    return(c(header, paste0("  release() would refuse data of this form: ", x$refused)))
  }
  seconds <- paste0("  seconds  ", show_number(x$seconds, 3))
  if (is.null(x$blocks)) {
    return(c(header, seconds, "", format(x$result)))
  }
  count <- nrow(x$blocks)
  share <- function(which) {
    paste0(sum(which), " of ", count, " (", show_number(100 * mean(which), 3), " %)")
  }
  faults <- sort(table(x$blocks$message[x$blocks$failed]), decreasing = TRUE)
  c(
    header,
    paste0("  blocks   ", count, " of ", x$blocks$rows[[1]], " rows"),
    paste0("  failed   ", share(x$blocks$failed), ", which are ", attr(x, "failed")),
    paste0("             ", faults, " x ", names(faults), recycle0 = TRUE),
    paste0("  outside  ", share(x$blocks$outside), ", which are moved into `outputRange`"),
    paste0("  warned   ", share(x$blocks$warnings > 0)),
    paste0(seconds, ", at most ", show_number(max(x$blocks$seconds), 3), " a block")
  )
}

#' @export
print.dp_dry_run <- function(x, ...) {
  cat(format(x), sep = "\n")
  invisible(x)
}

# Blocks of a dry run ------------------------------------------------------------------------------

counted_as_middle <- "counted as the middle of `outputRange`"

dry_blocks <- function(fields, columns, count) {
  columns <- doubles_in(columns)
  rows <- nrow(columns)
  size <- fields$subsetSize
  if (rows < size) {
    stop_argument(paste("data of at least", size, "rows, the size of a block"),
      paste("of", rows), "public_data", quote(dry_run())
    )
  }
  drops <- drops_missing(fields)
  columns[] <- Map(function(column, rng, imputeRng) {
    if (fields$varType != "numeric") column <- trunc(column)
    clamped <- censorData(column, fields$varType, rng)
    if (drops) clamped else fillMissing(clamped, fields$varType, imputeRng)
  }, columns, as_pairs(fields$rng), as_pairs(fields$imputeRng))
  callback <- new_callback(
    inner_function(fields$innerFun), arg = "innerFun", isolation = fields$isolation
  )
  framed <- framed_blocks(fields)
  count <- count %||% fields$numSubsets
  places <- with_generators_kept(lapply(seq_len(count), function(b) sample.int(rows, size)))
  complete <- Reduce(`&`, lapply(columns, function(column) !is.na(column)))
  places <- lapply(places, function(places) places[complete[places]])
  tries <- call_each(callback, count, failed = left_its_block, run = function(fun, b) {
    dry_block(fun, block_of(columns, places[[b]], framed), fields)
  })
  one <- function(name, of) vapply(tries, `[[`, of, name)
  list(
    blocks = data.frame(
      rows = lengths(places), seconds = one("seconds", 0), failed = one("failed", NA),
      message = one("message", ""), warnings = one("warnings", 0), outside = one("outside", NA)
    ),
    results = lapply(tries, `[[`, "value")
  )
}

# Reports everything that the function does with a block, because the rows are public.
dry_block <- function(inner, block, fields) {
  warnings <- 0
  begun <- proc.time()[["elapsed"]]
  value <- or_else(
    withCallingHandlers(inner(block), warning = function(condition) warnings <<- warnings + 1),
    identity
  )
  seconds <- proc.time()[["elapsed"]] - begun
  fault <- block_fault(value, fields) %||%
    if (isTRUE(seconds > fields$timeLimit)) "took longer than `timeLimit`"
  list(
    value = value, seconds = seconds, failed = !is.null(fault), message = fault %||% "",
    warnings = warnings, outside = is.null(fault) && is_outside(value, fields)
  )
}

# Report on a block whose function gave neither a result nor an error.
left_its_block <- list(
  value = NULL, seconds = NA_real_, failed = TRUE, message = "left without a result", warnings = 0,
  outside = FALSE
)

# Tells why a release would count the result of a block as a failure, or returns NULL.
block_fault <- function(value, fields) {
  if (inherits(value, "error")) {
    return(paste("error:", plain_message(value)))
  }
  numbers <- read_result(value, fields)
  if (!is.null(fields$outcomes)) {
    if (numbers == length(fields$outcomes)) "a result that is none of `outcomes`"
  } else if (length(plain_numbers_of(value)) != length(numbers)) {
    plain <- is.atomic(value) && !is.null(value) && !is.object(value)
    paste0(
      "a result that is ", describe(value), if (plain) paste0(", not ", length(numbers), " numbers")
    )
  } else if (anyNA(numbers)) {
    "a missing result"
  }
}

read_result <- function(value, fields) {
  block_reader(fields$outcomes, rbind(fields$outputRange))(value)
}

is_outside <- function(value, fields) {
  if (!is.null(fields$outcomes)) {
    return(FALSE)
  }
  range <- rbind(fields$outputRange)
  numbers <- read_result(value, fields)
  any(numbers < range[, 1] | numbers > range[, 2])
}

# Every plan first runs the user's function on public rows -----------------------------------------

# A release hides which blocks failed, so a function that always fails would spend the budget on
# the middle of its range.

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
