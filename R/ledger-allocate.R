#' Move budget between ledgers, or raise a total
#'
#' `dp_allocate()` of a ledger makes another ledger, of the same data and unit, which may spend
#' `loss`: for a colleague, a chapter, an app. The loss is charged at once. `dp_take_back()` ends
#' that ledger, and gives back what it has not spent. `dp_raise()` raises the total of a ledger,
#' which only the curator can: it takes the key.
#'
#' @param x,ledger ([dp_ledger()]) Whose budget moves. For sessions see [dp_session()].
#' @param loss ([dp_loss]) What the new ledger may spend; the new total, at least the old one.
#'   Public.
#' @param where (`character(1)`, [dp_postgres()]) Of the new ledger.
#' @param key ([dp_key()]) Of the new ledger, by default the one that `x` was opened with.
#' @param child ([dp_ledger()]) What `dp_allocate()` made.
#' @param ... Not used.
#' @returns `dp_allocate()`: a [dp_ledger()]. Others: `ledger`, invisibly.
#' @section Privacy: What an allocated ledger releases is within what its parent was charged, and it
#'   gives back only what it records as spent first, so that neither spends it twice. A crash
#'   between the two records costs budget.
#'
#'   A larger total is a weaker promise to the people in the data. Its record holds the curator's
#'   signature of the new total, of the ledger and of the record before, which is checked each time
#'   the ledger is read.
#' @section Errors: `dp_error_budget` for more than is left, or another currency;
#'   `dp_error_ledger` for a ledger that was not allocated here, or has been taken back, and for a
#'   total that is lower, or of a ledger without a key.
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
  check_currency(loss, x, environment())
  made <- core_ledger_allocate(
    ledger_handle(x), ledger_store(where), amount_of(loss), loss$delta, this_package(),
    parts_of_key(key)
  )
  tell_witness(x, dp_ledger_head(x))
  child <- new_ledger(made, where, key)
  write_public_key(child)
  child
}

#' @rdname dp_allocate
#' @export
dp_take_back <- function(ledger, child) {
  check_takes_charges(check_class(ledger, "dp_ledger"), environment())
  check_takes_charges(check_class(child, "dp_ledger"), environment())
  taken <- core_ledger_take_back(ledger_handle(ledger), ledger_handle(child))
  tell_witness(ledger, taken$head)
  invisible(ledger)
}

#' @rdname dp_allocate
#' @export
dp_raise <- function(ledger, loss) {
  check_takes_charges(check_class(ledger, "dp_ledger"), environment())
  check_currency(loss, ledger, environment())
  sign <- function(text) signature_by(ledger$key, text)
  raised <- core_ledger_raise(ledger_handle(ledger), amount_of(loss), loss$delta, sign)
  tell_witness(ledger, raised$head)
  invisible(ledger)
}

check_currency <- function(loss, ledger, call) {
  check_class(loss, "dp_loss", call = call)
  currency <- names(state_of(ledger)$total)[[1]]
  if (currency_of(loss) != currency) {
    stop_dp("this ledger counts in {currency}, not in {currency_of(loss)}.", "budget", call = call)
  }
}
