test_that("debiasing maps the expected number of answers to the truth", {
  # Of 1000 people 300 would say yes. At probability 3/4, 300 * 3/4 + 700 / 4 say yes.
  answers <- rep(c(TRUE, FALSE), c(400, 600))
  expect_equal(debias_randomized_response(answers, 0.75), c(`FALSE` = 700, `TRUE` = 300))
  # Of 100 people, 60 are a, 30 b and 10 c. At probability 0.6, each lie has probability 0.2.
  answers <- rep(c("a", "b", "c"), c(44, 32, 24))
  expect_equal(
    debias_randomized_response(answers, 0.6, c("a", "b", "c")), c(a = 60, b = 30, c = 10)
  )
})

test_that("bits are counted one by one", {
  # All of 8 vectors have only the lowest bit set. At f = 1/2 a quarter of the bits are flipped.
  answers <- rep(list(as.raw(1), as.raw(2), as.raw(4), as.raw(9)), 2)
  estimates <- debias_randomized_response_bitvec(answers, 0.5)
  expect_equal(estimates, c(4, 2, 2, 2, 0, 0, 0, 0) / 0.5 - 4)
})

test_that("estimates from releases are correct up to their sampling error", {
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

test_that("uninformative and invalid answers raise errors", {
  expect_refused(debias_randomized_response(TRUE, 0.5), "prob")
  expect_refused(debias_randomized_response("x", 0.9), "answers")
  expect_refused(debias_randomized_response(list(TRUE), 0.9), "answers")
  expect_refused(debias_randomized_response(TRUE, 0.9, TRUE), "categories")
  expect_refused(debias_randomized_response_bitvec(list(as.raw(1)), 1), "f")
  expect_refused(debias_randomized_response_bitvec(list(raw(1), raw(2)), 0.5), "answers")
  expect_refused(debias_randomized_response_bitvec(list(), 0.5), "answers")
  expect_refused(debias_randomized_response_bitvec(as.raw(1), 0.5), "answers")
})
