#' Plot of a ledger
#'
#' Draws how much of a budget each charge left spent, with the total as a line.
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
  history <- dp_history(x)
  unit <- names(state$total)[[1]]
  total <- state$total[[1]]
  records <- c(0, history$record, state$records - 1)
  spent <- c(0, history$spent, state$spent[[1]])
  graphics::plot(range(records), c(0, max(total, spent)),
    type = "n", main = main %||% paste0("Budget of \"", state$dataset, "\""), xlab = xlab,
    ylab = ylab %||% paste("Spent,", unit), las = 1, bty = "l", ...
  )
  steps <- rep(seq_along(records), each = 2)
  across <- records[steps[-1]]
  up <- spent[steps[-length(steps)]]
  graphics::polygon(c(across, rev(range(across))), c(up, 0, 0), col = "grey85", border = NA)
  graphics::lines(across, up, lwd = 2)
  graphics::abline(h = total, lty = 2)
  graphics::text(max(records), total, paste("total", show_number(total, 4)), adj = c(1, 1.4))
  invisible(x)
}
