#' Keep a ledger for years
#'
#' `dp_ledger_move()` moves a ledger to another place, such as from a folder into a database. It
#' closes the ledger in its old place, and copies all records and stored releases. Receipts and
#' heads stay valid. The old place opens for reading, and refuses to be charged.
#'
#' `dp_ledger_restore()` opens a backup after the ledger was lost. The backup lacks what was charged
#' after it was made, so you say what that was: `lost` is charged at once. If nobody knows, nothing
#' may be left: give `lost` what [dp_remaining()] returns, as in the example.
#'
#' @param ledger ([dp_ledger()]) The ledger to move.
#' @param to (`character(1)`, [dp_postgres()]) The new place, which must not hold a ledger.
#' @param where (`character(1)`, [dp_postgres()]) Where the backup is.
#' @param lost ([dp_loss]) What was charged after the backup was made, or an upper bound. Public.
#' @param head (`character(1)`) The last head that was seen of the lost ledger, or `NULL`. Later,
#'   `dp_ledger(where, head = head)` accepts it. Public.
#' @param key ([dp_key()]) The key of the ledger, `NULL` if it has none.
#' @param witness (`function(head)`, `character(1)`) As [dp_ledger()] takes it. `head` is by default
#'   what the file holds.
#' @param ... Nothing: an argument with another name raises an error.
#' @returns A [dp_ledger()] in the new place, or of the backup.
#' @section Move a ledger: First end all processes that release on the ledger. A release that was
#'   paid, and could not be stored before the ledger closed, costs again. If the move itself is
#'   interrupted, call `dp_ledger_move()` again with the same `to`: it completes the copy. It never
#'   makes a second copy in another place, since two copies could both spend the budget.
#' @section Make backups: Copy the folder, or dump the two tables of the database. A copy may be
#'   made at any time. Do not release on a copy: both would spend the same budget. The records
#'   cannot show that they are an older copy. A *witness* can: with
#'   `dp_ledger(where, witness = "survey.head")` each charge writes the new head to that file before
#'   noise is drawn, and opening the ledger checks it. Keep the file on another disk than the
#'   ledger. A backup is then refused until `dp_ledger_restore()` has recorded what was lost.
#' @section Lose a key: Nobody can open the ledger any more, so nothing can be charged to it. Its
#'   receipts stay valid. Keep a copy of the key in a safe place.
#' @section A person withdraws: Leave the person's rows out of the next version of the data
#'   ([dp_new_version()]). Releases that were published before stay as they are, stored ones
#'   included: their noise hides whether the person was there, and deleting them would not take back
#'   what others have read. The budget that they spent stays spent.
#' @section Errors: `dp_error_ledger` if `to` holds a ledger, if `ledger` was moved to another
#'   place, and if the backup holds the record of `head`, so that nothing is lost;
#'   `dp_error_budget` if `lost` is more than is left, or counts in another currency;
#'   `dp_error_storage` if a disk or database refuses.
#' @seealso [dp_ledger()], [dp_postgres()]
#' @examples
#' folder <- tempfile()
#' dir.create(folder)
#' ledger <- dp_ledger_create(file.path(folder, "survey.ledger"), "survey", dp_unit(changes = 1),
#'   dp_epsilon(1), version = "2026-03"
#' )
#' ledger <- dp_ledger_move(ledger, file.path(folder, "moved.ledger"))
#' ledger
#'
#' # A backup, of which nobody knows what was charged since
#' backup <- dp_ledger(file.path(folder, "moved.ledger"))
#' dp_ledger_restore(backup$where, lost = dp_epsilon(dp_remaining(backup)[["epsilon"]]))
#' @export
dp_ledger_move <- function(ledger, to, ...) {
  check_names(...)
  check_class(ledger, "dp_ledger")
  to <- check_place(to)
  moved <- new_ledger(moved_handle(ledger, to), to, ledger$key)
  moved["witness"] <- list(ledger$witness)
  copy_kept(ledger, to)
  tell_witness(moved, dp_ledger_head(moved))
  moved
}

#' @rdname dp_ledger_move
#' @export
dp_ledger_restore <- function(where, lost, head = NULL, key = NULL, witness = NULL, ...) {
  check_names(...)
  where <- check_place(where)
  check_string(head, null = TRUE)
  check_class(key, "dp_key", null = TRUE)
  witness <- new_witness(witness)
  handle <- core_ledger_open(ledger_store(where), parts_of_key(key), NULL)
  ledger <- new_ledger(handle, where, key, witness$tell)
  check_class(lost, "dp_loss")
  check_currency(lost, ledger, environment())
  restored <- core_ledger_restore(handle, head %||% witness$head, amount_of(lost), lost$delta)
  witness$forget()
  tell_witness(ledger, restored$head)
  ledger
}

# A call after an interrupted one finds the copy, perhaps without its stored releases.
moved_handle <- function(ledger, to) {
  name <- paste(describe_place(to), collapse = " ")
  if (identical(state_of(ledger)$moved_to, name)) {
    head <- dp_ledger_head(ledger)
    there <- or_else(
      core_ledger_open(ledger_store(to), parts_of_key(ledger$key), head), function(error) NULL
    )
    if (!is.null(there)) {
      return(there)
    }
  }
  core_ledger_move(ledger_handle(ledger), ledger_store(to), name)
}

# What is stored beside the records.
copy_kept <- function(ledger, to) {
  names <- c(core_ledger_releases(ledger_handle(ledger))$file, "key.pub")
  kept <- kept_bytes(ledger$where, names)
  for (i in which(lengths(kept) > 0)) keep_text(to, names[[i]], rawToChar(kept[[i]]))
}
