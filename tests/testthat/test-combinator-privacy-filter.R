space <- number_of("i32")
laplace <- function(scale) space |> then_laplace(scale = scale)
odometer <- space |> then_fully_adaptive_composition(max_divergence())

test_that("the map matches every row of the oracle", {
  rows <- privacy_map_rows("make_privacy_filter")
  expect_identical(nrow(rows), 2L)
  filter <- make_privacy_filter(odometer, d_in = 1L, d_out = 2)
  expect_identical(filter(d_in = 1L), as.numeric(rows$d_out[[1]]))
  expect_error(filter(d_in = 2L), "input distance must not be greater than d_in",
    class = "dp_error_relation_debug"
  )
})

test_that("it answers within the budget, and the query that exceeds it ends the dialogue", {
  filter <- odometer |> then_privacy_filter(d_in = 1L, d_out = 1)
  expect_s3_class(filter, "measurement")
  queryable <- filter(arg = 5L)
  expect_s3_class(queryable, "odometer_queryable")
  expect_type(queryable(query = laplace(2)), "integer")
  expect_identical(queryable(d_in = 1L), 0.5)
  expect_identical(queryable(d_in = 2L), 1)
  expect_type(queryable(query = laplace(4)), "integer")
  expect_snapshot(error = TRUE, {
    queryable(query = laplace(2))
    queryable(query = laplace(1e9))
    queryable(d_in = 1L)
  })
})

test_that("D-CMP-2: a failed query stays charged, a query of another space costs nothing", {
  queryable <- make_privacy_filter(odometer, 1L, 1)(arg = 5L)
  fails <- laplace(2) |> then_postprocess(\(x) stop("no"))
  expect_error(queryable(query = fails), "Exception in user-defined function")
  expect_error(
    queryable(query = number_of("i64") |> then_laplace(1)),
    class = "dp_error_domain_mismatch"
  )
  expect_identical(queryable(d_in = 1L), 0.5)
})

test_that("a query above the budget never touches the data", {
  calls <- call_counter()
  spies <- laplace(0.5) |> then_postprocess(function(x) calls$note())
  queryable <- make_privacy_filter(odometer, 1L, 1)(arg = 5L)
  expect_error(queryable(query = spies), "pending privacy loss (2.0) would exceed", fixed = TRUE)
  expect_identical(calls$count(), 0)
})

test_that("a pair that is larger in one part exceeds the budget", {
  pairs <- space |>
    then_fully_adaptive_composition(fixed_smoothed_max_divergence()) |>
    then_privacy_filter(d_in = 1L, d_out = list(9, 1e-6))
  expect_identical(pairs(d_in = 1L), list(9, 1e-6))
  gaussian <- space |> then_gaussian(4) |> then_zCDP_to_approxDP()
  expect_type(pairs(arg = 5L)(query = gaussian |> then_fix_delta(delta = 1e-6)), "integer")
  expect_error(pairs(arg = 5L)(query = gaussian |> then_fix_delta(delta = 2e-6)), "exceed")
})

test_that("it composes and nests like any measurement", {
  filter <- make_privacy_filter(odometer, 1L, 0.5)
  both <- make_composition(list(filter, filter))
  expect_identical(both(d_in = 1L), 1)
  queryables <- both(arg = 5L)
  for (queryable in queryables) expect_type(queryable(query = laplace(2)), "integer")
  outer <- (space |> then_fully_adaptive_composition(max_divergence()))(arg = 5L)
  expect_type(outer(query = filter)(query = laplace(2)), "integer")
  expect_identical(outer(d_in = 1L), 0.5)
})

test_that("after a transformation the odometer is an argument", {
  counted <- rows_of("i32") |> then_count()
  filter <- counted |> then_privacy_filter(odometer, d_in = 1L, d_out = 1)
  expect_identical(filter(d_in = 1L), 1)
  expect_type(filter(arg = 1:12)(query = laplace(2)), "integer")
})

test_that("an infinite budget is an odometer", {
  space <- number_of("i32")
  odometer <- space |> then_fully_adaptive_composition(max_divergence())
  filter <- make_privacy_filter(odometer, d_in = 1L, d_out = Inf)
  expect_identical(filter(d_in = 1L), Inf)
  queryable <- filter(arg = 5L)
  for (scale in c(1, 0.5, 0.25)) queryable(query = space |> then_laplace(scale))
  expect_identical(queryable(d_in = 1L), 7)
  pairs <- space |> then_fully_adaptive_composition(approximate(max_divergence()))
  limited <- make_privacy_filter(pairs, d_in = 1L, d_out = list(Inf, 1e-6))
  expect_identical(limited(d_in = 1L), list(Inf, 1e-6))
})

test_that("invalid budgets raise errors", {
  expect_error(make_privacy_filter(odometer, 1L, -1), class = "dp_error_failed_map")
  expect_error(make_privacy_filter(odometer, 1L, list(1, 1e-6)), class = "dp_error_failed_cast")
  expect_error(make_privacy_filter(odometer, "1", 1), class = "dp_error_failed_cast")
  expect_error(make_privacy_filter(laplace(1), 1L, 1), class = "dp_error_invalid_argument")
  renyi <- space |> then_fully_adaptive_composition(renyi_divergence())
  expect_error(make_privacy_filter(renyi, 1L, \(alpha) alpha), class = "dp_error_type")
})
