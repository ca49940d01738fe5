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
