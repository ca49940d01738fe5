# Opens ledgers.

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
