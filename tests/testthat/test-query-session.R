test_that("a session counts what was spent, in its currency", {
  session <- dp_session(dp_zcdp(0.5, delta = 1e-7))
  expect_identical(dp_spent(session), c(rho = 0, delta = 0))
  child <- dp_allocate(session, dp_zcdp(0.2, delta = 1e-8))
  expect_identical(dp_spent(session), c(rho = 0.2, delta = 1e-8))
  expect_equal(dp_remaining(session) / c(0.3, 9e-8), c(rho = 1, delta = 1))
  expect_equal(dp_remaining(child) / c(0.2, 1e-8), c(rho = 1, delta = 1))
  history <- dp_history(session)
  expect_identical(names(history), c("record", "what", "rho", "delta", "plan"))
  expect_equal(history$rho, 0.2)
  expect_identical(nrow(dp_history(child)), 0L)
})

test_that("decimals fill a budget which their doubles would exceed", {
  for (amount in c(0.1, 0.2, 0.05)) {
    session <- dp_session(dp_epsilon(1))
    for (i in seq_len(1 / amount)) dp_allocate(session, dp_epsilon(amount))
    expect_identical(dp_remaining(session)[["epsilon"]], 0)
    expect_error(dp_allocate(session, dp_epsilon(1e-9)), class = "dp_error_budget")
  }
})

test_that("what is more than is left is refused, and the session goes on", {
  session <- dp_session(dp_epsilon(0.5, delta = 1e-6))
  expect_error(dp_allocate(session, dp_epsilon(0.6)), class = "dp_error_budget")
  expect_error(dp_allocate(session, dp_epsilon(0.1, delta = 1e-5)), class = "dp_error_budget")
  expect_identical(dp_spent(session), c(epsilon = 0, delta = 0))
  dp_allocate(session, dp_epsilon(0.5, delta = 1e-6))
  expect_identical(dp_remaining(session), c(epsilon = 0, delta = 0))
})

test_that("another currency is refused by name", {
  expect_snapshot(error = TRUE, {
    dp_allocate(dp_session(dp_zcdp(1)), dp_epsilon(0.1))
    dp_allocate(dp_session(dp_epsilon(1)), dp_zcdp(0.1))
    dp_allocate(dp_session(dp_zcdp(0.5)), dp_zcdp(0.6))
  })
})

test_that("a session is made of a loss or a ledger", {
  expect_error(dp_session(), class = "dp_error_invalid_argument")
  expect_error(dp_session(1), class = "dp_error_invalid_argument")
  expect_error(dp_session(dp_epsilon(1), ledger = "x"), class = "dp_error_invalid_argument")
  expect_error(dp_session(ledger = "x"), class = "dp_error_invalid_argument")
})

test_that("D-LED-3: a copy that was saved or sent spends nothing", {
  session <- dp_session(dp_epsilon(1))
  file <- withr::local_tempfile()
  saveRDS(session, file)
  for (copy in list(readRDS(file), unserialize(serialize(session, NULL)))) {
    expect_error(dp_allocate(copy, dp_epsilon(0.1)), class = "dp_error_stale_object")
    expect_error(dp_remaining(copy), class = "dp_error_stale_object")
    expect_output(print(copy), "spends nothing")
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

test_that("another name is the same session", {
  session <- dp_session(dp_epsilon(1))
  other <- session
  other$loss <- dp_epsilon(100)
  dp_allocate(other, dp_epsilon(0.7))
  expect_equal(dp_remaining(session)[["epsilon"]], 0.3)
  expect_error(dp_allocate(other, dp_epsilon(50)), class = "dp_error_budget")
})
