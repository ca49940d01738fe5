# Ledgers whose records are signed: the public key reads and checks them, and writes nothing.

new_key <- function(env = parent.frame()) {
  dp_key(withr::local_tempfile(fileext = ".pem", .local_envir = env), create = TRUE)
}

digits_of <- function(key) paste(as.character(key$public), collapse = "")

# A ledger with releases of three plans, and its receipts.
signed_ledger <- function(key = new_key(env), env = parent.frame()) {
  ledger <- local_ledger(2, key = key, env = env)
  receipts <- lapply(c(0.25, 0.5, 0.125), function(epsilon) {
    dp_receipt(release(mean_age(epsilon), data = hundred, on = ledger))
  })
  list(ledger = ledger, key = key, pubkey = digits_of(key), receipts = receipts)
}

# Writes the hashes of all lines anew, as everybody can.
rechained <- function(lines) {
  prev <- strrep("0", 64)
  vapply(lines, function(line) {
    record <- core_parse_canonical_json(line)
    record$prev <- prev
    record$hash <- NULL
    prev <<- core_sha256(paste0("psilence-ledger-1\n", core_to_canonical_json(record)))
    core_to_canonical_json(c(record, hash = prev))
  }, "", USE.NAMES = FALSE)
}

renumbered <- function(lines) {
  vapply(seq_along(lines), function(i) {
    record <- core_parse_canonical_json(lines[[i]])
    record$seq <- i - 1
    core_to_canonical_json(record)
  }, "")
}

verify_alone <- function(...) {
  script <- system.file("verify-receipt.R", package = "PSIlence")
  processx::run(file.path(R.home("bin"), "Rscript"), c("--vanilla", script, ...),
    error_on_status = FALSE
  )
}

test_that("the public key opens a ledger for reading, in each form", {
  made <- signed_ledger()
  ledger <- made$ledger
  file <- file.path(ledger$where, "key.pub")
  for (pubkey in list(made$pubkey, made$key$public, file)) {
    reader <- dp_ledger(ledger$where, pubkey = pubkey)
    expect_identical(dp_history(reader), dp_history(ledger))
    expect_identical(dp_spent(reader), dp_spent(ledger))
    expect_identical(dp_spent(reader, by = "year"), dp_spent(ledger, by = "year"))
    expect_identical(dp_remaining(reader), dp_remaining(ledger))
    expect_identical(dp_ledger_head(reader), dp_ledger_head(ledger))
  }
  checks <- dp_ledger_verify(reader, head = dp_ledger_head(ledger))
  expect_identical(checks, dp_ledger_verify(ledger, head = dp_ledger_head(ledger)))
  expect_identical(checks, dp_ledger_verify(ledger$where, pubkey = file,
    head = dp_ledger_head(ledger)))
  expect_identical(checks$result[1:4], rep("passed", 4))
  expect_identical(checks$detail[[3]], "each record was signed with the key")
  expect_output(print(reader), "opened with the public key, for reading only")
  for (receipt in made$receipts) {
    found <- verify_release(receipt, reader)
    expect_identical(
      found$result[found$check %in% c("signature", "record", "head")], rep("passed", 3)
    )
  }
  release(mean_age(0.0625), data = hundred, on = ledger)
  expect_identical(nrow(dp_history(reader)), 4L)
})

test_that("a ledger that was opened with its public key refuses everything else", {
  made <- signed_ledger()
  reader <- dp_ledger(made$ledger$where, pubkey = made$pubkey)
  before <- readLines(ledger_text(reader))
  files <- list.files(reader$where, recursive = TRUE)
  refused <- list(
    function() release(mean_age(0.25), data = hundred, on = reader),
    function() with_ledger(reader, mean_age()$release(hundred)),
    function() charge(noisy_count(), reader, d_in = 2L),
    function() dp_session(ledger = reader),
    function() dp_new_version(reader, "2026-04"),
    function() dp_raise(reader, dp_epsilon(3)),
    function() dp_allocate(reader, dp_epsilon(0.1), withr::local_tempfile()),
    function() dp_take_back(reader, made$ledger),
    function() dp_take_back(made$ledger, reader),
    function() dp_ledger_move(reader, withr::local_tempfile())
  )
  for (call in refused) expect_error(call(), "can only be read", class = "dp_error_ledger")
  expect_identical(readLines(ledger_text(reader)), before)
  expect_identical(list.files(reader$where, recursive = TRUE), files)
  # The core refuses, too, whatever R forgets.
  expect_error(core_ledger_add_version(reader$handle, "x", ""), "to be read",
    class = "dp_error_ledger"
  )
})

test_that("reading needs no right to write", {
  skip_on_os("windows")
  made <- signed_ledger()
  where <- made$ledger$where
  unlink(file.path(where, "lock"))
  Sys.chmod(c(ledger_text(made$ledger), where), c("444", "555"))
  withr::defer(Sys.chmod(c(ledger_text(made$ledger), where), c("644", "755")))
  reader <- dp_ledger(where, pubkey = made$pubkey)
  expect_identical(spent_in(reader), 0.875)
  expect_false("lock" %in% list.files(where))
})

test_that("another key, none, or both are refused by name", {
  made <- signed_ledger()
  where <- made$ledger$where
  expect_error(dp_ledger(where), "its public half as `pubkey`", class = "dp_error_ledger")
  other <- digits_of(new_key())
  expect_error(dp_ledger(where, pubkey = other), "not the key of this ledger",
    class = "dp_error_ledger"
  )
  wrong <- list(
    function() dp_ledger(where, pubkey = "abc"), function() dp_ledger(where, pubkey = raw(31)),
    function() dp_ledger(where, key = made$key, pubkey = made$pubkey),
    function() dp_ledger(where, pubkey = made$pubkey, witness = identity),
    function() dp_ledger_verify(where, key = made$key, pubkey = made$pubkey)
  )
  for (call in wrong) expect_error(call(), class = "dp_error_invalid_argument")
  expect_error(dp_ledger(local_ledger()$where, pubkey = made$pubkey), "has no key",
    class = "dp_error_ledger"
  )
  where <- older_ledger("keyed")
  expect_error(dp_ledger(where, pubkey = digits_of(older_key())), "an older version wrote",
    class = "dp_error_ledger"
  )
})

# Changes that an attacker without the key can make, each with the number of the first wrong line.
forgeries <- list(
  "a record is changed" = function(lines) sub('"epsilon":"0.5"', '"epsilon":"0.4"', lines),
  "a time is changed, and the chain written anew" = function(lines) {
    rechained(replace(lines, 4, sub('"time":"2', '"time":"1', lines[[4]])))
  },
  "a description is changed, and the chain written anew" = function(lines) {
    rechained(sub('"what":"mean of age"', '"what":"mean of agf"', lines))
  },
  "the last record is changed, and the chain written anew" = function(lines) {
    last <- length(lines)
    rechained(replace(lines, last, sub('"release":"[0-9a-f]{4}', '"release":"0000', lines[[last]])))
  },
  "a signature is changed, and the chain written anew" = function(lines) {
    rechained(replace(lines, 5, sub('"signature":"[0-9a-f]{2}', '"signature":"00', lines[[5]])))
  },
  "a signature is left out, and the chain written anew" = function(lines) {
    rechained(replace(lines, 5, sub('"signature":"[0-9a-f]*",', "", lines[[5]])))
  },
  "records in the midst are left out" = function(lines) lines[-(6:8)],
  "records in the midst are left out, and the chain written anew" = function(lines) {
    rechained(renumbered(lines[-(6:8)]))
  },
  "records are in another order" = function(lines) lines[c(1, 2, 6:8, 3:5, 9:11)],
  "a record is replaced by that of another ledger of the key" = function(lines, other) {
    replace(lines, 2, other[[2]])
  },
  "all but the first record are of another ledger of the key" = function(lines, other) {
    c(lines[[1]], other[-1])
  },
  "the first record is changed, and the chain written anew" = function(lines) {
    rechained(sub('"total":\\{"delta":"0","epsilon":"2"\\}', '"total":{"delta":"0","epsilon":"9"}',
      lines
    ))
  }
)

test_that("D_LED_6: changed, dropped, moved and replaced records of a signed ledger are detected", {
  key <- new_key()
  made <- signed_ledger(key)
  other <- readLines(ledger_text(signed_ledger(key)$ledger))
  good <- readLines(ledger_text(made$ledger))
  expect_length(good, 11)
  head <- dp_ledger_head(made$ledger)
  file <- withr::local_tempfile()
  public <- withr::local_tempfile(lines = made$pubkey)
  expect_identical(verify_alone("none", public, ledger_text(made$ledger))$status, 0L)
  for (name in names(forgeries)) {
    forge <- forgeries[[name]]
    forged <- if (length(formals(forge)) == 2) forge(good, other) else forge(good)
    expect_false(identical(forged, good), info = name)
    writeLines(forged, ledger_text(made$ledger))
    for (open in list(
      function() dp_ledger_verify(made$ledger$where, key = key),
      function() dp_ledger_verify(made$ledger$where, pubkey = made$pubkey),
      function() dp_ledger(made$ledger$where, pubkey = made$pubkey)
    )) {
      expect_error(open(), class = "dp_error_ledger", info = name)
    }
    done <- verify_alone("none", public, ledger_text(made$ledger))
    expect_identical(done$status, 1L, info = name)
    expect_match(done$stdout, "(chain|records): FAILED", info = name)
  }
})

test_that("a signed ledger that lacks its last records is found by a head or a receipt only", {
  made <- signed_ledger()
  good <- readLines(ledger_text(made$ledger))
  head <- dp_ledger_head(made$ledger)
  where <- made$ledger$where
  file <- withr::local_tempfile()
  public <- withr::local_tempfile(lines = made$pubkey)
  write_receipt(made$receipts[[3]], file)
  expect_identical(verify_alone(file, public, ledger_text(made$ledger))$status, 0L)
  writeLines(good[1:8], ledger_text(made$ledger))
  reader <- dp_ledger(where, pubkey = made$pubkey)
  expect_identical(spent_in(reader), 0.75)
  expect_identical(verify_alone("none", public, ledger_text(made$ledger))$status, 0L)
  expect_error(dp_ledger(where, head = head, pubkey = made$pubkey), "an older copy",
    class = "dp_error_ledger"
  )
  checks <- verify_release(made$receipts[[3]], reader)
  expect_identical(checks$result[checks$check %in% c("record", "head")], rep("failed", 2))
  checks <- verify_release(made$receipts[[2]], reader)
  expect_identical(checks$result[checks$check %in% c("record", "head")], rep("passed", 2))
  done <- verify_alone(file, public, ledger_text(made$ledger))
  expect_identical(done$status, 1L)
  expect_match(done$stdout, "charge: FAILED")
})

test_that("a total is raised in a signed ledger, and its child has signed records, too", {
  made <- signed_ledger()
  dp_raise(made$ledger, dp_epsilon(3))
  child <- dp_allocate(made$ledger, dp_epsilon(0.5), withr::local_tempfile())
  release(mean_age(0.25), data = hundred, on = child)
  reader <- dp_ledger(child$where, pubkey = made$pubkey)
  expect_identical(spent_in(reader), 0.25)
  dp_take_back(made$ledger, child)
  reader <- dp_ledger(made$ledger$where, pubkey = made$pubkey)
  expect_identical(dp_remaining(reader)[["epsilon"]], 1.875)
  expect_match(dp_history(reader)$what[[4]], "total raised to epsilon 3")
  moved <- dp_ledger_move(made$ledger, withr::local_tempfile())
  expect_identical(dp_ledger_verify(moved$where, pubkey = made$pubkey)$result[[3]], "passed")
})

test_that("a ledger in PostgreSQL is read with the public key and the right to select", {
  skip_if_not_installed("RPostgres")
  server <- local_postgres()
  key <- new_key()
  place <- dp_postgres(server$connect, "signed")
  ledger <- create_ledger(place, "survey", dp_unit(changes = 1), dp_epsilon(1),
    version = "2026-03", key = key
  )
  receipt <- dp_receipt(release(mean_age(0.25), data = hundred, on = ledger))
  admin <- server$connect()
  withr::defer(DBI::dbDisconnect(admin))
  for (sql in c("CREATE ROLE officer", "GRANT SELECT ON signed, signed_kept TO officer")) {
    DBI::dbExecute(admin, sql)
  }
  as_officer <- function() {
    connection <- server$connect()
    DBI::dbExecute(connection, "SET ROLE officer")
    connection
  }
  reader <- dp_ledger(dp_postgres(as_officer, "signed"), pubkey = digits_of(key))
  expect_identical(dp_history(reader), dp_history(ledger))
  expect_identical(dp_ledger_verify(reader)$result[c(1:3, 5)], rep("passed", 4))
  expect_identical(verify_release(receipt, reader)$result[8:9], rep("passed", 2))
  expect_error(dp_new_version(reader, "x"), "can only be read", class = "dp_error_ledger")
  # The owner of the table can do away with its trigger.
  DBI::dbExecute(admin, "ALTER TABLE signed DISABLE TRIGGER ALL")
  lines <- DBI::dbGetQuery(admin, "SELECT line FROM signed ORDER BY seq")$line
  forged <- rechained(sub('"what":"mean of age"', '"what":"mean of agf"', lines))
  for (i in seq_along(forged)) {
    DBI::dbExecute(admin, "UPDATE signed SET line = $1 WHERE seq = $2", list(forged[[i]], i - 1))
  }
  expect_error(dp_ledger(dp_postgres(as_officer, "signed"), pubkey = digits_of(key)),
    "was not signed with the curator's key", class = "dp_error_ledger"
  )
})
