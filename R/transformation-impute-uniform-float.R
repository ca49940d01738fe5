#' Replace NaN by uniform draws between public bounds
#'
#' Replaces each NaN by a separate draw from the secure source. Other rows do not change, even
#' outside the bounds. [make_impute_uniform()] also takes integers, `bool` and nulls.
#'
#' Draws are multiples of \eqn{2^{e - p}}{2^(e - p)}, where \eqn{2^e} is the least power of two that
#' neither bound exceeds in magnitude and `p` is 53, or 24 for `f32`. They are drawn as integers, so
#' no rounding occurs.
#'
#' @inheritParams make_clamp
#' @param input_domain (`domain`) Vectors of floats. Public.
#' @param bounds (two numbers, `c(lower, upper)`) Bounds of the draws, in the type and the unit of
#'   the rows. The lower bound is included, the upper bound is not. Public.
#' @returns (`transformation`) From vectors to vectors of the same length without NaN. The output
#'   domain has no bounds, but keeps a known size.
#' @section Stability: `d_out = d_in`, in rows: a draw does not depend on the other rows. Imputing a
#'   mean or a median of the data would have a cost.
#' @section Errors: Raises `dp_error_make_transformation` unless the bounds and their difference are
#'   finite and `lower < upper`. Raises `dp_error_failed_cast` for bounds of a different type, and
#'   `dp_error_type` unless rows are floats, or for a metric that does not compare datasets.
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
