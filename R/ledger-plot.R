#' Plot a ledger
#'
#' Draws how much of a budget was spent after each charge, in epsilon or rho, with the total as a
#' line. The axis has the time of the charges. If all charges have the same time, it has the number
#' of their records.
#'
#' @param x,object ([dp_ledger()]) Ledger to plot.
#' @param by (`character(1)`) Horizontal axis: `"time"` or `"record"`.
#' @param main,xlab,ylab Title and labels.
#' @param ... Arguments for [graphics::plot.default()]. `autoplot()` ignores them.
#' @returns `plot()`: `x`, invisibly. `autoplot()`: a ggplot.
#' @examples
#' where <- file.path(tempfile(), "survey.ledger")
#' dir.create(dirname(where))
#' ledger <- dp_ledger_create(where, "survey", dp_unit(changes = 1), dp_epsilon(1),
#'   version = "2026-03"
#' )
#' plot(ledger)
#' @export
plot.dp_ledger <- function(x, main = NULL, xlab = NULL, ylab = NULL, ..., by = "time") {
  shown <- picture_of_ledger(dp_history(x), state_of(x), by, environment())
  steps <- shown$steps
  graphics::plot(range(steps$at), c(0, max(shown$total, steps$spent)),
    type = "n", main = main %||% shown$title, xlab = xlab %||% shown$xlab,
    ylab = ylab %||% shown$ylab, las = 1, bty = "l", ...
  )
  graphics::polygon(
    c(steps$at, rev(range(steps$at))), c(steps$spent, 0, 0),
    col = "grey85", border = NA
  )
  graphics::lines(steps$at, steps$spent, lwd = 2)
  graphics::abline(h = shown$total, lty = 2)
  graphics::text(min(steps$at), shown$total, paste(" total", show_number(shown$total, 4)),
    adj = c(0, 1.4)
  )
  invisible(x)
}

#' @rdname plot.dp_ledger
#' @exportS3Method ggplot2::autoplot
autoplot.dp_ledger <- function( # nolint: object_name_linter.
    object, main = NULL, xlab = NULL, ylab = NULL, ..., by = "time") {
  shown <- picture_of_ledger(dp_history(object), state_of(object), by, environment())
  ggplot2::ggplot(shown$steps, ggplot2::aes(x = .data[["at"]], y = .data[["spent"]])) +
    ggplot2::geom_area(fill = "grey85") +
    ggplot2::geom_line() +
    ggplot2::geom_hline(yintercept = shown$total, linetype = "dashed") +
    ggplot2::labs(
      title = main %||% shown$title, x = xlab %||% shown$xlab, y = ylab %||% shown$ylab,
      caption = paste("dashed: total", show_number(shown$total, 4))
    )
}

# Elements that both kinds of plot share.
picture_of_ledger <- function(history, state, by, call) {
  check_choice(by, c("time", "record"), arg = "by", call = call)
  if (length(unique(history$time)) < 2) by <- "record"
  steps <- spent_steps(history, state)
  steps$at <- if (by == "record") steps$record else times_of_steps(history)
  list(
    steps = steps, total = state$total[[1]],
    title = paste0("Budget of \"", printable(state$dataset), "\""),
    xlab = c(time = "Time of the charge (UTC)", record = "Record")[[by]],
    ylab = paste("Spent,", names(state$total)[[1]])
  )
}

# The corners of the line: the spent budget before and after each charge.
spent_steps <- function(history, state) {
  records <- c(0, history$record, state$records - 1)
  spent <- c(0, history$spent, state$spent[[1]])
  corners <- rep(seq_along(records), each = 2)
  data.frame(record = records[corners[-1]], spent = spent[corners[-length(corners)]])
}

# The corners in order of time, from the first charge to the last.
times_of_steps <- function(history) {
  times <- c(history$time[[1]], history$time, history$time[[nrow(history)]])
  times[rep(seq_along(times), each = 2)[-1]]
}
