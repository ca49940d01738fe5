test_that("summation orders match the documentation to the last bit", {
  tenths <- rep(0.1, 10)
  sum <- function(order) make_sized_bounded_float_checked_sum(10, c(0, 1), .S = order)(arg = tenths)
  expect_identical(sum("Pairwise<f64>"), 1)
  expect_identical(sum("Sequential<f64>"), 0.9999999999999999)
})

# The two orders, written out.
pairwise <- function(x) {
  n <- length(x)
  if (n == 0) return(0)
  if (n == 1) return(x[[1]])
  half <- n %/% 2
  pairwise(x[seq_len(half)]) + pairwise(x[(half + 1):n])
}

test_that("sums of many lengths match the written-out orders", {
  for (n in c(1:9, 31, 33, 1000, 1023, 1025, 3001)) {
    x <- (((seq_len(n) * 7919) %% 1009) - 504) / 7
    sized <- \(order) make_sized_bounded_float_ordered_sum(n, c(-100, 100), .S = order)
    expect_identical(sized("Pairwise<f64>")(arg = x), pairwise(x))
    expect_identical(sized("Sequential<f64>")(arg = x), Reduce(`+`, x, 0))
  }
})

test_that("the type of the order comes from the bounds, unless it is given", {
  types <- function(...) {
    domain_carrier_type(make_bounded_float_checked_sum(10, c(0, 1), ...)("output_domain"))
  }
  expect_identical(types(), "f64")
  expect_identical(types(.S = "Sequential<.T>"), "f64")
  expect_identical(types(.S = "Pairwise<f32>"), "f32")
  expect_identical(types(.S = "Pairwise<float>"), "f64")
})

test_that("if there are more rows than the limit, only the limit is added", {
  limited <- make_bounded_float_checked_sum(3, c(0, 1))
  expect_identical(limited(arg = rep(1, 100)), 3)
  expect_length(unique(replicate(500, limited(arg = 2^-(1:6)))), 20)
  first <- make_bounded_float_ordered_sum(3, c(0, 1))
  expect_identical(first(arg = c(0.5, 0.25, 0.125, 1, 1)), 0.875)
})

test_that("ordered sums stay finite", {
  ordered <- make_sized_bounded_float_ordered_sum(4, c(0, 1e308))
  expect_identical(ordered(arg = rep(1e308, 4)), .Machine$double.xmax)
})

test_that("the relaxation applies at distance 0 and grows with the order", {
  relaxation <- function(order) make_bounded_float_checked_sum(1000, c(0, 1), .S = order)(d_in = 0L)
  expect_gt(relaxation("Pairwise<f64>"), 0)
  expect_gt(relaxation("Sequential<f64>"), 10 * relaxation("Pairwise<f64>"))
})

test_that("invalid orders, sizes and bounds raise errors that name the constructor", {
  make <- make_bounded_float_checked_sum
  expect_error(make(3, c(0, 1), .S = "Kahan<f64>"), class = "dp_error_type")
  expect_error(make(3, c(0, 1), .S = "Pairwise<i32>"), class = "dp_error_type")
  expect_error(make(3, c(0L, 1L)), class = "dp_error_type")
  expect_error(make(3, c(0L, 1L), .S = "Pairwise<f64>"), class = "dp_error_failed_cast")
  expect_error(make(3, c(0, Inf)), class = "dp_error")
  error <- condition_of(make("a", c(0, 1)))
  expect_identical(
    conditionMessage(error), "`size_limit` must be a whole number at least 0, not a string."
  )
  expect_identical(conditionCall(error), quote(make()))
})
