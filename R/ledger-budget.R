# A ledger as a budget: charges, versions and print.

# nolint start: object_name_linter. Methods, of generics that the linter does not see.
#' @exportS3Method
budget_of.dp_ledger <- function(x) {
  state <- state_of(x)
  list(
    total = new_loss(names(state$total)[[1]], state$total[[1]], state$total[[2]]),
    protection = new_protection(unit_of_ledger(state), takes_more = TRUE), reuses = TRUE,
    version = function(version, call) known_version(version, x, call),
    cost = function(claim) {
      core_ledger_price(
        ledger_handle(x), claim$plan, claim$loss, claim$version, claim$table %||% ""
      )
    },
    stored = function(claim) {
      stored <- stored_release(x, claim$cost)
      if (is.null(stored)) {
        return(NULL)
      }
      warn_of_other_table(state$id, claim$cost$charge, claim)
      c(stored, list(reused = claim$cost$charge))
    },
    receipt = function(claim) receipt_parts(x, claim),
    charge = function(claim) {
      # Budget that is allocated to a session has no release, so it has no claim.
      is_release <- !is.null(claim$reuse)
      tryCatch(if (is_release) claim_charge(x, claim) else charge_ledger(x, claim),
        dp_error_budget = function(error) NULL
      )
    },
    run = function(charged, act) claimed_release(x, charged, act),
    keep = function(claim, charged, value, parts, shown) {
      noted_origin(state$id, charged$seq, claim)
      kept_release(x, charged, value, parts, shown)
    },
    spent = function() state_of(x)$spent,
    remaining = function() state_of(x)$left,
    records = function() as.data.frame(core_ledger_history(ledger_handle(x)))
  )
}
# nolint end

# Records a charge, and tells the witness: list(head, seq, time).
charge_ledger <- function(ledger, claim) {
  charged <- core_ledger_charge(
    ledger_handle(ledger), claim$plan, claim$loss, claim$version, this_user(), this_package(),
    claim$promise %||% "", claim$what %||% "", claim$table %||% ""
  )
  tell_witness(ledger, charged$head)
  charged
}

# The requested version, or the newest.
known_version <- function(version, ledger, call) {
  known <- state_of(ledger)$versions
  if (is.null(version)) {
    return(known[[length(known)]])
  }
  if (!version %in% known) {
    stop_with_hint("ledger", paste0("`version` ", name_public(version), " is not in this ledger."),
      paste0(
        "The curator adds it with `dp_new_version(ledger, ", name_public(version),
        "). The budget stays the same."
      ), call
    )
  }
  version
}

show_budget <- function(loss) format(new_loss(names(loss)[[1]], loss[[1]], loss[[2]]))

#' @rdname dp_ledger
#' @export
format.dp_ledger <- function(x, ...) {
  if (core_is_null(x$handle)) {
    return(c("Ledger that was saved and loaded", paste0("  ", reopening(x))))
  }
  state <- state_of(x)
  # The ledger can be a stranger's.
  printable(c(
    paste0("Ledger of \"", state$dataset, "\", protects ", protected_in_words(state)),
    paste0("  total    ", show_budget(state$total)),
    paste0("  spent    ", show_budget(state$spent)),
    paste0("  left     ", show_budget(state$left)),
    paste0("  version  ", state$versions[[length(state$versions)]]),
    if (nzchar(state$promise)) paste0("  promise  ", state$promise),
    paste0("  records  ", state$records, if (state$is_signed) {
      ", signed"
    } else if (state$has_key) {
      ", with a key"
    }),
    paste0("  ", format(describe_place(x$where)[[1]], width = 9), describe_place(x$where)[[2]]),
    if (is_to_read(x)) "  opened with the public key, for reading only",
    if (!is.null(state$moved_to)) paste0("  moved to ", state$moved_to, ": open it there")
  ))
}

protected_in_words <- function(state) {
  unit <- unit_of_ledger(state)
  paste0(unit_words(unit), if (!inherits(unit, "dp_unit")) " (relation not declared)")
}

#' @rdname dp_ledger
#' @export
print.dp_ledger <- function(x, ...) {
  cat(format(x), sep = "\n")
  invisible(x)
}

#' Move budget between ledgers, or raise a total
#'
#' `dp_allocate()` moves budget from a ledger to a new ledger for the same data and unit, which may
#' spend `loss`. Use it for a colleague, a chapter or an app. The loss is charged at once.
#' `dp_take_back()` ends that ledger and returns its unspent budget. `dp_raise()` raises the total
#' of a ledger. Only the curator can, because it needs the key.
#'
#' @param x,ledger ([dp_ledger()]) Ledger whose budget moves. For sessions see [dp_session()].
#' @param loss ([dp_loss]) Budget of the new ledger. For `dp_raise()`, the new total, at least the
#'   old one. Public.
#' @param where (`character(1)`, [dp_postgres()]) Location of the new ledger.
#' @param key ([dp_key()]) Key of the new ledger. The default is the key that opened `x`.
#' @param child ([dp_ledger()]) Ledger from `dp_allocate()`.
#' @param ... Not used.
#' @returns `dp_allocate()` returns a [dp_ledger()]. The others return `ledger`, invisibly.
#' @section Privacy: The parent was charged for all that an allocated ledger can release. The
#'   allocated ledger records the returned budget as spent first, so the two never spend it twice. A
#'   crash between the two records costs budget. Give `dp_take_back()` the ledger itself. A copy of
#'   it does not have the charges that followed, and would return them.
#'
#'   A larger total is a weaker promise to the people in the data. Its record holds the curator's
#'   signature of the ledger, the new total and the previous record. Every reader of the ledger
#'   checks the signature.
#' @section Errors: Raises `dp_error_budget` if `loss` exceeds the remaining budget, or has a
#'   different privacy measure. Raises `dp_error_ledger` if `child` was not allocated from `ledger`,
#'   or was taken back. `dp_raise()` also raises it for a lower total, and for a ledger without a
#'   key.
#' @examples
#' folder <- tempfile()
#' dir.create(folder)
#' ledger <- dp_ledger_create(file.path(folder, "survey.ledger"), "survey", dp_unit(changes = 1),
#'   dp_epsilon(1), version = "2026-03"
#' )
#' chapter <- dp_allocate(ledger, dp_epsilon(0.5), file.path(folder, "chapter.ledger"))
#' dp_remaining(ledger)
#' dp_take_back(ledger, chapter)
#' dp_remaining(ledger)
#' @name dp_allocate
NULL

#' @rdname dp_allocate
#' @export
dp_allocate.dp_ledger <- function(x, loss, where, key = x$key, ...) { # nolint: object_name_linter.
  check_names(...)
  check_takes_charges(x, environment())
  where <- check_place(where)
  check_class(key, "dp_key", null = TRUE)
  check_measure(loss, x, environment())
  made <- core_ledger_allocate(
    ledger_handle(x), ledger_store(where), amount_of(loss), loss$delta, this_package(),
    key_fields(key)
  )
  tell_witness(x, dp_ledger_head(x))
  child <- new_ledger(made, where, key)
  write_public_key(child)
  child
}

#' @rdname dp_allocate
#' @export
dp_take_back <- function(ledger, child, ...) {
  check_names(...)
  check_takes_charges(check_class(ledger, "dp_ledger"), environment())
  check_takes_charges(check_class(child, "dp_ledger"), environment())
  taken <- core_ledger_take_back(ledger_handle(ledger), ledger_handle(child))
  tell_witness(ledger, taken$head)
  invisible(ledger)
}

#' @rdname dp_allocate
#' @export
dp_raise <- function(ledger, loss, ...) {
  check_names(...)
  check_takes_charges(check_class(ledger, "dp_ledger"), environment())
  check_measure(loss, ledger, environment())
  sign <- function(text) signature_by(ledger$key, text)
  raised <- core_ledger_raise(ledger_handle(ledger), amount_of(loss), loss$delta, sign)
  tell_witness(ledger, raised$head)
  invisible(ledger)
}

check_measure <- function(loss, ledger, call) {
  check_class(loss, "dp_loss", call = call)
  measure <- names(state_of(ledger)$total)[[1]]
  if (measure_name(loss) != measure) {
    stop_dp("this ledger counts in {measure}, not in {measure_name(loss)}.", "budget", call = call)
  }
}

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
