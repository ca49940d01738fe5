#' Results of private statistics
#'
#' The `release()` of a statistic such as [dpMean()] returns a list, all of it public. Only
#' `release` and the elements computed from it depend on the data.
#'
#' Released queries ([dp_released]) and batches ([dp_released_batch]) are of this class, too. All
#' have the same methods: `print()`, [tidy()][statistic_tables], [plot()][statistic_plots],
#' [confint()][statistic_models], [dp_publish()].
#'
#' Each interval holds in a share `1 - alpha` of all releases, and names its target: in print, in
#' the column `covers` of [tables][statistic_tables], in captions and in JSON. `interval` is for the
#' statistic of the data as used: moved to within the declared range, and without the rows that lack
#' a value, or with missing values imputed if the plan says so.
#' It does not count sampling error. `populationInterval` does, of statistics with
#' `interval = "population"`, such as [dpMean()]: it is for the population, moved into `rng`. If
#' [bounds()] found the range, `interval` is for the rows, moved into the bounds found, and no
#' interval is for the population, except for quantiles.
#'
#' Notes below the numbers say how values were read: the declared bounds, the rule for missing
#' values and how numbers were converted. `glance()` has them in the column `notes`.
#'
#' A `*` marks a number that says little: its interval covers the declared range, noise has moved
#' the interval to an end of the range, or half of the interval is at least the number. Prints and
#' documents have a column `mark`, or a sentence below a single number. Pictures draw such numbers
#' hollow.
#' Each `status` other than `"ok"` is explained.
#'
#' A document of package knitr shows a result as a table.
#'
#' `attr(result, "plan")` is the SHA-256 of the plan that released it, 64 hexadecimal digits: the
#' same for the same statistic with the same arguments, in every session, see [to_json()].
#'
#' @param x,object A result, or a statistic such as [dpMean()] makes.
#' @param digits (whole number or `"noise"`) Significant digits to show: 7 for statistics and 5 for
#'   queries by default. `"noise"`, for queries, rounds each number to the first digit of half of
#'   its interval, and the footer says so.
#' @param rows,n (whole number) Rows of a table to show: 12 for statistics and 32 for queries by
#'   default. The two arguments are the same.
#' @param ... Ignored.
#' @returns `format()`: `character`. `summary()`: a data frame of one row, with `NA` for a
#'   result that is missing or has several numbers. `print()`: its argument, invisibly.
#' @seealso [statistic_tables] for results as data frames, [statistic_plots] for their plots.
#' @examples
#' mean_age <- dpMean(
#'   mechanism = "mechanismLaplace", varType = "numeric", variable = "age", n = 10000,
#'   rng = c(18, 93), epsilon = 0.1
#' )
#' mean_age$release(PUMS5extract10000)
#' summary(mean_age)
#' @name dp_result
NULL

# An element that no result has is misspelt, and an error. One that another result has is NULL.
#' @export
`$.dp_result` <- function(x, name) {
  if (is.data.frame(x) && !name %in% setdiff(result_elements, names(x))) {
    return(NextMethod())
  }
  if (!name %in% c(names(x), result_elements)) {
    stop_unknown_member("A result", name, names(x), "element")
  }
  .subset2(x, name)
}

result_elements <- c(
  "accuracy", "bins", "blockVariance", "bounds", "cdf", "clampedTo", "counts", "delta", "design",
  "epsilon", "globalEps", "herfindahl", "histogram", "inputRange", "interval", "intervals",
  "iterations", "linearRegression", "mean", "meanInterval", "means", "mechanism", "median",
  "missing", "n", "nFailed", "nFailedAccuracy", "nPresent", "outputRange", "percentiles",
  "populationAlpha",
  "populationInterval", "previous", "raw", "release", "rho", "rows", "samplingInterval",
  "share_failed", "share_missing", "sigma", "size", "standardError", "status", "std", "std.dev",
  "stdDev", "stdInterval", "sumWeights", "summary", "table", "threshold", "tree", "unverified",
  "variable", "variance", "withinss"
)

#' @rdname dp_result
#' @export
format.dp_result <- function(x, digits = NULL, rows = n, n = NULL, ...) {
  parts <- result_parts(x)
  blocks <- Map(function(part, name) {
    c(paste0("$", name, recycle0 = TRUE), result_lines(part, digits, rows), "")
  }, parts, titles_of(parts))
  lines <- unlist(blocks, use.names = FALSE)
  lines[-length(lines)]
}

result_lines.dp_result <- function(x, digits, rows) { # nolint: object_name_linter.
  digits <- check_number(digits %||% 7, above = 0, arg = "digits", call = NULL)
  rows <- rows %||% 12
  table <- as.data.frame(x)
  several <- has_table(x, table)
  values <- unclass(x)
  # The table has these numbers already.
  values[if (several) c("release", "interval", "intervals", "counts", "summary")] <- NULL
  values$populationAlpha <- NULL # printed beside the interval
  of_columns <- if (!is.null(x$bounds$column)) x$bounds
  if (!is.null(of_columns)) values$bounds <- NULL
  listed <- vapply(values, is_listed, NA)
  lines <- vapply(names(values)[listed], function(name) {
    show_value(values[[name]], digits, grepl("nterval$", name), number_form(name))
  }, "")
  c(
    paste0("Differentially private ", attr(x, "about")$name),
    noted_lines(lines, result_notes(x, digits)),
    if (isTRUE(attr(x, "about")$noise_dominates)) paste0("  ", noise_sentence),
    if (!is.null(of_columns)) c(paste0("  Bounds ", bounds_note(x), ":"),
      show_table(of_columns, digits, rows)),
    if (!is.null(x$bounds)) paste0("  ", declared_is_better),
    paste0("  ", imputation_sentence(imputation_source(x)), recycle0 = TRUE),
    paste0("  ", reading_notes(x), recycle0 = TRUE),
    if (several) c("", show_table(with_signs(table), digits, rows)),
    if (several || !is.null(x$summary)) table_note(x, table),
    if (!all(listed)) paste0("  and ", toString(paste0("$", names(values)[!listed])))
  )
}

#' @rdname dp_result
#' @export
print.dp_result <- function(x, ...) {
  cat(format(x, ...), sep = "\n")
  invisible(x)
}

#' @rdname dp_result
#' @export
format.dpStatistic <- function(x, ...) {
  c(
    format_fields(x, paste("for", protected_unit(adds_rows(x$getFields())))),
    if (core_is_null(environment(x$measurement)$handle)) loaded_sentence
  )
}

# For a statistic from a file or from another process, until it is used.
loaded_sentence <- "  loaded: each release of this copy costs epsilon, whatever others released"

#' @rdname dp_result
#' @export
summary.dpStatistic <- function(object, ...) {
  check_names(...)
  fields <- object$getFields()
  table <- if (!is.null(fields$result)) as.data.frame(fields$result)
  one <- function(column) if (nrow(table) %||% 0 == 1) table[[column]] %||% NA_real_ else NA_real_
  summary <- data.frame(
    statistic = fields$name, variable = toString(fields$variable), n = fields$n,
    epsilon = fields$globalEps %||% fields$epsilon, alpha = fields$alpha,
    accuracy = max(fields$accuracy), release = one("estimate"), lower = one("conf.low"),
    upper = one("conf.high")
  )
  if (!is.null(fields$rho)) summary$rho <- fields$rho
  summary$notes <- in_one_note(object$.__enclos_env__$private$.plan$about$notes)
  summary
}
