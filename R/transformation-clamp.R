#' Clamp rows to public bounds
#'
#' Moves values below the lower bound to the lower bound, and values above the upper bound to the
#' upper bound. Aggregates need bounded rows, because an unbounded row could change a sum by any
#' amount.
#'
#' The new bounds replace any bounds of the domain, even tighter ones. A known size is kept.
#' Infinite rows are clamped too.
#'
#' @param input_domain (`domain`) Vectors of any number type without NaN. Public.
#' @param input_metric (`metric`) Any distance between datasets. Public.
#' @param bounds (two numbers, `c(lower, upper)`) Bounds in the type and the unit of the rows:
#'   integers for `i32`, doubles for `f64`. Public: do not take them from the data.
#' @param lhs (`transformation` or `c(domain, metric)`) The left side of the pipe.
#' @returns (`transformation`) From vectors to vectors of the same length, within `bounds`.
#' @section Stability: `d_out = d_in`, in rows: each row is processed separately.
#' @section Errors: Raises `dp_error_failed_function` if rows can be NaN, or for a NaN bound, and
#'   `dp_error_make_domain` if `lower > upper`. Raises `dp_error_failed_cast` for bounds of a
#'   different type, and `dp_error_type` for a metric that does not compare datasets.
#' @template ref-mcsherry-2009
#' @examples
#' enable_features("contrib")
#' ages <- c(vector_domain(atom_domain(.T = "i32")), symmetric_distance()) |>
#'   then_clamp(bounds = c(0L, 120L))
#' ages(arg = c(-3L, 44L, 999L))
#' ages(d_in = 1L)
#' @export
make_clamp <- function(input_domain, input_metric, bounds) {
  build("make_clamp", input_domain, input_metric, bounds)
}

#' @rdname make_clamp
#' @export
then_clamp <- to_then(make_clamp)
