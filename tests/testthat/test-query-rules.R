# Meaning of a query, by the numbers of its rules.

skip_if_not_installed("dplyr", "1.0.10")
library(dplyr, warn.conflicts = FALSE)

# The data of fixtures/query_rules_1, a ledger that a version before the field `rules` wrote: n and
# days by ward, then n by days.
visits_of_before <- data.frame(
  patient = rep(1:40, each = 3), ward = rep(c("A", "B", NA), 40), days = rep(c(2.5, 3, 9), 40)
)

ledger_of_before <- function(env = parent.frame()) {
  folder <- withr::local_tempdir(.local_envir = env)
  file.copy(test_path("fixtures", "query_rules_1"), folder, recursive = TRUE)
  ledger <- file.path(folder, "query_rules_1")
  # In a package these names would be too long.
  names <- c(
    days_by_ward = "2a2b14d0fc5b6609446ee21d21a2b6896320a8964098d5e17dd7f001cd0ffa90",
    n_by_days = "5cbf1dfa5be880c7da830af3c1654e9674b16d03e20d6335fd4aedb441ffef5f"
  )
  for (name in names(names)) {
    file.rename(
      file.path(ledger, "releases", paste0(name, ".json")),
      file.path(ledger, "releases", paste0(names[[name]], ".json"))
    )
  }
  dp_ledger(ledger)
}

# The stored files: list(plan, receipt, value), the larger one first.
stored_of_before <- function() {
  files <- list.files(test_path("fixtures", "query_rules_1", "releases"), full.names = TRUE)
  lapply(files[order(-file.size(files))], function(file) {
    receipt <- jsonlite::fromJSON(file, simplifyVector = FALSE)$receipt
    list(receipt = receipt, plan = value_in_text(receipt$plan, planned_classes))
  })
}

test_that("a stored query without `rules` keeps its hash", {
  for (stored in stored_of_before()) {
    expect_null(stored$plan$query$rules)
    expect_identical(plan_hash(stored$plan), stored$receipt$plan_hash)
  }
})

test_that("a stored query without `rules` keeps its stored release and its receipt", {
  ledger <- ledger_of_before()
  for (stored in stored_of_before()) {
    budget <- budget_of(ledger)
    claim <- list(
      plan = plan_hash(stored$plan), loss = list(c(1e8, 0), c(1e8, 0)), version = "2026-03"
    )
    claim$cost <- budget$cost(claim)
    again <- budget$stored(claim)
    expect_identical(again$receipt$release, stored$receipt$release)
    checks <- verify_release(structure(stored$receipt, class = "dp_receipt"), ledger)
    result <- stats::setNames(checks$result, checks$check)
    expect_identical(
      result[c("plan", "unit", "facts", "record")],
      c(plan = "passed", unit = "passed", facts = "passed", record = "passed")
    )
  }
})

test_that("a stored query without `rules` keeps its meaning", {
  released <- function(stored) {
    value <- compiled_plan(stored$plan)$measurement(arg = visits_of_before)
    lapply(value[[2]], as.double)
  }
  # Aggregates in the order of their names: days and n by ward, then n by days. Fractions and the
  # missing ward are not counted, and 9 counts as the bound 5.
  expect_equal(lapply(stored_of_before(), released),
    list(list(c(0, 120), c(40, 40)), list(c(0, 0, 0, 40, 0, 40)))
  )
})

test_that("new queries have the newest rules, and later rules are refused", {
  table <- dp_tbl(dp_session(dp_epsilon(1)), NULL, dp_unit(rows = 1),
    dp_domain(days = dp_int(0, 5))
  )
  form <- form_of_query(count(table, days))
  expect_identical(form$rules, newest_rules)
  expect_identical(planned_query(count(table, days), dp_epsilon(1), 0.05)$query$rules, newest_rules)
  form$rules <- newest_rules + 1
  expect_error(core_query_fields(form), "rules of a later version", class = "dp_error_unsupported")
  for (rules in list(0, 1.5, "2", -1)) {
    form$rules <- rules
    expect_error(core_query_fields(form), "`rules` of a query", class = "dp_error_failed_cast")
  }
})
