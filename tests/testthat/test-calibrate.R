rows <- bounded_rows(c(0L, 10L))
laplace <- function(scale) rows |> then_sum() |> then_laplace(scale)
gaussian <- function(scale) rows |> then_sum() |> then_gaussian(scale)
mean_of <- function(epsilon) {
  dpMean("mechanismLaplace", "numeric", "age", 10000, c(0, 10), epsilon = epsilon)
}

next_below <- function(x) x * (1 - 2^-52)

test_that("the scale is the smallest double whose map is within the target", {
  for (target in c(0.5, 1, 0.3)) {
    found <- calibrate(laplace, d_in = 1L, d_out = target)
    expect_identical(found$side, "least")
    expect_lte(laplace(found$value)(d_in = 1L), target)
    expect_gt(laplace(next_below(found$value))(d_in = 1L), target)
    expect_identical(found$object(d_in = 1L), found$target$reached)
  }
  expect_equal(calibrate(laplace, d_in = 1L, d_out = 0.5)$value, 20)
})

test_that("dp_calibrate() agrees with the calibration of statistics and with a binary search", {
  found <- calibrate(gaussian, d_in = 2L, d_out = 0.125)$value
  expect_equal(found, binary_search_param(gaussian, d_in = 2L, d_out = 0.125))
  expect_equal(found, 20 / sqrt(0.25))
})

test_that("pairs and profiles are targets with two parts", {
  fixed <- function(scale) {
    gaussian(scale) |> then_zCDP_to_approxDP() |> then_fix_delta(delta = 1e-6)
  }
  pair <- calibrate(fixed, d_in = 1L, d_out = list(1, 1e-6))
  profile <- calibrate(\(s) make_zCDP_to_approxDP(gaussian(s)), d_in = 1L, d_out = c(1, 1e-6))
  expect_equal(pair$value, profile$value, tolerance = 1e-9)
  expect_identical(pair$target$part, c("loss", "delta"))
  expect_identical(profile$target$part, "delta")
  expect_true(all(profile$target$reached <= profile$target$allowed))
})

test_that("several releases are composed by their laws", {
  found <- calibrate(gaussian, d_in = 1L, d_out = c(1, 1e-6), times = 50)
  profile <- compose_pld(found$object, d_in = 1L, times = 50)
  expect_lte(profile(epsilon = 1), 1e-6)
  expect_identical(profile(epsilon = 1), found$target$reached)
  less <- compose_pld(gaussian(found$value * (1 - 2^-18)), d_in = 1L, times = 50)
  expect_gt(less(epsilon = 1), 1e-6)
  alone <- calibrate(laplace, d_in = 1L, d_out = 1, times = 4)
  expect_equal(alone$value, 40, tolerance = 1e-5)
  loss <- calibrate(gaussian, d_in = 1L, d_out = dp_epsilon(1, 1e-6), times = 50)
  expect_identical(loss$value, found$value)
})

test_that("the largest loss of a statistic is found for its known d_in", {
  found <- calibrate(mean_of, d_out = c(1, 1e-6), times = 20)
  expect_identical(found$side, "largest")
  expect_gt(found$value, 1 / 20)
  expect_lte(compose_pld(found$object, times = 20)(epsilon = 1), 1e-6)
  more <- compose_pld(mean_of(found$value * (1 + 2^-18)), times = 20)
  expect_gt(more(epsilon = 1), 1e-6)
})

test_that("a sampling rate is calibrated like any number", {
  sampled <- function(rate) {
    rows_of("i32") |> then_count() |> then_laplace(1) |> then_poisson_subsample(rate = rate)
  }
  found <- calibrate(sampled, d_in = 1L, d_out = 0.1, bounds = c(1e-6, 1))
  expect_identical(found$side, "largest")
  expect_equal(found$value, expm1(0.1) / expm1(1))
})

test_that("transformations and integers are calibrated too", {
  clamped <- function(upper) {
    c(vector_domain(atom_domain(.T = "i32")), symmetric_distance()) |>
      then_clamp(c(0L, upper)) |>
      then_sum()
  }
  found <- calibrate(clamped, d_in = 2L, d_out = 25, bounds = c(1L, 1000L))
  expect_identical(found[c("value", "side")], list(value = 12L, side = "largest"))
  expect_identical(found$target$slack, 1 - 24 / 25)
})

test_that("accuracy can be a target for noise and for statistics", {
  found <- calibrate(gaussian, accuracy = 10, alpha = 0.05)
  expect_identical(found$side, "largest")
  expect_lte(discrete_gaussian_scale_to_accuracy(found$value, 0.05), 10)
  expect_equal(found$value, accuracy_to_discrete_gaussian_scale(10, 0.05))
  floats <- function(scale) number_of("f64") |> then_laplace(scale)
  expect_equal(calibrate(floats, accuracy = 3)$value, accuracy_to_laplacian_scale(3, 0.05))
  exact <- calibrate(mean_of, accuracy = 0.005)
  expect_identical(exact$side, "least")
  expect_lte(mean_of(exact$value)$accuracy, 0.005)
  expect_error(calibrate(mean_of, accuracy = 1, alpha = 0.1), "left out for a statistic",
    class = "dp_error_invalid_argument"
  )
  expect_error(calibrate(\(s) laplace(s) |> then_postprocess(\(x) x), accuracy = 1), "accuracy",
    class = "dp_error_invalid_argument"
  )
})

test_that("a loss that is not monotone raises an error", {
  bumpy <- function(scale) {
    loss <- 1 / scale + if (scale > 10) 1 else 0
    rows |> then_user_measurement(max_divergence(), length, \(d) loss * d)
  }
  expect_error(calibrate(bumpy, d_in = 1L, d_out = 0.5), "one direction",
    class = "dp_error_search"
  )
})

test_that("a target that no value or every value meets raises a search error", {
  flat <- function(x) rows |> then_sum() |> then_laplace(10)
  expect_error(calibrate(flat, d_in = 1L, d_out = 0.5), "no tried number",
    class = "dp_error_search"
  )
  expect_error(calibrate(flat, d_in = 1L, d_out = 2), "every number", class = "dp_error_search")
  expect_error(calibrate(laplace, d_in = 1L, d_out = 0), class = "dp_error_search")
  expect_error(calibrate(\(x) make_laplace(1, 2, x), d_in = 1L, d_out = 1), class = "dp_error")
})

test_that("invalid arguments raise errors before anything is built", {
  never <- function(x) stop("made")
  refused <- function(...) {
    expect_error(calibrate(never, ...), class = "dp_error_invalid_argument")
  }
  refused(d_in = 1L)
  refused(d_in = 1L, d_out = 1, accuracy = 1)
  refused(d_in = 1L, accuracy = 1)
  refused(d_in = 1L, d_out = -1)
  refused(d_in = 1L, d_out = "1")
  refused(d_in = 1L, d_out = c(1, 2, 3))
  refused(d_in = 1L, d_out = 1, times = 0.5)
  refused(d_in = 1L, d_out = 1, bounds = 1)
  refused(d_in = 1L, d_out = 1, tolerance = -1)
  refused(accuracy = -1)
  refused(accuracy = 1, alpha = 2)
  expect_error(calibrate(1, d_in = 1L, d_out = 1), class = "dp_error_invalid_argument")
  expect_error(calibrate(identity, d_in = 1L, d_out = 1), "returns a measurement",
    class = "dp_error_invalid_argument"
  )
  expect_error(calibrate(laplace, d_out = 1), "`d_in` must be given",
    class = "dp_error_invalid_argument"
  )
})

test_that("the result prints and converts to a data frame", {
  found <- calibrate(laplace, d_in = 1L, d_out = 0.3, tolerance = 2^-10)
  shown <- format(found)
  expect_match(shown[[1]], "The least number within the target")
  expect_match(shown[[2]], "of 0.3 allowed")
  expect_output(expect_identical(print(found), found), "slack")
  expect_identical(
    names(as.data.frame(found)), c("value", "side", "part", "allowed", "reached", "slack")
  )
  expect_true(found$target$slack >= 0 && found$target$slack < 2^-8)
})

test_that("a target names its unit", {
  expect_equal(calibrate(laplace, d_in = 1L, d_out = dp_epsilon(0.5))$value, 20)
  expect_equal(calibrate(laplace, d_in = 1L, d_out = c(epsilon = 0.5))$value, 20)
  refused <- function(...) {
    expect_error(calibrate(...), "d_out", class = "dp_error_invalid_argument")
  }
  refused(laplace, d_in = 1L, d_out = c(rho = 0.5))
  refused(gaussian, d_in = 1L, d_out = c(epsilon = 0.5))
  refused(gaussian, d_in = 1L, d_out = list(delta = 1e-6, epsilon = 1), times = 100)
  refused(gaussian, d_in = 1L, d_out = list(epsilon = 1, rho = 1), times = 100)
  expect_error(calibrate(laplace, d_in = 1L, d_out = 1, alpha = 0.01), "alpha",
    class = "dp_error_invalid_argument")
})
