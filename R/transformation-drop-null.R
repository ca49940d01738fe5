#' Drop missing rows
#'
#' Drops missing rows: nulls of an option domain, or NaN. The other rows keep their order.
#'
#' The number of remaining rows is private, so the output domain has no size, even if the input size
#' is known. To keep a size, impute instead: [make_impute_constant()].
#'
#' @inheritParams make_clamp
#' @param input_domain (`domain`) Vectors of options of any type, or of floats. Public.
#' @param input_metric (`metric`) [symmetric_distance()] or [insert_delete_distance()]. Public.
#' @returns (`transformation`) From vectors to vectors without missing rows. Bounds and size are
#'   lost.
#' @section Stability: `d_out = d_in`, in rows: an added or removed row changes the output by at
#'   most one row.
#' @section Errors: Raises `dp_error_type` if no row can be missing, or for a metric that does not
#'   compare datasets, and `dp_error_metric_space` for a metric that needs a size.
#' @template ref-mcsherry-2009
#' @examples
#' enable_features("contrib")
#' present <- c(vector_domain(atom_domain(.T = "String")), symmetric_distance()) |>
#'   then_cast("i32") |>
#'   then_drop_null()
#' present(arg = c("3", "", "5"))
#' @export
make_drop_null <- function(input_domain, input_metric) {
  build("make_drop_null", input_domain, input_metric)
}

#' @rdname make_drop_null
#' @export
then_drop_null <- to_then(make_drop_null)
