#' Choose a sum of bounded floats
#'
#' Sums bounded floats. [make_sum()] chooses among these functions. Each addition of floats rounds,
#' so the same rows can have different sums in different orders. The stability map covers this with
#' a `relaxation`.
#'
#' * checked: no addition can overflow. If the size is not known and there are more than
#'   `size_limit` rows, a uniformly random choice of `size_limit` of them is added.
#' * ordered: additions stay within the finite range. If the size is not known, the first
#'   `size_limit` rows are added. This needs a metric that respects order.
#'
#' Avoid `f32`: its relaxation is 2^29 times as large as the relaxation of `f64`. With bounds 0 and
#' 10 and `size_limit = 2^20`, one row can change the sum by 60.
#'
#' @param size (whole number) Number of rows. Public.
#' @param size_limit (whole number) Largest number of rows to add, which bounds the relaxation. It
#'   does not depend on the data. Public.
#' @param bounds (two numbers, `c(lower, upper)`) Bounds in the unit of the rows. Public.
#' @param .S (type descriptor) Order of additions: `"Pairwise<f64>"`, which halves the rows
#'   recursively, or `"Sequential<f64>"`, one row after the other, also of `f32`. `"Pairwise<.T>"`
#'   takes the type from `bounds`.
#' @param lhs (`transformation` or `c(domain, metric)`) The left side of the pipe. Its output space
#'   must equal the input space of the sum.
#' @returns (`transformation`) From float vectors (of length `size`) within `bounds`, under
#'   [symmetric_distance()], or [insert_delete_distance()] for the ordered sums, to one number of
#'   the same type, in the unit of the rows.
#' @section Stability: With a known size, `d_out = floor(d_in / 2) * (upper - lower) + relaxation`.
#'   With an unknown size, `d_out = d_in * max(upper - lower, mag) + relaxation` with
#'   `mag = max(|lower|, upper)`, because an additional row can displace a different one. With `n`
#'   rows and `m = 52` (23 for `f32`), `relaxation = 2 * error`, where
#'   * sequential: `error = n^2 * 2^-m * mag`.
#'   * pairwise: `error = v / (1 - v) * n * mag`, `v = log2(n) * 2^-m`.
#'
#'   Everything is rounded up. The relaxation applies even at `d_in = 0`.
#' @section Errors: Checks in this order. Raises `dp_error_type` for a different `.S`, then
#'   `dp_error_failed_cast` for bounds of a different type. Checked sums then raise
#'   `dp_error_make_transformation` if the sum could overflow, and `dp_error_failed_function` for a
#'   NaN bound. All sums then raise `dp_error_overflow` if `upper - lower` or the relaxation is not
#'   finite, or if a pairwise sum has no rows. Then come `dp_error_failed_cast` for more than 2^53
#'   rows (2^24 for `f32`), and `dp_error_make_domain` if `lower > upper`. The map raises
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
