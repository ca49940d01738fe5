# Checks of a whole ledger.

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
