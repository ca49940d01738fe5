#' Compute a distribution function from noisy counts
#'
#' Divides the running sums of the counts by their total. Noise can make a count negative, and the
#' result then decreases there. With a total of 0, it is NaN or infinite. It reads only the release,
#' so it costs no privacy.
#'
#' @param .TA (type descriptor) Type of the counts and of the result, `"f64"` or `"f32"`.
#' @param lhs (`measurement`) The left side of the pipe, which releases the counts.
#' @returns (`opendp_function`) From counts to a vector of the same length, whose last element is 1.
#' @section Errors: Raises `dp_error_type` unless `.TA` is a float type. The function raises
#'   `dp_error_failed_cast` for counts of a different type, and `dp_error_failed_function` without
#'   counts.
#' @template ref-dwork-roth-2014
#' @examples
#' enable_features("contrib")
#' make_cdf()(arg = c(2, 3, 5))
#' @export
make_cdf <- function(.TA = "float") build("make_cdf", .TA)

#' @rdname make_cdf
#' @export
then_cdf <- to_then_fixed(make_cdf)
