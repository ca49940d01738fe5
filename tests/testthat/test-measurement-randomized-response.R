responses <- function(measurement, arg, outcomes, n = 1e5) {
  tally(unlist(draw_many(measurement, arg, n)), outcomes)
}

test_that("answers have their law, even in constant time", {
  for (constant_time in c(FALSE, TRUE)) {
    answer <- make_randomized_response_bool(0.7, constant_time)
    expect_true(has_law(responses(answer, TRUE, c(TRUE, FALSE)), c(0.7, 0.3)))
    expect_true(has_law(responses(answer, FALSE, c(TRUE, FALSE)), c(0.3, 0.7)))
    expect_false(has_law(responses(answer, TRUE, c(TRUE, FALSE)), c(0.68, 0.32)))
  }
})

test_that("each lie is equally likely, and unknown values give any answer", {
  letters <- c("a", "b", "c", "d")
  vote <- make_randomized_response(letters, prob = 0.4)
  expect_true(has_law(responses(vote, "b", letters), c(0.2, 0.4, 0.2, 0.2)))
  expect_true(has_law(responses(vote, "?", letters), rep(0.25, 4)))
  expect_false(has_law(responses(vote, "b", letters, 4e5), c(0.19, 0.4, 0.21, 0.2)))
})

test_that("categories have any hashable type, from vectors or lists, and count once", {
  for (categories in list(c("a", "b", "b"), list("a", "b"), c(5L, 7L), c(TRUE, FALSE))) {
    vote <- make_randomized_response(categories, prob = 1)
    expect_identical(vote(arg = categories[[2]]), categories[[2]])
    expect_identical(vote(d_in = 1L), Inf)
    expect_identical(vote(d_in = 0L), 0)
  }
  wide <- make_randomized_response(c(1, 2, 3), prob = 0.5, .T = "u32")
  expect_identical(toString(wide("input_domain")), "AtomDomain(T=u32)")
  expect_true(wide(arg = 2L) %in% 1:3)
})

test_that("invalid responses raise the published errors", {
  expect_snapshot(error = TRUE, {
    make_randomized_response_bool(0.4)
    make_randomized_response_bool(NaN)
    make_randomized_response("a", 0.9)
    make_randomized_response(c("a", "a"), 0.9)
    make_randomized_response(c("a", "b", "c"), 0.3)
    make_randomized_response(c(0.5, 1.5), 0.9)
    make_randomized_response(c("a", NA), 0.9)
    make_randomized_response(c("a", "b"), 0.9, .T = "i32")
    make_randomized_response(list("a", 1L), 0.9)
    make_randomized_response(NULL, 0.9)
  })
})
