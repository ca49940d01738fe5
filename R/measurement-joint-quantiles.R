#' Release several quantiles
#'
#' Of public candidates, releases one for each of several quantiles of the data, all together: in
#' one choice, whose loss does not grow with their number, and in order.
#'
#' Each row counts at the candidate nearest to it. A choice of candidates divides the rows into
#' those below the first, between the first and the second, and so on; its score is how far these
#' numbers of rows are, in sum, from the shares that `alphas` ask for. Rows that count at a
#' candidate that is chosen may lie on either side of it, in any proportion, and the choice says in
#' which: so many equal rows do no harm to the quantiles beside theirs.
#'
#' @inheritParams make_private_quantile
#' @param input_domain (`domain`) A vector of numbers without NaN. A known size makes the loss of an
#'   exchange of rows smaller. Public.
#' @param input_metric (`metric`) [symmetric_distance()], [insert_delete_distance()],
#'   [change_one_distance()] or [hamming_distance()]. Public.
#' @param candidates (vector, or `list` of single elements) In the type of the data, increasing.
#'   Only these can be released, so they must not come from the data. Public.
#' @param alphas (`numeric`) Which quantiles, increasing, from 0 to 1; they count to the nearest
#'   1/10000. Public.
#' @param scale (`numeric(1)`) Of the noise, in rows, at least 2^-15: the score of what is chosen
#'   may be worse than the best by about as many. Public.
#' @returns (`measurement`) From data to a vector of candidates, one for each of `alphas`, in order.
#' @section Privacy: The choice is the exponential mechanism's, with a probability proportional to
#'   `exp(-score / scale)`. A row that is replaced moves the score by 2 rows at most. With
#'   `s = 2 * d_in` under [change_one_distance()] or [hamming_distance()], `s = 2 * floor(d_in / 2)`
#'   for another distance and a known size, and otherwise `s = 2 * (1 - step) * d_in`, where `step`
#'   is the least of the differences between 0, `alphas` and 1:
#'   * under [max_divergence()], `epsilon = 2 * s / scale`;
#'   * under [zero_concentrated_divergence()], `rho = (2 * s / scale)^2 / 8`.
#'
#'   Rounded up.
#' @section Errors: `dp_error_make_measurement` for `alphas` or a `scale` that are not as above;
#'   `dp_error_make_transformation` if there are no candidates, they are not increasing, or there
#'   are more than 2^24 pairs of a candidate and an alpha; `dp_error_failed_cast` for candidates of
#'   another type; `dp_error_type` for another metric or measure.
#' @references Gillenwater, Joseph and Kulesza (2021), *Differentially Private Quantiles*; Cesar and
#'   Rogers (2021), *Bounding, Concentrating, and Truncating: Unifying Privacy Loss Composition for
#'   Data Analytics*, for rho.
#' @seealso [dpQuantiles()] for a column of a data frame; [make_private_quantile()] for one
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
