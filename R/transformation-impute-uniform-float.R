#' Replace NaN by uniform draws between public bounds
#'
#' Each NaN becomes a draw of its own, from the secure source. Other rows stay as they are, within
#' the bounds or not. [make_impute_uniform()] also takes integers, `bool` and nulls.
#'
#' Draws are multiples of \eqn{2^{e - p}}{2^(e - p)}, where \eqn{2^e} is the least power of two that
#' neither bound exceeds in magnitude and `p` is 53, or 24 for `f32`. They are drawn as integers, so
#' nothing is rounded.
#'
#' @inheritParams make_clamp
#' @param input_domain (`domain`) Vectors of floats. Public.
#' @param bounds (two numbers, `c(lower, upper)`) In the type and the unit of the rows; the lower
#'   one included, the upper one not. Public.
#' @returns (`transformation`) From vectors to vectors of the same length without NaN. The output
#'   domain has no bounds, a known size is kept.
#' @section Stability: `d_out = d_in`, in rows: a draw uses nothing of the other rows. Imputing a
#'   mean or a median of the data would not be free in this way.
#' @section Errors: `dp_error_make_transformation` unless the bounds and their difference are finite
#'   and `lower < upper`; `dp_error_failed_cast` for bounds of another type; `dp_error_type` unless
#'   rows are floats, or for a metric that does not compare datasets.
#' @template ref-mcsherry-2009
#' @examples
#' enable_features("contrib")
#' imputed <- c(vector_domain(atom_domain(.T = "f64")), symmetric_distance()) |>
#'   then_impute_uniform_float(c(0, 10)) |>
#'   then_clamp(c(0, 10))
#' imputed(arg = c(1.5, NA, 3))
#' @export
make_impute_uniform_float <- function(input_domain, input_metric, bounds) {
  build("make_impute_uniform_float", input_domain, input_metric, bounds)
}

#' @rdname make_impute_uniform_float
#' @export
then_impute_uniform_float <- to_then(make_impute_uniform_float)
