# Pictures of results. Each is drawn from a table with labels, by graphics and by ggplot2 alike.

#' Plots of results
#'
#' Draws a released statistic, query or batch, with its intervals if it has any. `plot()` uses
#' package graphics. `autoplot()` returns a plot of package ggplot2, which you can add to.
#'
#' @param x,object A result, or a statistic that has one.
#' @param what (`character(1)`) Which picture to draw, by default the first. For a released query,
#'   name a column. For a batch, name a query and its column, such as `"by_sex$n"`. These statistics
#'   have several pictures:
#'   * [dpTree()]: `"cdf"`, the share of rows up to each value, with the median. `"leaves"`, the
#'     counts of the smallest cells. `"tree"`, the density of all cells, level by level.
#'   * [dpCovariance()] with a regression: `"entries"` of the matrix, or `"coefficients"`.
#'   * [dpPCA()]: the `"variances"` of components, or their `"loadings"`.
#'   * [dpNaiveBayes()]: the `"means"` of each column in each class, or the `"rows"` of each class.
#'     Means range from 0 at the column's lower bound to 1 at its upper bound.
#'   * [dpKMeans()]: the `"centres"`, or the `"sizes"` of clusters. Two columns are drawn in a
#'     plane. More columns range from 0 at their lower bound to 1 at their upper bound.
#'   * [dpContingency()] of two columns: `"tiles"`, shaded by their counts, or `"counts"`, bars.
#'     With `margins`, name the margin to draw by its columns, such as `"sex:educ"`.
#'   * [dpHistogram()] over declared cells of numbers: `"counts"`, or `"cdf"`, the share of rows in
#'     a cell and the cells before it.
#' @param main,xlab Title and label. Both follow from the result by default.
#' @param ... For [graphics::plot.default()] or [graphics::barplot()]. `autoplot()` ignores it.
#' @returns `plot()`: `x`, invisibly. `autoplot()`: a ggplot.
#' @details Counts are bars with their intervals. Other numbers are points with intervals. If
#'   their units differ, as entries of a covariance matrix and coefficients do, each has a separate
#'   axis: a strip of `plot()`, a panel of `autoplot()`. The caption says what the
#'   intervals are for. Coefficients of a [dpGLM()] with `inference = "none"` have none. Values
#'   without numbers are drawn at their rank. Bounds that a statistic found are in the caption.
#' @section Errors: `dp_error_invalid_argument` for a statistic that has released nothing, for
#'   another `what`, and for a result without a single value.
#' @examples
#' education <- dpHistogram(
#'   varType = "numeric", variable = "educ", n = 10000, rng = c(0, 16), nBins = 4, epsilon = 0.5
#' )
#' education$release(PUMS5extract10000)
#' plot(education)
#' if (requireNamespace("ggplot2", quietly = TRUE)) ggplot2::autoplot(education)
#' @name statistic_plots
NULL

#' @rdname statistic_plots
#' @export
plot.dp_result <- function(x, what = NULL, main = NULL, xlab = NULL, ...) {
  shown <- picture(x, what, rlang::current_env())
  draw <- list(
    bars = draw_bars, points = if (isTRUE(shown$apart)) draw_strips else draw_points,
    curve = draw_curve, tree = draw_tree, tiles = draw_tiles, plane = draw_plane
  )[[shown$kind]]
  titled <- with_notes_above(shown, main %||% shown$title)
  if (!is.null(titled$before)) on.exit(graphics::par(titled$before))
  draw(titled$shown, titled$main, xlab %||% shown$xlab, ...)
  titled$finish()
  invisible(x)
}

# Lines that fit below a plot of common width.
lines_of_note <- function(note) {
  strwrap(strsplit(note, "\n", fixed = TRUE)[[1]], 96, exdent = 2)
}

# Several lines of notes stand above the picture, below its title.
with_notes_above <- function(shown, main) {
  notes <- lines_of_note(shown$note)
  if (length(notes) < 2) {
    return(list(shown = shown, main = main, finish = function() NULL))
  }
  height <- 0.7 * length(notes)
  before <- graphics::par(mar = pmax(graphics::par("mar"), c(0, 0, height + 2.5, 0)))
  shown$note <- NULL
  list(shown = shown, main = "", before = before, finish = function() {
    graphics::title(main = main, line = height + 0.7)
    graphics::mtext(notes, side = 3, line = height - 0.7 * seq_along(notes) + 0.1, cex = 0.7)
  })
}

#' @rdname statistic_plots
#' @export
plot.dpStatistic <- function(x, ...) {
  plot(result_of(x), ...)
  invisible(x)
}

# list(kind, table, title, xlab, ylab, ...): the first of `pictures` or the one asked for.
picture <- function(x, what, call) {
  if (is_of_statistic(x) && lacks_release(x)) {
    stop_argument("a result with a value", sprintf('one of status "%s"', x$status), "x", call)
  }
  all <- pictures(x)
  if (is.null(what)) tell_undrawn(all)
  is_name <- is_string(what) && what %in% names(all)
  chosen <- if (is.null(what)) 1 else if (is_name) what else check_name(what, names(all), "what",
    call)
  shown <- all[[chosen]]()
  estimate <- shown$table$estimate
  if (nrow(shown$table) == 0 || !is.null(estimate) && all(is.na(estimate))) {
    stop_argument("a result with a value", "one without", "x", call)
  }
  if (!is.null(shown$note)) return(shown)
  shown <- with_marked_rows(shown, x)
  c(shown, titles_of_statistic(x, shown))
}

# A picture has one column of a query. Readers of the code must know that there are others.
tell_undrawn <- function(pictures) {
  if (length(pictures) > 1 && isTRUE(attr(pictures, "of_columns"))) {
    names <- names(pictures)
    rlang::inform(
      paste0("This plot shows `", names[[1]], "`. Choose ", listed(names[-1]), " with `what`."),
      class = c("dp_message_drawn", "dp_message")
    )
  }
}

titles_of_statistic <- function(x, shown) {
  about <- attr(x, "about")
  with_intervals <- !is.null(shown$table$conf.low)
  note <- c(if (with_intervals) {
    paste0(100 * (1 - about$alpha), "% intervals for ", shown$covers %||% main_target(x))
  }, shown_loss(result_facts(x), 4), found_sentence(x), noise_mark(about),
    if (any(shown$marked)) "hollow: half of the interval is at least the number")
  list(title = paste("Private", about$name), note = paste(note, collapse = "; "))
}

noise_mark <- function(about) if (isTRUE(about$noise_dominates)) tolower_first(noise_sentence)

tolower_first <- function(text) paste0(tolower(substr(text, 1, 1)), substring(text, 2))

pictures.dp_result <- function(x) { # nolint: object_name_linter.
  list(estimates = function() estimate_points(x))
}
