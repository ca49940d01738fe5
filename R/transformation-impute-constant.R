#' Replace missing rows by a public constant
#'
#' Replaces each missing row, a null of an option domain or NaN, by a public constant.
#'
#' If rows can be null, a NaN that is not null is replaced as well. The published reference keeps
#' it, although its output domain promises that there is none.
#'
#' @inheritParams make_clamp
#' @param input_domain (`domain`) Vectors of options of any type, or of floats. Public.
#' @param constant (one element) Replacement, in the type and the unit of the rows, not missing.
#'   Public.
#' @returns (`transformation`) From vectors to vectors of the same length without missing rows.
#'   Bounds are lost, a known size is kept.
#' @section Stability: `d_out = d_in`, in rows: the constant does not depend on the rows.
#' @section Errors: Raises `dp_error_make_transformation` for a NaN constant, `dp_error_failed_cast`
#'   for a constant of a different type, and `dp_error_type` if no row can be missing, or for a
#'   metric that does not compare datasets.
#' @template ref-mcsherry-2009
#' @examples
#' enable_features("contrib")
#' imputed <- c(vector_domain(atom_domain(.T = "f64")), symmetric_distance()) |>
#'   then_impute_constant(0)
#' imputed(arg = c(1.5, NA, 3))
#' @export
make_impute_constant <- function(input_domain, input_metric, constant) {
  build("make_impute_constant", input_domain, input_metric, constant)
}

#' @rdname make_impute_constant
#' @export
then_impute_constant <- to_then(make_impute_constant)
