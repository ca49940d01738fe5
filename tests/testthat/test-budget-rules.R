options(opendp_features = c("contrib", "honest-but-curious"))

# Promises of a budget must hold for each spending path. There is a cell for each rule, kind of
# budget and path, because one gap breaks the rule.

rows_of_rules <- data.frame(age = rep(c(20, 40), 50), id = rep(1:20, 5))

# Budgets of epsilon 1, with the functions that open and charge them. A ledger protects a replaced
# row, which all paths support.
budgets <- list(
  session = function(env) dp_session(dp_epsilon(1)),
  allocated = function(env) dp_allocate(dp_session(dp_epsilon(2)), dp_epsilon(1)),
  ledger = function(env, unit = dp_unit(changes = 1)) {
    where <- file.path(withr::local_tempdir(.local_envir = env), "rules.ledger")
    create_ledger(where, "rules", unit, dp_epsilon(1), version = "1")
  }
)

# Query unit that gives a release the budget's protection.
unit_for <- function(budget) dp_unit(rows = if (inherits(budget, "dp_ledger")) 2 else 1)

session_for <- function(budget) {
  if (inherits(budget, "dp_ledger")) dp_session(ledger = budget) else budget
}

query_of <- function(budget, unit = unit_for(budget), data = rows_of_rules) {
  table <- dp_tbl(session_for(budget), data, unit, dp_domain(age = dp_int(0, 100)))
  if (unit$kind == "id") table <- dp_truncate(table, max_rows = 1)
  dplyr::summarise(table, n = dp_count())
}

failing_count <- function() {
  make_user_measurement(
    vector_domain(atom_domain(.T = "f64")), symmetric_distance(), max_divergence(),
    function(x) stop("no"), function(d_in) 0.125 * d_in
  )
}

# Spending paths. Each spends `epsilon` of a budget. `unit` and `d_in` state the protection.
ways <- list(
  statistic = function(budget, epsilon = 0.25, ...) {
    quietly_reused(with_ledger(budget, mean_age(epsilon)$release(rows_of_rules)))
  },
  measurement = function(budget, epsilon = 0.25, d_in = 2L, ...) {
    quietly_reused(charge(noisy_count(2 / epsilon), budget, d_in = d_in)(rows_of_rules$age))
  },
  query = function(budget, epsilon = 0.25, unit = unit_for(budget), ...) {
    quietly_reused(release(query_of(budget, unit), epsilon = epsilon))
  },
  plan = function(budget, epsilon = 0.25, unit = unit_for(budget), ...) {
    query <- query_of(budget, unit)
    quietly_reused(release(dp_batch(session_of(query), a = query), epsilon = epsilon))
  }
)

for_each_way_to_spend <- function(check) {
  for (budget in names(budgets)) {
    for (way in names(ways)) {
      check(budgets[[budget]](environment()), ways[[way]], way)
    }
  }
}

test_that("each release is charged, with its unit in the history", {
  for_each_way_to_spend(function(opened, spend, way) {
    spend(opened)
    expect_equal(spent_in(opened), 0.25)
    of_ledger <- inherits(opened, "dp_ledger")
    unit <- switch(way, statistic = "1 replaced row", measurement = "2 rows", "1 row")
    expect_identical(dp_history(opened)$unit, if (of_ledger) "1 replaced row" else unit)
  })
})

test_that("a charge above the remaining budget raises an error and spends nothing", {
  for_each_way_to_spend(function(opened, spend, way) {
    spend(opened, epsilon = 0.75)
    before <- dp_spent(opened)
    expect_error(spend(opened, epsilon = 0.5), class = "dp_error_budget")
    expect_identical(dp_spent(opened), before)
  })
})

test_that("D_UNIT_1: a different unit raises an error and spends nothing", {
  for_each_way_to_spend(function(opened, spend, way) {
    if (way %in% c("statistic", "measurement")) {
      return()
    }
    spend(opened)
    before <- dp_spent(opened)
    of_ledger <- inherits(opened, "dp_ledger")
    others <- list(
      dp_unit(id = id), dp_unit(id = id, relation = "replace"),
      if (of_ledger) dp_unit(rows = 1) else dp_unit(rows = 2),
      if (!of_ledger) dp_unit(changes = 1)
    )
    for (other in Filter(Negate(is.null), others)) {
      expect_error(spend(opened, unit = other), class = "dp_error_unit")
    }
    expect_identical(dp_spent(opened), before)
  })
})

test_that("D_UNIT_1: ledgers of other units reject releases with less protection", {
  # Protection by each path: a replaced row, or two rows.
  protected <- list(
    statistic = list(dp_unit(changes = 1)),
    measurement = list(dp_unit(changes = 1), dp_unit(rows = 1), dp_unit(rows = 2)),
    query = list(dp_unit(changes = 1), dp_unit(rows = 1), dp_unit(rows = 2)),
    plan = list(dp_unit(changes = 1), dp_unit(rows = 1), dp_unit(rows = 2))
  )
  units <- list(
    dp_unit(changes = 1), dp_unit(changes = 2), dp_unit(rows = 1), dp_unit(rows = 2),
    dp_unit(rows = 3), dp_unit(id = id), dp_unit(id = id, relation = "replace"), dp_unit(id = age)
  )
  for (way in names(ways)) {
    for (unit in units) {
      opened <- budgets$ledger(environment(), unit)
      if (any(vapply(protected[[way]], identical, NA, unit))) {
        ways[[way]](opened)
        expect_equal(spent_in(opened), 0.25)
      } else {
        expect_error(ways[[way]](opened), class = "dp_error_unit")
        expect_identical(spent_in(opened), 0)
      }
    }
  }
})

test_that("D_UNIT_1: a replaced person is measured as one removed and one added", {
  replaced <- dp_unit(id = id, relation = "replace")
  for (owed in list(dp_unit(id = id), replaced)) {
    opened <- budgets$ledger(environment(), owed)
    ways$query(opened, unit = replaced)
    expect_equal(spent_in(opened), 0.25)
  }
  opened <- budgets$ledger(environment(), replaced)
  expect_error(ways$query(opened, unit = dp_unit(id = id)), class = "dp_error_unit")
  ways$query(opened, unit = dp_unit(id = id, n = 2))
  noise <- function(unit) {
    dp_preview(query_of(dp_session(dp_epsilon(1)), unit), epsilon = 0.25)$scale
  }
  expect_identical(noise(replaced), noise(dp_unit(id = id, n = 2)))
  expect_gt(noise(replaced), noise(dp_unit(id = id)))
})

test_that("a promise turns rows into people, and appears in record and receipt", {
  replaced <- dp_unit(id = id, relation = "replace")
  promise <- "one row per id"
  release <- list(
    function(ledger, ...) with_ledger(ledger, mean_age()$release(rows_of_rules), ...),
    function(ledger, ...) {
      count <- charge(noisy_count(), ledger, d_in = 2L, ...)
      count(rows_of_rules$age)
      count
    }
  )
  for (one in release) {
    for (unit in list(dp_unit(id = id), dp_unit(rows = 1), dp_unit(id = id, n = 2))) {
      opened <- budgets$ledger(environment(), unit)
      expect_error(one(opened, promise = promise), class = "dp_error_unit")
      expect_identical(spent_in(opened), 0)
    }
    # A promise turns rows into people, but does not change their number or the relation.
    opened <- budgets$ledger(environment(), dp_unit(id = id, n = 2, relation = "replace"))
    error <- expect_error(one(opened, promise = promise), class = "dp_error_unit")
    expect_match(conditionMessage(error), "the release must protect that many rows", fixed = TRUE)
    expect_no_match(conditionMessage(error), "promise = ", fixed = TRUE)
    opened <- budgets$ledger(environment(), replaced)
    expect_error(charge(noisy_count(), opened, d_in = 1L, promise = promise),
      class = "dp_error_unit"
    )
    expect_error(one(opened), class = "dp_error_unit")
    for (blank in c("", " ", "\n\t")) {
      expect_error(one(opened, promise = blank), class = "dp_error_invalid_argument")
    }
    expect_identical(spent_in(opened), 0)
    receipt <- dp_receipt(one(opened, promise = promise))
    expect_identical(receipt$promise, promise)
    record <- core_ledger_record(ledger_handle(opened), receipt$ledger$charge_seq)
    expect_identical(record$promise, promise)
    checks <- verify_release(receipt, opened)
    unit <- checks[checks$check == "unit", ]
    expect_identical(unit$result, "not checked")
    expect_identical(unit$detail, paste0("promised by the caller: \"", promise, "\""))
    expect_identical(checks$result[checks$check %in% c("form", "record", "loss")],
      rep("passed", 3)
    )
    of_two <- receipt
    of_two$unit$count <- 2
    checks <- verify_release(of_two)
    expect_identical(checks$result[checks$check == "unit"], "failed")
    receipt$promise <- "another"
    checks <- verify_release(receipt, opened)
    expect_identical(checks$result[checks$check == "record"], "failed")
    receipt$promise <- ""
    checks <- verify_release(receipt, opened)
    expect_identical(checks$result[checks$check == "unit"], "failed")
  }
})

test_that("a ledger whose unit is text still pays for statistics, and takes no promise", {
  ledger <- ledger_of_words("patient")
  result <- with_ledger(ledger, mean_age()$release(hundred))
  expect_identical(spent_in(ledger), 0.25)
  expect_match(format(ledger)[[1]], "protects one patient (relation not declared)", fixed = TRUE)
  receipt <- dp_receipt(result)
  expect_identical(receipt$format, "psilence-receipt-1")
  expect_null(receipt$promise)
  checks <- verify_release(receipt, ledger)
  expect_identical(checks$result[checks$check %in% c("form", "unit", "record")], rep("passed", 3))
  expect_error(with_ledger(ledger, mean_age()$release(hundred), promise = "one row per patient"),
    class = "dp_error_unit"
  )
})

test_that("a distance of 0 raises an error and spends nothing", {
  for_each_way_to_spend(function(opened, spend, way) {
    if (way == "measurement") {
      expect_error(spend(opened, d_in = 0L), "above 0", class = "dp_error_invalid_distance")
    } else if (way != "statistic") {
      expect_error(spend(opened, unit = dp_unit(rows = 0)), class = "dp_error_invalid_argument")
      expect_error(spend(opened, unit = dp_unit(changes = 0)), class = "dp_error_invalid_argument")
      expect_error(spend(opened, unit = dp_unit(id = id, n = 0)),
        class = "dp_error_invalid_argument"
      )
    }
    expect_identical(spent_in(opened), 0)
  })
  # Statistics state their distance, and no plan has a different one.
  for (statistic in example_statistics()) expect_gt(statistic$d_in, 0)
})

test_that("a distance with a zero part raises an error, and maps keep 0 at 0", {
  counts <- make_count_by(
    vector_domain(atom_domain(.T = "String")), symmetric_distance(), .TV = "i32"
  )
  noisy <- then_laplace_threshold(counts, 2., 20L)
  ledger <- budgets$ledger(environment())
  expect_error(charge(noisy, ledger, d_in = 0L), class = "dp_error_invalid_distance")
  expect_identical(unlist(noisy(d_in = 0L)), c(0, 0))
  expect_identical(noisy_count()(d_in = 0L), 0)
})

test_that("a charge stays if the release fails", {
  # Fails after the charge, where data would be read.
  fails <- function(...) stop_query("backend", "no")
  local_replaced("raw_release", fails)
  local_replaced("release_statistic", fails)
  ways$measurement <- function(budget) charge(failing_count(), budget, d_in = 2L)(c(1, 2))
  for_each_way_to_spend(function(opened, spend, way) {
    expect_error(ways[[way]](opened), class = "dp_error")
    expect_equal(spent_in(opened), 0.25)
  })
})

test_that("a saved and loaded budget spends nothing", {
  for_each_way_to_spend(function(opened, spend, way) {
    loaded <- unserialize(serialize(opened, NULL))
    expect_error(spend(loaded), class = "dp_error_stale_object")
    expect_identical(spent_in(opened), 0)
  })
})
