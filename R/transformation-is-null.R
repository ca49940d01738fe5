#' Find missing rows
#'
#' Finds missing rows: nulls of an option domain, or NaN (`NA` in R).
#'
#' @inheritParams make_clamp
#' @param input_domain (`domain`) Vectors of options of any type, or of floats. Public.
#' @returns (`transformation`) From vectors to logical vectors of the same length: `TRUE` for a
#'   null, and for NaN.
#' @section Stability: `d_out = d_in`, in rows.
#' @section Errors: Raises `dp_error_type` if no row can be missing, or for a metric that does not
#'   compare datasets.
#' @template ref-mcsherry-2009
#' @examples
#' enable_features("contrib")
#' missing <- c(vector_domain(atom_domain(.T = "f64")), symmetric_distance()) |>
#'   then_is_null()
#' missing(arg = c(1.5, NA, NaN))
#' @export
make_is_null <- function(input_domain, input_metric) {
  build("make_is_null", input_domain, input_metric)
}

#' @rdname make_is_null
#' @export
then_is_null <- to_then(make_is_null)
