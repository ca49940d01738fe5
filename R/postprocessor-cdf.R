#' Distribution function of noisy counts
#'
#' The running sums of the counts, over their total. Noise can make a count negative, and the result
#' then decreases there; with a total of 0 it is NaN or infinite. It works on what was released, so
#' it costs no privacy.
#'
#' @param .TA (type descriptor) Type of the counts and of the result, `"f64"` or `"f32"`.
#' @param lhs (`measurement`) The left side of the pipe; releases the counts.
#' @returns (`opendp_function`) From counts to as many numbers, the last of them 1.
#' @section Errors: `dp_error_type` unless `.TA` is a float. Invoked on counts of another type:
#'   `dp_error_failed_cast`; on none: `dp_error_failed_function`.
#' @template ref-dwork-roth-2014
#' @examples
#' enable_features("contrib")
#' make_cdf()(arg = c(2, 3, 5))
#' @export
make_cdf <- function(.TA = "float") build("make_cdf", .TA)

#' @rdname make_cdf
#' @export
then_cdf <- to_then_fixed(make_cdf)
