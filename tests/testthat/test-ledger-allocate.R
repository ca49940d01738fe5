test_that("an allocated ledger spends its part, and returns the rest once", {
  parent <- local_ledger()
  child <- dp_allocate(parent, dp_epsilon(0.5), file.path(dirname(parent$where), "child.ledger"))
  expect_identical(dp_remaining(parent)[[1]], 0.5)
  expect_identical(dp_remaining(child)[[1]], 0.5)
  with_ledger(child, mean_age(0.125)$release(hundred))
  expect_error(
    with_ledger(child, mean_age(0.5)$release(hundred)), "0.375 is left",
    class = "dp_error_budget"
  )
  dp_take_back(parent, child)
  expect_identical(dp_remaining(parent)[[1]], 0.875)
  expect_identical(dp_remaining(child)[[1]], 0)
  expect_error(dp_take_back(parent, child), class = "dp_error_ledger")
  expect_identical(sub(" ledger .*", "", dp_history(parent)$what), c("allocation to", "return of"))
  expect_identical(dp_history(parent)$spent, c(0.5, 0.125))
})

test_that("excess amounts, other privacy measures and foreign ledgers raise errors", {
  parent <- local_ledger()
  where <- file.path(dirname(parent$where), "child.ledger")
  expect_error(dp_allocate(parent, dp_epsilon(1.5), where), "1 is left", class = "dp_error_budget")
  expect_error(dp_allocate(parent, dp_zcdp(0.5), where), "counts in epsilon",
    class = "dp_error_budget"
  )
  expect_error(dp_allocate(parent, 1, where), "`loss`", class = "dp_error_invalid_argument")
  expect_error(dp_allocate(1, dp_epsilon(1)), "`x`", class = "dp_error_invalid_argument")
  expect_error(dp_take_back(parent, local_ledger()), "nothing that was allocated",
    class = "dp_error_ledger"
  )
  expect_identical(dp_remaining(parent)[[1]], 1)
})

test_that("D_LED_6: only the curator raises a total, once, with a verified signature", {
  key <- dp_key(withr::local_tempfile(fileext = ".pem"), create = TRUE)
  ledger <- local_ledger(key = key)
  dp_raise(ledger, dp_epsilon(2))
  expect_identical(dp_remaining(ledger)[[1]], 2)
  expect_error(dp_raise(ledger, dp_epsilon(1)), "lowered", class = "dp_error_ledger")
  expect_error(dp_raise(local_ledger(), dp_epsilon(2)), "without a key", class = "dp_error_ledger")
  other <- dp_key(withr::local_tempfile(fileext = ".pem"), create = TRUE)
  # The key that opened a signed ledger signs each record. Older ledgers have a signature of the
  # total alone.
  forged <- ledger
  forged$key <- other
  dp_raise(forged, dp_epsilon(2))
  expect_error(dp_ledger(ledger$where, key = other), "not the key", class = "dp_error_ledger")
  forged <- dp_ledger(older_ledger("keyed"), key = older_key())
  forged$key <- other
  expect_error(dp_raise(forged, dp_epsilon(99)), "signature", class = "dp_error_ledger")
  expect_identical(dp_remaining(dp_ledger(ledger$where, key = key))[[1]], 2)
  expect_match(dp_history(ledger)$what, "^total raised to epsilon ")
})

test_that("errors name the user's call and show readable numbers", {
  ledger <- local_ledger(0.1)
  statistic <- mean_age(0.3)
  refusal <- tryCatch(with_ledger(ledger, statistic$release(hundred)), error = identity)
  expect_identical(refusal$call, quote(statistic$release()))
  expect_match(conditionMessage(refusal), "costs epsilon 0.3; 0.1 is left of 0.1.",
    fixed = TRUE
  )
  count <- charge(noisy_count(), ledger, d_in = 2L)
  refusal <- tryCatch(count(c(1, 2)), error = identity)
  expect_identical(refusal$call, quote(count()))
  unlink(ledger$where, recursive = TRUE)
  called <- function(code) {
    refusal <- tryCatch(code, error = identity)
    expect_s3_class(refusal, "dp_error_storage")
    refusal$call
  }
  expect_identical(called(dp_spent(ledger)), quote(dp_spent()))
  expect_identical(called(dp_ledger_head(ledger)), quote(dp_ledger_head()))
  expect_identical(called(dp_ledger(ledger$where)), quote(dp_ledger()))
  expect_identical(called(format(ledger)), quote(format()))
})

test_that("a cost that seven digits cannot tell from the rest is shown in full", {
  for (on in list(local_ledger(), dp_session(dp_epsilon(1)))) {
    spend <- function() release(mean_age(0.1), data = hundred, on = on, reuse = FALSE)
    for (i in 1:9) spend()
    expect_error(spend(), "costs epsilon 0.10000000000000001; 0.0999999999", fixed = TRUE,
      class = "dp_error_budget"
    )
  }
})
