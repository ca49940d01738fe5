test_that("measures print and name their types as published", {
  rows <- list(
    list(max_divergence(), "MaxDivergence", "MaxDivergence", "f64"),
    list(
      zero_concentrated_divergence(), "ZeroConcentratedDivergence", "ZeroConcentratedDivergence",
      "f64"
    ),
    list(renyi_divergence(), "RenyiDivergence", "RenyiDivergence", "Function<f64, f64>"),
    list(
      smoothed_max_divergence(), "SmoothedMaxDivergence", "SmoothedMaxDivergence", "PrivacyProfile"
    ),
    list(
      fixed_smoothed_max_divergence(), "Approximate(MaxDivergence)", "Approximate<MaxDivergence>",
      "(f64, f64)"
    ),
    list(
      approximate(zero_concentrated_divergence()), "Approximate(ZeroConcentratedDivergence)",
      "Approximate<ZeroConcentratedDivergence>", "(f64, f64)"
    ),
    list(
      approximate(smoothed_max_divergence()), "Approximate(SmoothedMaxDivergence)",
      "Approximate<SmoothedMaxDivergence>", "(PrivacyProfile, f64)"
    ),
    list(user_divergence("Name"), "Name", "ExtrinsicDivergence", "ExtrinsicObject")
  )
  for (row in rows) {
    measure <- row[[1]]
    expect_identical(list(measure("debug"), measure("type"), measure("distance_type")), row[-1])
    expect_identical(measure_debug(measure), row[[2]])
    expect_identical(measure_type(measure), row[[3]])
    expect_identical(measure_distance_type(measure), row[[4]])
    expect_identical(measure$debug, row[[2]])
    expect_identical(toString(measure), row[[2]])
    expect_identical(format(measure), row[[2]])
    expect_output(print(measure), row[[2]], fixed = TRUE)
  }
})

test_that("user divergences are equal when their descriptors are", {
  of <- function(measure) {
    space <- number_of("i32")
    make_user_measurement(space[[1]], space[[2]], measure, identity, \(d_in) 0)
  }
  same <- function(a, b) {
    result <- condition_of(make_composition(list(of(a), of(b))))
    !inherits(result, "dp_error_metric_mismatch")
  }
  expect_true(same(user_divergence("a", 1:3), user_divergence("b", 1:3)))
  expect_false(same(user_divergence("a", 1:3), user_divergence("a", 3:1)))
  expect_true(same(fixed_smoothed_max_divergence(), approximate(max_divergence())))
  expect_false(same(max_divergence(), approximate(max_divergence())))
})

test_that("measures without an approximate form raise an error", {
  expect_error(approximate(renyi_divergence()), class = "dp_error_type")
  expect_error(approximate(approximate(max_divergence())), class = "dp_error_type")
  expect_error(approximate("MaxDivergence"), class = "dp_error_invalid_argument")
})

test_that("user divergences are gated", {
  withr::local_options(opendp_features = "contrib")
  expect_error(user_divergence("x"), class = "dp_error_missing_feature")
})
