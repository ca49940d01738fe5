#' Quantiles of noisy counts in bins
#'
#' Reads quantiles off a histogram. It works on what was released, so it costs no privacy, and as
#' many quantiles as one likes.
#'
#' For each `alpha`, looks for the first bin at whose upper edge the share of rows is not below
#' `alpha`, and gives
#' * `"linear"`: the point between the edges of the bin where the share reaches `alpha`, if rows lie
#'   evenly within bins; the lower edge of an empty bin. Integer types drop the fraction.
#' * `"nearest"`: the edge at which the share is nearer to `alpha`, the lower one in a tie.
#'
#' Noise may make counts negative. The share then falls here and there, and the bin is one that
#' bisection finds. If the total is 0 there are no quantiles: NaN, or the first edge for
#' `"nearest"`.
#'
#' @param bin_edges (numbers) Strictly increasing; in the unit of the rows, and in the type of the
#'   counts.
#' @param alphas (`numeric`, 0 to 1) Which quantiles, strictly increasing.
#' @param interpolation (`character(1)`) `"linear"` or `"nearest"`.
#' @param .TA (type descriptor or `NULL`) Type of counts, edges and quantiles, any number type.
#'   `NULL` takes it from `bin_edges`.
#' @param .F (type descriptor) Type of `alphas`, in which to compute, `"f64"` or `"f32"`.
#' @param lhs (`measurement`) The left side of the pipe; releases the counts.
#' @returns (`opendp_function`) From counts to one quantile for each `alpha`, in the unit of
#'   `bin_edges`. The counts are those between the edges, one less than edges, or one more with
#'   those below the first and from the last edge on, which are left out.
#' @section Errors: `dp_error_make_transformation` unless there are edges, edges and `alphas` are
#'   strictly increasing, and `alphas` between 0 and 1; `dp_error_ffi` for another interpolation;
#'   `dp_error_failed_cast` for edges or `alphas` of another type; `dp_error_type` unless `.TA` is a
#'   number type and `.F` a float. Invoked on counts of another type, or if a quantile does not fit
#'   an integer type: `dp_error_failed_cast`; on another number of counts:
#'   `dp_error_failed_function`.
#' @template ref-dwork-roth-2014
#' @examples
#' enable_features("contrib")
#' quartiles <- make_quantiles_from_counts(c(0, 10, 20, 30), alphas = c(0.25, 0.5, 0.75))
#' quartiles(arg = c(2.23, 3.4, 5))
#' @export
make_quantiles_from_counts <- function(bin_edges, alphas, interpolation = "linear", .TA = NULL,
                                       .F = "float") {
  build(
    "make_quantiles_from_counts", bin_edges, alphas, check_string(interpolation), .TA, .F
  )
}

#' @rdname make_quantiles_from_counts
#' @export
then_quantiles_from_counts <- to_then_fixed(make_quantiles_from_counts)
