# Pictures of statistic-plot.R for ggplot2. Its generic exists once the package is loaded.

# S3 method names contain dots.
# nolint start: object_name_linter.

#' @rdname statistic_plots
#' @exportS3Method ggplot2::autoplot
autoplot.dp_result <- function(object, what = NULL, main = NULL, xlab = NULL, ...) {
  shown <- in_panels(picture(object, what, rlang::current_env()))
  panel <- list(
    bars = bars_panel, points = points_panel, curve = curve_panel, tree = tree_panel,
    tiles = tiles_panel, plane = plane_panel
  )[[shown$kind]]
  plot <- panel(shown) +
    ggplot2::labs(
      title = main %||% shown$title, caption = paste(lines_of_note(shown$note), collapse = "\n"),
      x = xlab %||% shown$xlab, y = shown$ylab
    ) +
    ggplot2::theme(
      plot.caption = ggplot2::element_text(hjust = 0), plot.caption.position = "plot"
    )
  if (is.null(shown$table$panel)) plot else plot + ggplot2::facet_wrap("panel")
}

#' @rdname statistic_plots
#' @exportS3Method ggplot2::autoplot
autoplot.dpStatistic <- function(object, ...) {
  autoplot.dp_result(result_of(object), ...)
}

# nolint end

# Puts the last name of each term on the axis, and the names before it on panels. Marks are placed
# beside the numbers, because a name must be the same in all panels.
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
  if (shown$kind == "bars") shown$xlab <- name else shown$ylab <- name
  shown
}

# Columns of the picture's table, by name.
columns_to <- function(...) {
  do.call(ggplot2::aes, lapply(list(...), function(name) rlang::expr(.data[[!!name]])))
}

bars_panel <- function(shown) {
  table <- shown$table
  crowded <- sum(nchar(table$term)) > 60
  table$term <- factor(table$term, levels = unique(table$term))
  plot <- ggplot2::ggplot(table, columns_to(x = "term", y = "estimate")) +
    ggplot2::geom_col(fill = ifelse(is_marked(shown), "white", "grey70"), colour = "grey70") +
    ggplot2::scale_x_discrete(guide = ggplot2::guide_axis(
      angle = if (crowded) 90, check.overlap = TRUE
    ))
  if (!is.null(table$conf.low)) {
    ends <- columns_to(ymin = "conf.low", ymax = "conf.high")
    plot <- plot + ggplot2::geom_errorbar(ends, width = 0.3)
  }
  if (is.null(table$sign)) {
    return(plot)
  }
  table$top <- pmax(table$estimate, table$conf.high %||% table$estimate, 0, na.rm = TRUE)
  plot + signs_beside(table, "term", "top")
}

# Tells which numbers are mostly noise. They get hollow symbols.
is_marked <- function(shown) shown$marked %||% rep(FALSE, nrow(shown$table))

# Symbol of each mark, above its number.
signs_beside <- function(table, x, y) {
  ggplot2::geom_text(columns_to(x = x, y = y, label = "sign"), table, vjust = -0.3)
}

points_panel <- function(shown) {
  table <- shown$table
  # Puts the first term on top: the last level of an axis, the first panel.
  terms <- unique(table$term)
  table$term <- factor(table$term, levels = if (shown$apart) terms else rev(terms))
  plot <- ggplot2::ggplot(table, columns_to(x = "estimate", y = "term")) +
    ggplot2::geom_point(shape = ifelse(is_marked(shown), 1, 19))
  if (!is.null(table$conf.low)) {
    ends <- columns_to(xmin = "conf.low", xmax = "conf.high")
    plot <- plot + ggplot2::geom_errorbar(ends, width = 0.2, orientation = "y")
  }
  if (!is.null(table$sign)) plot <- plot + signs_beside(table, "estimate", "term")
  if (isTRUE(shown$ranked)) plot <- plot + ggplot2::scale_x_continuous(breaks = table$estimate)
  if (shown$apart) plot + own_scales() else plot
}

own_scales <- function() {
  list(
    ggplot2::geom_vline(xintercept = 0, linetype = "dashed"),
    ggplot2::facet_wrap("term", ncol = 1, scales = "free", strip.position = "left"),
    ggplot2::theme(
      axis.text.y = ggplot2::element_blank(), axis.ticks.y = ggplot2::element_blank(),
      strip.text.y.left = ggplot2::element_text(angle = 0)
    )
  )
}

curve_panel <- function(shown) {
  ends <- columns_to(ymin = "conf.low", ymax = "conf.high")
  ggplot2::ggplot(shown$table, columns_to(x = "value", y = "share")) +
    ggplot2::geom_ribbon(ends, fill = "grey85") +
    ggplot2::geom_line() +
    ggplot2::geom_vline(xintercept = shown$mark, linetype = "dashed")
}

tree_panel <- function(shown) {
  table <- shown$table
  table[c("bottom", "top")] <- list(table$level + 0.5, table$level - 0.5)
  cells <- columns_to(
    xmin = "lower", xmax = "upper", ymin = "bottom", ymax = "top", fill = "density"
  )
  ggplot2::ggplot(table, cells) +
    ggplot2::geom_rect(colour = "grey90") +
    ggplot2::scale_y_reverse() +
    ggplot2::scale_fill_gradient(low = "white", high = "black", name = "share per unit")
}

tiles_panel <- function(shown) {
  table <- shown$table
  table$number <- round(table$estimate)
  plot <- ggplot2::ggplot(table, columns_to(x = "x", y = "y", fill = "estimate")) +
    ggplot2::geom_tile(colour = "grey90") +
    ggplot2::scale_fill_gradient(
      low = "white", high = "grey10", name = "rows", limits = c(0, max(table$estimate))
    )
  if (nrow(table) > most_numbers) {
    return(plot)
  }
  ink <- tile_ink(tile_shade(table$estimate))
  plot + ggplot2::geom_text(columns_to(label = "number"), colour = ink, size = 3)
}

plane_panel <- function(shown) {
  table <- shown$table
  plot <- ggplot2::ggplot(table, columns_to(x = "estimate", y = "y")) +
    ggplot2::geom_point()
  if (!is.null(table$conf.low)) {
    with_ends <- table[!is.na(table$conf.low), ]
    plot <- plot +
      ggplot2::geom_errorbar(columns_to(xmin = "conf.low", xmax = "conf.high"), with_ends,
        width = 0, orientation = "y") +
      ggplot2::geom_errorbar(columns_to(ymin = "y.low", ymax = "y.high"), with_ends, width = 0)
  }
  plot +
    ggplot2::geom_text(columns_to(label = "term"), hjust = -0.6, vjust = -0.4)
}
