words <- c(
  map_domain(atom_domain(.T = "String"), atom_domain(.T = "i32")),
  l01inf_distance(absolute_distance("i32"))
)

test_that("estimates are near the counts, and near 0 for absent keys", {
  sketch <- words |> then_alp_queryable(scale = 2, total_limit = 1000L, value_limit = 500L)
  counts <- new_hashtab(c("often", "sometimes"), c(400L, 100L))
  estimates <- vapply(1:50, function(i) {
    release <- sketch(arg = counts)
    vapply(c("often", "sometimes", "never"), \(key) release(query = key), 1)
  }, numeric(3))
  # The error of one estimate is a few multiples of alpha / scale = 2.
  expect_true(all(abs(rowMeans(estimates) - c(400, 100, 0)) < 20))
  expect_true(all(abs(estimates - c(400, 100, 0)) < 130))
})

test_that("answers do not change: only the release is random", {
  release <- (words |> then_alp_queryable(1, 100L, 50L))(arg = new_hashtab("a", 20L))
  expect_length(unique(replicate(10, release(query = "a"))), 1)
  expect_error(release(query = 1L), class = "dp_error_failed_cast")
})

test_that("bounds of the values give the limit", {
  bounded <- map_domain(atom_domain(.T = "i32"), atom_domain(bounds = c(0L, 50L)))
  sketch <- c(bounded, words[[2]]) |> then_alp_queryable(scale = 1, total_limit = 100L)
  expect_identical(sketch(d_in = c(2L, 3L, 2L)), 3)
  expect_gte(sketch(arg = new_hashtab(1:2, c(50L, 0L)))(query = 1L), 0)
})

test_that("invalid sketches raise the published errors", {
  expect_snapshot(error = TRUE, {
    words |> then_alp_queryable(scale = 1, total_limit = 24L)
    words |> then_alp_queryable(scale = 0, total_limit = 24L, value_limit = 24L)
    words |> then_alp_queryable(scale = 1, total_limit = 24L, value_limit = 24L, alpha = 0L)
    words |> then_alp_queryable(scale = 1, total_limit = 0L, value_limit = 24L)
    words |> then_alp_queryable(scale = 1, total_limit = 1.5, value_limit = 24L)
    number_of("i32") |> then_alp_queryable(scale = 1, total_limit = 24L, value_limit = 24L)
  })
})
