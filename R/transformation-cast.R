#' Cast rows to a different type
#'
#' Casts each row to a different carrier type. A row that cannot be cast becomes missing (`NA` in
#' R), and so does NaN. Impute missing rows before you aggregate.
#'
#' Casting rounds. Between integers, a number out of range becomes missing. A float becomes an
#' integer by dropping its fraction, and a number becomes `bool` by comparison with 0. Strings are
#' read as decimal numbers, without surrounding blanks. As `bool`, any string except the empty one
#' is `TRUE`. A float is written with the fewest digits that identify it, never with an exponent.
#'
#' @inheritParams make_clamp
#' @param input_domain (`domain`) Vectors of any type. Public.
#' @param .TOA (type descriptor) Type to cast to, any atomic type. Public.
#' @returns (`transformation`) From vectors to vectors of the same length, whose rows can be
#'   missing. Bounds are lost, because a bound of the old type means nothing in the new type.
#' @section Stability: `d_out = d_in`, in rows.
#' @section Errors: Raises `dp_error_type_parse` for an unknown type, `dp_error_failed_cast` for a
#'   domain that is not a vector of atoms, and `dp_error_type` for a metric that does not compare
#'   datasets. The cast never fails.
#' @template ref-mcsherry-2009
#' @seealso [make_cast_default()] and [make_cast_inherent()], which need no option domain,
#'   [make_impute_constant()].
#' @examples
#' enable_features("contrib")
#' cast <- c(vector_domain(atom_domain(.T = "String")), symmetric_distance()) |>
#'   then_cast(.TOA = "i32")
#' cast(arg = c("12", "twelve", "1e3"))
#' @export
make_cast <- function(input_domain, input_metric, .TOA) {
  build("make_cast", input_domain, input_metric, .TOA)
}

#' @rdname make_cast
#' @export
then_cast <- to_then(make_cast)
