# Checks a receipt and a ledger, with only R and package openssl.
#
#   Rscript verify-receipt.R receipt.json key.pub [ledger.jsonl]
#
# `key.pub` holds the curator's public key, 64 hexadecimal digits. "none" for receipts and ledgers
# that are not signed. "none" instead of `receipt.json` checks only the ledger. The status is 1 if
# any check fails. The script names facts that it cannot check, and does not count them as passed.
# Anyone can write a receipt without a signature, so trust only the facts that the ledger confirms.
# `verify_release()` of package PSIlence also checks that loss, accuracy and events follow from the
# plan, and that a release is the one of the receipt.
#
# A receipt is one line. Its signature, by Ed25519, is of all bytes but the member `signature`. A
# record of a ledger is one line. Its hash is the SHA-256 of "psilence-ledger-1\n" and the line
# without the member `hash`. `prev` is the hash of the line before. In a ledger of the format
# "psilence-ledger-3" each record has a `signature`, of "psilence-record-1\n" and the line without
# the members `hash` and `signature`. `key` in the first record is the SHA-256 of the public key. In
# all of these, quotation marks within text have a backslash before them, so that the pattern of a
# member matches no text.
#
# A ledger that lacks its last records passes. The head of a receipt, or one that you kept, shows
# that: the ledger must have its record.

failures <- 0
report <- function(check, holds, detail = "") {
  outcome <- if (is.na(holds)) "not checked" else if (holds) "passed" else "FAILED"
  if (identical(holds, FALSE)) failures <<- failures + 1
  cat(check, ": ", outcome, if (nzchar(detail)) paste0(" (", detail, ")"), "\n", sep = "")
}

bytes_of <- function(hexadecimal) {
  places <- seq(1, nchar(hexadecimal), 2)
  as.raw(strtoi(substring(hexadecimal, places, places + 1), 16L))
}

# The value of a member that is text, and the line without the member.
take_member <- function(line, name) {
  pattern <- paste0("(,?)\"", name, "\":\"([^\"\\\\]*)\"(,?)")
  place <- regexec(pattern, line)
  found <- regmatches(line, place)[[1]]
  if (length(found) == 0) {
    return(list(value = NA_character_, rest = line))
  }
  both <- nzchar(found[[2]]) && nzchar(found[[4]])
  regmatches(line, regexpr(pattern, line)) <- if (both) "," else ""
  list(value = found[[3]], rest = line)
}

# Whether the bytes are one JSON object in printable ASCII, optionally with a line end.
is_object <- function(bytes) {
  ends <- length(bytes) > 0 && bytes[[length(bytes)]] == charToRaw("\n")
  bytes <- utils::head(bytes, length(bytes) - ends)
  if (length(bytes) == 0 || any(bytes < as.raw(0x20) | bytes > as.raw(0x7e))) {
    return(FALSE)
  }
  text <- rawToChar(bytes)
  if (!startsWith(text, "{\"accuracy\":[") || !endsWith(text, "}")) {
    return(FALSE)
  }
  # Text within quotation marks or inner brackets cannot end the object.
  rest <- gsub("\"(?:[^\"\\\\]++|\\\\.)*+\"", "0", text, perl = TRUE)
  before <- ""
  while (!identical(before, rest)) {
    before <- rest
    rest <- gsub("[{][^][{}]*[}]|[[][^][{}]*[]]", "0", rest, perl = TRUE)
  }
  identical(rest, "0")
}

public_key <- function(key) bytes_of(readLines(key, n = 1, warn = FALSE))

# Whether the hexadecimal signature is a signature of the text.
is_signed <- function(text, signature, public) {
  isTRUE(grepl("^[0-9a-f]{128}$", signature)) && tryCatch(
    openssl::ed25519_verify(
      charToRaw(text), bytes_of(signature), openssl::read_ed25519_pubkey(public)
    ),
    error = function(error) FALSE
  )
}

check_signature <- function(receipt, key) {
  parts <- take_member(receipt, "signature")
  if (identical(key, "none")) {
    report("signature", NA, "no key was given")
    return(report("contents", NA, "without it, release, accuracy, events, plan and map can be any"))
  }
  report("signature", is_signed(parts$rest, parts$value, public_key(key)))
}

check_chain <- function(lines) {
  prev <- strrep("0", 64)
  for (i in seq_along(lines)) {
    parts <- take_member(lines[[i]], "hash")
    hash <- as.character(openssl::sha256(paste0("psilence-ledger-1\n", parts$rest)))
    holds <- identical(hash, parts$value) &&
      identical(take_member(lines[[i]], "prev")$value, prev)
    if (!holds) {
      return(report("chain", FALSE, paste("line", i)))
    }
    prev <- hash
  }
  report("chain", length(lines) > 0, paste(length(lines), "records"))
}

# Checks each record of a signed ledger. Without a key, the writer vouches for the records.
check_records <- function(lines, key) {
  if (identical(key, "none")) {
    return(report("records", NA, "no key was given"))
  }
  public <- public_key(key)
  fingerprint <- paste(as.character(openssl::sha256(public)), collapse = "")
  if (!identical(take_member(lines[[1]], "key")$value, fingerprint)) {
    return(report("records", FALSE, "the ledger has another key"))
  }
  for (i in seq_along(lines)) {
    parts <- take_member(take_member(lines[[i]], "hash")$rest, "signature")
    if (!is_signed(paste0("psilence-record-1\n", parts$rest), parts$value, public)) {
      return(report("records", FALSE, paste("line", i)))
    }
  }
  report("records", TRUE, "each was signed with the key")
}

# A member that is text, or an object of texts, in its written form. Empty unless there is exactly
# one.
member <- function(line, name) {
  pattern <- paste0("\"", name, "\":(\"([^\"\\\\]|\\\\.)*\"|\\{[^{}]*\\})")
  found <- regmatches(line, gregexpr(pattern, line, perl = TRUE))[[1]]
  if (length(found) != 1) "" else sub("^\"[^\"]*\":", "", found)
}

# Whether these members of the receipt equal the record, which can have different names for them.
agree <- function(receipt, record, members, called = members) {
  found <- vapply(members, member, "", line = receipt)
  all(nzchar(found) & found == vapply(called, member, "", line = record))
}

# Without a promise, a record has no such member. A receipt has an empty one, or none in its first
# format.
promise <- function(line) setdiff(member(line, "promise"), c("", "\"\""))

# Whether the ledger has the charge of the receipt: the record of the head, with its content, in a
# ledger of the same terms.
check_charge <- function(receipt, lines) {
  head <- strsplit(take_member(receipt, "head")$value, ":", fixed = TRUE)[[1]]
  line <- lines[as.numeric(head[[1]]) + 1]
  holds <- length(head) == 2 && !is.na(line) &&
    identical(take_member(line, "hash")$value, head[[2]]) &&
    agree(receipt, line, "plan_hash", "plan") &&
    agree(receipt, line, c("loss", "version", "time")) &&
    identical(promise(receipt), promise(line)) &&
    identical(member(receipt, "table"), member(line, "table")) &&
    agree(receipt, lines[[1]], c("id", "dataset", "unit", "measure"))
  report("charge", holds)
}

check_ledger <- function(lines, key) {
  if (length(lines) == 0) {
    return(report("chain", FALSE, "no records"))
  }
  signs <- grepl("\"format\":\"psilence-ledger-3\"", lines[[1]], fixed = TRUE)
  if (signs || grepl("\"key\":\"\"", lines[[1]], fixed = TRUE)) {
    check_chain(lines)
  } else {
    report("chain", NA, "its hashes take the curator's key")
  }
  if (signs) check_records(lines, key)
}

check_receipt <- function(file, key) {
  bytes <- readBin(file, "raw", file.size(file))
  is_receipt <- is_object(bytes)
  report("form", is_receipt)
  # A file of a different form has nothing to check.
  receipt <- if (is_receipt) sub("\n$", "", rawToChar(bytes)) else ""
  check_signature(receipt, key)
  receipt
}

given <- commandArgs(trailingOnly = TRUE)
if (length(given) < 2) stop("usage: Rscript verify-receipt.R receipt.json key.pub [ledger.jsonl]")
receipt <- if (given[[1]] != "none") check_receipt(given[[1]], given[[2]])
if (length(given) > 2) {
  lines <- readLines(given[[3]], warn = FALSE)
  check_ledger(lines, given[[2]])
  if (!is.null(receipt)) check_charge(receipt, lines)
}
quit(status = if (failures > 0) 1 else 0)
