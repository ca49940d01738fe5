# D_EPS_1 from R: no adversary proves more loss than the map claims, except for a mutant.
test_audits(measurement_audits())

test_that("the adversary of an audit names each neighbour at most as often as it saw evidence", {
  # A law of three outcomes. The adversary names the first neighbour for 1 and the second for 2. 3
  # gives no information.
  seen <- list(rep(1:3, c(700, 200, 100)), rep(1:3, c(200, 700, 100)))
  rule <- adversary(seen, epsilon = 1, known = 0)
  expect_identical(named_by(rule, seen), c(right = 1400L, wrong = 400L))
  expect_equal(stats::plogis(proven_by(1400, 400, 0, 0)), stats::qbeta(audit_alpha, 1400, 401))
  # With delta, names that it may have revealed are subtracted.
  expect_lt(proven_by(1400, 400, known_names(2000, 0.1), 0.1), proven_by(1400, 400, 0, 0) - 0.1)
  expect_identical(proven_by(0, 10, 0, 0), -Inf)
})
