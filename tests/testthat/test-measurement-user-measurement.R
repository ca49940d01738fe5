space <- rows_of("i32")
measured <- function(f = length, map = \(d_in) d_in, measure = max_divergence(), ...) {
  space |> then_user_measurement(measure, f, map, ...)
}

test_that("the functions are called with ordinary R values", {
  seen <- measured(function(x) list(sum(x), class(x)), \(d_in) d_in * 0.5)
  expect_identical(seen(arg = 1:3), list(6L, "integer"))
  expect_identical(seen(d_in = 3L), 1.5)
  expect_true(seen(d_in = 1L, d_out = 0.5))
})

test_that("releases are converted to their declared type", {
  expect_identical(measured(\(x) 1:2, .TO = "Vec<i32>")(arg = 1L), 1:2)
  expect_identical(measured(\(x) "a", .TO = "String")(arg = 1L), "a")
  expect_error(measured(\(x) "a", .TO = "i32")(arg = 1L), class = "dp_error_failed_function")
  expect_error(measured(\(x) 1:2, .TO = "i32")(arg = 1L), class = "dp_error_failed_function")
})

test_that("losses have the type of the measure", {
  pair <- measured(map = \(d_in) list(1, 1e-6), measure = approximate(max_divergence()))
  expect_identical(pair(d_in = 1L), list(1, 1e-6))
  profile <- new_privacy_profile(\(epsilon) exp(-epsilon))
  curve <- measured(map = \(d_in) profile, measure = smoothed_max_divergence())
  expect_identical(curve(d_in = 1L)(epsilon = 1), exp(-1))
  for (loss in list("1", NULL, c(1, 2), NA, mean)) {
    expect_error(measured(map = \(d_in) loss)(d_in = 1L), class = "dp_error_failed_function")
  }
  expect_error(measured(map = \(d_in) stop("no loss"))(d_in = 1L), "no loss",
    class = "dp_error_failed_function"
  )
})

test_that("D-CMP-1: a loss with a negative or NaN part raises an error, in compositors too", {
  pairs <- approximate(max_divergence())
  for (wrong in list(-1, -5e-324, NaN, NA_real_)) {
    constant <- measured(map = \(d_in) wrong)
    expect_error(constant(d_in = 1L), class = "dp_error_failed_map")
    for (pair in list(list(wrong, 0), list(0, wrong))) {
      pair_loss <- measured(map = \(d_in) pair, measure = pairs)
      expect_error(pair_loss(d_in = 1L), class = "dp_error_failed_map")
    }
    profile <- new_privacy_profile(\(epsilon) wrong)
    profiled <- measured(map = \(d_in) profile, measure = smoothed_max_divergence())
    expect_error(profiled(d_in = 1L)(epsilon = 1), class = "dp_error_failed_map")
    curve <- measured(map = \(d_in) \(alpha) wrong, measure = renyi_divergence())
    expect_error(curve(d_in = 1L)(arg = 2), class = "dp_error_failed_map")

    adaptive <- space |> then_adaptive_composition(max_divergence(), d_in = 1L, d_mids = c(1, 1))
    expect_error(adaptive(arg = 1:3)(query = constant), class = "dp_error_failed_map")
    odometer <- space |> then_fully_adaptive_composition(max_divergence())
    queryable <- odometer(arg = 1:3)
    expect_error(queryable(query = constant), class = "dp_error_failed_map")
    expect_identical(queryable(d_in = 1L), 0)
    filter <- make_privacy_filter(odometer, d_in = 1L, d_out = 1)
    expect_error(filter(arg = 1:3)(query = constant), class = "dp_error_failed_map")
  }
})

test_that("D-USR-1: an error of the function reveals nothing about the data", {
  fails <- measured(\(x) stop("saw ", x[[1]]))
  error <- condition_of(fails(arg = 7417L))
  expect_s3_class(error, "dp_error_failed_function")
  expect_no_match(conditionMessage(error), "7417")
  longer <- condition_of(fails(arg = 1:100))
  expect_identical(conditionMessage(longer), conditionMessage(error))
})

test_that("it chains, composes and is cast like any other measurement", {
  chained <- rows_of("f64") |> then_cast_default("i32") |>
    then_user_measurement(max_divergence(), length, \(d_in) d_in)
  expect_identical(chained(arg = c(1, 2)), 2L)
  expect_identical(make_composition(list(measured(), measured()))(d_in = 2L), 4)
  expect_identical(make_approximate(measured())(d_in = 2L), list(2, 0))
})

test_that("functions must be functions, and the feature is required", {
  expect_error(measured(1), class = "dp_error_invalid_argument")
  expect_error(measured(map = 1), class = "dp_error_invalid_argument")
  expect_error(measured(.TO = "Nothing<"), class = "dp_error_type_parse")
  withr::local_options(opendp_features = "contrib")
  expect_error(measured(), class = "dp_error_missing_feature")
})
