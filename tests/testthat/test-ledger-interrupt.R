# D-LED-7: releases that are stopped at any moment, by interrupts and limits of time.

cost <- 0.25

# Anew each time.
one_release <- quote({
  age <- dpMean(
    mechanism = "mechanismLaplace", varType = "numeric", variable = "age", n = 100,
    rng = c(18, 93), epsilon = 0.25
  )
  with_ledger(ledger, age$release({
    reads()
    data.frame(age = rep(c(20, 40), 50))
  }), reuse = FALSE)
})

# A mutant, which reads and releases before it charges.
release_before_charge <- quote({
  reads()
  Sys.sleep(0.005)
  PSIlence:::charge_ledger(ledger, strrep("a", 64), list(c(0.25, 0), c(0.25, 0)), NULL)
})

opened <- function(ledger) bquote(dp_ledger(.(ledger$where)))

charges_in <- function(ledger) sum(dp_history(ledger)$what == "charge")

# Whether nothing was read, and so nothing drawn, without a charge of its own; whether the ledger
# has each charge once; and whether the process saw what the ledger has.
expect_all_paid <- function(seen, ledger) {
  fresh <- dp_ledger(ledger$where)
  charges <- charges_in(fresh)
  expect_gt(seen[["stopped"]], 10)
  expect_gt(seen[["released"]], 0)
  expect_lte(seen[["released"]], seen[["read"]])
  expect_lte(seen[["read"]], charges)
  expect_lte(charges, seen[["tried"]])
  expect_identical(spent_in(fresh), charges * cost)
  expect_identical(seen[["differed"]], 0)
}

test_that("D_LED_7: interrupts at any moment leave what was released charged, each once", {
  ledger <- local_ledger(1e6)
  seen <- stopped_releases(opened(ledger), one_release, 120)
  expect_all_paid(seen, ledger)
})

test_that("D_LED_7: so do limits of time", {
  ledger <- local_ledger(1e6)
  seen <- stopped_releases(opened(ledger), one_release, 25, by = "limits")
  expect_all_paid(seen, ledger)
})

test_that("D_LED_7: the same test rejects a release before its charge", {
  ledger <- local_ledger(1e6)
  seen <- stopped_releases(opened(ledger), release_before_charge, 60)
  expect_gt(seen[["read"]], charges_in(dp_ledger(ledger$where)))
})
