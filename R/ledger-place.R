# Where a ledger is: a folder (a string), or tables of a database (dp_postgres()). Both hold
# records, which the core checks and writes, and named texts beside them.

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
