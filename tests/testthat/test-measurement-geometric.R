test_that("with bounds, releases are clamped and keep their law at the limits of the type", {
  stay <- exp(-1)
  tail <- function(steps) stay^steps / (1 + stay)
  inside <- (1 - stay) / (1 + stay) * stay^(0:3)
  # From 0: negative values are clamped to 0, values from 4 on to 4.
  law <- c(tail(0), inside[2:4], tail(4))
  for (type in c("i32", "u8", "i64")) {
    noisy <- number_of(type) |> then_geometric(1, bounds = c(0L, 4L))
    expect_true(has_law(tally(numbers_of(draw_many(noisy, 0L, 1e5)), 0:4), law))
    expect_true(has_law(tally(numbers_of(draw_many(noisy, 100L, 1e4)), 4:0), law))
  }
  # Law of a mutant that saturates at the limit of the type. This many negative draws distinguish
  # it.
  expect_false(has_law(tally(numbers_of(draw_many(noisy, 0L, 1e5)), 0:4), c(law[1:3], law[5:4])))
})

test_that("D-SAM-3: bounds of any width work in constant time", {
  noisy <- number_of("i32") |> then_geometric(1000, bounds = c(-.Machine$integer.max, 2147483647L))
  draws <- unlist(draw_many(noisy, 5L, 2e4)) - 5
  expect_lt(abs(mean(abs(draws)) - 1000), mean_reach(2e4, 1000^2, 1000))
  expect_lt(abs(mean(draws)), mean_reach(2e4, 2 * 1000^2, 1000))
  wide <- number_of("i64") |> then_geometric(1, bounds = c(-2^62, 2^62))
  expect_lt(abs(in_doubles(wide(arg = 2^40)) - 2^40), 50)
})

test_that("without bounds, it is Laplace noise on integers", {
  noisy <- number_of("i32") |> then_geometric(scale = 2)
  expect_identical(noisy(d_in = 3L), (number_of("i32") |> then_laplace(scale = 2))(d_in = 3L))
  expect_gt(length(unique(unlist(draw_many(noisy, 0L, 1000)))), 5)
})

test_that("D-EPS-4: vectors are noised and clamped row by row", {
  many <- c(vector_domain(atom_domain(.T = "i32")), l1_distance("i32")) |>
    then_geometric(50, bounds = c(-100L, 100L))
  for (n in c(0:17, 63:65)) {
    # Zero occurs once in a hundred draws.
    release <- Reduce(`+`, lapply(many |> draw_many(rep(0L, n), 200, 200), \(x) x != 0))
    expect_true(all(release > 150))
  }
  two <- in_columns(draw_many(many, c(0L, 0L), 2000))
  expect_lt(mean(two[1, ] == two[2, ]), 0.1)
  expect_true(all(abs(many(arg = c(-5000L, 5000L))) <= 100))
})

test_that("equal bounds release their number, and scale 0 releases the data", {
  expect_identical((number_of("i32") |> then_geometric(1, bounds = c(3L, 3L)))(arg = 100L), 3L)
  expect_identical((number_of("i32") |> then_geometric(0, bounds = c(0L, 9L)))(arg = 100L), 100L)
})

test_that("invalid geometric noise raises the published errors", {
  expect_snapshot(error = TRUE, {
    number_of("i32") |> then_geometric(1, bounds = c(2L, 1L))
    number_of("i32") |> then_geometric(1, bounds = c(0, 1))
    number_of("u32") |> then_geometric(1e308, bounds = c(0L, 200L))
    number_of("i32") |> then_geometric(-1)
    number_of("i32") |> then_geometric(Inf)
    number_of("f64") |> then_geometric(1)
    number_of("i32", "f64") |> then_geometric(1)
    number_of("i32") |> then_geometric(1, .MO = "ZeroConcentratedDivergence")
  })
})
