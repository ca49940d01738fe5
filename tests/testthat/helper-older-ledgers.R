# Ledgers and receipts written by the version before signed records. fixtures/ledgers_2.json holds
# their files. `plain` has no key. `keyed` has the key of bytes 1 to 32. Both have a mean, a count,
# a query, a batch of a hundred rows, a returned allocation, and a second version.

older_ledger <- function(name, env = parent.frame()) {
  files <- jsonlite::read_json(testthat::test_path("fixtures", "ledgers_2.json"))
  folder <- withr::local_tempdir(.local_envir = env)
  for (file in grep(paste0("^", name, "/"), names(files), value = TRUE)) {
    path <- file.path(folder, file)
    dir.create(dirname(path), recursive = TRUE, showWarnings = FALSE)
    writeBin(charToRaw(files[[file]]), path)
  }
  file.path(folder, name)
}

older_key <- function(env = parent.frame()) {
  path <- withr::local_tempfile(fileext = ".pem", .local_envir = env)
  openssl::write_pem(openssl::read_ed25519_key(as.raw(1:32)), path)
  dp_key(path)
}
