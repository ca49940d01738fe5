test_that("the picture has a step for each charge, and the total", {
  ledger <- local_ledger(2)
  with_ledger(ledger, {
    mean_age(0.25)$release(hundred)
    mean_age(0.5)$release(hundred)
  })
  steps <- spent_steps(dp_history(ledger), state_of(ledger))
  expect_identical(steps$record, c(0, 2, 2, 4, 4, 5, 5))
  expect_identical(steps$spent, c(0, 0, 0.25, 0.25, 0.75, 0.75, 0.75))
  withr::local_pdf(withr::local_tempfile())
  expect_invisible(drawn <- plot(ledger))
  expect_identical(drawn, ledger)
})
