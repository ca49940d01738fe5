# Numbers as their release would be snapped.
snap <- function(numbers, sens, epsilon, lower, upper, gamma) {
  enable_features("contrib")
  space <- c(vector_domain(atom_domain(.T = "f64", nan = FALSE)), l1_distance("f64"))
  exact <- space |> then_laplace(scale = 0)
  then_snap(exact, sens, epsilon, lower, upper, gamma)(arg = numbers)
}

test_that("releases are the nearest grid points within the bound", {
  noisy <- c(-1e9, -3, 0, 0.4, 0.5, 5.9, 1e9)
  snapped <- snap(noisy, 0.5, 1, 0, 10, 0.05)
  expect_equal(snapping_width(0.5, 1), 0.5)
  expect_equal(snapped / 0.5, round(snapped / 0.5))
  expect_equal(snapped[2:6], c(-2, 0, 0.5, 0.5, 6))
  allowance <- 0.5 * (1 + log(20))
  expect_gte(min(snapped), -allowance - 0.5)
  expect_lte(max(snapped), 10 + allowance + 0.5)
})

test_that("the width is the smallest power of two not below the scale", {
  expect_equal(snapping_width(3, c(0.1, 0.25, 1, 1.5, 2)), 3 * c(16, 4, 1, 1, 0.5))
})

test_that("rounding adds less than the scale, and the clamp binds as rarely as requested", {
  for (epsilon in c(0.07, 0.5, 0.9)) expect_lt(snapping_width(1, epsilon) / 2, 1 / epsilon)
  # On the bound of the answer, where the clamp is nearest.
  draws <- qLap(stats::ppoints(1e5), mu = 10, b = 2)
  free <- 2 * floor(draws / 2 + 0.5)
  expect_lte(mean(snap(draws, 1, 0.5, -10, 10, 0.05) != free), 0.05)
})

test_that("the release equals the measurement's output", {
  income <- data.frame(income = seq(0, 200000, length.out = 10000))
  statistic <- mean_of(mechanism = "mechanismSnapping", variable = "income", rng = c(0, 200000))
  steps <- statistic$measurement(arg = income$income) / snapping_width(20, 0.1)
  expect_equal(steps, round(steps))
  expect_identical(statistic$measurement(d_in = 1L), statistic$epsilon)
  # The former computation, in doubles after the release.
  noisy <- c(-1e9, -321.5, 0, 15.999, 16, 47.3, 1e9)
  width <- snapping_width(20, 0.1)
  noise <- snappingGetAccuracy(20, 0.1, 0.05)
  expected <- width * pmin(
    pmax(floor(noisy / width + 0.5), floor((-300 - noise) / width)), ceiling((40 + noise) / width)
  )
  expect_identical(snap(noisy, 20, 0.1, -300, 40, 0.05), expected)
})

test_that("each of several grids applies to its own number only", {
  numbers <- c(1.26, 1.26, 1.26)
  expect_identical(snap(numbers, c(0.5, 1), 1, c(-5, -5), c(5, 5), 0.05), c(1.5, 1, 1.26))
})

snapping <- "mechanismSnapping"

test_behaviours("mechanismSnapping", list(
  `SNAP-001` = function() {
    statistic <- mean_of(mechanism = snapping, variable = "income", rng = c(0, 200000))
    result <- released(statistic)
    expect_named(result, c("release", "variable", "accuracy", "epsilon", "interval"))
    expect_equal(result$accuracy, 200 * (1 + log(20)))
    steps <- result$release / snapping_width(20, 0.1)
    expect_equal(steps, round(steps))
    again <- mean_of(
      mechanism = snapping, variable = "income", rng = c(0, 200000), epsilon = NULL,
      accuracy = result$accuracy
    )
    expect_equal(again$epsilon, 0.1)
  },
  # Bounds of the estimate, centred on its range.
  `SNAP-002` = function() {
    expect_equal(mean_of(mechanism = snapping, rng = c(-5, 2))$snapping[1:2],
      list(lower = -5, upper = 2))
    expect_equal(variance_of(mechanism = snapping, n = 10)$snapping$upper, 10 / 9 * 100^2 / 4)
    counts <- histogram_of(mechanism = snapping, nBins = 4, rng = c(0, 16))
    expect_equal(counts$snapping$upper, 10000)
    steps <- unlist(released(counts)$counts) / snapping_width(2, 0.1)
    expect_equal(steps, round(steps))
    both <- dpCovariance(
      mechanism = snapping, varType = "numeric", n = 10000, columns = c("age", "educ"),
      rng = list(c(0, 100), c(0, 16)), globalEps = 0.3, missing = "impute"
    )
    expect_equal(both$snapping$upper, 10000 / 9999 * c(100^2, 1600, 16^2) / 4)
    found <- as.matrix(released(both)$release)
    steps <- found[lower.tri(found, TRUE)] / snapping_width(both$sens, both$epsilon)
    expect_equal(steps, round(steps))
  }
))
