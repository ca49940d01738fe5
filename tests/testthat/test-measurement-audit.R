# D_EPS_1 from R: no adversary proves more than the map says, and he proves it of a mutant.
test_audits(measurement_audits())

test_that("the adversary of an audit names nobody more often than he has seen", {
  # A law of three outcomes: he names the first for 1, the second for 2, and 3 says nothing.
  seen <- list(rep(1:3, c(700, 200, 100)), rep(1:3, c(200, 700, 100)))
  rule <- adversary(seen, epsilon = 1, known = 0)
  expect_identical(named_by(rule, seen), c(right = 1400L, wrong = 400L))
  expect_equal(stats::plogis(proven_by(1400, 400, 0, 0)), stats::qbeta(audit_alpha, 1400, 401))
  # A delta takes away the names that it may have given away.
  expect_lt(proven_by(1400, 400, known_names(2000, 0.1), 0.1), proven_by(1400, 400, 0, 0) - 0.1)
  expect_identical(proven_by(0, 10, 0, 0), -Inf)
})
