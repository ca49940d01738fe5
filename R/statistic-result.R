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

# Shows numbers, columns and fields in print -------------------------------------------------------

# Formats a result in one line. `ends` of an interval are two numbers, `form` is how a number looks.
show_value <- function(value, digits, ends = FALSE, form = show_number) {
  if (is.function(value)) {
    "a function"
  } else if (inherits(value, "formula")) {
    deparse1(value)
  } else if (is.data.frame(value)) {
    paste(names(value), form(unlist(value), digits), sep = ": ", collapse = ", ")
  } else if (is.list(value)) {
    paste(vapply(value, toString, ""), collapse = "; ")
  } else if (!is.numeric(value)) {
    toString(value)
  } else if (ends) {
    paste(form(value, digits), collapse = " to ")
  } else if (length(value) > 4 || anyDuplicated(value) > 0) {
    both <- unique(range(value))
    each <- if (length(both) == 1) " each"
    paste0(show_value(both, digits, TRUE, form), each, " (", length(value), ")")
  } else {
    labels <- names(value)
    numbers <- form(value, digits)
    toString(if (is.null(labels)) numbers else paste(labels, numbers, sep = ": "))
  }
}

number_form <- function(field) {
  if (field %in% c("epsilon", "globalEps", "rho", "delta")) show_loss else show_number
}

# Columns of texts, without those that are empty: without an estimate a place is all there is.
show_columns <- function(table, digits) {
  table$covers <- NULL # printed below
  table <- table[!vapply(table, function(column) all(is.na(column)), NA)]
  numeric <- vapply(table, is.numeric, NA)
  table[numeric] <- lapply(table[numeric], show_column, digits)
  table[!numeric] <- lapply(table[!numeric], as.character)  # dates and factors
  structure(table, numeric = numeric)
}

# Lines of the first rows.
show_table <- function(table, digits, rows) {
  if (nrow(table) == 0) {
    return("  no value is frequent enough to be released")
  }
  shown <- show_columns(utils::head(table, rows), digits)
  sides <- ifelse(attr(shown, "numeric"), "right", "left")
  columns <- Map(function(name, column, side) {
    format(c(name, column), justify = side)
  }, names(shown), shown, sides)
  more <- nrow(table) - nrow(shown)
  c(
    sub(" +$", "", paste0("  ", do.call(paste, c(unname(columns), sep = "  ")))),
    if (more > 0) paste0("  and ", more, " more rows, see as.data.frame()")
  )
}

# Numbers of like size with equal decimals.
show_column <- function(x, digits) {
  sizes <- range(abs(x[is.finite(x) & x != 0]), 1)
  if (sizes[[2]] / sizes[[1]] < 1e5) format(x, digits = digits) else show_number(x, digits)
}

format_fields <- function(x, protected) {
  fields <- x$getFields()
  finds <- is_to_find(fields$rng)
  public <- c(
    "formula", "levels", "margins", "design", "variable", "varType", "groups", "groupSizes", "n",
    "n_check", "missing", "prob", "k", "iterations", "rng", "imputeRng", "depth", "innerFun",
    "aggregationFun", "outcomes", "numSubsets", "scheme", "outputRange", "rangeMode", "rangeHelper",
    "intervalShare", "failureShare", "failures", "interval", "mechanism", "epsilon", "globalEps",
    "rho", "delta", "accuracy", "alpha"
  )
  # Votes have the range of their places.
  if (!is.null(fields$outcomes)) public <- setdiff(public, "outputRange")
  public <- public[vapply(public, function(name) is_worth_a_line(name, fields[[name]]), NA)]
  shown <- vapply(public, show_field, "", fields = fields)
  c(
    paste0("<", class(x)[[1]], "> ", fields$name, ", ", protected),
    noted_lines(shown, list(
      accuracy = if (isTRUE(fields$noiseDominates)) {
        noise_sentence
      } else if (finds) {
        "follows from the bounds found"
      },
      imputeRng = if (imputes_numbers(fields)) "missing values become uniform draws from here"
    )),
    if (is.null(fields$result)) "  nothing released yet" else format(fields$result)
  )
}

show_field <- function(name, fields) {
  if (name == "imputeRng" && is_to_find(fields$rng)) {
    "the bounds found"
  } else if (name %in% c("rng", "imputeRng", "outputRange")) {
    show_ranges(fields[[name]])
  } else {
    show_value(fields[[name]], 7, form = number_form(name))
  }
}

# The fields of a mechanism have no such name.
imputes_numbers <- function(fields) {
  !is.null(fields$measurement) && identical(imputed_from(fields), "imputeRng")
}

# A formula is a text, or a list that was made of texts. Usual values need no line.
is_worth_a_line <- function(name, value) {
  usual <- list(
    delta = 0, intervalShare = 0, failureShare = 0, rangeMode = "tight", n_check = "error",
    failures = "middle", interval = c("noise", "none"), design = "table",
    epsilon = NA_real_, globalEps = NA_real_
  )[[name]]
  as_usual <- any(vapply(usual, identical, NA, value))
  length(value) > 0 && !as_usual && (name != "formula" || is_string(value))
}

# A pair of bounds, a list of pairs, or a matrix with a pair in each row.
show_ranges <- function(ranges) {
  if (asks_for_bounds(ranges)) ranges <- list(ranges)
  pairs <- if (is.matrix(ranges)) rows_of_matrix(unname(ranges)) else as_pairs(ranges)
  shown <- vapply(pairs, function(pair) {
    if (asks_for_bounds(pair)) format(checked_bounds(pair, NULL)) else show_value(pair, 7, TRUE)
  }, "")
  toString(shown)
}

# Notes on the lines of a printed result -----------------------------------------------------------

# The caller does not give the argument if bounds are found.
imputation_source <- function(x) {
  from <- attr(x, "about")$imputed_from
  if (is.null(x$bounds)) {
    paste0("`", from, "`", recycle0 = TRUE)
  } else if (!is.null(from) && !lacks_release(x)) {
    "the bounds"
  }
}

result_notes <- function(x, digits) {
  about <- attr(x, "about")
  accuracy <- if (anyNA(x$accuracy)) {
    paste0(
      "depends on the data",
      if (inherits(x, "dp_glm_result") && is.null(x$summary)) {
        paste0("; ", if (is.null(x$bounds)) 'set inference = "onestep"' else "declare the bounds",
          " for standard errors"
        )
      }
    )
  } else {
    paste0("with probability ", 1 - about$alpha, " ", about$within)
  }
  public <- if (isTRUE(about$adds_rows)) {
    ". The number of rows is private"
  } else if (!is.null(about$n)) {
    paste0("; n = ", show_number(about$n, digits), " is public")
  }
  loss <- if (!is.null(x$rho)) "rho" else if (is.null(x$globalEps)) "epsilon" else "globalEps"
  notes <- list(
    accuracy = accuracy,
    stdInterval = "of the standard deviation of that",
    bounds = bounds_note(x),
    herfindahl = "sum of squared shares of all cells, NA included",
    nPresent = "rows with a value, with noise",
    nFailed = "blocks, with noise. Failed blocks are not in the release",
    nFailedAccuracy = paste0("the noise in nFailed stays within, also with ", 1 - about$alpha),
    unverified = "an unchecked promise that the loss depends on"
  )
  notes <- c(notes, target_notes(x))
  notes[[loss]] <- paste0("for ", protected_unit(about$adds_rows), public)
  notes
}

bounds_note <- function(x) {
  if (identical(x$status, "not found")) {
    "not found: no order of magnitude has more rows than `threshold`. The loss is spent"
  } else {
    "found. About `threshold` rows can be outside, at either end"
  }
}

# The targets of intervals that have a line.
target_notes <- function(x) {
  covers <- covers_of(x)
  alpha <- attr(x, "about")$alpha
  notes <- lapply(covers, function(target) {
    if (is_for_rows(target)) {
      paste0("of ", target, ", without sampling error")
    } else {
      paste0("of ", target, ", with probability ", 1 - alpha)
    }
  })
  as.list(notes[setdiff(names(notes), c("accuracy", "stdInterval", "summary"))])
}

# The target of the intervals in a table.
table_note <- function(x, table) {
  if (any(is.finite(table$conf.low))) paste0("  Intervals are for ", main_target(x), ".")
}

protected_unit <- function(adds_rows) {
  if (isTRUE(adds_rows)) "one row added or removed" else "one replaced row"
}

# Names, values and notes in columns. Values without a note may be longer.
noted_lines <- function(values, notes) {
  notes <- vapply(names(values), function(name) notes[[name]] %||% "", "")
  width <- max(0, nchar(values)[notes != ""])
  values <- formatC(values, width, flag = "-")
  lines <- paste0("  ", format(names(values)), "  ", values, "  ", notes)
  if (length(values) > 0) sub(" +$", "", lines)
}

# Texts and numbers have a line. Tables and lists only show their name.
is_listed <- function(value) {
  if (is.data.frame(value)) {
    return(nrow(value) == 1 && length(value) <= 8)
  }
  is.atomic(value) && is.null(dim(value))
}
