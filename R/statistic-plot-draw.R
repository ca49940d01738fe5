# Draws pictures by package graphics.

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
