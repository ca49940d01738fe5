#' Compute quantiles from noisy counts in bins
#'
#' Computes quantiles from a histogram. It is a function of the release, so it costs no privacy,
#' however many quantiles you ask for.
#'
#' For each `alpha`, finds the first bin at whose upper edge the share of rows is at least `alpha`,
#' and returns
#' * `"linear"`: the point between the edges of the bin where the share reaches `alpha`, if rows are
#'   spread evenly within bins. An empty bin gives its lower edge. Integer types drop the fraction.
#' * `"nearest"`: the edge whose share is nearer to `alpha`, the lower edge in a tie.
#'
#' Noise can make counts negative, so the share can decrease in places. The bin is then found by
#' bisection, and need not be the first. If the total is 0, there are no quantiles: the result is
#' NaN, or the first edge for `"nearest"`.
#'
#' @param bin_edges (numbers) Strictly increasing edges of the bins, in the unit of the rows and in
#'   the type of the counts.
#' @param alphas (`numeric`) Strictly increasing quantile levels, from 0 to 1.
#' @param interpolation (`character(1)`) Method, `"linear"` or `"nearest"`.
#' @param .TA (type descriptor or `NULL`) Number type of counts, edges and quantiles. `NULL` infers
#'   it from `bin_edges`.
#' @param .F (type descriptor) Float type of `alphas` and of the computation, `"f64"` or `"f32"`.
#' @param lhs (`measurement`) The left side of the pipe, which releases the counts.
#' @returns (`opendp_function`) From counts to one quantile for each `alpha`, in the unit of
#'   `bin_edges`. Give one count per bin, one less than the number of edges. You can also give two
#'   more counts, for rows below the first edge and from the last edge on, which are ignored.
#' @section Errors: Raises `dp_error_make_transformation` unless there are edges, edges and `alphas`
#'   are strictly increasing, and `alphas` are between 0 and 1. Raises `dp_error_ffi` for a
#'   different interpolation, `dp_error_failed_cast` for edges or `alphas` of a different type, and
#'   `dp_error_type` unless `.TA` is a number type and `.F` a float type. The function raises
#'   `dp_error_failed_cast` for counts of a different type, or if a quantile does not fit an integer
#'   type. It raises `dp_error_failed_function` for a wrong number of counts.
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
