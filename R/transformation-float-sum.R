#' Sums of bounded floats, one by one
#'
#' [make_sum()] chooses among these. Each addition of floats rounds, so two orders of the same rows
#' may sum to different numbers, and the stability map has to cover that: it adds a `relaxation`.
#'
#' * checked: no addition can overflow. If the size is not known and more than `size_limit` rows
#'   come, a uniformly random choice of `size_limit` of them is added.
#' * ordered: additions stay within the finite range. If the size is not known, the first
#'   `size_limit` rows are added. Needs a metric that respects order.
#'
#' Avoid `f32`: its relaxation is 2^29 times as large as that of `f64`. With bounds 0 and 10 and
#' `size_limit = 2^20`, one row may move the sum by 60.
#'
#' @param size (whole number) Number of rows. Public.
#' @param size_limit (whole number) How many rows are added at most. Public. It does not depend on
#'   the data, and bounds the relaxation.
#' @param bounds (two numbers, `c(lower, upper)`) In the unit of the rows. Public.
#' @param .S (type descriptor) In which order to add: `"Pairwise<f64>"`, which splits the rows in
#'   halves again and again, or `"Sequential<f64>"`, one after the other; also of `f32`.
#'   `"Pairwise<.T>"` takes the type from `bounds`.
#' @param lhs (`transformation` or `c(domain, metric)`) The left side of the pipe. Its output space
#'   must equal the input space of the sum.
#' @returns (`transformation`) From float vectors (of length `size`) within `bounds`, under
#'   [symmetric_distance()], or [insert_delete_distance()] for the ordered sums, to one number of
#'   the same type, in the unit of the rows.
#' @section Stability: Known size: `d_out = floor(d_in / 2) * (upper - lower) + relaxation`. Unknown
#'   size: `d_out = d_in * max(upper - lower, mag) + relaxation` with `mag = max(|lower|, upper)`,
#'   since a further row may displace another one. With `n` rows and `m = 52` (23 for `f32`),
#'   `relaxation = 2 * error`, where
#'   * sequential: `error = n^2 * 2^-m * mag`;
#'   * pairwise: `error = v / (1 - v) * n * mag`, `v = log2(n) * 2^-m`.
#'
#'   Everything is rounded up. The relaxation is there at `d_in = 0`, too.
#' @section Errors: In this order: `dp_error_type` for another `.S`; `dp_error_failed_cast` for
#'   bounds of another type; checked sums only, `dp_error_make_transformation` if the sum could
#'   overflow and `dp_error_failed_function` for a NaN bound; `dp_error_overflow` if `upper - lower`
#'   or the relaxation is not finite, or a pairwise sum has no rows; `dp_error_failed_cast` for
#'   more than 2^53 rows (2^24 for `f32`); `dp_error_make_domain` if `lower > upper`. The map:
#'   `dp_error_overflow`.
#' @template ref-casacuberta-2022
#' @template ref-higham-2002
#' @examples
#' enable_features("contrib")
#' total <- make_bounded_float_checked_sum(size_limit = 100L, bounds = c(-10, 0))
#' print(total(d_in = 1L), digits = 16)
#' total(arg = c(-1, -2, -4))
#'
#' make_sized_bounded_float_ordered_sum(1000L, c(0, 1), .S = "Sequential<f64>")
#' @name float_sums
NULL

#' @rdname float_sums
#' @export
make_bounded_float_checked_sum <- function(size_limit, bounds, .S = "Pairwise<.T>") {
  build("make_bounded_float_checked_sum", check_whole(size_limit, min = 0), bounds, .S)
}

#' @rdname float_sums
#' @export
make_sized_bounded_float_checked_sum <- function(size, bounds, .S = "Pairwise<.T>") {
  build("make_sized_bounded_float_checked_sum", check_whole(size, min = 0), bounds, .S)
}

#' @rdname float_sums
#' @export
make_bounded_float_ordered_sum <- function(size_limit, bounds, .S = "Pairwise<.T>") {
  build("make_bounded_float_ordered_sum", check_whole(size_limit, min = 0), bounds, .S)
}

#' @rdname float_sums
#' @export
make_sized_bounded_float_ordered_sum <- function(size, bounds, .S = "Pairwise<.T>") {
  build("make_sized_bounded_float_ordered_sum", check_whole(size, min = 0), bounds, .S)
}

#' @rdname float_sums
#' @export
then_bounded_float_checked_sum <- to_then_fixed(make_bounded_float_checked_sum)

#' @rdname float_sums
#' @export
then_sized_bounded_float_checked_sum <- to_then_fixed(make_sized_bounded_float_checked_sum)

#' @rdname float_sums
#' @export
then_bounded_float_ordered_sum <- to_then_fixed(make_bounded_float_ordered_sum)

#' @rdname float_sums
#' @export
then_sized_bounded_float_ordered_sum <- to_then_fixed(make_sized_bounded_float_ordered_sum)
