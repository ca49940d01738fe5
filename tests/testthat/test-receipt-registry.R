test_that("a registry entry has the facts of its receipt, and yours", {
  local_verbs()
  folder <- withr::local_tempdir()
  ledger <- create_ledger(file.path(folder, "a"), "survey", dp_unit(id = id), dp_epsilon(9),
    version = "1"
  )
  table <- dp_tbl(dp_session(ledger = ledger), data.frame(id = 1:50, x = 1:50), dp_unit(id = id),
    dp_domain(x = dp_int(0, 60))
  )
  query <- summarise(dp_truncate(table, max_rows = 1), n = dp_count(), s = dp_sum(x))
  receipt <- dp_receipt(small(release(query, epsilon = 1)))
  entry <- as_registry_entry(receipt, data_holder = "City of X")
  expect_identical(anyDuplicated(entry$field), 0L)
  value <- stats::setNames(entry$value, entry$field)
  expect_identical(value[["dataset"]], "survey")
  expect_identical(value[["epsilon"]], "1")
  expect_identical(value[["delta"]], "0")
  expect_match(value[["meaning"]], "at most 73.2%", fixed = TRUE)
  expect_identical(value[["unit"]], "one id")
  expect_identical(value[["neighbours"]], "add or remove")
  expect_match(value[["caps"]], "at most 1 row")
  expect_match(value[["mechanisms"]], "discrete Laplace")
  expect_identical(value[["plan"]], receipt$plan_hash)
  expect_identical(value[["signed"]], "no")
  expect_identical(value[["data_holder"]], "City of X")
  expect_error(as_registry_entry(1), class = "dp_error_invalid_argument")
  expect_error(as_registry_entry(receipt, "a"), class = "dp_error_invalid_argument")
  expect_error(as_registry_entry(receipt, dataset = "b"), class = "dp_error_invalid_argument")
  expect_error(as_registry_entry(receipt, url = 1), class = "dp_error_invalid_argument")
})

test_that("a registry entry takes receipts of statistics and of measurements", {
  folder <- withr::local_tempdir()
  ledger <- create_ledger(file.path(folder, "a"), "survey", dp_unit(changes = 1), dp_epsilon(9),
    version = "1"
  )
  mean <- small(dpMean("x", n = 4, rng = c(0, 1), epsilon = 0.5))
  receipt <- dp_receipt(mean$release(data.frame(x = c(0, 1, 0, 1)), on = ledger))
  entry <- as_registry_entry(receipt)
  expect_identical(entry$value[entry$field == "epsilon"], "0.5")
  expect_identical(entry$value[entry$field == "neighbours"], "replace")
})
