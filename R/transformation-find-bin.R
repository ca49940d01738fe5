#' Find the bin of each row between public edges
#'
#' Gives the number of edges at or below each row. With `n` edges there are `n + 1` bins: 0 is below
#' the first edge, `n` at or above the last, and a row that equals an edge belongs to the bin above.
#' [make_index()] gives the bins names.
#'
#' A NaN, if the domain admits it, falls into the last bin.
#'
#' @inheritParams make_clamp
#' @param input_domain (`domain`) Vectors of any number type, without nulls. Public.
#' @param edges (numbers) In the type and the unit of the rows, strictly increasing. Public: they
#'   must not be quantiles of the data. None at all puts every row into bin 0.
#' @returns (`transformation`) From vectors to vectors of the same length, of `usize`. R sees them
#'   as doubles.
#' @section Stability: `d_out = d_in`, in rows: each row is treated by itself.
#' @section Errors: `dp_error_make_transformation` unless the edges are strictly increasing, which
#'   NaN is not; `dp_error_failed_cast` if one has another type than the rows, or if rows may be
#'   null; `dp_error_type` unless rows are numbers, or for a metric that does not compare datasets.
#' @template ref-mcsherry-2009
#' @examples
#' enable_features("contrib")
#' bins <- c(vector_domain(atom_domain(.T = "f64")), symmetric_distance()) |>
#'   then_find_bin(edges = c(1, 2, 10))
#' bins(arg = c(0, 1, 3, 15))
#' @export
make_find_bin <- function(input_domain, input_metric, edges) {
  build("make_find_bin", input_domain, input_metric, edges)
}

#' @rdname make_find_bin
#' @export
then_find_bin <- to_then(make_find_bin)
