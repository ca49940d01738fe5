scores <- function(type = "i32", ...) {
  c(vector_domain(number_of(type)[[1]]), linf_distance(type, ...))
}
pure <- max_divergence()
concentrated <- zero_concentrated_divergence()

# P[i] of the exponential mechanism, and of permute-and-flip. Candidate i wins if it passes its
# coin, and no candidate before it in the random order does.
exponential_law <- function(x, scale) exp(x / scale) / sum(exp(x / scale))

flip_law <- function(x, scale) {
  coins <- exp((x - max(x)) / scale)
  vapply(seq_along(x), function(i) {
    others <- coins[-i]
    symmetric <- Reduce(\(e, p) c(e, 0) + p * c(0, e), others, accumulate = FALSE, 1)
    k <- seq_along(symmetric) - 1
    coins[[i]] * sum((-1)^k / (k + 1) * symmetric)
  }, numeric(1))
}

winners <- function(measurement, x, n = 1e5) {
  tally(unlist(draw_many(measurement, x, n)), seq_along(x) - 1)
}

test_that("winners have the law of their measure", {
  x <- c(0L, 2L, 1L, -1L)
  flipped <- scores() |> then_noisy_max(pure, scale = 1.5)
  drawn <- scores() |> then_noisy_max(concentrated, scale = 1.5)
  expect_true(has_law(winners(flipped, x), flip_law(x, 1.5)))
  expect_true(has_law(winners(drawn, x), exponential_law(x, 1.5)))
  # The test distinguishes the two laws, and different scales.
  expect_false(has_law(winners(flipped, x), exponential_law(x, 1.5)))
  expect_false(has_law(winners(drawn, x), exponential_law(x, 1.2)))
})

test_that("D-EPS-2: the law of no pair of score vectors exceeds the map", {
  grid <- as.matrix(expand.grid(-2:2, -2:2, -2:2))
  law_of <- function(law) log(t(apply(grid, 1, law, scale = 1)))
  gaps <- as.matrix(stats::dist(grid, "maximum"))
  worst <- function(logs, step) {
    pairs <- which(gaps == step, arr.ind = TRUE)
    max(abs(logs[pairs[, 1], ] - logs[pairs[, 2], ]))
  }
  flipped <- scores() |> then_noisy_max(pure, scale = 1)
  for (step in 1:4) expect_lte(worst(law_of(flip_law), step), flipped(d_in = step) + 1e-9)
  # The check detects a map that ignores that scores may move in opposite directions.
  expect_gt(worst(law_of(flip_law), 1), flipped(d_in = 1L) / 2)
})

test_that("the direction is the requested one", {
  x <- c(10L, 500L, -300L)
  expect_identical((scores() |> then_noisy_max(pure, 1))(arg = x), 1)
  expect_identical((scores() |> then_noisy_max(pure, 1, negate = TRUE))(arg = x), 2)
  gumbel <- function(optimize) {
    suppressWarnings(scores() |> then_report_noisy_max_gumbel(1, optimize = optimize))
  }
  expect_identical(gumbel("max")(arg = x), 1)
  expect_identical(gumbel("min")(arg = x), 2)
  expect_identical(gumbel("max")("output_measure")("debug"), "MaxDivergence")
  expect_warning(scores() |> then_report_noisy_max_gumbel(1), class = "deprecatedWarning")
})

test_that("top-k returns the best places first, and at most the number of candidates", {
  top <- scores("f64") |> then_noisy_top_k(concentrated, k = 3L, scale = 0.01)
  expect_identical(top(arg = c(1, 50, 20, 90)), c(3, 1, 2))
  expect_identical(sort(top(arg = c(1, 50))), c(0, 1))
  expect_identical(top(arg = numeric()), numeric())
  expect_identical((scores() |> then_noisy_top_k(pure, 2L, 0))(arg = c(7L, 7L, 1L)), c(1, 0))
})

test_that("the exact law of two successive places is the law of two selections", {
  x <- c(0L, 1L, 2L)
  top <- scores() |> then_noisy_top_k(pure, 2L, 1)
  releases <- vapply(draw_many(top, x, 1e5), \(two) 10 * two[[1]] + two[[2]], 1)
  law <- unlist(lapply(1:3, function(i) flip_law(x, 1)[[i]] * flip_law(x[-i], 1)))
  expect_true(has_law(tally(releases, c(1, 2, 10, 12, 20, 21)), law))
})

test_that("invalid selections raise the published errors", {
  expect_snapshot(error = TRUE, {
    scores() |> then_noisy_max(pure, scale = -1)
    scores() |> then_noisy_max(pure, scale = Inf)
    scores() |> then_noisy_max(approximate(pure), scale = 1)
    scores() |> then_noisy_max(pure, scale = 1, negate = 1L)
    c(vector_domain(atom_domain(.T = "f64")), linf_distance("f64")) |> then_noisy_max(pure, 1)
    rows_of("i32") |> then_noisy_max(pure, 1)
    rows_of("i32", linf_distance("i32"), size = 3) |> then_noisy_top_k(pure, k = 5L, scale = 1)
    scores() |> then_noisy_top_k(pure, k = -1L, scale = 1)
    make_report_noisy_max_gumbel(scores()[[1]], scores()[[2]], 1, "best") |> suppressWarnings()
    (scores() |> then_noisy_max(pure, scale = 1))(arg = integer())
    (scores() |> then_noisy_max(pure, scale = 1))(d_in = -1L)
  })
})

test_that("D-DOM-4: scores outside the domain raise one fixed error", {
  best <- scores("f64") |> then_noisy_max(pure, scale = 1)
  errors <- lapply(list(NaN, c(1, NaN), c(NaN, 2, 3)), \(x) condition_of(best(arg = x)))
  expect_length(unique(lapply(errors, \(error) list(class(error), conditionMessage(error)))), 1)
  expect_s3_class(errors[[1]], "dp_error")
})
