#' Sum bounded rows
#'
#' Sums bounded rows with the [integer sum][int_sums] or the [floating-point sum][float_sums] that
#' fits them:
#'
#' * Integers: the checked sum if the size is known and no sum can overflow. Otherwise, the
#'   monotonic sum if the bounds share a sign, else the split sum. Under [insert_delete_distance()],
#'   the ordered sum replaces the last two.
#' * Floats: the checked sum in pairwise order unless a sum could overflow, else the ordered one. If
#'   the size is not known, at most 2^20 rows are added.
#'
#' If the sum needs it, a conversion between ordered and unordered datasets comes first, so the
#' input metric is always the one that you give.
#'
#' Avoid `f32`: with an unknown size, the rounding of single precision adds about 5 times the larger
#' bound to the sensitivity.
#'
#' A float domain with bounds holds no NaN, and the input domain of the result declares this even if
#' the given domain did not. The published reference then fails for some metrics and not for others.
#'
#' @inheritParams make_clamp
#' @param input_domain (`domain`) Vectors of any number type with bounds, with or without a size.
#'   Public.
#' @param input_metric (`metric`) [symmetric_distance()] or [insert_delete_distance()]. Public.
#' @returns (`transformation`) From a vector to one number of the type of the rows, in their unit.
#' @section Stability: With `mag = max(|lower|, upper)` and a small `relaxation` for rounding, which
#'   integers do not need:
#'   * known size: `d_out = floor(d_in / 2) * (upper - lower) + relaxation`.
#'   * unknown size: `d_out = d_in * mag` for integers, and
#'     `d_in * max(upper - lower, mag) + relaxation` for floats.
#'
#'   `d_in` counts rows added or removed, and `d_out` is in the unit of the rows.
#' @section Errors: Raises `dp_error_make_transformation` without bounds, `dp_error_type` for rows
#'   that are not numbers, or for a different metric, and `dp_error_failed_cast` for rows that can
#'   be null. Also raises the errors of the chosen sum.
#' @template ref-dwork-roth-2014
#' @template ref-casacuberta-2022
#' @seealso [make_lattice_sum()], which is exact even for floats.
#' @examples
#' enable_features("contrib")
#' space <- c(vector_domain(atom_domain(bounds = c(0L, 10L))), symmetric_distance())
#' total <- space |> then_sum()
#' total(arg = c(1L, 2L, 4L))
#' total(d_in = 1L)
#' @export
make_sum <- function(input_domain, input_metric) build("make_sum", input_domain, input_metric)

#' @rdname make_sum
#' @export
then_sum <- to_then(make_sum)

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

#' Sum bounded rows exactly, on a public lattice
#'
#' Clamps each row to the bounds, rounds it to the nearest multiple of a step 2^k, and adds the
#' multiples as 128-bit integers. The step depends only on the bounds. It is 1 for integers and
#' `bool`. For floats, the larger bound, in magnitude, is between 2^50 and 2^51 steps. So the sum
#' does not depend on the order of the rows or on threads, nothing is added for rounding, and the
#' stability is exact. The statistics of this package are built on it.
#'
#' @inheritParams make_clamp
#' @param input_domain (`domain`) Vectors of bounded numbers or of `bool`, with or without a size.
#'   Public.
#' @returns (`transformation`) From a vector to one whole number of type `i128`: the sum in steps.
#'   In R it is a double, which is exact up to 2^53 steps.
#' @section Stability: In steps, with `low` and `high` the rounded bounds:
#'   * unknown size: `d_out = d_in * max(|low|, |high|)`.
#'   * known size: `d_out = floor(d_in / 2) * (high - low)`, and `d_in * (high - low)` for
#'     [change_one_distance()] and [hamming_distance()].
#' @section Errors: Raises `dp_error_make_transformation` without bounds, `dp_error_make_domain` for
#'   infinite bounds, `dp_error_type` for rows that are strings, or a metric that does not compare
#'   datasets, and `dp_error_failed_cast` for rows that can be null. The function raises
#'   `dp_error_failed_function`, with one fixed message, for a NaN that is not in the domain.
#' @template ref-casacuberta-2022
#' @template ref-mironov-2012
#' @examples
#' enable_features("contrib")
#' total <- c(vector_domain(atom_domain(bounds = c(0, 10)), size = 3), symmetric_distance()) |>
#'   then_lattice_sum()
#' total(arg = c(1, 2, 4)) / total(arg = c(1, 0, 0))
#' total
#' @export
make_lattice_sum <- function(input_domain, input_metric) {
  build("make_lattice_sum", input_domain, input_metric)
}

#' @rdname make_lattice_sum
#' @export
then_lattice_sum <- to_then(make_lattice_sum)
