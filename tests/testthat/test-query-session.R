test_that("a session counts spending in its privacy measure", {
  session <- dp_session(dp_zcdp(0.5, delta = 1e-7))
  expect_identical(dp_spent(session), c(rho = 0, delta = 0))
  child <- dp_allocate(session, dp_zcdp(0.2, delta = 1e-8))
  expect_identical(dp_spent(session), c(rho = 0.2, delta = 1e-8))
  expect_equal(dp_remaining(session) / c(0.3, 9e-8), c(rho = 1, delta = 1))
  expect_equal(dp_remaining(child) / c(0.2, 1e-8), c(rho = 1, delta = 1))
  history <- dp_history(session)
  expect_identical(names(history), c(
    "time", "what", "who", "version", "rho", "delta", "spent", "plan", "record", "unit",
    "table", "promise"
  ))
  expect_equal(history$rho, 0.2)
  expect_identical(nrow(dp_history(child)), 0L)
})

test_that("decimals fill a budget that their doubles would exceed", {
  for (amount in c(0.1, 0.2, 0.05)) {
    session <- dp_session(dp_epsilon(1))
    for (i in seq_len(1 / amount)) dp_allocate(session, dp_epsilon(amount))
    expect_identical(dp_remaining(session)[["epsilon"]], 0)
    expect_error(dp_allocate(session, dp_epsilon(1e-9)), class = "dp_error_budget")
  }
})

test_that("a loss above the rest raises an error, and the session continues", {
  session <- dp_session(dp_epsilon(0.5, delta = 1e-6))
  expect_error(dp_allocate(session, dp_epsilon(0.6)), class = "dp_error_budget")
  expect_error(dp_allocate(session, dp_epsilon(0.1, delta = 1e-5)), class = "dp_error_budget")
  expect_identical(dp_spent(session), c(epsilon = 0, delta = 0))
  dp_allocate(session, dp_epsilon(0.5, delta = 1e-6))
  expect_identical(dp_remaining(session), c(epsilon = 0, delta = 0))
})

test_that("a different privacy measure raises an error that names it", {
  expect_snapshot(error = TRUE, {
    dp_allocate(dp_session(dp_zcdp(1)), dp_epsilon(0.1))
    dp_allocate(dp_session(dp_epsilon(1)), dp_zcdp(0.1))
    dp_allocate(dp_session(dp_zcdp(0.5)), dp_zcdp(0.6))
  })
})

test_that("a session is made from a loss or a ledger", {
  expect_error(dp_session(), class = "dp_error_invalid_argument")
  expect_error(dp_session(1), class = "dp_error_invalid_argument")
  expect_error(dp_session(dp_epsilon(1), ledger = "x"), class = "dp_error_invalid_argument")
  expect_error(dp_session(ledger = "x"), class = "dp_error_invalid_argument")
})

test_that("D-LED-3: a saved or sent copy spends nothing", {
  session <- dp_session(dp_epsilon(1))
  file <- withr::local_tempfile()
  saveRDS(session, file)
  for (copy in list(readRDS(file), unserialize(serialize(session, NULL)))) {
    expect_error(dp_allocate(copy, dp_epsilon(0.1)), class = "dp_error_stale_object")
    expect_error(dp_remaining(copy), class = "dp_error_stale_object")
    expect_output(print(copy), "cannot spend")
  }
  expect_identical(dp_spent(session)[["epsilon"]], 0)
})

test_that("D-LED-3: a fork spends nothing", {
  session <- dp_session(dp_epsilon(1))
  child <- parallel::mcparallel(tryCatch(
    dp_allocate(session, dp_epsilon(0.1)),
    dp_error_stale_object = function(error) "stale"
  ))
  expect_identical(parallel::mccollect(child)[[1]], "stale")
  expect_identical(dp_spent(session)[["epsilon"]], 0)
})

test_that("D-LED-3: a fork between charge and noise draws none", {
  run <- budget_of(dp_session(dp_epsilon(1)))$run
  draw <- function(mark) {
    mark()
    "drawn"
  }
  expect_identical(run(NULL, draw), "drawn")
  child <- parallel::mcparallel(tryCatch(
    run(NULL, draw), dp_error_stale_object = function(error) "stale"
  ))
  expect_identical(parallel::mccollect(child)[[1]], "stale")
})

test_that("a second name is the same session", {
  session <- dp_session(dp_epsilon(1))
  other <- session
  other$loss <- dp_epsilon(100)
  dp_allocate(other, dp_epsilon(0.7))
  expect_equal(dp_remaining(session)[["epsilon"]], 0.3)
  expect_error(dp_allocate(other, dp_epsilon(50)), class = "dp_error_budget")
})

# People with many rows each, and rows, in one session.
mixed_tables <- function(session) {
  local_verbs()
  data <- data.frame(id = rep(1:4, each = 5), x = 1L)
  of <- function(unit) dp_tbl(session, data, unit, dp_domain(x = dp_int(0, 9)))
  people <- summarise(dp_truncate(of(dp_unit(id = id)), max_rows = 1), n = dp_count())
  list(people = people, rows = summarise(of(dp_unit(rows = 1)), n = dp_count()))
}

test_that("D_UNIT_1: a session releases for one unit alone", {
  session <- dp_session(dp_epsilon(1))
  tables <- mixed_tables(session)
  expect_identical(dp_history(session)$unit, character())
  release(tables$people, epsilon = 0.25)
  expect_snapshot(error = TRUE, release(tables$rows, epsilon = 0.25))
  expect_error(mixed_tables(session), class = "dp_error_unit")
  expect_identical(dp_spent(session)[["epsilon"]], 0.25)
  release(tables$people, epsilon = 0.25)
  expect_identical(dp_history(session)$unit, c("id", "id"))
})

test_that("D_UNIT_1: sessions that were allocated share the unit", {
  session <- dp_session(dp_epsilon(1))
  children <- lapply(1:2, function(i) dp_allocate(session, dp_epsilon(0.25)))
  grandchild <- dp_allocate(children[[1]], dp_epsilon(0.1))
  tables <- lapply(c(children, list(grandchild)), mixed_tables)
  release(tables[[3]]$rows, epsilon = 0.1)
  for (one in tables) {
    expect_error(release(one$people, epsilon = 0.1), class = "dp_error_unit")
  }
  release(tables[[1]]$rows, epsilon = 0.1)
  expect_identical(dp_history(session)$unit, c("1 row", "1 row"))
  of_ledger <- dp_session(ledger = local_ledger())
  child <- dp_allocate(of_ledger, dp_epsilon(0.5))
  expect_error(mixed_tables(child), "protects 1 replaced row", class = "dp_error_unit")
})

test_that("D_UNIT_1: a plan is of queries of one unit, and units are compared by their parts", {
  session <- dp_session(dp_epsilon(1))
  tables <- mixed_tables(session)
  expect_error(dp_batch(session, a = tables$people, b = tables$rows), "unit of the first",
    class = "dp_error_invalid_argument"
  )
  protected <- new_protection(dp_unit(id = c(a, b)))
  expect_true(is_protected(dp_unit(id = c(b, a)), protected))
  others <- list(
    dp_unit(id = "a and b"), dp_unit(id = c(a, b), n = 2), dp_unit(id = a), dp_unit(rows = 1)
  )
  for (other in others) expect_false(is_protected(other, protected))
  one_row <- new_protection(dp_unit(rows = 1))
  expect_false(is_protected(dp_unit(id = "1 row"), one_row))
  expect_false(is_protected(dp_unit(changes = 1), one_row))
})
