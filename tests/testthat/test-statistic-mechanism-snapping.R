as_parameters <- function(row, unit) {
  row$args$unit <- unit
  do.call(snappingParams, row$args)
}

test_that("parameters are those of the oracle", {
  for (row in formula_rows("snappingParamsDouble")) {
    expect_equal(unname(as_parameters(row, 2^-53)), row$value, tolerance = 1e-14)
  }
  # The reference mixed two units in the bound; the rest of it stands.
  for (row in formula_rows("snappingParams")) {
    found <- as_parameters(row, 0)
    expect_equal(unname(found[-1]), row$value[-1], tolerance = 1e-13)
    noise <- row$args$sensitivity / row$args$epsilon
    expect_equal(found[["bound"]], row$args$minB + noise * (1 + log(20)))
  }
})

test_that("releases are points of the grid within the bound, the nearest there are", {
  noisy <- c(-1e9, -3, 0, 0.4, 0.5, 5.9, 1e9)
  snapped <- snap(noisy, 0.5, 1, 0, 10, 0.05)
  expect_equal(snapping_width(0.5, 1), 0.5)
  expect_equal(snapped / 0.5, round(snapped / 0.5))
  expect_equal(snapped[2:6], c(-2, 0, 0.5, 0.5, 6))
  allowance <- 0.5 * (1 + log(20))
  expect_gte(min(snapped), -allowance - 0.5)
  expect_lte(max(snapped), 10 + allowance + 0.5)
})

test_that("the width is the least power of two not below the scale", {
  expect_equal(snapping_width(3, c(0.1, 0.25, 1, 1.5, 2)), 3 * c(16, 4, 1, 1, 0.5))
})

test_that("rounding takes less than the scale, the clamp binds as rarely as asked", {
  for (epsilon in c(0.07, 0.5, 0.9)) expect_lt(snapping_width(1, epsilon) / 2, 1 / epsilon)
  # On the bound of the answer itself, where the clamp is nearest.
  draws <- qLap(stats::ppoints(1e5), mu = 10, b = 2)
  free <- 2 * floor(draws / 2 + 0.5)
  expect_lte(mean(snap(draws, 1, 0.5, -10, 10, 0.05) != free), 0.05)
})
