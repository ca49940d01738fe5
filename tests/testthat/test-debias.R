test_that("the expected number of answers is brought back to the truth", {
  # Of 1000 people 300 would say yes; at 3/4, so do 300 * 3/4 + 700 / 4.
  answers <- rep(c(TRUE, FALSE), c(400, 600))
  expect_equal(debias_randomized_response(answers, 0.75), c(`FALSE` = 700, `TRUE` = 300))
  # Of 100, 60 a, 30 b and 10 c, at 0.6, lies are 0.2 each.
  answers <- rep(c("a", "b", "c"), c(44, 32, 24))
  expect_equal(
    debias_randomized_response(answers, 0.6, c("a", "b", "c")), c(a = 60, b = 30, c = 10)
  )
})

test_that("bits are counted one by one", {
  # Of 8 vectors all have the lowest bit set, none another; at f = 1/2 a quarter are flipped.
  answers <- rep(list(as.raw(1), as.raw(2), as.raw(4), as.raw(9)), 2)
  estimates <- debias_randomized_response_bitvec(answers, 0.5)
  expect_equal(estimates, c(4, 2, 2, 2, 0, 0, 0, 0) / 0.5 - 4)
})

test_that("estimates from releases are right, within what they scatter", {
  answer <- make_randomized_response_bool(0.75)
  answers <- c(unlist(draw_many(answer, TRUE, 3000)), unlist(draw_many(answer, FALSE, 7000)))
  estimate <- debias_randomized_response(answers, 0.75)[["TRUE"]]
  reach <- function(bounds) 10000 * mean_reach(10000, 0.75 * 0.25, 0.75 / 3, bounds) / 0.5
  expect_lt(abs(estimate - 3000), reach(2))
  noisy <- c(bitvector_domain(max_weight = 1L, size = 8), discrete_distance()) |>
    then_randomized_response_bitvec(f = 0.5)
  estimates <- debias_randomized_response_bitvec(draw_many(noisy, as.raw(1), 10000), 0.5)
  expect_true(all(abs(estimates - c(10000, rep(0, 7))) < reach(16)))
})

test_that("answers that say nothing, or are none, are refused", {
  expect_refused(debias_randomized_response(TRUE, 0.5), "prob")
  expect_refused(debias_randomized_response("x", 0.9), "answers")
  expect_refused(debias_randomized_response(list(TRUE), 0.9), "answers")
  expect_refused(debias_randomized_response(TRUE, 0.9, TRUE), "categories")
  expect_refused(debias_randomized_response_bitvec(list(as.raw(1)), 1), "f")
  expect_refused(debias_randomized_response_bitvec(list(raw(1), raw(2)), 0.5), "answers")
  expect_refused(debias_randomized_response_bitvec(list(), 0.5), "answers")
  expect_refused(debias_randomized_response_bitvec(as.raw(1), 0.5), "answers")
})
