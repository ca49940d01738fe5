# Results as tables of one form, whatever the statistic.

#' Results as tables
#'
#' A result of a private statistic as a data frame with a row for each number that was released.
#'
#' @param x A result, or a statistic that has one.
#' @param row.names,optional,... As for [as.data.frame()]; ignored.
#' @returns `as.data.frame()` and `tidy()` (of package generics): a data frame with the columns
#'   `term` (variable, cell or entry), `estimate`, and, where there is an interval, `conf.low` and
#'   `conf.high`. The interval covers what the data as used have, not the population. `glance()`: a
#'   data frame of one row: `statistic`, `n`, `epsilon`, `delta`, `alpha`.
#' @examples
#' education <- dpHistogram(
#'   varType = "numeric", variable = "educ", n = 10000, rng = c(0, 16), nBins = 4, epsilon = 0.5
#' )
#' as.data.frame(education$release(PUMS5extract10000))
#' @name statistic_tables
NULL

# Generics' names have dots, and so their methods' have more.
# nolint start: object_name_linter.

#' @rdname statistic_tables
#' @export
as.data.frame.dp_result <- function(x, row.names = NULL, optional = FALSE, ...) {
  count <- length(x$release)
  numeric <- is.numeric(x$release)
  table <- data.frame(
    term = if (numeric) names(x$release) %||% rep(toString(x$variable), count) else x$release,
    estimate = if (numeric) unname(x$release) else rep(NA_real_, count)
  )
  if (!is.null(x$interval)) {
    ends <- matrix(x$interval, ncol = 2)
    table[c("conf.low", "conf.high")] <- list(ends[, 1], ends[, 2])
  }
  table
}

#' @rdname statistic_tables
#' @export
as.data.frame.dp_histogram_result <- function(x, row.names = NULL, optional = FALSE, ...) {
  data.frame(
    term = names(x$release) %||% character(),
    estimate = as.double(unlist(x$release, use.names = FALSE)),
    conf.low = x$intervals[[1]], conf.high = x$intervals[[2]]
  )
}

#' @rdname statistic_tables
#' @export
as.data.frame.dp_covariance_result <- function(x, row.names = NULL, optional = FALSE, ...) {
  pairs <- as.matrix(triangle(length(x$variable)))
  estimate <- as.matrix(x$release)[pairs]
  data.frame(
    term = paste(x$variable[pairs[, 1]], x$variable[pairs[, 2]], sep = ":"), estimate = estimate,
    conf.low = estimate - x$accuracy, conf.high = estimate + x$accuracy
  )
}

#' @rdname statistic_tables
#' @export
as.data.frame.dp_tree_result <- function(x, row.names = NULL, optional = FALSE, ...) {
  leaves <- x$tree[[length(x$tree)]]
  data.frame(term = names(x$release[[length(x$release)]]), estimate = leaves)
}

#' @rdname statistic_tables
#' @export
as.data.frame.dpStatistic <- function(x, row.names = NULL, optional = FALSE, ...) {
  as.data.frame(result_of(x))
}

result_of <- function(statistic) {
  statistic$result %||% stop_argument("a statistic with a release", "one without", "x", NULL)
}

#' @rdname statistic_tables
#' @exportS3Method generics::tidy
tidy.dp_result <- function(x, ...) as.data.frame(x)

#' @rdname statistic_tables
#' @exportS3Method generics::tidy
tidy.dpStatistic <- function(x, ...) as.data.frame(x)

#' @rdname statistic_tables
#' @exportS3Method generics::glance
glance.dp_result <- function(x, ...) {
  about <- attr(x, "about")
  data.frame(
    statistic = about$name, n = about$n, epsilon = x$globalEps %||% x$epsilon,
    delta = x$delta %||% 0, alpha = about$alpha
  )
}

#' @rdname statistic_tables
#' @exportS3Method generics::glance
glance.dpStatistic <- function(x, ...) {
  glance.dp_result(result_of(x))
}

# nolint end

#' @rdname dp_result
#' @export
plot.dp_histogram_result <- function(x, main = NULL, xlab = NULL, ...) {
  table <- as.data.frame(x)
  if (nrow(table) == 0) stop_argument("a result with cells", "one without", "x", NULL)
  middles <- graphics::barplot(
    table$estimate,
    names.arg = table$term, ylim = c(0, max(table$estimate, table$conf.high)), las = 2,
    main = main %||% paste("Private", attr(x, "about")$name), xlab = xlab %||% x$variable, ...
  )
  graphics::segments(middles, table$conf.low, middles, table$conf.high)
  invisible(x)
}

#' @rdname dp_result
#' @export
plot.dp_tree_result <- function(x, main = NULL, xlab = NULL, ...) {
  graphics::plot.default(
    x$cdf$val, x$cdf$cdf,
    type = "l", ylab = "share of rows", main = main %||% paste("Private", attr(x, "about")$name),
    xlab = xlab %||% x$variable, ...
  )
  graphics::abline(v = x$median, lty = 2)
  invisible(x)
}

# A coefficient or an entry a row, with its interval.
#' @rdname dp_result
#' @export
plot.dp_covariance_result <- function(x, main = NULL, xlab = NULL, ...) {
  table <- as.data.frame(x)
  scale <- pmax(abs(table$conf.low), abs(table$conf.high))
  rows <- rev(seq_len(nrow(table)))
  graphics::plot.default(
    table$estimate / scale, rows,
    xlim = c(-1, 1), yaxt = "n", ylab = "", pch = 19,
    main = main %||% paste("Private", attr(x, "about")$name),
    xlab = xlab %||% "share of the farther end of the interval", ...
  )
  graphics::segments(table$conf.low / scale, rows, table$conf.high / scale, rows)
  graphics::axis(2, rows, table$term, las = 1)
  invisible(x)
}
