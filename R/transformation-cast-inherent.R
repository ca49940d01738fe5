#' Cast rows to a float type, with NaN for what does not fit
#'
#' Casts like [make_cast()], but a row that cannot be cast becomes NaN, the missing value of floats.
#'
#' @inheritParams make_cast
#' @param .TOA (type descriptor) Float type, `"f64"` or `"f32"`. Public.
#' @returns (`transformation`) From vectors to vectors of the same length, whose rows can be NaN.
#'   Bounds are lost.
#' @section Stability: `d_out = d_in`, in rows.
#' @section Errors: Raises the errors of [make_cast()], and `dp_error_type` if `.TOA` is not a float
#'   type.
#' @template ref-mcsherry-2009
#' @examples
#' enable_features("contrib")
#' cast <- c(vector_domain(atom_domain(.T = "String")), symmetric_distance()) |>
#'   then_cast_inherent(.TOA = "f64") |>
#'   then_impute_constant(0)
#' cast(arg = c("1.5", "n/a"))
#' @export
make_cast_inherent <- function(input_domain, input_metric, .TOA) {
  build("make_cast_inherent", input_domain, input_metric, .TOA)
}

#' @rdname make_cast_inherent
#' @export
then_cast_inherent <- to_then(make_cast_inherent)
