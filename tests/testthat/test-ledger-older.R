# Ledgers and receipts of an older version open, verify and go on.

receipts_in <- function(where) list.files(where, "[.]receipt$", full.names = TRUE)

key_for <- function(name, env = parent.frame()) if (name == "keyed") older_key(env)

for (name in c("plain", "keyed")) {
  test_that(paste("a", name, "ledger of an older version opens and verifies"), {
    where <- older_ledger(name)
    key <- key_for(name)
    ledger <- dp_ledger(where, key = key)
    expect_identical(state_of(ledger)$spent[["delta"]], 0)
    expect_equal(spent_in(ledger), 0.95)
    checks <- dp_ledger_verify(where, key = key)
    expect_false("failed" %in% checks$result)
    expect_identical(checks$result[checks$check == "key"],
      if (is.null(key)) "not checked" else "passed"
    )
    for (file in receipts_in(where)) {
      checks <- verify_release(file, ledger)
      expect_false("failed" %in% checks$result, info = file)
      expect_identical(checks$result[checks$check %in% c("record", "head", "plan")],
        rep("passed", 3), info = file
      )
    }
  })

  test_that(paste("a", name, "ledger of an older version pays, and gives what it stored"), {
    where <- older_ledger(name)
    ledger <- dp_ledger(where, key = key_for(name))
    age <- dpMean(
      mechanism = "mechanismLaplace", varType = "numeric", variable = "age", n = 100,
      rng = c(18, 93), epsilon = 0.1, missing = "impute"
    )
    quietly_reused(with_ledger(ledger, age$release(hundred), version = "2026-03"))
    expect_equal(spent_in(ledger), 0.95)
    with_ledger(ledger, age$release(hundred))
    expect_equal(spent_in(ledger), 1.05)
    expect_identical(spent_in(dp_ledger(where, key = key_for(name))), spent_in(ledger))
    checks <- verify_release(dp_receipt(age), ledger, value = age)
    expect_false("failed" %in% checks$result)
  })
}

test_that("an older ledger with a key takes that key", {
  where <- older_ledger("keyed")
  expect_error(dp_ledger(where), "give it as `key`", class = "dp_error_ledger")
})
