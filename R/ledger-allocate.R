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
