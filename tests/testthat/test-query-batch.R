test_that("a plan releases all queries for one charge", {
  local_verbs()
  for (loss in list(dp_epsilon(1), dp_zcdp(1), dp_zcdp(1, 1e-6))) {
    session <- dp_session(loss)
    table <- dp_tbl(session, hospital(), dp_unit(rows = 1), hospital_domain())
    plan <- dp_batch(session,
      wards = count(table, ward), days = summarise(table, d = dp_mean(days)),
      weights = c(1, 3)
    )
    asked <- stats::setNames(list(0.2), measure_name(loss))
    out <- do.call(release, c(list(plan), asked))
    expect_identical(names(out), c("wards", "days"))
    expect_identical(nrow(dp_history(session)), 1L)
    expect_equal(dp_spent(session)[[1]], 0.2)
    losses <- vapply(out, function(each) amount_of(about_released(each)$loss), 1)
    expect_equal(unname(losses), c(0.05, 0.15), tolerance = 1e-6)
    for (i in 1:4) do.call(release, c(list(plan), asked))
    expect_error(do.call(release, c(list(plan), asked)), class = "dp_error_budget")
  }
})

test_that("invalid plans raise errors", {
  local_verbs()
  session <- dp_session(dp_zcdp(1))
  table <- people_to_plan(session)
  query <- count(table, region)
  other <- count(people_to_plan(), region)
  expect_snapshot(error = TRUE, {
    dp_batch(session)
    dp_batch(session, query)
    dp_batch(session, a = query, a = query)
    dp_batch(session, a = table)
    dp_batch(session, a = other)
    dp_batch(session, a = query, weights = c(1, 2))
    dp_batch(session, a = query, weights = 0)
    dp_batch(session, a = query, accountant = "pld")
    dp_batch(1, a = query)
  })
  expect_error(dp_batch(session, a = query, b = query, weights = 1e308), "`weights`",
    class = "dp_error_invalid_argument"
  )
  expect_error(release(dp_batch(session, a = query), rho = 0.1), class = "dp_error_source")
  expect_identical(dp_spent(session)[["rho"]], 0)
})

test_that("with \"pld\", each of many queries gets more loss for the same total", {
  local_verbs()
  enable_features("contrib")
  session <- dp_session(dp_epsilon(4, 1e-6))
  table <- dp_tbl(session, hospital(), dp_unit(rows = 1), hospital_domain())
  queries <- rep(list(count(table, ward)), 30)
  names(queries) <- paste0("q", seq_along(queries))
  plan <- do.call(dp_batch, c(list(session), queries, list(accountant = "pld")))
  out <- release(plan, epsilon = 1, delta = 1e-6)
  losses <- vapply(out, function(each) amount_of(about_released(each)$loss), 1)
  expect_gt(sum(losses), 1.2)
  of_all <- compose_pld(unname(Map(function(query, each) {
    as_measurement(query, about_released(each)$loss)
  }, queries, out)), d_in = 1L)
  expect_lte(of_all(delta = 1e-6), 1)
  expect_gt(of_all(delta = 1e-6), 0.99)
  # The charge is the map of the measurement that ran, rounded up.
  expect_equal(dp_spent(session), c(epsilon = of_all(delta = 1e-6), delta = 1e-6))
  expect_error(release(plan, epsilon = 1), class = "dp_error_budget")
})

test_that("shares of a plan are decimals that add up to at most the requested loss", {
  for (weights in list(c(1, 1, 1), c(1, 2, 4), c(0.1, 0.7, 0.2), c(1e-6, 1, 3))) {
    for (amount in c(1, 0.1, 0.3, 1 / 3, 0.7)) {
      plan <- list(queries = list(list(), list(), list()), weights = weights)
      asked <- dp_epsilon(amount)
      losses <- member_losses(plan, asked, 1)
      if (!fit_within(losses, asked)) losses <- member_losses(plan, asked, 1 - 1e-9)
      expect_true(fit_within(losses, asked))
      expect_equal(sum(vapply(losses, amount_of, 1)), amount, tolerance = 1e-8)
    }
  }
  expect_false(fit_within(list(dp_epsilon(0.5), dp_epsilon(0.500000001)), dp_epsilon(1)))
  expect_true(fit_within(rep(list(dp_epsilon(0.2)), 5), dp_epsilon(1)))
})

test_that("an error of a later member carries the values of earlier ones", {
  session <- dp_session(dp_epsilon(10))
  table <- dp_tbl(session, data.frame(x = 0:9), dp_unit(rows = 1), dp_domain(x = dp_int(0, 9)))
  count <- function() dplyr::summarise(table, n = dp_count())
  plan <- dp_batch(session, a = count(), b = count(), c = count())
  run <- raw_release
  calls <- 0
  local_replaced("raw_release", function(prepared, call) {
    calls <<- calls + 1
    if (calls == 3) stop_backend(simpleError("no"), call) else run(prepared, call)
  })
  error <- tryCatch(release(plan, epsilon = 3), error = identity)
  expect_s3_class(error, "dp_error_backend")
  expect_named(error$released, c("a", "b"))
  expect_s3_class(error$released$b, "dp_released")
  expect_match(conditionMessage(error), "released", fixed = TRUE)
  expect_equal(dp_spent(session)[["epsilon"]], 3)
})

test_that("what a batch released prints, and gives one data frame for all queries", {
  local_verbs()
  session <- dp_session(dp_epsilon(1000))
  table <- dp_tbl(session, hospital(), dp_unit(rows = 1), hospital_domain())
  batch <- dp_batch(session,
    wards = count(table, ward), days = summarise(table, d = dp_mean(days))
  )
  released <- small(release(batch, epsilon = 100))
  expect_s3_class(released, "dp_released_batch")
  lines <- format(released)
  expect_identical(lines[lines %in% c("$wards", "$days")], c("$wards", "$days"))
  expect_identical(
    lines, c("$wards", format(released$wards), "", "$days", format(released$days))
  )
  expect_output(print(released), "$days", fixed = TRUE)
  all <- as.data.frame(generics::tidy(released))
  parts <- lapply(list(released$wards, released$days), function(x) as.data.frame(generics::tidy(x)))
  expect_identical(all$query, rep(c("wards", "days"), vapply(parts, nrow, 1L)))
  expect_identical(all$estimate, c(parts[[1]]$estimate, parts[[2]]$estimate))
  expect_identical(all$ward, c(as.character(parts[[1]]$ward), NA))
  glanced <- as.data.frame(generics::glance(released))
  expect_identical(glanced$query, c("wards", "days"))
  expect_identical(glanced$groups, c(nrow(released$wards), 1L))
  expect_named(summary(released), c("wards", "days"))
  page <- knitr::knit_print(released)
  expect_match(page, "**wards**", fixed = TRUE)
  expect_no_match(page, "receipt")
})

test_that("queries of two versions make no batch, since a batch is charged for one", {
  local_verbs()
  ledger <- local_ledger(unit = dp_unit(rows = 1))
  dp_new_version(ledger, "2026-04", ever = TRUE)
  session <- dp_session(ledger = ledger)
  of <- function(version) {
    table <- dp_tbl(session, hospital(), dp_unit(rows = 1), hospital_domain(), version = version)
    count(table, ward)
  }
  expect_s3_class(dp_batch(session, a = of("2026-03"), b = of("2026-03")), "dp_batch")
  expect_error(dp_batch(session, a = of("2026-03"), b = of("2026-04")), "one version",
    class = "dp_error_invalid_argument"
  )
  expect_error(dp_batch(session, a = of("2026-03"), b = of("2026-03"), weights = c(1, Inf)),
    "one number above 0", class = "dp_error_invalid_argument"
  )
})

test_that("sessions on one ledger are one budget for a batch, others are not", {
  local_verbs()
  ledger <- local_ledger(unit = dp_unit(rows = 1))
  counted <- function(on) count(dp_tbl(on, hospital(), dp_unit(rows = 1), hospital_domain()), ward)
  on_ledger <- function() dp_session(ledger = dp_ledger(ledger$where))
  batch <- dp_batch(on_ledger(), a = counted(on_ledger()), b = counted(on_ledger()))
  release(batch, epsilon = 0.5)
  expect_identical(spent_in(ledger), 0.5)
  for (other in list(dp_session(dp_epsilon(1)), dp_session(ledger = local_ledger()))) {
    expect_error(dp_batch(other, a = counted(on_ledger())), "in this session",
      class = "dp_error_invalid_argument"
    )
  }
  # A copy of the ledger is another place to spend.
  folder <- withr::local_tempdir()
  file.copy(ledger$where, folder, recursive = TRUE)
  copy <- dp_session(ledger = dp_ledger(file.path(folder, basename(ledger$where))))
  expect_error(dp_batch(copy, a = counted(on_ledger())), class = "dp_error_invalid_argument")
})

test_that("groups of one query keep their class in the data frame of a batch", {
  local_verbs()
  session <- dp_session(dp_epsilon(1))
  data <- data.frame(day = as.Date("2026-01-01") + 0:1, ward = "A")
  table <- dp_tbl(session, data, dp_unit(rows = 1),
    dp_schema(day = dp_date("2026-01-01", "2026-01-02"), ward = dp_levels("A"))
  )
  batch <- dp_batch(session, all = summarise(table, n = dp_count()),
    wards = count(table, ward), days = count(table, day)
  )
  frame <- as.data.frame(small(release(batch, epsilon = 1)))
  expect_identical(frame$day, data$day[c(NA, NA, 1:2)])
  expect_identical(frame$ward, c(NA, "A", NA, NA))
})
