#' Keep a ledger for years
#'
#' `dp_ledger_move()` moves a ledger to another place, such as from a folder into a database. It
#' closes the ledger in its old place, and copies all records and stored releases. Receipts and
#' heads stay valid. The old place opens only for reading, and cannot be charged.
#'
#' `dp_ledger_restore()` opens a backup if you lost the ledger. The backup lacks the charges that
#' followed it. You give their sum as `lost`, and the function charges it at once. If you do not
#' know the sum, give everything that [dp_remaining()] returns, as in the example.
#'
#' @param ledger ([dp_ledger()]) The ledger to move.
#' @param to (`character(1)`, [dp_postgres()]) The new place, which must not hold a ledger.
#' @param where (`character(1)`, [dp_postgres()]) Where the backup is.
#' @param lost ([dp_loss]) Sum of the charges that the backup lacks, or an upper bound. Public.
#' @param head (`character(1)`) The last known head of the lost ledger, or `NULL`. Later,
#'   `dp_ledger(where, head = head)` accepts it. Public.
#' @param key ([dp_key()]) The key of the ledger, `NULL` if it has none.
#' @param witness (`function(head)`, `character(1)`) See [dp_ledger()]. If it is a file, `head` is
#'   by default the head in it.
#' @param ... Nothing: an argument with another name raises an error.
#' @returns A [dp_ledger()] in the new place, or of the backup.
#' @section Move a ledger: First end all processes that release on the ledger. A release that was
#'   charged, but not stored before the ledger closed, costs again. If the move is
#'   interrupted, call `dp_ledger_move()` again with the same `to`, and it completes the copy. A
#'   ledger whose move was completed is never copied again, because two copies could both spend the
#'   budget. If you lose the new place, restore a backup of it.
#' @section Make backups: Copy the folder, or dump the two tables of the database. You can do so at
#'   any time. Do not release on a copy: the ledger and its copy would both spend the budget. The
#'   records do not show that they are an older copy, but a *witness* does. After `dp_ledger(where,
#'   witness = "survey.head")`, each charge writes the new head to that file before the release
#'   draws noise. `dp_ledger()` compares the ledger with the head in the file. Keep the file on a
#'   different disk. `dp_ledger()` then refuses a backup until `dp_ledger_restore()` has charged the
#'   losses that it lacks.
#' @section Replace a key: Allocate the rest of the budget to a new ledger with the new key:
#'   `dp_allocate(ledger, dp_epsilon(dp_remaining(ledger)[["epsilon"]]), where, key = new)`. The old
#'   ledger is then spent, and its receipts keep the old key. Its stored releases stay there.
#' @section Lose a key: Without its key you cannot charge the ledger. You can read it with the
#'   public key, if its records are signed, and its receipts stay valid. Create a new ledger with at
#'   most the budget that [dp_remaining()] shows. Keep a copy of the key in a safe place.
#' @section A person withdraws: Leave the person's rows out of the next version of the data
#'   ([dp_new_version()]). Published and stored releases stay: their noise hides whether the person
#'   was there, and you cannot take back numbers that others have read. The budget stays spent.
#' @section Privacy: Both read no data. A move charges nothing. After a restore, the ledger has
#'   spent the sum in the backup plus `lost`. All releases together lose at most the total if
#'   `lost` is at least the sum of the lost charges. You promise that: no record shows it, and
#'   [dp_ledger_verify()] says so.
#' @section Errors: `dp_error_ledger` if `to` holds a ledger, if `ledger` was moved to another
#'   place, and if the backup already holds the record of `head`, so that no charge is lost.
#'   `dp_error_budget` if `lost` exceeds the remaining budget, or has a different privacy measure.
#'   `dp_error_storage` if a disk or database fails.
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
#' # Restore a backup if you do not know which charges it lacks
#' backup <- dp_ledger(file.path(folder, "moved.ledger"))
#' dp_ledger_restore(backup$where, lost = dp_epsilon(dp_remaining(backup)[["epsilon"]]))
#' @export
dp_ledger_move <- function(ledger, to, ...) {
  check_names(...)
  check_takes_charges(check_class(ledger, "dp_ledger"), environment())
  to <- check_place(to)
  moved <- new_ledger(moved_handle(ledger, to), to, ledger$key)
  moved["witness"] <- list(ledger$witness)
  copy_kept(ledger, to)
  core_ledger_leave(ledger_handle(ledger))
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
  handle <- core_ledger_open(ledger_store(where), key_fields(key), NULL)
  ledger <- new_ledger(handle, where, key, witness$tell)
  check_class(lost, "dp_loss")
  check_measure(lost, ledger, environment())
  restored <- core_ledger_restore(handle, head %||% witness$head, amount_of(lost), lost$delta)
  witness$forget()
  tell_witness(ledger, restored$head)
  ledger
}

# After an interruption, the second call finds the copy, perhaps without its stored releases.
moved_handle <- function(ledger, to) {
  name <- record_of_place(to)
  state <- state_of(ledger)
  if (identical(state$moved_to, name) && !state$has_left) {
    head <- dp_ledger_head(ledger)
    there <- or_else(
      core_ledger_open(ledger_store(to), key_fields(ledger$key), head), function(error) NULL
    )
    if (!is.null(there)) {
      return(there)
    }
  }
  core_ledger_move(ledger_handle(ledger), ledger_store(to), name)
}

# Copies the stored releases and the public key.
copy_kept <- function(ledger, to) {
  names <- c(core_ledger_releases(ledger_handle(ledger))$file, "key.pub")
  kept <- kept_bytes(ledger$where, names)
  for (i in which(!vapply(kept, is.null, NA))) keep_text(to, names[[i]], rawToChar(kept[[i]]))
}

# Where a ledger is --------------------------------------------------------------------------------

# A folder (a string), or tables of a database (dp_postgres()). Both hold records, which the core
# checks and writes, and named texts beside them.

check_place <- function(where, call = rlang::caller_env()) {
  if (inherits(where, "dp_postgres")) {
    return(where)
  }
  check_string(where, arg = "where", call = call)
  full_path(where)
}

# Identifies a folder, even if it does not exist yet.
full_path <- function(where) {
  file.path(normalizePath(dirname(where), winslash = "/", mustWork = FALSE), basename(where))
}

# The functions that the core reads and writes records with, see src/r_ledger_store.h.
ledger_store <- function(where) UseMethod("ledger_store")

# Reads records, without a lock or the right to write.
ledger_to_read_from <- function(where) UseMethod("ledger_to_read_from")

# Kind and address of the place, such as c("folder", its path).
describe_place <- function(where) UseMethod("describe_place")

# Identifies the place in the record of a move, for a place that may not exist yet.
record_of_place <- function(where) UseMethod("record_of_place")

# Writes the place as R code, without secrets.
name_of_place <- function(where) UseMethod("name_of_place")

# Reads named texts: a list of raw vectors, NULL for names without a text.
kept_bytes <- function(where, names) UseMethod("kept_bytes")

# Replaces the named text. The new text is on stable storage when this returns.
keep_text <- function(where, name, text) UseMethod("keep_text")

# nolint start: object_name_linter. Methods, of generics that the linter does not see.
#' @exportS3Method
ledger_store.character <- function(where) where

#' @exportS3Method
ledger_to_read_from.character <- function(where) where

#' @exportS3Method
describe_place.character <- function(where) c("folder", where)

#' @exportS3Method
record_of_place.character <- function(where) paste("folder", where)

#' @exportS3Method
name_of_place.character <- function(where) encodeString(where, quote = "\"")

#' @exportS3Method
kept_bytes.character <- function(where, names) {
  lapply(file.path(where, names), function(path) {
    if (file.exists(path)) readBin(path, "raw", file.size(path))
  })
}

#' @exportS3Method
keep_text.character <- function(where, name, text) core_replace_file(file.path(where, name), text)
# nolint end
