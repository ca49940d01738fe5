# Files written by earlier versions, which ?compatibility makes promises about.

skip_if_not_installed("dplyr", "1.0.10")

each_stored_ledger <- function(check) {
  for (file in stored_files()) {
    for (kind in names(kinds_of_releases)) {
      check(kind, local_stored(read_stored(file), kind), paste(file, kind))
    }
  }
}

results_of <- function(checks) stats::setNames(checks$result, checks$check)

test_that("there are stored files", {
  expect_gt(length(stored_files()), 0)
})

test_that("stored ledgers open, verify, and repeat their releases for free", {
  each_stored_ledger(function(kind, kept, info) {
    ledger <- dp_ledger(kept$where, head = kept$head, key = kept$key)
    checks <- results_of(dp_ledger_verify(kept$where, head = kept$head, key = kept$key))
    expect_identical(unique(checks[names(checks) != "advisories"]), "passed", info = info)
    spent <- dp_spent(ledger)
    again <- quietly_reused(release_stored(kind, ledger))
    expect_identical(dp_spent(ledger), spent, info = info)
    receipt <- dp_receipt(again$of)
    expect_identical(format(receipt), kept$receipt, info = info)
    checks <- results_of(verify_release(receipt, ledger, value = again$value))
    expect_false("failed" %in% checks, info = info)
    expect_identical(
      unique(checks[c("form", "signature", "release", "plan", "record", "head")]), "passed",
      info = info
    )
  })
})

test_that("stored ledgers can be charged, and verify afterwards", {
  each_stored_ledger(function(kind, kept, info) {
    ledger <- dp_ledger(kept$where, key = kept$key)
    dp_new_version(ledger, "2026-04", ever = TRUE)
    kinds_of_releases[[kind]]$release(ledger, 0.25)
    expect_identical(dp_spent(ledger)[[1]], 0.75, info = info)
    moved <- dp_ledger_move(ledger, paste0(kept$where, "-moved"))
    checks <- results_of(dp_ledger_verify(moved$where, head = kept$head, key = kept$key))
    expect_identical(checks[["records"]], "passed", info = info)
  })
})

test_that("stored receipts verify with only the public key", {
  each_stored_ledger(function(kind, kept, info) {
    receipt <- withr::local_tempfile(lines = kept$receipt)
    pubkey <- file.path(kept$where, "key.pub")
    checks <- results_of(verify_release(receipt, pubkey = pubkey))
    expect_identical(checks[["signature"]], "passed", info = info)
    expect_false("failed" %in% checks, info = info)
  })
})

test_that("stored plans build objects with the charged hash", {
  for (file in stored_files()) {
    stored <- read_stored(file)
    plan_of <- function(kind) {
      jsonlite::fromJSON(stored$ledgers[[kind]]$receipt, simplifyVector = FALSE)$plan_hash
    }
    for (kind in c("measurement", "statistic")) {
      expect_identical(plan_hash(from_json(stored$plans[[kind]])), plan_of(kind), info = kind)
    }
    query <- on_table(from_json(stored$plans$query), table_of_kinds())
    expect_identical(plan_hash(query, dp_epsilon(0.5)), plan_of("query"))
  }
})
