step <- new_privacy_profile(\(epsilon) if (epsilon < 0.5) 1 else 1e-8)

test_that("a profile answers in both directions, as published", {
  expect_identical(step(epsilon = 0.499), 1)
  expect_identical(step(delta = 1e-8), 0.5)
  expect_identical(step(delta = 1e-9), Inf)
  expect_identical(step(delta = 1), 0)
  exponential <- new_privacy_profile(\(epsilon) exp(-epsilon))
  expect_equal(exponential(delta = 1e-7), 16.11809565095832, tolerance = 1e-12)
})

test_that("epsilon of delta is the smallest valid double", {
  exponential <- new_privacy_profile(\(epsilon) exp(-epsilon))
  for (delta in c(0.9, 0.1, 1e-7, 1e-300)) {
    epsilon <- exponential(delta = delta)
    expect_lte(exponential(epsilon = epsilon), delta)
    expect_gt(exponential(epsilon = epsilon * (1 - 2^-52)), delta)
  }
})

test_that("a profile rejects an invalid epsilon or delta", {
  expect_identical(step(delta = -0), step(delta = 0))
  expect_identical(step(epsilon = -0), step(epsilon = 0))
  for (delta in list(-1e-9, 1.2, NaN)) {
    expect_error(step(delta = delta), class = "dp_error_failed_map")
  }
  for (epsilon in list(-1, NaN)) {
    expect_error(step(epsilon = epsilon), class = "dp_error_failed_map")
  }
  for (value in list(NULL, "a", c(0.1, 0.2), NA)) {
    expect_error(step(delta = value), class = "dp_error")
    expect_error(step(epsilon = value), class = "dp_error")
  }
})

test_that("a curve that fails or is not a number raises an error, not a loss", {
  expect_error(
    new_privacy_profile(\(e) stop("no"))(epsilon = 1), class = "dp_error_failed_function"
  )
  expect_error(new_privacy_profile(\(e) "a")(epsilon = 1), class = "dp_error_failed_function")
  expect_error(new_privacy_profile(\(e) NaN)(epsilon = 1), class = "dp_error_failed_map")
  expect_error(new_privacy_profile(\(e) NaN)(delta = 0.1), class = "dp_error_failed_map")
})

test_that("a profile answers one request per call and prints without its curve", {
  expect_snapshot(error = TRUE, {
    step()
    step(epsilon = 1, delta = 0.1)
    step("nothing")
    step$nothing
  })
  expect_output(print(step), "^PrivacyProfile\n  delta 1e-03: epsilon 0.5")
  expect_identical(format(step)[[1]], "PrivacyProfile")
  expect_identical(step$epsilon(1e-8), 0.5)
  expect_identical(step$delta(0.6), 1e-8)
})

test_that("profiles are gated and need a function", {
  expect_error(new_privacy_profile(3), class = "dp_error_invalid_argument")
  withr::local_options(opendp_features = "contrib")
  expect_error(new_privacy_profile(\(e) 0), class = "dp_error_missing_feature")
})

test_that("profiles of nothing, and of no noise, are 0 and 1", {
  profile <- oracle_call("make_zCDP_to_approxDP(make_gaussian(f64, scale = 4))")(d_in = 0)
  for (delta in c(0, 1e-300, 0.5, 1)) expect_identical(profile(delta = delta), 0)
  for (epsilon in c(0, 1, 1e300)) expect_identical(profile(epsilon = epsilon), 0)
  worthless <- oracle_call("make_zCDP_to_approxDP(make_gaussian(f64, scale = 0))")(d_in = 1)
  expect_identical(worthless(delta = 0.5), Inf)
  expect_identical(worthless(delta = 1), 0)
  expect_identical(worthless(epsilon = 1e10), 1)
})
