# Files that a version keeps on disk, as text, to test later versions with. They hold plans, and a
# keyed ledger with a stored release of each kind. dev/tests.md says when to add a file
# fixtures/stored_<number>.json.

plans_to_store <- function() {
  list(measurement = noisy_count(4), statistic = mean_age(0.5), query = query_of_kinds())
}

release_stored <- function(kind, ledger) kinds_of_releases[[kind]]$release(ledger, 0.5)

# Texts of a new ledger with one release.
ledger_to_store <- function(kind, key) {
  where <- file.path(withr::local_tempdir(), "stored.ledger")
  ledger <- create_ledger(where, "survey", kinds_of_releases[[kind]]$unit, dp_epsilon(4),
    version = "2026-03", key = key
  )
  receipt <- format(dp_receipt(release_stored(kind, ledger)$of))
  names <- setdiff(list.files(where, recursive = TRUE), "lock")
  files <- lapply(file.path(where, names), function(file) readChar(file, file.size(file), TRUE))
  list(head = dp_ledger_head(ledger), receipt = receipt, files = stats::setNames(files, names))
}

write_stored <- function(file) {
  path <- withr::local_tempfile(fileext = ".pem")
  key <- dp_key(path, create = TRUE)
  kinds <- stats::setNames(nm = names(kinds_of_releases))
  kept <- list(
    package = this_package(), key = readLines(path),
    ledgers = lapply(kinds, ledger_to_store, key = key),
    plans = lapply(plans_to_store(), to_json)
  )
  writeLines(jsonlite::toJSON(kept, auto_unbox = TRUE, pretty = TRUE), file)
}

stored_files <- function() list.files(test_path("fixtures"), "^stored_[0-9]+[.]json$")

read_stored <- function(file) {
  jsonlite::fromJSON(test_path("fixtures", file), simplifyDataFrame = FALSE)
}

# Restores a stored ledger as a folder: list(where, key, head, receipt).
local_stored <- function(stored, kind, env = parent.frame()) {
  folder <- withr::local_tempdir(.local_envir = env)
  kept <- stored$ledgers[[kind]]
  for (name in names(kept$files)) {
    path <- file.path(folder, "stored.ledger", name)
    dir.create(dirname(path), showWarnings = FALSE, recursive = TRUE)
    writeChar(kept$files[[name]], path, eos = NULL, useBytes = TRUE)
  }
  writeLines(stored$key, file.path(folder, "curator.pem"))
  list(
    where = file.path(folder, "stored.ledger"), key = dp_key(file.path(folder, "curator.pem")),
    head = kept$head, receipt = kept$receipt
  )
}
