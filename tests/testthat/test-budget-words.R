test_that("a loss in words bounds the chance from above, for both measures", {
  expect_identical(loss_in_words(dp_epsilon(1)),
    "a reader's even chance about one unit grows from 50% to at most 73.2%"
  )
  expect_identical(chance_in_words(0), "50%")
  expect_identical(chance_in_words(50), "100%")
  for (epsilon in c(1e-3, 0.1, 0.5, 1, 2, 5, 6.9)) {
    shown <- as.double(sub("%", "", chance_in_words(epsilon)))
    expect_gte(shown, 100 * stats::plogis(epsilon))
    expect_lte(shown, 100 * stats::plogis(epsilon) + 0.1)
  }
  rho <- loss_in_words(dp_zcdp(0.5))
  expect_match(rho, paste("at most", chance_in_words(zcdpToApproxDP(0.5, 1e-6))), fixed = TRUE)
  expect_match(rho, "except with probability 1e-06, for one unit in 1,000,000", fixed = TRUE)
})

test_that("a delta is an exception in words, and a large one is named", {
  small <- loss_in_words(dp_epsilon(1, 1e-7))
  expect_length(small, 1)
  expect_match(small, "for one unit in 10,000,000", fixed = TRUE)
  expect_match(loss_in_words(dp_epsilon(1, 0.01))[[2]], "large")
})

test_that("the summary of a released query says what its loss means", {
  local_verbs()
  table <- dp_tbl(plenty(), data.frame(k = 1:2), dp_unit(rows = 1), dp_domain(k = dp_int(1, 2)))
  released <- small(release(count(table), epsilon = 1))
  expect_match(paste(format(summary(released)), collapse = " "), "from 50% to at most 73.2%")
})
