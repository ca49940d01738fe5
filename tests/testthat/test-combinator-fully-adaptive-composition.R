space <- number_of("i32")
laplace <- function(scale) space |> then_laplace(scale = scale)
gaussian <- function(scale) space |> then_gaussian(scale = scale)

start <- function(measure) (space |> then_fully_adaptive_composition(measure))(arg = 5L)

test_that("losses add up at any distance, in any measure that composes", {
  zcdp <- start(zero_concentrated_divergence())
  expect_identical(zcdp(d_in = 1L), 0)
  zcdp(query = gaussian(1))
  zcdp(query = gaussian(2))
  expect_identical(zcdp(d_in = 1L), 0.625)
  expect_identical(zcdp(d_in = 2L), 2.5)
  pairs <- start(fixed_smoothed_max_divergence())
  expect_identical(pairs(d_in = 1L), list(0, 0))
  pairs(query = gaussian(1) |> then_zCDP_to_approxDP() |> then_fix_delta(delta = 1e-7))
  pairs(query = laplace(2) |> then_approximate())
  expect_identical(pairs(d_in = 1L), list(6.1708588354687715, 1e-7))
})

# Releases `function_` of the number, with the loss of `privacy_map`.
user <- function(measure, function_, privacy_map) {
  make_user_measurement(space[[1]], space[[2]], measure, function_, privacy_map)
}

test_that("Renyi losses are functions of alpha and add up at each order", {
  queryable <- start(renyi_divergence())
  none <- queryable(d_in = 1L)
  expect_s3_class(none, "opendp_function")
  expect_identical(none(arg = 2), 0)
  gaussian <- user(renyi_divergence(), identity, \(d_in) \(alpha) alpha * d_in^2 / 8)
  for (i in 1:2) expect_identical(queryable(query = gaussian), 5L)
  expect_identical(queryable(d_in = 1L)(arg = 3), 0.75)
  expect_identical(queryable(d_in = 2L)(arg = 3), 3)
  expect_identical(none(arg = 2), 0)
  expect_identical(gaussian(d_in = 2L)(arg = 3), 1.5)
})

test_that("D-CMP-1: a user's map that fails is rejected before the charge", {
  queryable <- start(max_divergence())
  for (map in list(\(d_in) stop("no map"), \(d_in) "a", \(d_in) NULL, \(d_in) c(1, 2))) {
    expect_error(queryable(query = user(max_divergence(), identity, map)),
      class = "dp_error_failed_function"
    )
  }
  expect_error(queryable(query = laplace(0)), class = "dp_error_overflow")
  queryable(query = laplace(1))
  expect_identical(queryable(d_in = 1L), 1)
})

test_that("D-CMP-1: a user's map with an invalid loss is rejected before the charge", {
  queryable <- start(max_divergence())
  for (loss in c(-1, NaN)) {
    expect_error(
      queryable(query = user(max_divergence(), identity, \(d_in) loss)),
      class = "dp_error_failed_map"
    )
  }
  expect_identical(queryable(d_in = 1L), 0)
})

test_that("the answers are the releases", {
  queryable <- start(max_divergence())
  exact <- laplace(1e-3)
  expect_identical(queryable(query = exact), 5L)
  expect_identical(queryable(query = make_composition(list(exact, exact))), list(5L, 5L))
  expect_identical(queryable(d_in = 1L), 3000)
})

test_that("D-CMP-1: queries with a different space, metric or measure cost nothing", {
  queryable <- start(max_divergence())
  expect_error(
    queryable(query = number_of("i64") |> then_laplace(1)),
    class = "dp_error_domain_mismatch"
  )
  expect_error(
    queryable(query = number_of("i32", "f64") |> then_laplace(1)),
    class = "dp_error_metric_mismatch"
  )
  expect_error(queryable(query = gaussian(1)), "Intermediate measures don't match",
    class = "dp_error_measure_mismatch"
  )
  for (query in list(1, "a", NULL, mean, space, max_divergence())) {
    expect_error(queryable(query = query), class = "dp_error_failed_cast")
  }
  expect_identical(queryable(d_in = 1L), 0)
})

test_that("D-CMP-2: a query that fails on the data is charged", {
  queryable <- start(max_divergence())
  fails <- laplace(2) |> then_postprocess(\(x) stop("no"))
  expect_error(queryable(query = fails), class = "dp_error_failed_function")
  expect_identical(queryable(d_in = 1L), 0.5)
})

test_that("a child with a fixed distance limits later queries", {
  queryable <- start(max_divergence())
  child <- queryable(
    query = space |> then_adaptive_composition(max_divergence(), d_in = 1L, d_mids = c(1, 1))
  )
  expect_s3_class(child, "queryable")
  expect_type(child(query = laplace(1)), "integer")
  expect_identical(queryable(d_in = 1L), 2)
  expect_error(queryable(d_in = 2L), class = "dp_error_relation_debug")
})

test_that("D-CMP-1: earlier releases fall silent unless taking turns is proved safe", {
  measure <- approximate(zero_concentrated_divergence())
  child <- space |> then_adaptive_composition(measure, d_in = 1L, d_mids = list(c(1, 0), c(1, 0)))
  query <- make_approximate(gaussian(1))
  queryable <- start(measure)
  first <- queryable(query = child)
  expect_type(first(query = query), "integer")
  second <- queryable(query = child)
  expect_error(first(query = query), "sequential odometer has received a new query",
    class = "dp_error_failed_function"
  )
  expect_type(second(query = query), "integer")
  counts <- user(measure, function(x) {
    asked <- 0
    new_queryable(function(query) asked <<- asked + query)
  }, \(d_in) list(1, 0))
  third <- queryable(query = counts)
  expect_identical(third(query = 2), 2)
  expect_error(second(query = query), "received a new query")
  queryable(query = query)
  expect_error(third(query = 2), "received a new query", class = "dp_error_failed_function")
  free <- start(max_divergence())
  child <- space |> then_adaptive_composition(max_divergence(), d_in = 1L, d_mids = c(1, 1))
  children <- list(free(query = child), free(query = child))
  for (each in c(children, children)) expect_type(each(query = laplace(1)), "integer")
})

test_that("an odometer is not chained after a transformation, as published", {
  total <- bounded_rows(c(0L, 10L)) |> then_sum()
  expect_error(
    total |> then_fully_adaptive_composition(max_divergence()),
    "cannot chain lhs and rhs: transformation, odometer",
    class = "dp_error_invalid_argument"
  )
})

test_that("measures that do not compose are refused", {
  expect_error(start(smoothed_max_divergence()), class = "dp_error_type")
  expect_error(start(user_divergence("mine")), class = "dp_error_type")
  expect_error(
    make_fully_adaptive_composition(space[[1]], symmetric_distance(), max_divergence()),
    class = "dp_error_metric_space"
  )
})
