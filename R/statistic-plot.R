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

# Tables that pictures of results are drawn from ---------------------------------------------------

estimate_points <- function(x) {
  table <- as.data.frame(x)
  ranked <- !is.numeric(x$release)
  if (ranked) table$estimate <- seq_len(nrow(table))
  table <- table[!is.na(table$estimate), ]
  unit <- if (is.null(x$variable)) "answer" else toString(x$variable)
  list(
    kind = "points", table = table, apart = FALSE, ranked = ranked,
    xlab = if (ranked) "rank" else unit
  )
}

# Means from 0 at the lower to 1 at the upper of their ranges, a list with one for each row.
within_ranges <- function(table, ranges) {
  bounds <- do.call(rbind, ranges)
  numbers <- intersect(c("estimate", "conf.low", "conf.high"), names(table))
  table[numbers] <- (table[numbers] - bounds[, 1]) / (bounds[, 2] - bounds[, 1])
  table
}

# Room for labels of an axis, in lines.
label_room <- function(labels) {
  min(max(graphics::strwidth(labels, "inches")) / graphics::par("csi") + 1, 14)
}

# Draws pictures by package graphics ---------------------------------------------------------------

# Labels only some of many bars.
most_labels <- 24

draw_bars <- function(shown, main, xlab, ...) {
  table <- shown$table
  step <- ceiling(nrow(table) / most_labels)
  labels <- ifelse(seq_len(nrow(table)) %% step == 1 %% step, table$term, "")
  top <- range(0, table$estimate, table$conf.low, table$conf.high, na.rm = TRUE)
  margins <- graphics::par("mar")
  room <- c(label_room(labels), label_room(format(pretty(top))))
  margins[1:2] <- pmax(margins[1:2], room + c(2.5, 1.5))
  before <- graphics::par(mar = margins)
  on.exit(graphics::par(before))
  middles <- graphics::barplot(
    table$estimate,
    names.arg = labels, ylim = top, las = 2, main = main,
    col = ifelse(shown$marked %||% rep(FALSE, nrow(table)), "white", "grey"), ...
  )
  graphics::title(xlab = xlab, line = room[[1]])
  graphics::title(ylab = shown$ylab, line = room[[2]])
  draw_note(shown, room[[1]] + 1)
  if (!is.null(table$conf.low)) {
    graphics::segments(middles, table$conf.low, middles, table$conf.high)
  }
}

draw_points <- function(shown, main, xlab, ...) {
  table <- shown$table
  rows <- rev(seq_len(nrow(table)))
  ends <- !is.null(table$conf.low)
  before <- room_for_terms(table$term)
  on.exit(graphics::par(before))
  drawn <- c(table$estimate, table$conf.low, table$conf.high)
  drawn <- drawn[!is.na(drawn)]
  graphics::plot.default(
    table$estimate, rows,
    xlim = range(drawn), ylim = c(0.5, nrow(table) + 0.5), xaxt = "n", yaxt = "n", ylab = "",
    pch = if (is.null(shown$marked)) 19 else ifelse(shown$marked, 1, 19), main = main,
    xlab = xlab, ...
  )
  if (isTRUE(shown$ranked)) graphics::axis(1, table$estimate) else graphics::Axis(drawn, side = 1)
  if (ends) graphics::segments(table$conf.low, rows, table$conf.high, rows)
  graphics::axis(2, rows, table$term, las = 1)
  draw_note(shown)
}

# The margins before.
room_for_terms <- function(terms) {
  margins <- graphics::par("mar")
  margins[[2]] <- max(margins[[2]], label_room(terms) + 1)
  graphics::par(mar = margins)
}

# Numbers of different units: each in a strip with a separate axis, from 0 on.
draw_strips <- function(shown, main, xlab, ...) {
  table <- shown$table
  rows <- rev(seq_len(nrow(table)))
  before <- room_for_terms(table$term)
  on.exit(graphics::par(before))
  graphics::plot.default(
    NULL,
    xlim = c(0, 1), ylim = c(0.4, nrow(table) + 0.6), axes = FALSE, ylab = "", main = main,
    xlab = xlab, ...
  )
  marked <- shown$marked %||% rep(FALSE, nrow(table))
  for (i in which(!is.na(table$estimate))) draw_strip(table[i, ], rows[[i]], marked[[i]])
  graphics::axis(2, rows, table$term, las = 1, tick = FALSE)
  draw_note(shown)
}

# Level and loss, below the label.
draw_note <- function(shown, line = NA) {
  graphics::title(sub = shown$note, cex.sub = 0.8, line = line)
}

draw_strip <- function(row, at, is_marked) {
  ends <- range(0, row$estimate, row$conf.low, row$conf.high, na.rm = TRUE)
  ends <- ends + c(-1, 1) * (if (diff(ends) > 0) 0.03 * diff(ends) else 1)
  place <- function(x) (x - ends[[1]]) / diff(ends)
  ticks <- pretty(ends, 4)
  ticks <- ticks[ticks >= ends[[1]] & ticks <= ends[[2]]]
  foot <- at - 0.22
  graphics::segments(0, foot, 1, foot, col = "grey60")
  graphics::segments(place(ticks), foot, place(ticks), foot - 0.05, col = "grey60")
  graphics::text(place(ticks), foot - 0.08, format(ticks), cex = 0.75, adj = c(0.5, 1))
  graphics::segments(place(0), foot, place(0), at + 0.3, lty = 2)
  if (!is.null(row$conf.low)) {
    graphics::segments(place(row$conf.low), at, place(row$conf.high), at)
  }
  graphics::points(place(row$estimate), at, pch = if (is_marked) 1 else 19)
}

draw_curve <- function(shown, main, xlab, ...) {
  table <- shown$table
  graphics::plot.default(
    table$value, table$share,
    type = "n", ylim = range(table$conf.low, table$conf.high), main = main, xlab = xlab,
    ylab = shown$ylab, ...
  )
  graphics::polygon(
    c(table$value, rev(table$value)), c(table$conf.low, rev(table$conf.high)),
    col = "grey85", border = NA
  )
  graphics::lines(table$value, table$share)
  graphics::abline(v = shown$mark, lty = 2)
  draw_note(shown)
}

draw_tree <- function(shown, main, xlab, ...) {
  table <- shown$table
  shade <- grDevices::grey(1 - 0.9 * table$density / max(table$density))
  graphics::plot.default(
    range(table$lower, table$upper), c(max(table$level) + 0.5, -0.5),
    type = "n", ylim = c(max(table$level) + 0.5, -0.5), main = main, xlab = xlab, ylab = shown$ylab,
    ...
  )
  graphics::rect(
    table$lower, table$level - 0.5, table$upper, table$level + 0.5,
    col = shade, border = "grey80"
  )
  draw_note(shown)
}

# Draws a tile for each pair of levels, darker for larger counts. Few tiles also show their counts.
draw_tiles <- function(shown, main, xlab, ...) {
  table <- shown$table
  at <- list(x = as.integer(table$x), y = as.integer(table$y))
  shade <- tile_shade(table$estimate)
  before <- room_for_terms(levels(table$y))
  on.exit(graphics::par(before))
  graphics::plot.default(
    range(at$x) + c(-0.5, 0.5), range(at$y) + c(-0.5, 0.5),
    type = "n", axes = FALSE, xaxs = "i", yaxs = "i", main = main, xlab = xlab, ylab = shown$ylab,
    ...
  )
  graphics::rect(at$x - 0.5, at$y - 0.5, at$x + 0.5, at$y + 0.5,
    col = grDevices::grey(1 - shade), border = "grey80"
  )
  if (nrow(table) <= most_numbers) {
    graphics::text(at$x, at$y, round(table$estimate), col = tile_ink(shade), cex = 0.8)
  }
  graphics::axis(1, seq_along(levels(table$x)), levels(table$x), tick = FALSE)
  graphics::axis(2, seq_along(levels(table$y)), levels(table$y), tick = FALSE, las = 1)
  draw_note(shown)
}

# Up to this number, each tile shows its count.
most_numbers <- 100

# From 0, of no rows, to 0.9.
tile_shade <- function(counts) 0.9 * counts / max(counts)

tile_ink <- function(shade) ifelse(shade > 0.45, "white", "black")

# Points with an interval in both directions, and their names beside them.
draw_plane <- function(shown, main, xlab, ...) {
  table <- shown$table
  # With room for names.
  reached <- function(...) {
    grDevices::extendrange(table[intersect(c(...), names(table))], f = 0.08)
  }
  graphics::plot.default(
    table$estimate, table$y,
    xlim = reached("estimate", "conf.low", "conf.high"), ylim = reached("y", "y.low", "y.high"),
    pch = 19, main = main, xlab = xlab, ylab = shown$ylab, ...
  )
  if (!is.null(table$conf.low)) {
    graphics::segments(table$conf.low, table$y, table$conf.high, table$y)
    graphics::segments(table$estimate, table$y.low, table$estimate, table$y.high)
  }
  graphics::text(table$estimate, table$y, table$term, adj = c(-0.6, -0.4))
  draw_note(shown)
}
