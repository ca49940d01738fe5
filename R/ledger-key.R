#' The curator's key
#'
#' An Ed25519 key, in a separate file. It signs the records of a ledger that is created with it, and
#' its receipts. Only processes that have the key can charge the ledger. Keep the file where others
#' cannot read it, and keep a copy elsewhere: without the key you can no longer charge the ledger.
#' Its public half is in the ledger's folder, as `key.pub`. Give it to everyone who checks receipts,
#' or reads the ledger with `dp_ledger(where, pubkey = )`.
#'
#' @param path (`character(1)`) Path of the key file, in PEM form.
#' @param create (`logical(1)`) Whether to make a new key. Existing files are never overwritten.
#' @param x (`dp_key`) Key to print or format.
#' @param ... Not used.
#' @returns An object of class `dp_key`. It prints its fingerprint, the SHA-256 of the public key.
#'   The secret half stays in this R process: `saveRDS()` and `dput()` write only the public half,
#'   even for objects that hold a key. Read a key from its file in each process.
#' @section Errors: `dp_error_missing_package` without package openssl. `dp_error_invalid_argument`
#'   if the file is missing or is not an Ed25519 key, or, with `create = TRUE`, exists.
#'   `dp_error_stale_object` for a key that was saved and loaded: read its file again.
#' @examples
#' if (requireNamespace("openssl", quietly = TRUE)) {
#'   dp_key(tempfile(fileext = ".pem"), create = TRUE)
#' }
#' @export
dp_key <- function(path, create = FALSE, ...) {
  check_names(...)
  check_string(path)
  check_flag(create)
  need_openssl(environment())
  if (create) create_key(path, environment())
  key <- or_else(openssl::read_key(path))
  if (!inherits(key, "ed25519")) {
    stop_argument("a file with an Ed25519 key", "a different file, or none", "path", environment())
  }
  new_key(key)
}

need_openssl <- function(call) {
  if (!requireNamespace("openssl", quietly = TRUE)) {
    stop_dp("package openssl is needed for keys and signatures.", "missing_package",
      package = "openssl", call = call
    )
  }
}

create_key <- function(path, call) {
  if (file.exists(path)) stop_argument("a new file", "one that exists", "path", call)
  former <- Sys.umask("077")
  on.exit(Sys.umask(former))
  openssl::write_pem(openssl::ed25519_keygen(), path)
}

# The secret of the chain follows from the key, and does not reveal it. Both are hidden, because
# ledgers, sessions, tables and queries hold the key, and users save all of these.
new_key <- function(key) {
  seed <- as.list(key)$data
  public <- as.list(key)$pubkey
  prefix <- charToRaw("psilence-ledger-chain-1\n")
  structure(
    list(
      public = as.list(public)$data, fingerprint = core_sha256(as.raw(as.list(public)$data)),
      secrets = core_hide(list(
        private = key, chain = hex_to_raw(core_sha256(c(prefix, as.raw(seed))))
      ))
    ),
    class = "dp_key"
  )
}

secrets_of <- function(key) revealed(key$secrets, "Read the key again: `dp_key(path)`.")

hex_to_raw <- function(text) {
  places <- seq(1, nchar(text), 2)
  as.raw(strtoi(substring(text, places, places + 1), 16L))
}

# The parts of the key that the core needs.
key_fields <- function(key) {
  if (!is.null(key)) {
    has_signed <- function(text, signature) is_signed(text, signature, key$public)
    sign <- function(text) signature_by(key, text)
    list(
      fingerprint = key$fingerprint, secret = secrets_of(key)$chain, has_signed = has_signed,
      sign = sign
    )
  }
}

public_key_fields <- function(public) {
  has_signed <- function(text, signature) is_signed(text, signature, public)
  list(fingerprint = core_sha256(public), has_signed = has_signed)
}

signature_by <- function(key, text) {
  need_openssl(NULL)
  paste(openssl::ed25519_sign(charToRaw(text), secrets_of(key)$private), collapse = "")
}

is_signed <- function(text, signature, public) {
  need_openssl(NULL)
  grepl("^[0-9a-f]{128}$", signature) && or_else(
    openssl::ed25519_verify(
      charToRaw(text), hex_to_raw(signature), openssl::read_ed25519_pubkey(public)
    ),
    function(error) FALSE
  )
}

write_public_key <- function(ledger) {
  if (is.null(ledger$key)) {
    return(invisible(NULL))
  }
  keep_text(ledger$where, "key.pub", paste0(paste(ledger$key$public, collapse = ""), "\n"))
  invisible(NULL)
}

#' @rdname dp_key
#' @export
format.dp_key <- function(x, ...) paste0("<dp_key> ", substr(x$fingerprint, 1, 16))

#' @rdname dp_key
#' @export
print.dp_key <- function(x, ...) {
  cat(format(x), "\n", sep = "")
  invisible(x)
}

# Keep str() and debuggers from showing the secret half.
#' @importFrom utils str
#' @export
str.dp_key <- function(object, ...) print(object)

# The witness keeps the head of a ledger elsewhere -------------------------------------------------

# A witness is a user function or a file. A copy of the ledger that is older than the witness's
# head is found when it is opened.

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
