#' Release several quantiles together
#'
#' Releases one public candidate for each of several quantiles of the data, in increasing order. It
#' makes one joint choice, whose loss does not grow with the number of quantiles.
#'
#' Each row counts at its nearest candidate. A choice of candidates divides the rows into those
#' below the first, between the first and the second, and so on. Its score is the total distance of
#' these row counts from the shares that `alphas` ask for. Rows at a chosen candidate can count on
#' either side of it, in any proportion, and the choice includes this proportion. Therefore repeated
#' equal rows do not distort neighbouring quantiles.
#'
#' @inheritParams make_private_quantile
#' @param input_domain (`domain`) Vector of numbers without NaN. A known size makes the loss for
#'   replaced rows smaller. Public.
#' @param input_metric (`metric`) [symmetric_distance()], [insert_delete_distance()],
#'   [change_one_distance()] or [hamming_distance()]. Public.
#' @param candidates (vector, or `list` of single elements) Increasing candidates, in the type of
#'   the data. Only these can be released, so do not take them from the data. Public.
#' @param alphas (`numeric`) Increasing quantile levels, from 0 to 1, rounded to the nearest
#'   1/10000. Public.
#' @param scale (`numeric(1)`) Noise scale in rows, at least 2^-15. The score of the choice is
#'   typically within this many rows of the best. Public.
#' @returns (`measurement`) From data to a vector of candidates, one for each of `alphas`, in
#'   increasing order.
#' @section Privacy: The choice follows the exponential mechanism, with a probability proportional
#'   to `exp(-score / scale)`. Replacing one row changes the score by 2 rows at most. Under
#'   [change_one_distance()] or [hamming_distance()], let `s = 2 * d_in`. Under the other metrics,
#'   let `s = 2 * floor(d_in / 2)` for a known size, and otherwise `s = 2 * (1 - step) * d_in`,
#'   where `step` is the smallest difference between 0, `alphas` and 1. Then the loss is
#'   * `epsilon = 2 * s / scale` under [max_divergence()],
#'   * `rho = (2 * s / scale)^2 / 8` under [zero_concentrated_divergence()].
#'
#'   Both are rounded up.
#' @section Errors: Raises `dp_error_make_measurement` for invalid `alphas` or an invalid `scale`.
#'   Raises `dp_error_make_transformation` if there are no candidates, if they are not increasing,
#'   or if there are more than 2^24 pairs of a candidate and an alpha. Raises `dp_error_failed_cast`
#'   for candidates of a different type, and `dp_error_type` for a different metric or measure.
#' @references Gillenwater, Joseph and Kulesza (2021), *Differentially Private Quantiles*. Cesar and
#'   Rogers (2021), *Bounding, Concentrating, and Truncating: Unifying Privacy Loss Composition for
#'   Data Analytics*, for rho.
#' @seealso [dpQuantiles()] for a column of a data frame, [make_private_quantile()] for one
#'   quantile.
#' @examples
#' enable_features("contrib")
#' quartiles <- c(vector_domain(atom_domain(.T = "i32"), size = 10000), change_one_distance()) |>
#'   then_joint_quantiles(max_divergence(), 0:100, alphas = c(0.25, 0.5, 0.75), scale = 40)
#' quartiles(arg = PUMS5extract10000$age)
#' quartiles(d_in = 1L)
#' @export
make_joint_quantiles <- function(input_domain, input_metric, output_measure, candidates, alphas,
                                 scale) {
  build(
    "make_joint_quantiles", input_domain, input_metric, output_measure, candidates, alphas, scale
  )
}

#' @rdname make_joint_quantiles
#' @export
then_joint_quantiles <- to_then(make_joint_quantiles)
