local_key <- function(env = parent.frame()) {
  dp_key(withr::local_tempfile(fileext = ".pem", .local_envir = env), create = TRUE)
}

test_that("a key is created once, readable only by its owner, and read back", {
  path <- withr::local_tempfile(fileext = ".pem")
  key <- dp_key(path, create = TRUE)
  expect_identical(dp_key(path)$fingerprint, key$fingerprint)
  expect_identical(secrets_of(dp_key(path))$chain, secrets_of(key)$chain)
  expect_identical(format(file.mode(path)), "600")
  expect_error(dp_key(path, create = TRUE), "one that exists", class = "dp_error_invalid_argument")
})

test_that("invalid keys raise errors", {
  path <- withr::local_tempfile()
  expect_error(dp_key(path), class = "dp_error_invalid_argument")
  writeLines("no key", path)
  expect_error(dp_key(path), class = "dp_error_invalid_argument")
  openssl::write_pem(openssl::ec_keygen(), path)
  expect_error(dp_key(path), class = "dp_error_invalid_argument")
})

test_that("D_R_3: no print shows the secret half", {
  key <- local_key()
  secret <- paste(as.character(as.list(secrets_of(key)$private)$data), collapse = "")
  ledger <- local_ledger(key = key)
  with_ledger(ledger, mean_age()$release(hundred))
  shown <- c(
    capture.output(print(key), str(key), print(ledger)), format(key), toString(format(ledger)),
    unlist(lapply(list.files(ledger$where, recursive = TRUE, full.names = TRUE), readLines,
      warn = FALSE))
  )
  for (hidden in c(secret, paste(as.character(secrets_of(key)$chain), collapse = ""))) {
    expect_identical(nchar(hidden), 64L)
    expect_false(any(grepl(hidden, shown, fixed = TRUE)))
  }
})

test_that("a ledger with a key needs this key", {
  key <- local_key()
  ledger <- local_ledger(key = key)
  expect_error(dp_ledger(ledger$where), "give it as `key`", class = "dp_error_ledger")
  expect_error(
    dp_ledger(ledger$where, key = local_key()), "not the key of this ledger",
    class = "dp_error_ledger"
  )
  expect_error(
    dp_ledger(local_ledger()$where, key = key), "has no key",
    class = "dp_error_ledger"
  )
  expect_no_error(dp_ledger(ledger$where, key = key))
  expect_identical(dp_ledger_verify(ledger$where, key = key)$result[[3]], "passed")
})

test_that("D_LED_6: an exchanged public key in a ledger is detected", {
  key <- dp_key(withr::local_tempfile(fileext = ".pem"), create = TRUE)
  other <- dp_key(withr::local_tempfile(fileext = ".pem"), create = TRUE)
  ledger <- local_ledger(key = key)
  file <- file.path(ledger$where, "key.pub")
  written <- readLines(file)
  opened <- list(key = list(key = key), pubkey = list(pubkey = key$public))
  verify <- function(half) do.call(dp_ledger_verify, c(ledger$where, opened[[half]]))
  for (half in names(opened)) {
    for (text in list(paste(other$public, collapse = ""), toupper(written), "", character())) {
      writeLines(text, file)
      expect_error(verify(half), "`key.pub` of this ledger", class = "dp_error_ledger")
    }
    writeLines(written, file, sep = "\r\n")
    expect_identical(verify(half)$result[[3]], "passed")
    unlink(file)
    expect_identical(verify(half)$result[[3]], "passed")
  }
})
