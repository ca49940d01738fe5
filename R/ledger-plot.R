#' Plot of a ledger
#'
#' Draws how much of a budget was spent after each charge, in epsilon or rho, with the total as a
#' line.
#'
#' @param x ([dp_ledger()])
#' @param main,xlab,ylab Title and labels.
#' @param ... For [graphics::plot.default()].
#' @returns `x`, invisibly.
#' @examples
#' where <- file.path(tempfile(), "survey.ledger")
#' dir.create(dirname(where))
#' ledger <- dp_ledger_create(where, "survey", "row", dp_epsilon(1), version = "2026-03")
#' plot(ledger)
#' @export
plot.dp_ledger <- function(x, main = NULL, xlab = "Record", ylab = NULL, ...) {
  state <- state_of(x)
  unit <- names(state$total)[[1]]
  total <- state$total[[1]]
  steps <- spent_steps(dp_history(x), state)
  graphics::plot(range(steps$record), c(0, max(total, steps$spent)),
    type = "n", main = main %||% paste0("Budget of \"", state$dataset, "\""), xlab = xlab,
    ylab = ylab %||% paste("Spent,", unit), las = 1, bty = "l", ...
  )
  graphics::polygon(
    c(steps$record, rev(range(steps$record))), c(steps$spent, 0, 0),
    col = "grey85", border = NA
  )
  graphics::lines(steps$record, steps$spent, lwd = 2)
  graphics::abline(h = total, lty = 2)
  graphics::text(0, total, paste(" total", show_number(total, 4)), adj = c(0, 1.4))
  invisible(x)
}

# The corners of the line: what was spent before and after each charge.
spent_steps <- function(history, state) {
  records <- c(0, history$record, state$records - 1)
  spent <- c(0, history$spent, state$spent[[1]])
  corners <- rep(seq_along(records), each = 2)
  data.frame(record = records[corners[-1]], spent = spent[corners[-length(corners)]])
}
