#' Variance of a known number of bounded floats
#'
#' Computes the [sum of squared deviations][make_sum_of_squared_deviations()], then
#' [multiplies][make_lipschitz_float_mul()] it by `1 / (size - ddof)`. It divides by the declared
#' size, even if the data have a different number of rows.
#'
#' @inheritParams make_sum_of_squared_deviations
#' @param ddof (whole number) Number to subtract from the size: 1 for the unbiased variance of a
#'   sample, 0 for the variance of a whole population. Public.
#' @param .S (type descriptor) Summation, see [make_sum_of_squared_deviations()]. It is checked
#'   against the type of the rows. Additions are always pairwise, as in the published bindings.
#' @returns (`transformation`) From a vector of length `size` to one number, in the squared unit of
#'   the rows.
#' @section Stability: The maps of the two steps compose to about
#'   `floor(d_in / 2) * (upper - lower)^2 * (n - 1) / n / (n - ddof)` for `n` rows. Rounding adds a
#'   little, even at `d_in = 0`.
#' @section Errors: Raises the errors of [make_sum_of_squared_deviations()], and
#'   `dp_error_make_transformation` if `ddof` is not below the size.
#' @template ref-casacuberta-2022
#' @template ref-honaker-vadhan-2020
#' @examples
#' enable_features("contrib")
#' spread <- c(vector_domain(atom_domain(bounds = c(0, 10)), size = 5), symmetric_distance()) |>
#'   then_variance()
#' spread(arg = c(1, 2, 3, 4, 5))
#' spread(d_in = 2L)
#' @export
make_variance <- function(input_domain, input_metric, ddof = 1L, .S = "Pairwise<.T>") {
  build("make_variance", input_domain, input_metric, ddof, .S)
}

#' @rdname make_variance
#' @export
then_variance <- to_then(make_variance)
