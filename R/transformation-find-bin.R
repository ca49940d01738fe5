#' Find the bin of each row between public edges
#'
#' Counts the edges at or below each row. With `n` edges there are `n + 1` bins: bin 0 is below the
#' first edge, bin `n` is at or above the last, and a row that equals an edge belongs to the bin
#' above. [make_index()] names the bins.
#'
#' A NaN, if the domain allows it, is in the last bin.
#'
#' @inheritParams make_clamp
#' @param input_domain (`domain`) Vectors of any number type, without nulls. Public.
#' @param edges (numbers) Strictly increasing edges, in the type and the unit of the rows. Public:
#'   do not use quantiles of the data. If empty, every row is in bin 0.
#' @returns (`transformation`) From vectors to vectors of the same length, of `usize`. R sees them
#'   as doubles.
#' @section Stability: `d_out = d_in`, in rows: each row is processed separately.
#' @section Errors: Raises `dp_error_make_transformation` unless the edges are strictly increasing,
#'   so NaN is not allowed. Raises `dp_error_failed_cast` if an edge has a different type than the
#'   rows, or if rows can be null. Raises `dp_error_type` unless rows are numbers, or for a metric
#'   that does not compare datasets.
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
