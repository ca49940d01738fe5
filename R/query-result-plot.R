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
  shown <- in_panels(picture_of_released(object, what, environment()))
  bars <- shown$kind == "bars"
  panel <- if (bars) bars_panel else points_panel
  plot <- panel(shown) + ggplot2::labs(
    title = main %||% shown$title, caption = shown$note, x = xlab %||% shown$xlab,
    y = if (bars) shown$ylab else shown$group
  )
  if (is.null(shown$table$panel)) plot else plot + ggplot2::facet_wrap("panel")
}

# The last name of each term stands on the axis, those before name a panel. Marks stand beside the
# numbers: a name must be the same in all panels.
in_panels <- function(shown) {
  if (length(shown$parts) < 2) {
    return(shown)
  }
  last <- length(shown$parts)
  shown$table$term <- shown$parts[[last]]
  panel <- do.call(paste, c(unname(shown$parts[-last]), sep = ", "))
  shown$table$panel <- factor(panel, unique(panel))
  shown$table$sign <- shown$signs
  name <- names(shown$parts)[[last]]
  if (shown$kind == "bars") shown$xlab <- name else shown$group <- name
  shown
}

# As pictures of statistics: list(kind, table, title, xlab, ylab, note). `marked` are the numbers
# that are mostly noise, with their `signs`. `parts` are the groups of each number, and its place
# among several, by name.
picture_of_released <- function(x, what, call) {
  about <- about_released(x)
  if (is.null(what)) tell_undrawn(about$terms)
  what <- if (is.null(what)) about$terms[[1]] else check_choice(what, about$terms, call = call)
  rows <- about$tidy[about$tidy$column == what, ]
  if (nrow(rows) == 0) stop_argument("a result with a group", "one without", "x", call)
  parts <- parts_of_terms(rows, about)
  aggregate <- about$preview$aggregate[match(what, about$preview$column)]
  counts <- aggregate %in% kinds_of_counts
  with_intervals <- any(is.finite(rows$conf.low) & is.finite(rows$conf.high))
  signs <- unname(mark_signs[rows$mark])
  signs[is.na(signs)] <- ""
  term <- if (length(parts) == 0) what else do.call(paste, c(unname(parts), sep = ", "))
  table <- data.frame(term = trimws(paste(term, signs)), estimate = rows$estimate)
  if (with_intervals) table[c("conf.low", "conf.high")] <- rows[c("conf.low", "conf.high")]
  if (what %in% about$dates) table[-1] <- lapply(table[-1], as_dates)
  groups <- paste(about$keys, collapse = " and ")
  axis <- toString(names(parts))
  list(
    kind = if (counts) "bars" else "points", table = table, apart = FALSE, marked = signs != "",
    signs = signs, parts = parts,
    title = paste0("Private ", what, if (nzchar(groups)) paste(" by", groups)),
    xlab = if (counts) axis else what, ylab = what, group = axis,
    note = paste(c(
      paste0(
        if (with_intervals) paste0(level_words(about), " intervals of the noise; "),
        loss_sentence(about)
      ),
      about$caps, about$notes, about$changed, lines_of_footnotes(rows$mark)
    ), collapse = "\n")
  )
}

# Texts by name: a vector for each key, and one for the cell or the probability.
parts_of_terms <- function(rows, about) {
  parts <- lapply(rows[about$keys], function(key) {
    key <- as.character(key)
    replace(key, is.na(key), "NA")
  })
  if (any(nzchar(rows$label))) {
    name <- if (is_of_cells(about, rows$column[[1]])) "cell" else "probability"
    parts[[name]] <- rows$label
  }
  parts
}

# A picture has one column; readers of the code must know that there are others.
tell_undrawn <- function(terms) {
  if (length(terms) > 1) {
    rlang::inform(
      paste0("Drawn is `", terms[[1]], "`. Choose ", listed(terms[-1]), " with `what`."),
      class = c("dp_message_drawn", "dp_message")
    )
  }
}
