sampled <- function(scale, n = 10L) {
  bounded_rows(c(0L, 1L), change_one_distance(), size = n) |>
    then_metric_unbounded() |>
    then_sum() |>
    then_laplace(scale = scale)
}

test_that("maps match the rows of the oracle for one loss", {
  rows <- privacy_map_rows("make_population_amplification")
  args <- lapply(rows$args_json, parse_json)
  one_loss <- vapply(args, \(arg) !is.null(arg$inner_epsilon), logical(1))
  expect_identical(sum(one_loss), 4L)
  for (i in which(one_loss)) {
    arg <- args[[i]]
    noisy <- sampled(1 / arg$inner_epsilon, n = arg$sample_size)
    expect_identical(noisy(d_in = 1L), arg$inner_epsilon)
    amplified <- make_population_amplification(noisy, arg$population_size)
    expected <- as.numeric(rows$d_out[[i]])
    expect_lte(abs(amplified(d_in = 1L) - expected), 1e-9 * expected)
  }
})

test_that("the published example gives the published loss", {
  rows <- privacy_map_rows("make_population_amplification")
  expect_identical(rows$d_out[[6]], "<= 0.4941 and > 0.494")
  noisy <- bounded_rows(c(0, 10), size = 10) |> then_mean() |> then_laplace(0.5)
  loss <- make_population_amplification(noisy, 100)(d_in = 2L)
  expect_true(loss > 0.494 && loss <= 0.4941)
})

test_that("pairs lose in both parts", {
  rows <- privacy_map_rows("make_population_amplification")
  expect_identical(rows$d_out[[5]], "[0.15856507874042916, 1.0000000000000001e-07]")
  pair <- bounded_rows(c(0L, 1L), change_one_distance(), size = 10) |>
    then_user_measurement(approximate(max_divergence()), length, \(d) list(1 * d, 1e-6 * d))
  amplified <- unlist((pair |> then_population_amplification(population_size = 100L))(d_in = 1L))
  expect_equal(amplified / c(0.15856507874042916, 1e-7), c(1, 1), tolerance = 1e-9)
})

test_that("D-EPS-5: pairs of many records lose at most a group's loss", {
  pure <- sampled(2)
  pairs <- pure |> then_approximate() |> then_population_amplification(population_size = 100L)
  group <- pure |> then_population_amplification(population_size = 100L)
  for (d_in in 0:20) expect_identical(pairs(d_in = d_in), list(group(d_in = d_in), 0))
  # If delta grows faster than a group's, the group's delta applies.
  steep <- bounded_rows(c(0L, 1L), change_one_distance(), size = 10) |>
    then_user_measurement(approximate(max_divergence()), length, \(d) list(d / 2, 1e-6 * d^2)) |>
    then_population_amplification(population_size = 100L)
  one <- unlist(steep(d_in = 1L))
  expect_equal(unlist(steep(d_in = 8L)), c(8 * one[[1]], one[[2]] * sum(exp(0:7 * one[[1]]))))
})

test_that("the release does not change", {
  exact <- sampled(0) |> then_population_amplification(population_size = 100)
  expect_identical(exact(arg = rep(1L, 10)), 10L)
})

test_that("D-EPS-5: unlike the simple formula, a flat loss covers many records", {
  flat <- bounded_rows(c(0L, 1L), change_one_distance(), size = 10) |>
    then_adaptive_composition(max_divergence(), d_in = 10L, d_mids = 1) |>
    then_population_amplification(population_size = 100)
  # Exact loss of randomized response on "does the sample contain a changed record".
  truth <- log1p((1 - choose(90, 10) / choose(100, 10)) * expm1(1))
  simple <- log1p(0.1 * expm1(1))
  expect_gte(flat(d_in = 10L), truth - 1e-12)
  expect_lt(simple, truth)
  expect_lte(flat(d_in = 10L), 1)
})

test_that("invalid sample sizes raise errors", {
  expect_error(
    make_population_amplification(sampled(1), 8),
    "population size (8) cannot be less than sample size (10)",
    fixed = TRUE, class = "dp_error_make_measurement"
  )
  unsized <- bounded_rows(c(0L, 1L)) |> then_sum() |> then_laplace(1)
  expect_error(
    make_population_amplification(unsized, 100), "unknown size",
    class = "dp_error_make_measurement"
  )
  zcdp <- sampled(1) |> then_pureDP_to_zCDP()
  expect_error(make_population_amplification(zcdp, 100), class = "dp_error_type")
  for (size in list(1.5, -1, NA, "100", NULL, c(100, 100))) {
    expect_error(make_population_amplification(sampled(1), size), class = "dp_error_failed_cast")
  }
})
