#' Choose a sum of bounded integers
#'
#' Sums bounded integers. [make_sum()] chooses among these functions. They differ in how they ensure
#' that no sum wraps, and that saturation does not depend on the order of unordered rows:
#'
#' * checked: even the largest sum of `size` rows fits the type, so no sum saturates.
#' * monotonic: all rows have the same sign, so saturating once or at every step is the same.
#' * split: positive and negative rows are two monotonic sums, then added.
#' * ordered: saturates at every step, and needs a metric that respects order.
#'
#' Sums saturate at the limits of the type for any data, even outside the domain. The sum of no rows
#' is 0.
#'
#' @param size (whole number) Number of rows. Public.
#' @param bounds (two whole numbers, `c(lower, upper)`) Bounds of type `.T`, in the unit of the
#'   rows. Public.
#' @param .T (type descriptor or `NULL`) Type of rows and sum, an integer type of at most 64 bits.
#'   `NULL` infers it from `bounds`.
#' @param lhs (`transformation` or `c(domain, metric)`) The left side of the pipe. Its output space
#'   must equal the input space of the sum.
#' @returns (`transformation`) From integer vectors (of length `size`) within `bounds`, under
#'   [symmetric_distance()], or [insert_delete_distance()] for the ordered sums, to one whole number
#'   of type `.T`.
#' @section Stability: With an unknown size, `d_out = d_in * max(|lower|, upper)`. With a known
#'   size, `d_out = floor(d_in / 2) * (upper - lower)`, because datasets of one size at distance
#'   `d_in` differ in at most `floor(d_in / 2)` rows. `d_in` counts rows added or removed.
#' @section Errors: Raises `dp_error_make_transformation` if a checked sum could overflow (this
#'   includes a `size` outside the type), or if the signs of the bounds of a monotonic sum differ.
#'   Raises `dp_error_overflow` if `upper - lower` (known size) or `|lower|` (unknown size) does not
#'   fit the type, and `dp_error_make_domain` if `lower > upper`. Raises `dp_error_type` for a
#'   different type, and `dp_error_failed_cast` for bounds of a different type. The map raises
#'   `dp_error_failed_cast` or `dp_error_overflow` if a distance does not fit the type.
#' @template ref-casacuberta-2022
#' @examples
#' enable_features("contrib")
#' checked <- make_sized_bounded_int_checked_sum(1234L, c(-2L, 4L), .T = "i32")
#' checked(d_in = 2L)
#'
#' c(vector_domain(atom_domain(.T = "i32")), symmetric_distance()) |>
#'   then_clamp(c(-7L, 3L)) |>
#'   then_bounded_int_split_sum(bounds = c(-7L, 3L))
#' @name int_sums
NULL

#' @rdname int_sums
#' @export
make_sized_bounded_int_checked_sum <- function(size, bounds, .T = NULL) {
  build("make_sized_bounded_int_checked_sum", check_whole(size, min = 0), bounds, .T)
}

#' @rdname int_sums
#' @export
make_bounded_int_monotonic_sum <- function(bounds, .T = NULL) {
  build("make_bounded_int_monotonic_sum", bounds, .T)
}

#' @rdname int_sums
#' @export
make_sized_bounded_int_monotonic_sum <- function(size, bounds, .T = NULL) {
  build("make_sized_bounded_int_monotonic_sum", check_whole(size, min = 0), bounds, .T)
}

#' @rdname int_sums
#' @export
make_bounded_int_ordered_sum <- function(bounds, .T = NULL) {
  build("make_bounded_int_ordered_sum", bounds, .T)
}

#' @rdname int_sums
#' @export
make_sized_bounded_int_ordered_sum <- function(size, bounds, .T = NULL) {
  build("make_sized_bounded_int_ordered_sum", check_whole(size, min = 0), bounds, .T)
}

#' @rdname int_sums
#' @export
make_bounded_int_split_sum <- function(bounds, .T = NULL) {
  build("make_bounded_int_split_sum", bounds, .T)
}

#' @rdname int_sums
#' @export
make_sized_bounded_int_split_sum <- function(size, bounds, .T = NULL) {
  build("make_sized_bounded_int_split_sum", check_whole(size, min = 0), bounds, .T)
}

#' @rdname int_sums
#' @export
then_sized_bounded_int_checked_sum <- to_then_fixed(make_sized_bounded_int_checked_sum)

#' @rdname int_sums
#' @export
then_bounded_int_monotonic_sum <- to_then_fixed(make_bounded_int_monotonic_sum)

#' @rdname int_sums
#' @export
then_sized_bounded_int_monotonic_sum <- to_then_fixed(make_sized_bounded_int_monotonic_sum)

#' @rdname int_sums
#' @export
then_bounded_int_ordered_sum <- to_then_fixed(make_bounded_int_ordered_sum)

#' @rdname int_sums
#' @export
then_sized_bounded_int_ordered_sum <- to_then_fixed(make_sized_bounded_int_ordered_sum)

#' @rdname int_sums
#' @export
then_bounded_int_split_sum <- to_then_fixed(make_bounded_int_split_sum)

#' @rdname int_sums
#' @export
then_sized_bounded_int_split_sum <- to_then_fixed(make_sized_bounded_int_split_sum)
