space_of <- function(metric = l01inf_distance, key = "String", value = "i32") {
  counts <- map_domain(atom_domain(.T = key), number_of(value)[[1]])
  c(counts, metric(absolute_distance(value)))
}
words <- space_of()

test_that("entries are kept from the threshold on, with noisy values and sorted keys", {
  plain <- words |> then_laplace_threshold(scale = 0, threshold = 10L)
  release <- plain(arg = new_hashtab(c("b", "a", "c", "d"), c(10L, 500L, 9L, -20L)))
  expect_identical(hashitems(release, "HashMap<String, i32>"), list(c("a", "b"), c(500L, 10L)))
  negative <- words |> then_laplace_threshold(scale = 0, threshold = -10L)
  release <- negative(arg = new_hashtab(c("b", "a", "c"), c(-10L, 500L, -9L)))
  expect_identical(hashitems(release, "HashMap<String, i32>"), list("b", -10L))
  grid <- space_of(value = "f64") |> then_laplace_threshold(scale = 0, threshold = 9.9, k = -1L)
  release <- grid(arg = new_hashtab(c("a", "b"), c(9.7500001, 9.74999)))
  expect_identical(hashitems(release, "HashMap<String, f64>"), list("a", 10))
})

test_that("keys of all types are released", {
  keys <- list(bool = TRUE, i32 = -5L, u8 = 200L, String = "caf\u00e9")
  for (type in names(keys)) {
    noisy <- space_of(key = type) |> then_laplace_threshold(scale = 1, threshold = 100L)
    expect_identical(length(noisy(arg = new_hashtab(keys[[type]], 1000L))), 1L)
  }
})

test_that("D-EPS-3: one new key shows at its exact rate, which delta covers", {
  exact <- exp(-2) / (1 + exp(-1)) # P[Z >= 3 - 1] at scale 1
  noisy <- words |> then_laplace_threshold(scale = 1, threshold = 3L)
  shown <- vapply(draw_many(noisy, new_hashtab("a", 1L), 1e5), length, 1L)
  expect_true(has_law(tally(shown, 0:1), c(1 - exact, exact)))
  delta <- noisy(d_in = c(1L, 1L, 1L))[[2]]
  expect_gte(delta, exact)
  expect_lt(delta, exact * (1 + 1e-9))
  # A delta that excludes the noise which exactly reaches the threshold would be too small.
  expect_lt(exp(-3) / (1 + exp(-1)), stats::qbeta(audit_alpha, sum(shown), 1e5 - sum(shown) + 1))
})

test_that("D-EPS-3: Gaussian delta covers the rate of new keys", {
  noisy <- space_of(l02inf_distance) |> then_gaussian_threshold(scale = 1, threshold = 3L)
  weights <- exp(-(-40:40)^2 / 2)
  exact <- sum(weights[-40:40 >= 2]) / sum(weights)
  shown <- vapply(draw_many(noisy, new_hashtab("a", 1L), 1e5), length, 1L)
  expect_true(has_law(tally(shown, 0:1), c(1 - exact, exact)))
  expect_gte(noisy(d_in = c(1L, 1L, 1L))[[2]], exact)
})

test_that("D-CTL-1: an entry of 0 is treated like a missing one", {
  noisy <- words |> then_laplace_threshold(scale = 1000, threshold = 1L)
  expect_identical(length(noisy(arg = new_hashtab(letters, rep(0L, 26)))), 0L)
  expect_identical(length(noisy(arg = new_hashtab(character(), integer()))), 0L)
})

test_that("the measure selects the noise", {
  pure <- words |> then_noise_threshold(approximate(max_divergence()), 2, 50L)
  expect_identical(pure(d_in = c(1L, 1L, 1L))[[1]], 0.5)
  concentrated <- space_of(l02inf_distance) |>
    then_noise_threshold(approximate(zero_concentrated_divergence()), 2, 50L)
  expect_identical(concentrated(d_in = c(1L, 1L, 1L))[[1]], 0.125)
})

test_that("invalid thresholds raise the published errors", {
  floats <- space_of(value = "f64")
  expect_snapshot(error = TRUE, {
    words |> then_laplace_threshold(scale = -1, threshold = 1L)
    words |> then_laplace_threshold(scale = Inf, threshold = 1L)
    words |> then_laplace_threshold(scale = 1, threshold = 1.5)
    words |> then_laplace_threshold(scale = 1, threshold = 1L, k = 1L)
    floats |> then_laplace_threshold(scale = 1, threshold = -1)
    floats |> then_laplace_threshold(scale = 1, threshold = Inf)
    words |> then_gaussian_threshold(scale = 1, threshold = 1L)
    words |> then_laplace_threshold(scale = 1, threshold = 1L, .MO = "MaxDivergence")
    words |> then_noise_threshold(max_divergence(), scale = 1, threshold = 1L)
    number_of("i32") |> then_laplace_threshold(scale = 1, threshold = 1L)
    (words |> then_laplace_threshold(scale = 1, threshold = 5L))(d_in = c(1L, 6L, 6L))
    (words |> then_laplace_threshold(scale = 1, threshold = 5L))(d_in = 1L)
    (words |> then_laplace_threshold(scale = 1, threshold = 5L))(arg = list(1L))
  })
})
