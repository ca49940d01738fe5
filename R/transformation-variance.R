#' Variance of a known number of bounded floats
#'
#' A [sum of squared deviations][make_sum_of_squared_deviations()], then a
#' [multiplication][make_lipschitz_float_mul()] by `1 / (size - ddof)`. It divides by the declared
#' size, however many rows come.
#'
#' @inheritParams make_sum_of_squared_deviations
#' @param ddof (whole number) What to subtract from the size: 1 for the unbiased variance of a
#'   sample, 0 for that of a whole population. Public.
#' @param .S (type descriptor) As in [make_sum_of_squared_deviations()]. Checked against the type of
#'   the rows; additions are pairwise in either case, as published.
#' @returns (`transformation`) From a vector of length `size` to one number, in the squared unit of
#'   the rows.
#' @section Stability: That of the two steps, about
#'   `floor(d_in / 2) * (upper - lower)^2 * (n - 1) / n / (n - ddof)` for `n` rows, and a little
#'   more for rounding, also at `d_in = 0`.
#' @section Errors: Those of [make_sum_of_squared_deviations()], and
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
