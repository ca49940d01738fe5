sure <- 1 - 1e-9

cells <- function(m) data.frame(cell = seq_len(m))

# Counts with Laplace noise of the loss `epsilon`.
noisy_counts <- function(m, epsilon) {
  function(data) {
    tabulate(data$cell, m) + stats::rexp(m, epsilon) - stats::rexp(m, epsilon)
  }
}

count_of <- function(release, canary) release[[canary$cell]]

test_that("D_AUD_1 one run refutes counts without noise, and not those with the claimed noise", {
  m <- 500
  run <- function(mechanism) {
    dp_audit_run(mechanism, cells(m), count_of, dp_epsilon(1), confidence = sure)
  }
  bare <- run(function(data) tabulate(data$cell, m))
  expect_true(bare$refuted)
  expect_equal(bare$right, bare$named)
  expect_false(run(noisy_counts(m, 1))$refuted)
  # With the loss 12 a name is wrong with probability e^-6 or less: 100 names prove far more than 1.
  expect_true(run(noisy_counts(m, 12))$refuted)
})

test_that("the p value is that of the binomial law, and delta adds to it", {
  expect_equal(p_value_of_run(10, 10, 100, 0, 0), 2^-10)
  expect_equal(p_value_of_run(0, 10, 100, 1, 0.1), 1)
  # By hand: two of two right at epsilon 0. beta is 1/4; alpha is max(1/2, (1/2 + 1/4) / 2).
  expect_equal(p_value_of_run(2, 2, 5, 0, 0.01), 1 / 4 + 2 * 5 * 0.01 / 2)
  for (delta in c(0, 1e-5)) {
    bound <- bound_of_run(95, 100, 1000, delta, 0.01)
    expect_lte(p_value_of_run(95, 100, 1000, bound, delta), 0.01)
    expect_gt(p_value_of_run(95, 100, 1000, bound + 0.005, delta), 0.01)
  }
  expect_lte(bound_of_run(95, 100, 1000, 1e-3, 0.01), bound_of_run(95, 100, 1000, 0, 0.01))
})

test_that("D_AUD_1 the order of the data does not show the coins", {
  # Rows come sorted, so the order of the canaries does not show which are twins.
  twins <- data.frame(cell = 501:1000)
  seen <- NULL
  dp_audit_run(function(data) seen <<- data$cell, cells(500), function(release, canary) 0,
    dp_epsilon(1), twins = twins, data = data.frame(cell = c(7, 3))
  )
  expect_false(is.unsorted(seen))
  expect_length(seen, 502)
  expect_true(can_occur(sum(seen > 500), 500, 0.5))
})

test_that("audits in one run print, and refuse wrong arguments before they run", {
  never <- function(data) stop("a run")
  audit <- dp_audit_run(function(data) 0, cells(10), function(release, canary) 0, dp_epsilon(1))
  expect_match(format(audit)[[1]], "not refuted")
  expect_identical(audit$bound, 0)
  refused <- function(..., mechanism = never, canaries = cells(10), score = count_of,
                      claim = dp_epsilon(1)) {
    dp_audit_run(mechanism, canaries, score, claim, ...)
  }
  expect_refused(refused(mechanism = 1), "mechanism")
  expect_refused(refused(canaries = 1:3), "canaries")
  expect_refused(refused(canaries = cells(1)), "canaries")
  expect_refused(refused(twins = cells(3)), "twins")
  expect_refused(refused(data = data.frame(other = 1)), "data")
  expect_refused(refused(score = 1), "score")
  expect_refused(refused(claim = dp_zcdp(1)), "claim")
  expect_refused(refused(named = 2), "named")
  expect_refused(refused(confidence = 1), "confidence")
  expect_refused(refused(mechanism = identity, score = function(release, canary) "a"), "score")
})
