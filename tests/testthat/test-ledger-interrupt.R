# D-LED-7: releases stopped at any moment, by interrupts and time limits.

# Mutant that reads and releases before it charges.
release_before_charge <- quote({
  reads()
  Sys.sleep(0.02)
  PSIlence:::charge_ledger(
    ledger, list(plan = strrep("a", 64), loss = list(c(0.25, 0), c(0.25, 0)))
  )
})

opened <- function(ledger) bquote(dp_ledger(.(ledger$where)))

test_that("D_LED_7: after interrupts at any moment, each release has exactly one charge", {
  ledger <- local_ledger(1e6)
  seen <- stopped_releases(opened(ledger), one_release, 85)
  expect_all_paid(seen, ledger)
})

test_that("D_LED_7: after time limits at any moment, each release has exactly one charge", {
  ledger <- local_ledger(1e6)
  seen <- stopped_releases(opened(ledger), one_release, 25, by = "limits")
  expect_all_paid(seen, ledger)
})

test_that("D_LED_7: the same test rejects a release before its charge", {
  ledger <- local_ledger(1e6)
  seen <- stopped_releases(opened(ledger), release_before_charge, 50)
  expect_gt(seen[["read"]], charges_in(dp_ledger(ledger$where)))
})
