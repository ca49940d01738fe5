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
