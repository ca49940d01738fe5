ints <- rows_of("i32")

test_that("with little noise, the release is the candidate nearest to the quantile", {
  data <- 0:100
  for (alpha in c(0, 0.1, 0.25, 0.5, 0.9, 1)) {
    quantile <- ints |> then_private_quantile(max_divergence(), 0:100, alpha, scale = 1e-6)
    expect_equal(quantile(arg = data), 100 * alpha, tolerance = 1 / 99)
  }
})

test_that("candidates can be in any order, as vectors or lists, and only they are released", {
  for (candidates in list(c(30L, 10L, 20L), list(20L, 30L, 10L))) {
    median <- ints |> then_private_quantile(max_divergence(), candidates, 0.5, scale = 1e-6)
    expect_identical(median(arg = c(5L, 19L, 21L, 99L)), 20L)
    wild <- ints |> then_private_quantile(max_divergence(), candidates, 0.5, scale = 1e6)
    expect_setequal(unlist(draw_many(wild, 1L, 1000)), c(10L, 20L, 30L))
  }
})

test_that("releases have the law of the noisy minimum of the scores", {
  data <- c(1L, 1L, 4L, 7L)
  # Scores in half rows: |below - above|.
  score <- vapply(c(0L, 3L, 5L), \(c) abs(sum(data < c) - sum(data > c)), 1)
  median <- ints |>
    then_private_quantile(zero_concentrated_divergence(), c(0L, 3L, 5L), 0.5, scale = 2)
  law <- exp(-score / 4) / sum(exp(-score / 4))
  expect_true(has_law(tally(unlist(draw_many(median, data, 1e5)), c(0L, 3L, 5L)), law))
  expect_false(has_law(tally(unlist(draw_many(median, data, 1e5)), c(5L, 3L, 0L)), law))
})

test_that("invalid quantiles raise the published errors", {
  expect_snapshot(error = TRUE, {
    ints |> then_private_quantile(max_divergence(), integer(), 0.5, 1)
    ints |> then_private_quantile(max_divergence(), c(1L, 1L), 0.5, 1)
    ints |> then_private_quantile(max_divergence(), c(1, 2), 0.5, 1)
    ints |> then_private_quantile(max_divergence(), 0:9, 1.5, 1)
    ints |> then_private_quantile(max_divergence(), 0:9, 0.5, -1)
    ints |> then_private_quantile(smoothed_max_divergence(), 0:9, 0.5, 1)
    rows_of("f64") |> then_private_quantile(max_divergence(), c(0, 1), 0.5, 1)
    c(vector_domain(number_of("f64")[[1]]), symmetric_distance()) |>
      then_private_quantile(max_divergence(), c(0, NaN), 0.5, 1)
  })
})
