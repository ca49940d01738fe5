#' Average a known number of bounded floats
#'
#' A [sum][make_sum()], then a [multiplication][make_lipschitz_float_mul()] by `1 / size`. It
#' divides by the declared size, however many rows come.
#'
#' @inheritParams make_clamp
#' @param input_domain (`domain`) Vectors of floats with bounds and a size. Public.
#' @param input_metric (`metric`) [symmetric_distance()] or [insert_delete_distance()]. Public.
#' @returns (`transformation`) From a vector of length `size` to one number, in the unit of the
#'   rows.
#' @section Stability: That of the two steps, about `floor(d_in / 2) * (upper - lower) / size`, and
#'   a little more for rounding, also at `d_in = 0`.
#' @section Errors: `dp_error_make_transformation` without bounds or a size, or if the size is 0;
#'   `dp_error_type` if rows are not floats, or for another metric; `dp_error_failed_cast` for more
#'   than 2^53 rows (2^24 for `f32`), or for rows that may be null; `dp_error_overflow` if `size`
#'   times a bound is not finite.
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
