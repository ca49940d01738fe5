test_that("the worked sums give the published results", {
  # The published bounds begin at 1, so negative numbers are outside the domain.
  split <- make_bounded_int_split_sum(c(-127L, 127L), .T = "i8")
  expect_identical(split(arg = c(-127L, 127L, 127L)), 0L)
  ordered <- make_bounded_int_ordered_sum(c(-127L, 127L), .T = "i8")
  expect_identical(ordered(arg = c(-127L, -127L, 127L, 127L, 127L)), 127L)
  for (make in list(make_bounded_int_monotonic_sum, make_bounded_int_split_sum,
    make_bounded_int_ordered_sum)) {
    expect_identical(make(c(0L, 10L))(arg = c(1L, 2L, 4L)), 7L)
    expect_identical(make(c(0L, 10L))(arg = integer()), 0L)
  }
})

test_that("the type comes from the bounds, unless it is given", {
  types <- function(sum) domain_carrier_type(sum("output_domain"))
  expect_identical(types(make_bounded_int_split_sum(c(0L, 1L))), "i32")
  expect_identical(types(make_bounded_int_split_sum(list(0L, 1L))), "i32")
  expect_identical(types(make_bounded_int_split_sum(c(0L, 1L), .T = i64)), "i64")
  expect_identical(types(make_bounded_int_split_sum(bit64::as.integer64(0:1))), "i64")
  expect_identical(types(make_bounded_int_split_sum(c(0, 2^40), .T = "u64")), "u64")
})

test_that("a sum of known size needs its size", {
  expect_error(
    make_sized_bounded_int_checked_sum(bounds = c(0L, 1L)), "`size` must be given",
    class = "dp_error_invalid_argument"
  )
  for (size in list(NULL, -1, 1.5, NA, "3", c(1, 2), Inf)) {
    for (make in list(make_sized_bounded_int_checked_sum, make_sized_bounded_int_monotonic_sum,
      make_sized_bounded_int_ordered_sum, make_sized_bounded_int_split_sum)) {
      expect_error(make(size, c(0L, 1L)), "`size` must be", class = "dp_error_invalid_argument")
    }
  }
})

test_that("invalid bounds and types raise errors that name the constructor", {
  make <- make_sized_bounded_int_checked_sum
  expect_error(make(3, c(0, 1)), class = "dp_error_type")
  expect_error(make(3, c(0, 1), .T = "i32"), class = "dp_error_failed_cast")
  expect_error(make(3, c(0L, 1L), .T = "f64"), class = "dp_error_type")
  expect_error(make(3, c(0L, NA)), class = "dp_error_failed_cast")
  expect_error(make(3, c("a", "b")), class = "dp_error_type")
  for (bounds in list(NULL, 1L, 1:3, mean, list())) {
    error <- condition_of(make_bounded_int_split_sum(bounds))
    expect_s3_class(error, "dp_error_invalid_argument")
    expect_identical(conditionCall(error), quote(make_bounded_int_split_sum()))
  }
  error <- condition_of(make_bounded_int_monotonic_sum(c(-1L, 1L)))
  expect_identical(conditionCall(error), quote(make_bounded_int_monotonic_sum()))
})

test_that("the overflow error says how to fix it", {
  expect_snapshot(error = TRUE, {
    make_sized_bounded_int_checked_sum(1000000000L, c(-2L, 4L), .T = "i32")
    make_bounded_int_monotonic_sum(c(-1L, 1L))
    make_sized_bounded_int_split_sum(4, c(-100L, 100L), .T = "i8")
  })
})
