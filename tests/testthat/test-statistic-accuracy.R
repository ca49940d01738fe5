test_that("accuracy and loss are inverse functions", {
  accuracy <- laplaceGetAccuracy(75, c(0.1, 1, 3), alpha = 0.01)
  expect_equal(laplaceGetEpsilon(75, accuracy, alpha = 0.01), c(0.1, 1, 3))
})

test_that("out-of-range arguments raise errors", {
  expect_refused(laplaceGetAccuracy(-1, 1), "sensitivity")
  expect_refused(laplaceGetAccuracy(1, 0), "epsilon")
  expect_refused(laplaceGetAccuracy(1, 1, alpha = 1), "alpha")
  expect_refused(laplaceGetAccuracy(1, 1, alpha = 0), "alpha")
  expect_refused(laplaceGetAccuracy(NA_real_, 1), "sensitivity")
  expect_refused(laplaceGetAccuracy(1, numeric()), "epsilon")
  expect_refused(laplaceGetAccuracy("1", 1), "sensitivity")
  expect_refused(laplaceGetEpsilon(1, 0), "accuracy")
  expect_refused(meanGetCI("a", 1, 1), "release")
  expect_refused(meanGetCI(0, Inf, 1), "epsilon")
})
