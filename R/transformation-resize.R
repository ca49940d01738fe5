#' Bring datasets to a public number of rows
#'
#' Resizes datasets to a public number of rows. If there are too few rows, copies of a constant are
#' added at the end. If there are too many, a uniformly random choice is kept, or the first rows if
#' the order of the rows is public. A known size halves the sensitivity of a sum, see [make_sum()].
#'
#' From the symmetric to an ordered distance, the result is put in random order. Rows whose order is
#' public are never shuffled. The published reference shuffles them if there are few enough, so
#' neighbouring datasets can move further apart than its map says.
#'
#' @inheritParams make_clamp
#' @param input_domain (`domain`) Vectors of any type and of any size. Public.
#' @param input_metric (`metric`) [symmetric_distance()] or [insert_delete_distance()], or
#'   [change_one_distance()] or [hamming_distance()] if `.MO` is the same. Public.
#' @param size (whole number, at least 1) Number of rows of the output. Public.
#' @param constant (one element) Member of the row domain, in its type and unit. `NULL` pads rows
#'   that can be null with nulls. Public.
#' @param .MO (type descriptor) Output metric: `"SymmetricDistance"` or `"InsertDeleteDistance"`, or
#'   the same as `input_metric`.
#' @returns (`transformation`) From vectors to vectors of length `size`.
#' @section Stability: `d_out = 2 * d_in`, in rows, because an added row can displace a different
#'   one. Between change-one, or between Hamming distances: `d_out = d_in`.
#' @section Errors: Raises `dp_error_make_transformation` if `size` is 0, or `constant` is not a
#'   member. Raises `dp_error_failed_function` if `constant` is NaN between bounds,
#'   `dp_error_failed_cast` if it has a different type, `dp_error_invalid_argument` if `size` is not
#'   a whole number, and `dp_error_type` for other metrics. The map raises `dp_error_overflow` from
#'   2^31 rows on.
#' @template ref-casacuberta-2022
#' @examples
#' enable_features("contrib")
#' space <- c(vector_domain(atom_domain(bounds = c(0L, 10L))), symmetric_distance())
#' three <- space |> then_resize(size = 3, constant = 5L)
#' three(arg = c(1L, 2L))
#' total <- three |> then_sum()
#' total(d_in = 1L)
#' @export
make_resize <- function(input_domain, input_metric, size, constant, .MO = "SymmetricDistance") {
  build("make_resize", input_domain, input_metric, check_whole(size, min = 0), constant, .MO)
}

#' @rdname make_resize
#' @export
then_resize <- to_then(make_resize)
