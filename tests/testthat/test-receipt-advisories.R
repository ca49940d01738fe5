options(opendp_features = c("contrib", "honest-but-curious"))

faulty <- "PSIlence 0.1.0"

# Receipt that a version wrote for a planned query, without a ledger.
receipt_of_plan <- function(query, package = faulty, ...) {
  plan <- planned_query(query, dp_epsilon(0.1), 0.05)
  list(
    package = package, plan = release_text(plan, planned_classes), unit = "1 row", signature = "",
    engine = "core", ...
  )
}

met_by <- function(query, ...) advisories_of(receipt_of_plan(query, ...))

local_people <- function(unit = dp_unit(rows = 1), env = parent.frame()) {
  local_verbs(env)
  dp_tbl(dp_session(dp_epsilon(1)), NULL, unit, dp_domain(
    k = dp_int(0, 5), g = dp_levels("a", "b"), x = dp_num(0, 1)
  ))
}

test_that("advisories are listed once and name the fixed version", {
  listed <- dp_advisories()
  expect_identical(names(listed), c("id", "severity", "since", "fixed", "summary", "advice"))
  expect_identical(anyDuplicated(listed$id), 0L)
  expect_true(all(grepl("^PSIL-20[0-9]{2}-[0-9]+$", listed$id)))
  expect_true(all(listed$severity %in% c("loss", "secret")))
  fixed <- numeric_version(stats::na.omit(listed$fixed))
  expect_true(all(fixed <= packageVersion("PSIlence")))
  expect_true(all(fixed > numeric_version(listed$since[!is.na(listed$fixed)])))
})

test_that("a join on -0 and 0 is found, and no other join", {
  join <- function(key) {
    table <- local_people()
    query <- dplyr::inner_join(table, data.frame(k = key, v = "a"), by = "k")
    dplyr::summarise(query, n = dp_count())
  }
  of_plan <- function(values) {
    receipt <- receipt_of_plan(join(c(0, 1)))
    form <- value_in_text(receipt$plan, planned_classes)
    form$query$steps[[1]]$table$columns[[1]]$values <- values
    receipt$plan <- release_text(form, planned_classes)
    receipt
  }
  expect_identical(advisories_of(of_plan(c(-0, 0)))$met, "PSIL-2026-1")
  for (values in list(c(0, 1), c(-0, 1), c(0, 0), c(NA, -0), 1:2)) {
    expect_identical(advisories_of(of_plan(values))$met, character())
  }
  mended <- of_plan(c(-0, 0))
  mended$package <- "PSIlence 0.1.1"
  expect_identical(advisories_of(mended)$met, character())
})

test_that("lengths that no neighbours share are found, and no other lengths", {
  counted <- function(unit, lengths = TRUE, max_rows = NULL) {
    table <- local_people(unit)
    if (!is.null(max_rows)) table <- dp_truncate(table, max_rows = max_rows)
    table <- dp_margin(table, by = g, keys = TRUE, lengths = lengths)
    query <- dplyr::group_by(table, g)
    # Only the form, because a version without the fault may reject the query.
    steps <- steps_of_table(query)
    form <- list(source = source_form(tbl_data(query)), steps = steps)
    structure(list(query = form), class = "dp_planned_query")
  }
  met <- function(...) any_step(counted(...), fixes_lengths)
  expect_true(met(dp_unit(rows = 1)))
  for (rows in 1:2) expect_true(met(dp_unit(id = id), max_rows = rows))
  for (unit in list(dp_unit(rows = 2), dp_unit(changes = 1))) expect_false(met(unit))
  expect_false(met(dp_unit(id = id, n = 2), max_rows = 1))
  expect_false(met(dp_unit(rows = 1), lengths = FALSE))
})

test_that("faults that a plan cannot show are not checked", {
  count <- dplyr::summarise(local_people(), n = dp_count())
  expect_identical(met_by(count), list(met = character(), open = character()))
  of <- function(field, value, receipt = receipt_of_plan(count)) {
    receipt[[field]] <- value
    advisories_of(receipt)
  }
  for (engine in c("SQLite", "DuckDB", "Spark")) {
    expect_identical(of("engine", engine)$open, "PSIL-2026-4")
    expect_identical(of("engine", paste0(engine, ", core"))$open, "PSIL-2026-4")
  }
  expect_identical(of("engine", "PostgreSQL")$open, "PSIL-2026-9")
  streamed <- replace(receipt_of_plan(count), "engine", "PostgreSQL")
  expect_identical(of("unit", "patient", streamed)$open, c("PSIL-2026-9", "PSIL-2026-10"))
  expect_identical(of("signature", strrep("0", 128))$open, "PSIL-2026-6")
  expect_identical(of("unit", "patient")$open, character())
  plan_of_statistic <- function(statistic, unit) {
    text <- plan_text(statistic$measurement)
    of("unit", unit, receipt = replace(receipt_of_plan(count), "plan", text))$open
  }
  expect_identical(plan_of_statistic(mean_age(), "patient"), "PSIL-2026-5")
  for (unit in c("row", "1 row", "one row", "1 replaced row")) {
    expect_identical(plan_of_statistic(mean_age(), unit), character())
  }
  model <- dpLM(y ~ x, n = 200, rng = list(y = bounds(), x = c(0, 1)), epsilon = 1)
  declared <- dpLM(y ~ x, n = 200, rng = list(y = c(0, 1), x = c(0, 1)), epsilon = 1)
  expect_identical(plan_of_statistic(model, "row"), "PSIL-2026-7")
  expect_identical(plan_of_statistic(declared, "row"), character())
  bits <- make_randomized_response_bitvec(
    bitvector_domain(max_weight = 1L, size = 8L), discrete_distance(), f = 0.5
  )
  receipt <- replace(receipt_of_plan(count), "plan", plan_text(bits))
  expect_true("PSIL-2026-8" %in% advisories_of(receipt)$open)
})

test_that("a release of a faulty version fails, and one of this version passes", {
  local_verbs()
  ledger <- create_ledger(file.path(withr::local_tempdir(), "a"), "people", dp_unit(rows = 1),
    dp_epsilon(1), version = "1"
  )
  table <- dp_tbl(dp_session(ledger = ledger), data.frame(k = 1:9), dp_unit(rows = 1),
    dp_domain(k = dp_int(0, 9))
  )
  query <- dplyr::summarise(
    dplyr::inner_join(table, data.frame(k = c(0, 1), v = 1:2), by = "k"), n = dp_count()
  )
  receipt <- dp_receipt(release(query, epsilon = 0.1))
  result_of <- function(receipt) {
    checks <- verify_release(receipt)
    unlist(checks[checks$check == "advisories", c("result", "detail")])
  }
  expect_identical(result_of(receipt)[["result"]], "passed")
  expect_identical(receipt$package, paste("PSIlence", packageVersion("PSIlence")))
  form <- planned_in(from_json(receipt$plan))
  form$query$steps[[1]]$table$columns[[1]]$values <- c(-0, 0)
  receipt$plan <- text_of_planned(form)
  expect_identical(result_of(receipt)[["result"]], "passed")
  receipt$package <- faulty
  expect_identical(result_of(receipt)[["result"]], "failed")
  expect_match(result_of(receipt)[["detail"]], "PSIlence 0.1.0 has PSIL-2026-1")
  for (package in list("", "PSIlence", "other 0.1.0", NULL, 1, "PSIlence 0.1.0 x")) {
    receipt["package"] <- list(package)
    expect_identical(result_of(receipt)[["result"]], "not checked")
  }
  receipt$package <- faulty
  receipt$plan <- "no plan"
  expect_identical(result_of(receipt)[["result"]], "not checked")
})

test_that("a ledger says which stored releases have a known fault", {
  local_verbs()
  of_ledger <- function(package, minus_zero = FALSE, store = TRUE) {
    local_replaced("this_package", function() package)
    if (!store) local_replaced("store_release", function(...) NULL)
    where <- file.path(withr::local_tempdir(.local_envir = parent.frame()), "people.ledger")
    ledger <- create_ledger(where, "people", dp_unit(rows = 1), dp_epsilon(1), version = "1")
    if (minus_zero) {
      local_replaced("joins_minus_zero", function(step, form) TRUE)
    }
    table <- dp_tbl(dp_session(ledger = ledger), data.frame(k = 1:9), dp_unit(rows = 1),
      dp_domain(k = dp_int(0, 9))
    )
    joined <- dplyr::inner_join(table, data.frame(k = c(0, 1), v = 1:2), by = "k")
    release(dplyr::summarise(joined, n = dp_count()), epsilon = 0.1)
    checks <- dp_ledger_verify(where)
    unlist(checks[checks$check == "advisories", c("result", "detail")])
  }
  expect_identical(of_ledger("PSIlence 0.1.1")[["result"]], "passed")
  expect_identical(of_ledger(faulty)[["result"]], "passed")
  found <- of_ledger(faulty, minus_zero = TRUE)
  expect_identical(found[["result"]], "failed")
  expect_match(found[["detail"]], "1 stored releases have PSIL-2026-1", fixed = TRUE)
  expect_identical(of_ledger("PSIlence 0.1.1", minus_zero = TRUE)[["result"]], "passed")
  alone <- of_ledger(faulty, store = FALSE)
  expect_identical(alone[["result"]], "not checked")
  expect_match(alone[["detail"]], "1 charges of versions with known faults have no receipt")
})
