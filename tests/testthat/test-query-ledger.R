# Queries in sessions with a ledger.

skip_if_not_installed("dplyr", "1.0.10")
library(dplyr, warn.conflicts = FALSE)

visits <- data.frame(
  patient = rep(1:40, each = 3), ward = rep(c("A", "B", "C"), 40), cost = rep(c(10, 20, 30), 40)
)

new_budget_file <- function(..., frame = parent.frame()) {
  folder <- withr::local_tempdir(.local_envir = frame)
  suppressMessages(dp_ledger_create(
    file.path(folder, "visits.ledger"), "visits", dp_unit(id = patient), dp_zcdp(1, 1e-7),
    version = "2026-03", ...
  ))
}

wards <- function(ledger, version = NULL, rows = visits) {
  dp_tbl(dp_session(ledger = ledger), rows,
    unit = dp_unit(id = patient), version = version,
    domain = dp_domain(ward = dp_levels("A", "B", "C"), cost = dp_num(0, 100))
  ) |>
    dp_truncate(max_rows = 3) |>
    group_by(ward) |>
    summarise(n = dp_count(), cost = dp_mean(cost))
}

spent <- function(ledger) dp_spent(ledger)[["rho"]]

test_that("D_LED_1 a query is charged once, even if another user repeats it", {
  ledger <- new_budget_file()
  first <- release(wards(ledger), rho = 0.1)
  expect_equal(spent(ledger), 0.1)
  expect_null(attr(first, "reused"))
  again <- suppressMessages(release(wards(dp_ledger(ledger$where)), rho = 0.1))
  expect_equal(spent(ledger), 0.1)
  expect_equal(attr(again, "reused"), 2)
  expect_identical(again$n, first$n)
  expect_identical(again$cost, first$cost)
  expect_identical(generics::tidy(again), generics::tidy(first))
  expect_message(release(wards(ledger), rho = 0.1), "Stored release of record 2. Nothing spent")
})

test_that("any public difference costs again, and so does reuse = FALSE", {
  ledger <- new_budget_file()
  release(wards(ledger), rho = 0.1)
  dp_new_version(ledger, "2026-04")
  old <- wards(ledger, version = "2026-03")
  paid <- list(
    function() release(old, rho = 0.1, reuse = FALSE),
    function() release(old, rho = 0.1, alpha = 0.1),
    function() release(old, rho = 0.11),
    function() release(old |> dp_keys(data.frame(ward = "A")), rho = 0.1),
    function() release(wards(ledger), rho = 0.1)
  )
  for (pays in paid) {
    before <- spent(ledger)
    pays()
    expect_gt(spent(ledger), before)
  }
})

test_that("a query over a ledger's budget raises an error and spends nothing", {
  ledger <- new_budget_file()
  expect_error(release(wards(ledger), rho = 2), "2; 1 is left of 1", class = "dp_error_budget")
  expect_error(wards(ledger, version = "2027"), "\"2027\" is not in this ledger",
    class = "dp_error_ledger"
  )
  expect_error(
    dp_tbl(dp_session(ledger = ledger), visits,
      unit = dp_unit(rows = 1), domain = dp_domain(cost = dp_num(0, 1))
    ),
    "protects one patient, but the unit is 1 row",
    class = "dp_error_unit"
  )
  expect_equal(spent(ledger), 0)
})

test_that("T_RCPT the receipt of a query verifies only this release of this plan", {
  skip_if_not_installed("openssl")
  key <- dp_key(withr::local_tempfile(), create = TRUE)
  ledger <- new_budget_file(key = key)
  out <- release(wards(ledger), rho = 0.1)
  file <- write_receipt(out, withr::local_tempfile(fileext = ".json"))
  for (value in list(out, as.data.frame(out))) {
    expect_identical(unique(verify_release(file, ledger, value = value)$result), "passed")
  }
  results <- function(receipt, value = out) {
    checks <- verify_release(structure(receipt, class = "dp_receipt"), ledger, value = value)
    stats::setNames(checks$result, checks$check)
  }
  receipt <- unclass(dp_receipt(out))
  expect_identical(unique(vapply(receipt$events, `[[`, "", "column")), c("cost", "n"))
  expect_true(all(vapply(receipt$events, function(event) as.numeric(event$scale) > 0, NA)))
  expect_identical(receipt$accuracy[[1]]$column, "cost")
  quieter <- receipt
  quieter$events[[1]]$scale <- "0.5"
  expect_identical(results(quieter)[["facts"]], "failed")
  other <- out
  other$n[[1]] <- other$n[[1]] + 1
  expect_identical(results(receipt, other)[["release"]], "failed")
  wider <- receipt
  wider$plan <- sub("100", "101", receipt$plan, fixed = TRUE)
  expect_identical(results(wider)[c("signature", "plan")], c(signature = "failed", plan = "failed"))
  cheaper <- receipt
  cheaper$loss$rho <- cheaper$map$d_out$rho <- "0.09"
  expect_identical(results(cheaper)[c("loss", "record")], c(loss = "failed", record = "failed"))
})
