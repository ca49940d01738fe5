# Pictures of released queries.

#' @rdname dp_released
#' @export
plot.dp_released <- function(x, what = NULL, main = NULL, xlab = NULL, ...) {
  shown <- picture_of_released(x, what, environment())
  draw <- if (shown$kind == "bars") draw_bars else draw_points
  notes <- strsplit(shown$note, "\n", fixed = TRUE)[[1]]
  height <- 0.7 * length(notes)
  before <- graphics::par(mar = pmax(graphics::par("mar"), c(0, 0, height + 2.5, 0)))
  on.exit(graphics::par(before))
  shown$note <- NULL
  draw(shown, "", xlab %||% shown$xlab, ...)
  graphics::title(main = main %||% shown$title, line = height + 0.7)
  graphics::mtext(notes, side = 3, line = height - 0.7 * seq_along(notes) + 0.1, cex = 0.7)
  invisible(x)
}

#' @rdname dp_released
#' @exportS3Method ggplot2::autoplot
autoplot.dp_released <- function( # nolint: object_name_linter.
    object, what = NULL, main = NULL, xlab = NULL, ...) {
  shown <- picture_of_released(object, what, environment())
  panel <- if (shown$kind == "bars") bars_panel else points_panel
  bars <- shown$kind == "bars"
  panel(shown) + ggplot2::labs(
    title = main %||% shown$title, caption = shown$note, x = xlab %||% shown$xlab,
    y = if (bars) shown$ylab else shown$group
  )
}

# As pictures of statistics: list(kind, table, title, xlab, ylab, note), and which numbers are
# marked, whose points are hollow.
picture_of_released <- function(x, what, call) {
  about <- about_released(x)
  what <- if (is.null(what)) about$terms[[1]] else check_choice(what, about$terms, call = call)
  rows <- about$tidy[about$tidy$column == what, ]
  if (nrow(rows) == 0) stop_argument("a result with a group", "one without", "x", call)
  inner <- sub("^.*\\[(.*)\\]$", "\\1", ifelse(rows$term == what, "", rows$term))
  parts <- c(lapply(rows[about$keys], as.character), list(inner))
  term <- apply(do.call(cbind, parts), 1, function(part) toString(part[nzchar(part)]))
  aggregate <- about$preview$aggregate[match(what, about$preview$column)]
  counts <- aggregate %in% c("count", "ids", "missing", "distinct", "histogram")
  with_intervals <- any(is.finite(rows$conf.low) & is.finite(rows$conf.high))
  signs <- unname(mark_signs[rows$mark])
  marked <- !is.na(signs)
  term <- paste0(ifelse(nzchar(term), term, what), ifelse(marked, paste0(" ", signs), ""))
  table <- data.frame(term = term, estimate = rows$estimate)
  if (with_intervals) table[c("conf.low", "conf.high")] <- rows[c("conf.low", "conf.high")]
  if (what %in% about$dates) table[-1] <- lapply(table[-1], as_dates)
  groups <- toString(about$keys)
  list(
    kind = if (counts) "bars" else "points", table = table, apart = FALSE, marked = marked,
    title = paste0("Private ", what, if (nzchar(groups)) paste(" by", groups)),
    xlab = if (counts) groups else what, ylab = what, group = groups,
    note = paste(c(
      paste0(
        if (with_intervals) paste0(level_words(about), " intervals of the noise; "),
        loss_sentence(about)
      ),
      about$caps, about$changed, lines_of_footnotes(rows$mark)
    ), collapse = "\n")
  )
}
