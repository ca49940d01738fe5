test_that("noise has the law of its trade-off function, in the unit of the distance", {
  # With delta = 0: uniform between -1/2 and 1/2 with mass 1 - 2c, for the fixed point c. Each step
  # further out has exp(-epsilon) times the mass.
  law_of <- function(epsilon) {
    fixed <- 1 / (1 + exp(epsilon))
    steps <- (1 - 2 * fixed) * exp(-epsilon * (1:2))
    side <- c(steps, fixed - sum(steps))
    c(rev(side), 1 - 2 * fixed, side)
  }
  noisy <- number_of("f64") |> then_canonical_noise(d_in = 10, d_out = list(1, 0))
  drawn <- round((unlist(draw_many(noisy, 500, 1e5)) - 500) / 10)
  counts <- tally(pmin(pmax(drawn, -3), 3), -3:3)
  expect_true(has_law(counts, law_of(1)))
  expect_false(has_law(counts, law_of(1.1)))
})

test_that("the loss is the constructor's loss, up to its distance", {
  noisy <- number_of("f64") |> then_canonical_noise(d_in = 2, d_out = c(1, 1e-6))
  for (d_in in c(0, 1, 2)) expect_identical(noisy(d_in = d_in), list(1, 1e-6))
  expect_true(noisy(d_in = 2, d_out = list(1, 1e-6)))
  still <- number_of("f64") |> then_canonical_noise(d_in = 0, d_out = c(1, 1e-6))
  expect_identical(still(d_in = 0), list(0, 0))
  expect_identical(still(arg = 0.1), 0.1)
})

test_that("invalid canonical noise raises the published errors", {
  expect_snapshot(error = TRUE, {
    number_of("f64") |> then_canonical_noise(-1, c(1, 1e-6))
    number_of("f64") |> then_canonical_noise(Inf, c(1, 1e-6))
    number_of("f64") |> then_canonical_noise(1, c(0, 1e-6))
    number_of("f64") |> then_canonical_noise(1, c(1, 1.5))
    number_of("f64") |> then_canonical_noise(1, 1)
    number_of("i32") |> then_canonical_noise(1, c(1, 1e-6))
    c(atom_domain(.T = "f64"), absolute_distance("f64")) |> then_canonical_noise(1, c(1, 1e-6))
    (number_of("f64") |> then_canonical_noise(1, c(1, 1e-6)))(d_in = 1.5)
  })
})
