# Checks of a receipt that need no ledger: form, signature and hash.

# Parses strictly: it rejects any byte that the writer would not have written.
read_receipt <- function(x, call, arg = "x") {
  if (inherits(x, "dp_receipt")) {
    return(if (is.list(x)) unclass(x) else list())
  }
  if (is_string(x) && utils::file_test("-f", x)) {
    bytes <- readBin(x, "raw", min(file.size(x), most_bytes_of_receipt + 1))
    parts <- if (length(bytes) <= most_bytes_of_receipt) {
      tryCatch(core_parse_canonical_json(text_of_bytes(bytes)),
        dp_error_ledger = function(error) NULL
      )
    }
    return(if (is.list(parts)) parts else list())
  }
  given <- if (is_string(x)) paste("not the path of a file,", name_public(x)) else describe(x)
  stop_argument("a receipt, or the path of a receipt's file", given, arg, call)
}

# A batch of hundreds of queries takes a few MB.
most_bytes_of_receipt <- 2^26

# Drops the end of the last line. R ends a text at a byte 0 and would ignore the rest, so bytes with
# a 0 give no text.
text_of_bytes <- function(bytes) {
  if (any(bytes == 0)) {
    return("")
  }
  ends <- length(bytes) > 0 && bytes[[length(bytes)]] == charToRaw("\n")
  rawToChar(utils::head(bytes, length(bytes) - ends))
}

receipt_fields <- c(
  "accuracy", "dataset", "domain", "engine", "events", "format", "ledger", "loss", "map", "measure",
  "package", "plan", "plan_hash", "release", "rounded", "salt", "signature", "sql", "time", "unit",
  "version"
)

verified_form <- function(receipt) {
  # Receipts of older versions have no `rounded`.
  expected <- c(
    receipt_fields, if (is.list(receipt$unit)) "promise",
    if (is_string(receipt$table) && nzchar(receipt$table)) "table"
  )
  names <- c(names(receipt), if (!"rounded" %in% names(receipt)) "rounded")
  passed_if(
    identical(sort(names, method = "radix"), sort(expected, method = "radix")) &&
      identical(receipt$format, receipt_format(receipt$unit)),
    "a receipt in canonical form", "not a receipt in canonical form")
}

public_key <- function(pubkey, ledger, call) {
  if (is.raw(pubkey) && length(pubkey) == 32) {
    return(pubkey)
  }
  if (is.null(pubkey) && !is.null(ledger)) {
    return(ledger$key$public %||% ledger$pubkey)
  }
  if (is_string(pubkey) && file.exists(pubkey)) pubkey <- readLines(pubkey, n = 1, warn = FALSE)
  if (is.null(pubkey) || (is_string(pubkey) && grepl("^[0-9a-f]{64}$", pubkey))) {
    return(if (!is.null(pubkey)) hex_to_raw(pubkey))
  }
  came <- if (is_string(pubkey)) "neither digits nor a file that exists" else describe(pubkey)
  stop_argument("32 bytes, 64 hexadecimal digits or a file of them", came, "pubkey", call)
}

verified_signature <- function(receipt, pubkey) {
  signature <- receipt$signature
  if (!is_string(signature) || !nzchar(signature)) {
    unsigned <- "the receipt is not signed"
    return(if (is.null(pubkey)) unmade(unsigned) else failed(paste0(unsigned, ", but should be")))
  }
  if (is.null(pubkey)) {
    return(unmade("the public key was not given"))
  }
  passed_if(is_signed(unsigned_text(receipt), signature, pubkey), "signed with the curator's key",
    "not signed with this key, or changed"
  )
}

verified_hash <- function(receipt, value, object) {
  if (is.null(value)) {
    return(unmade("the release was not given as `value`"))
  }
  value <- read_published(value)
  tables <- or_else(planned_tables(object))
  switch(agreement_with(receipt, value, tables),
    exact = passed("the release is the one of the receipt"),
    rounded = unmade(paste("the release agrees in 15 digits: `value` must be the saved object, or",
      "have 17 digits")),
    disagreement(value, object, tables)
  )
}
