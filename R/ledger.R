#' Keep a budget in a ledger
#'
#' A ledger is a folder that records every charge to the privacy budget of a dataset.
#' `dp_ledger_create()` makes one, once. `dp_ledger()` opens it in any later session or report, and
#' on every machine that shares the disk. [release()], [with_ledger()] and [charge()] record each
#' charge on stable storage before they read data and draw noise. So a crash, a second process or a
#' copy of the session cannot spend the same budget twice. Charges are never undone. [with_ledger()]
#' says what happens to a release whose process dies, and to a plan that several processes release
#' at the same time.
#'
#' Records are lines of text in `ledger.jsonl`. Each holds the SHA-256 of the one before, so every
#' change to a record is detected. If a record does not fit, all functions here raise an error that
#' names its line. The file cannot show that it is an older copy, such as a restored backup. The
#' *head*, the hash of the last record, can. Keep the result of `dp_ledger_head()` outside of the
#' folder, and give it to `dp_ledger()`, which refuses a ledger without that record. A `witness`
#' does so for every charge. [dp_ledger_move()] has more about moves, backups, lost keys and people
#' who withdraw.
#'
#' `dp_ledger_verify()` checks everything: records, sums, stored releases and the file `key.pub`. It
#' raises an error if anything is wrong, so that
#' `Rscript -e 'PSIlence::dp_ledger_verify("survey.ledger")'` fails. It also says if a version that
#' made a stored release has a known fault, see [dp_advisories()].
#'
#' `dp_new_version()` names another version of the data, such as the data of next month. The budget
#' stays the same: it belongs to the people, whatever version they are in. Rows do not say whose
#' they are. So a ledger whose unit is `dp_unit(rows = )` refuses a second version unless you
#' promise that a person has at most that many rows in all versions together. Promise it with
#' `ever = TRUE`, or when you create the ledger, with `dp_unit(rows = 1, ever = TRUE)`. The ledger
#' records the promise.
#'
#' @param where (`character(1)`, [dp_postgres()]) Path of the folder. It is created if it is
#'   missing. Its parent must exist. Local disks and NFS work. Windows shares, FUSE and 9P raise an
#'   error, because their locks do not separate writers of several machines. `dp_ledger_verify()`
#'   also takes a `dp_ledger`.
#' @param dataset (`character(1)`) Name of the people in the data, of at most 200 bytes. Public. Two
#'   ledgers for the same people do not know each other: their losses add up.
#' @param unit ([dp_unit()]) Unit that the budget protects: `dp_unit(changes = 1)` for statistics,
#'   `dp_unit(rows = 1)` or `dp_unit(id = patient)` for queries. Releases that protect a different
#'   unit raise an error before they are charged. Public.
#' @param loss ([dp_loss]) Total budget of all releases. Public.
#' @param version (`character(1)`) The curator's name of the version of the data, of at most 200
#'   bytes. Public.
#' @param ... Nothing: an argument with another name raises an error.
#' @param key ([dp_key()]) The curator's key, or `NULL`. It signs records and receipts. A ledger
#'   that was created with a key opens only with it. Without the key, an attacker cannot write or
#'   change a record and pass the checks.
#' @param pubkey (`raw(32)`, `character(1)`) The public half of the key, which you may give to
#'   everyone: 32 bytes, 64 hexadecimal digits, or a file `key.pub`. The ledger then opens for
#'   reading only, see below. Do not take it from the ledger's own folder: a person who can replace
#'   the ledger can replace that file.
#' @param head (`character(1)`) A head that the ledger must hold, or `NULL`.
#' @param witness (`function(head)`, `character(1)`) Keeps the head elsewhere. A function is called
#'   with the new head after each charge, before any noise is drawn. If it fails there is no
#'   release, and the charge stays. A string is the path of a file, which the ledger writes heads
#'   to. If the file exists, the ledger must hold the head in it. Keep the file on a different disk.
#' @param ever (`logical(1)`) Whether you promise that the unit's number of rows per person holds in
#'   all versions together. Only for ledgers of `dp_unit(rows = )`. Public.
#' @param ledger,x (`dp_ledger`) Ledger to check, change or print.
#' @param ... Not used.
#' @returns `dp_ledger_create()` and `dp_ledger()` return a `dp_ledger`. `dp_ledger_head()` returns
#'   `character(1)`, the number of the last record and its hash. `dp_ledger_verify()` returns a data
#'   frame of checks with the columns `check`, `result` and `detail`. A result is `"passed"` or
#'   `"not checked"`. Only known faults give `"failed"`. `dp_new_version()` returns `ledger`,
#'   invisibly.
#' @section Read a ledger with the public key: Each record of a ledger with a key is signed with it,
#'   by Ed25519. With `dp_ledger(where, pubkey = )`, a data protection officer reads the ledger
#'   without the key, a lock, or the right to write. [dp_history()], [dp_spent()],
#'   [dp_remaining()], `dp_ledger_head()`, `dp_ledger_verify()`, `print()` and `plot()` work, and
#'   [verify_release()] takes the ledger. Everything that charges or writes raises an error.
#'
#'   A changed, forged, moved or missing record is detected, except at the end: a ledger that ends
#'   too early has valid signatures. A head that you kept shows that, and so does a receipt of a
#'   later release. A person who has the key can sign a different ledger from its first record on.
#'   Only an earlier head or receipt shows that. Opening checks the newest signature, which vouches
#'   for the hashes of all records before it. `dp_ledger_verify()` checks each.
#'
#'   Ledgers that an older version created with a key have no signatures. Only the key opens them.
#' @section Privacy: All releases on a ledger together lose at most its total, even if you choose
#'   each loss after you saw earlier releases (`src/core/ledger/total.h` names the theorems). Sums
#'   are exact decimals. The total is the decimal that you wrote: 0.3 is three tenths. A charge is
#'   the exact value of the privacy map. The double 0.1 is a little more than a tenth, so ten
#'   charges of it do not fit into 1. [dp_remaining()] shows how much still fits.
#' @section Errors: `dp_error_ledger` if a ledger is damaged, is an older copy, was moved, exists
#'   already, is missing, or was locked by others for 30 seconds without a new record.
#'   `dp_error_budget` if a release costs more than the remaining budget. `dp_error_storage` if the
#'   disk fails. `dp_error_stale_object` for a `dp_ledger` that was saved and loaded: open it again.
#'   Before any of these nothing was released.
#' @examples
#' where <- file.path(tempfile(), "survey.ledger")
#' dir.create(dirname(where))
#' ledger <- dp_ledger_create(where, "survey", dp_unit(changes = 1), dp_epsilon(1),
#'   version = "2026-03"
#' )
#' age <- dpMean(
#'   mechanism = "mechanismLaplace", varType = "numeric", variable = "age", n = 10000,
#'   rng = c(18, 93), epsilon = 0.25
#' )
#' with_ledger(ledger, age$release(PUMS5extract10000))
#' dp_remaining(ledger)
#' head <- dp_ledger_head(ledger)
#' ledger <- dp_ledger(where, head = head)
#' dp_ledger_verify(where)
#' @order 1
#' @name dp_ledger
NULL

#' @rdname dp_ledger
#' @export
dp_ledger_create <- function(where, dataset, unit, loss, version, key = NULL, ...) {
  check_names(..., hints = c(budget = budget_hint, epsilon = budget_hint))
  where <- check_place(where)
  terms <- list(
    dataset = check_name_of(dataset), unit = unit_fields(check_unit_of_ledger(unit)),
    version = check_name_of(version), package = this_package(),
    promise = promise_of_versions(unit, unit$ever)
  )
  check_class(loss, "dp_loss")
  check_class(key, "dp_key", null = TRUE)
  measure <- measure_of_loss(loss)
  handle <- core_ledger_create(
    ledger_store(where), terms, measure, amount_of(loss), loss$delta, key_fields(key)
  )
  ledger <- new_ledger(handle, where, key)
  write_public_key(ledger)
  rlang::inform(
    paste0("Ledgers of the same people add up: keep one for \"", dataset, "\"."),
    class = "dp_message"
  )
  ledger
}

#' @rdname dp_ledger
#' @export
dp_ledger <- function(where, head = NULL, key = NULL, witness = NULL, pubkey = NULL, ...) {
  check_names(...)
  call <- environment()
  if (!is.null(pubkey)) {
    for (name in names(Filter(Negate(is.null), list(key = key, witness = witness)))) {
      stop_argument("left out with `pubkey`, which only reads", "given", name, call)
    }
    return(ledger_to_read(where, head, pubkey, call))
  }
  open_ledger(where, head, key, witness, call)
}

this_package <- function() paste("PSIlence", getNamespaceVersion("PSIlence"))

state_of <- function(ledger) core_ledger_state(ledger_handle(ledger))

#' @rdname dp_ledger
#' @export
dp_ledger_head <- function(ledger, ...) {
  check_names(...)
  state_of(check_class(ledger, "dp_ledger"))$head
}

#' @rdname dp_ledger
#' @export
dp_new_version <- function(ledger, version, ever = FALSE, ...) {
  check_names(...)
  check_takes_charges(check_class(ledger, "dp_ledger"), environment())
  check_flag(ever)
  promise <- promise_of_versions(unit_of_ledger(state_of(ledger)), ever)
  added <- core_ledger_add_version(ledger_handle(ledger), check_name_of(version), promise)
  tell_witness(ledger, added$head)
  invisible(ledger)
}

# Opens ledgers ------------------------------------------------------------------------------------

open_ledger <- function(where, head, key, witness, call) {
  where <- check_place(where, call)
  check_string(head, null = TRUE, arg = "head", call = call)
  check_class(key, "dp_key", null = TRUE, arg = "key", call = call)
  given <- witness
  witness <- new_witness(given, call)
  heads <- unique(c(head, witness$head))
  for (seen in if (is.null(heads)) list(NULL) else heads) {
    handle <- core_ledger_open(ledger_store(where), key_fields(key), seen)
  }
  ledger <- new_ledger(handle, where, key, witness$tell)
  if (is.character(given)) tell_witness(ledger, dp_ledger_head(ledger))
  ledger
}

# Opens with the public half of the key.
ledger_to_read <- function(where, head, pubkey, call) {
  where <- check_place(where, call)
  check_string(head, null = TRUE, arg = "head", call = call)
  pubkey <- public_key(pubkey, NULL, call)
  handle <- core_ledger_open(ledger_to_read_from(where), public_key_fields(pubkey), head)
  new_ledger(handle, where, NULL, pubkey = pubkey)
}

# Runs before any charge. The core rejects every record of a ledger that only reads.
check_takes_charges <- function(ledger, call) {
  if (is_to_read(ledger)) {
    stop_with_hint("ledger", "This ledger was opened with its public key, so it can only be read.",
      "Open it with the key: `dp_ledger(where, key = dp_key(path))`.", call
    )
  }
  ledger
}

is_to_read <- function(ledger) !is.null(ledger$pubkey)

check_unit_of_ledger <- function(unit, call = rlang::caller_env()) {
  if (!inherits(unit, "dp_unit")) {
    stop_argument(
      paste(
        "a unit, `dp_unit(changes = 1)` for statistics, `dp_unit(rows = 1)` or `dp_unit(id = )`",
        "for queries"
      ), describe(unit), "unit", call
    )
  }
  unit
}

# Describes the promise `ever` for the record.
promise_of_versions <- function(unit, ever) {
  if (!ever || !inherits(unit, "dp_unit") || unit$kind != "rows") {
    return("")
  }
  paste("a person has at most", format(unit), "in all versions together")
}

# Returns a `dp_unit`, or the words of a ledger that an older version made.
unit_of_ledger <- function(state) {
  if (is.list(state$unit)) unit_of_parts(state$unit) else state$unit
}

# The witness is a user function, which may see anything.
new_ledger <- function(handle, where, key, witness = NULL, pubkey = NULL) {
  if (!is.null(witness)) witness <- core_hide(witness)
  structure(
    list(handle = handle, where = where, key = key, witness = witness, pubkey = pubkey),
    class = "dp_ledger"
  )
}

# Accesses the core's ledger. Nothing else does.
ledger_handle <- function(ledger) {
  if (core_is_null(ledger$handle)) stop_stale(reopening(ledger))
  ledger$handle
}

# Tells how to open a ledger again after it was saved and loaded.
reopening <- function(ledger) {
  key <- if (!is.null(ledger$key)) ", key = dp_key(path)"
  if (is_to_read(ledger)) key <- ", pubkey = pubkey"
  paste0("Open the ledger again: `dp_ledger(", name_of_place(ledger$where), key, ")`.")
}

check_name_of <- function(x, arg = rlang::caller_arg(x), call = rlang::caller_env()) {
  check_string(x, arg = arg, call = call)
  check_name_of_table(x, arg, call)
}

# Checks of a whole ledger -------------------------------------------------------------------------

#' @rdname dp_ledger
#' @export
dp_ledger_verify <- function(where, head = NULL, key = NULL, pubkey = NULL, ...) {
  check_names(...)
  call <- environment()
  if (inherits(where, "dp_ledger")) {
    if (is.null(pubkey)) key <- key %||% where$key
    if (is.null(key)) pubkey <- pubkey %||% where$pubkey
    where <- where$where
  }
  if (!is.null(key) && !is.null(pubkey)) {
    stop_argument("left out with `key`", "given", "pubkey", call)
  }
  ledger <- if (is.null(pubkey)) {
    open_ledger(where, head, key, NULL, call)
  } else {
    ledger_to_read(where, head, pubkey, call)
  }
  state <- state_of(ledger)
  if (state$is_signed) core_ledger_check_signatures(ledger_handle(ledger))
  check_key_file(ledger)
  receipts <- check_stored(ledger)
  faults <- ledger_advisories(ledger, receipts)
  checks <- data.frame(
    check = c("records", "sums", "key", "head", "stored releases", "advisories"),
    result = c(
      "passed", "passed", if (state$has_key) "passed" else "not checked",
      if (is.null(head)) "not checked" else "passed", "passed", faults[[1]]
    ),
    detail = c(
      paste(state$records, "records, the last is", state$head),
      paste0("spent ", show_budget(state$spent), " of ", show_budget(state$total), of_lost(state)),
      if (state$is_signed) {
        "each record was signed with the key"
      } else if (state$has_key) {
        "each record was written with the key"
      } else {
        "the ledger has no key"
      },
      head_in_words(ledger, head),
      paste(length(receipts), "of them match their records"), faults[[2]]
    )
  )
  checks
}

# The curator declared this sum. No record shows it.
of_lost <- function(state) {
  if (any(state$lost > 0)) {
    paste0("; ", show_budget(state$lost), " of it was declared for lost records")
  }
}

head_in_words <- function(ledger, head) {
  if (is.null(head)) {
    "without a head, an older copy is not detected"
  } else if (core_ledger_has(ledger_handle(ledger), head)) {
    "the ledger holds it"
  } else {
    "its records are lost, and the ledger was restored without them"
  }
}

# Readers may take the public key from the ledger. A ledger without this file is valid.
check_key_file <- function(ledger) {
  public <- ledger$key$public %||% ledger$pubkey
  stored <- kept_bytes(ledger$where, "key.pub")[[1]]
  if (is.null(public) || is.null(stored)) {
    return(invisible())
  }
  digits <- stored[!stored %in% charToRaw("\r\n")]
  if (!identical(digits, charToRaw(paste(public, collapse = "")))) {
    stop_with_hint("ledger", "`key.pub` of this ledger is not the public half of its key.",
      "Replace its content by the public key, and tell those who read it.", NULL
    )
  }
}

# Checks the receipts of the stored releases. Each release must have the recorded hash.
check_stored <- function(ledger) {
  records <- core_ledger_releases(ledger_handle(ledger))
  kept <- kept_bytes(ledger$where, records$file)
  is_there <- !vapply(kept, is.null, NA)
  lapply(which(is_there), function(i) {
    text <- check_stored_text(kept[[i]], records$file[[i]], records$hash[[i]])
    core_parse_canonical_json(text)$receipt
  })
}
