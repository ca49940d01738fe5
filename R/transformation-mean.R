#' Average a known number of bounded floats
#'
#' Computes the [sum][make_sum()], then [multiplies][make_lipschitz_float_mul()] it by `1 / size`.
#' It divides by the declared size, even if the data have a different number of rows.
#'
#' @inheritParams make_clamp
#' @param input_domain (`domain`) Vectors of floats with bounds and a size. Public.
#' @param input_metric (`metric`) [symmetric_distance()] or [insert_delete_distance()]. Public.
#' @returns (`transformation`) From a vector of length `size` to one number, in the unit of the
#'   rows.
#' @section Stability: The maps of the two steps compose to about
#'   `floor(d_in / 2) * (upper - lower) / size`. Rounding adds a little, even at `d_in = 0`.
#' @section Errors: Raises `dp_error_make_transformation` without bounds or a size, or if the size
#'   is 0. Raises `dp_error_type` if rows are not floats, or for a different metric. Raises
#'   `dp_error_failed_cast` for more than 2^53 rows (2^24 for `f32`), or for rows that can be null.
#'   Raises `dp_error_overflow` if `size` times a bound is not finite.
#' @template ref-dwork-roth-2014
#' @template ref-casacuberta-2022
#' @examples
#' enable_features("contrib")
#' average <- c(vector_domain(atom_domain(bounds = c(0, 10)), size = 4), symmetric_distance()) |>
#'   then_mean()
#' average(arg = c(1, 2, 4, 5))
#' average(d_in = 2L)
#' @export
make_mean <- function(input_domain, input_metric) build("make_mean", input_domain, input_metric)

#' @rdname make_mean
#' @export
then_mean <- to_then(make_mean)
