# What all statistics share. A statistic is a plan (a list of public fields, its measurement among
# them, made by a plan_* function) and the result of the last release.

dpStatistic <- R6::R6Class("dpStatistic",
  public = list(
    release = function(data) {
      private$.result <- release_statistic(private$.plan, data)
      private$.result
    },
    getFields = function() c(private$.plan$fields, list(result = private$.result)),
    copy = function() self$clone(),
    print = function(...) {
      cat(format(self), sep = "\n")
      invisible(self)
    }
  ),
  active = list(
    result = function(value) read_only(private$.result, value, "result")
  ),
  private = list(.plan = NULL, .result = NULL)
)

# A plan: `fields`, all of them public; `describe(release, fields)`, the result that follows from
# these; if a release may take long, what shows its progress; `read(data, variable)`, which takes
# the columns out of the data; and the class of the result. It must hold no closure made in the
# frame of a constructor: an argument that was never evaluated keeps the frames of its callers
# alive, and the data in them. A copy of a statistic that was loaded or sent elsewhere must not
# release on its own what the original accounts for, so its measurement is not to be built again.
new_plan <- function(fields, describe, progress = NULL, read = column_of, class = NULL) {
  forget_log(fields$measurement)
  list(fields = fields, describe = describe, progress = progress, read = read, class = class)
}

# Checks the type of the data, then spends `epsilon`.
release_statistic <- function(plan, data) {
  column <- plan$read(data, plan$fields$variable)
  if (!is.null(plan$progress)) {
    plan$progress$start()
    on.exit(plan$progress$stop())
  }
  release <- snapped(plan$fields$measurement(arg = column), plan$fields)
  new_result(plan$fields, plan$describe(release, plan$fields), plan$class)
}

# A release with its interval, by postprocessing.
interval_result <- function(release, fields) {
  list(
    release = release,
    variable = fields$variable,
    accuracy = fields$accuracy,
    epsilon = fields$epsilon,
    interval = c(release - fields$accuracy, release + fields$accuracy)
  )
}

new_result <- function(fields, values, class = NULL) {
  about <- fields[c("name", "n", "alpha")]
  about$adds_rows <- adds_rows(fields)
  structure(values, class = c(class, "dp_result"), about = about)
}

# Whether neighbours differ by a row that one of them lacks; else by one that is replaced.
adds_rows <- function(fields) identical(fields$scheme, "labels")

#' Results of private statistics
#'
#' What the `release()` of a statistic such as [dpMean()] returns: a list, all of it public, of
#' which nothing but `release` has seen any data.
#'
#' The interval covers the statistic of the data as they were used, that is clamped to the declared
#' range and with missing values imputed: in a share `1 - alpha` of all releases. It knows nothing
#' of sampling error, and so is no interval for the population.
#'
#' @param x,object A result, or a statistic such as [dpMean()] makes.
#' @param digits (whole number) Significant digits to show.
#' @param main,xlab,... For [graphics::plot.default()].
#' @returns `format()`: `character`. `summary()`: a data frame of one row, with `NA` for what is not
#'   there yet. `print()` and `plot()`: their argument, invisibly. `plot()` draws the release with
#'   its interval.
#' @section Errors: `plot()` of a statistic that has released nothing: `dp_error_invalid_argument`.
#' @examples
#' mean_age <- dpMean(
#'   mechanism = "mechanismLaplace", varType = "numeric", variable = "age", n = 10000,
#'   rng = c(18, 93), epsilon = 0.1
#' )
#' mean_age$release(PUMS5extract10000)
#' summary(mean_age)
#' plot(mean_age$result)
#' @name dp_result
NULL

#' @rdname dp_result
#' @export
format.dp_result <- function(x, digits = 7, ...) {
  about <- attr(x, "about")
  number <- function(value) show_number(value, digits)
  notes <- list(
    accuracy = paste0("the noise stays within, with probability ", 1 - about$alpha),
    epsilon = if (isTRUE(about$adds_rows)) {
      "for one row added or removed; the number of rows is secret"
    } else {
      paste0("for one replaced row; n = ", number(about$n), " is public")
    },
    interval = "of the data as used; without sampling error"
  )
  shown <- vapply(unclass(x), show_value, "", number = number)
  notes <- vapply(names(shown), function(name) notes[[name]] %||% "", "")
  lines <- paste0("  ", format(names(shown)), "  ", format(unname(shown)), "  ", notes)
  c(paste0("Differentially private ", about$name), sub(" +$", "", lines))
}

# In one line: what is larger is told by its size.
show_value <- function(value, number) {
  if (is.data.frame(value) && nrow(value) == 1 && length(value) <= 8) {
    paste(names(value), number(unlist(value)), sep = ": ", collapse = ", ")
  } else if (is.data.frame(value) || is.matrix(value)) {
    paste("a table of", nrow(value), "rows and", ncol(value), "columns")
  } else if (is.list(value)) {
    paste("a list of length", length(value))
  } else if (is.numeric(value) && length(value) > 4) {
    paste(length(value), "numbers")
  } else if (is.numeric(value)) {
    paste(number(value), collapse = " to ")
  } else {
    toString(value)
  }
}

# Each number by itself, plainly rather than with an exponent up to a dozen digits.
show_number <- function(x, digits) {
  vapply(unname(x), format, "", digits = digits, scientific = 7)
}

#' @rdname dp_result
#' @export
print.dp_result <- function(x, ...) {
  cat(format(x, ...), sep = "\n")
  invisible(x)
}

#' @rdname dp_result
#' @export
plot.dp_result <- function(x, main = NULL, xlab = NULL, ...) {
  rows <- rev(seq_along(x$release))
  ends <- matrix(x$interval %||% rep(x$release, 2), ncol = 2)
  graphics::plot.default(
    x$release, rows,
    xlim = range(ends), ylim = c(0.5, length(rows) + 0.5), yaxt = "n", pch = 19,
    ylab = "", main = main %||% paste("Private", attr(x, "about")$name),
    xlab = xlab %||% toString(x$variable), ...
  )
  graphics::axis(2, rows, names(x$release) %||% rep("", length(rows)))
  graphics::segments(ends[, 1], rows, ends[, 2], rows)
  graphics::segments(ends, rows - 0.1, ends, rows + 0.1)
  invisible(x)
}

#' @rdname dp_result
#' @export
format.dpStatistic <- function(x, ...) {
  added <- adds_rows(x$getFields())
  format_fields(x, if (added) "for one row added or removed" else "for one replaced row")
}

format_fields <- function(x, protected) {
  fields <- x$getFields()
  public <- c(
    "variable", "varType", "n", "prob", "k", "rng", "imputeRng", "innerFun", "numSubsets",
    "outputRange",
    "mechanism", "epsilon", "globalEps", "accuracy", "alpha"
  )
  public <- intersect(public, names(fields))
  fields[public] <- lapply(fields[public], unlist, use.names = FALSE)
  public <- public[lengths(fields[public]) > 0]
  shown <- vapply(fields[public], function(field) {
    if (is.function(field)) "a function" else show_value(field, \(x) show_number(x, 7))
  }, "")
  c(
    paste0("<", class(x)[[1]], "> ", fields$name, ", ", protected),
    paste0("  ", format(public), "  ", shown),
    if (is.null(fields$result)) "  nothing released yet" else format(fields$result)
  )
}

#' @rdname dp_result
#' @export
summary.dpStatistic <- function(object, ...) {
  fields <- object$getFields()
  result <- fields$result
  interval <- result$interval %||% c(NA_real_, NA_real_)
  data.frame(
    statistic = fields$name, variable = toString(fields$variable), n = fields$n,
    epsilon = fields$globalEps %||% fields$epsilon, alpha = fields$alpha,
    accuracy = max(fields$accuracy), release = single(result$release), lower = interval[[1]],
    upper = interval[[2]]
  )
}

# A summary has no room for more than a number.
single <- function(x) if (is.numeric(x) && length(x) == 1) x else NA_real_

#' @rdname dp_result
#' @export
plot.dpStatistic <- function(x, ...) {
  if (is.null(x$result)) stop_argument("a statistic with a release", "one without", "x", NULL)
  plot(x$result, ...)
  invisible(x)
}
