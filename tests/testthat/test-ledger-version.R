# Versions of the data on ledgers whose unit is rows, which do not say whose they are.

test_that("a ledger of rows takes a second version only with a promise, which it records", {
  ledger <- local_ledger(unit = dp_unit(rows = 2))
  error <- expect_error(dp_new_version(ledger, "2026-04"), class = "dp_error_ledger")
  expect_match(conditionMessage(error), "ever = TRUE", fixed = TRUE)
  expect_error(dp_new_version(ledger, "2026-04", ever = NA), class = "dp_error_invalid_argument")
  expect_identical(state_of(ledger)$versions, "2026-03")
  dp_new_version(ledger, "2026-04", ever = TRUE)
  words <- "a person has at most 2 rows in all versions together"
  record <- core_ledger_record(ledger_handle(ledger), 2)
  expect_identical(record[c("kind", "label", "promise")],
    list(kind = "version", label = "2026-04", promise = words)
  )
  expect_true(paste0("  promise  ", words) %in% format(ledger))
  # It is for all versions, and for ledgers that get a part of the budget.
  dp_new_version(dp_ledger(ledger$where), "2026-05")
  child <- dp_allocate(ledger, dp_epsilon(0.5), paste0(ledger$where, "-child"))
  dp_new_version(child, "2026-06")
  expect_identical(state_of(ledger)$versions, c("2026-03", "2026-04", "2026-05"))
  expect_identical(unique(dp_ledger_verify(ledger$where)$result[1:2]), "passed")
})

test_that("the unit of a new ledger can have the promise", {
  ledger <- local_ledger(unit = dp_unit(rows = 1, ever = TRUE))
  expect_match(format(ledger), "a person has at most 1 row in all versions", all = FALSE)
  dp_new_version(ledger, "2026-04")
  moved <- suppressMessages(dp_ledger_move(ledger, paste0(ledger$where, "-moved")))
  dp_new_version(moved, "2026-05")
  expect_identical(state_of(moved)$versions, c("2026-03", "2026-04", "2026-05"))
})

test_that("ledgers of people, of replaced rows and of words need no promise", {
  units <- list(dp_unit(id = id), dp_unit(changes = 1), dp_unit(id = id, relation = "replace"))
  here <- environment()
  ledgers <- lapply(units, function(unit) local_ledger(unit = unit, env = here))
  for (ledger in c(ledgers, list(ledger_of_words(env = here)))) {
    dp_new_version(ledger, "2026-04")
    expect_identical(state_of(ledger)$versions, c("2026-03", "2026-04"))
    expect_false(any(grepl("promise", format(ledger))))
  }
})

test_that("a ledger of rows that has two versions without a promise opens, charges and verifies", {
  # As versions before this rule wrote it.
  ledger <- local_ledger(unit = dp_unit(rows = 2))
  dp_new_version(ledger, "2026-04", ever = TRUE)
  ledger <- rewritten_ledger(ledger, function(record) {
    record$promise <- NULL
    record
  })
  charge(noisy_count(8), ledger, d_in = 2L, version = "2026-04")(c(1, 2))
  expect_identical(spent_in(ledger), 0.25)
  expect_identical(unique(dp_ledger_verify(ledger$where)$result[1:2]), "passed")
  expect_error(dp_new_version(ledger, "2026-05"), class = "dp_error_ledger")
  dp_new_version(ledger, "2026-05", ever = TRUE)
})
