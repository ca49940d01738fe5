# The witness keeps the head of a ledger elsewhere: a user function, or a file. A copy of the ledger
# that is older than the witness's head is found when it is opened.

# list(tell, head, forget). `tell` is a function that is called with each new head, or a list of two
# for a file: `seen()` gives the last head in it, `keep(head)` replaces it. `head` is the head that
# the file had first. `witness` is a function, a path, or NULL.
new_witness <- function(witness, call = rlang::caller_env()) {
  if (!is.character(witness)) {
    check_function(witness, null = TRUE, call = call)
    return(list(tell = witness, head = NULL, forget = function() NULL))
  }
  check_string(witness, call = call)
  path <- full_path(witness)
  list(
    tell = list(seen = function() kept_head(path), keep = function(head) keep_head(path, head)),
    head = kept_head(path, call), forget = function() unlink(path)
  )
}

kept_head <- function(path, call = NULL) {
  if (!file.exists(path)) {
    return(NULL)
  }
  lines <- or_else(readLines(path, n = 2, warn = FALSE), function(error) character())
  if (length(lines) != 1 || !grepl("^[0-9]{1,16}:[0-9a-f]{64}$", lines, useBytes = TRUE)) {
    stop_argument("a file that a ledger's witness wrote, or a new one", "another file", "witness",
      call
    )
  }
  lines
}

# Another process may have charged since, and told its witness before this one.
keep_head <- function(path, head) {
  seen <- kept_head(path)
  number <- function(head) as.double(sub(":.*", "", head))
  if (is.null(seen) || number(seen) < number(head)) core_replace_file(path, paste0(head, "\n"))
}

# Sends the head of a changed ledger to its witness. If a file has a head that the ledger lacks,
# another copy of the ledger was charged, so there is no release.
tell_witness <- function(ledger, head) {
  if (is.null(ledger$witness)) {
    return(invisible(NULL))
  }
  witness <- revealed(ledger$witness, reopening(ledger))
  if (is.function(witness)) {
    return(or_else(witness(head), refuse_without_witness))
  }
  seen <- witness$seen()
  if (!is.null(seen) && !core_ledger_has(ledger_handle(ledger), seen)) {
    stop_dp(
      "the witness has seen a record that this ledger lacks: another copy of it was charged.",
      "ledger",
      call = NULL
    )
  }
  witness$keep(head)
}

# Errors of the witness are public: it sees only heads.
refuse_without_witness <- function(error) {
  stop_with_hint("ledger",
    paste0(
      "The witness did not take the new head: ", conditionMessage(error),
      " The charge stays, and no noise is drawn under a head that has no witness."
    ),
    "Make the witness work, and release again.", NULL
  )
}
