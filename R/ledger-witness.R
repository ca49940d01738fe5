# Who keeps the head of a ledger elsewhere: a function of the caller, or a file. A copy of the
# ledger that is older than what the witness has seen is found when it is opened.

# list(tell, head, forget): `tell(head)` is called with each new head, `head` is the last one that
# the witness has seen, where it can say so. `witness` is a function, a path, or NULL.
new_witness <- function(witness, call = rlang::caller_env()) {
  if (!is.character(witness)) {
    check_function(witness, null = TRUE, call = call)
    return(list(tell = witness, head = NULL, forget = function() NULL))
  }
  check_string(witness, call = call)
  path <- full_path(witness)
  list(
    tell = function(head) keep_head(path, head), head = kept_head(path, call),
    forget = function() unlink(path)
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
