#' What bounds of a mean cost, on public data
#'
#' Shows how far clamping moves the mean of public data, and how large the noise is, for each choice
#' of bounds. Nothing is private here: use public data only, such as data of an earlier year or
#' made-up values.
#'
#' @param public_data (`numeric`) Public values. Missing ones are left out.
#' @param rng (`numeric(2)` or `list`) Bounds, or several pairs of them.
#' @param epsilon (`numeric`) One or more losses of a release of [dpMean()].
#' @param n (whole number) Number of rows in the data that you will release from. The default is the
#'   length of `public_data`.
#' @returns A data frame with a row for each pair of bounds and loss. Its columns are `lower`,
#'   `upper`, `epsilon`, `clamped` (share of values outside), `bias` (of the mean of clamped
#'   values), `noise` (standard deviation of the noise in [dpMean()]) and `rmse` (root of the sum of
#'   squared bias and squared noise).
#' @section Errors: `dp_error_invalid_argument` for invalid arguments.
#' @seealso [dpBounds()]
#' @examples
#' clippingBias(PUMS5extract10000$income, list(c(0, 1e5), c(0, 75e4), c(0, 1e7)), c(0.1, 1))
#' @export
clippingBias <- function(public_data, rng, epsilon, n = length(public_data)) {
  call <- rlang::current_env()
  if (!is_numbers(public_data)) {
    stop_argument("numbers", describe(public_data), "public_data", call)
  }
  values <- public_data[is.finite(public_data)]
  if (length(values) == 0) stop_argument("one number or more", "none", "public_data", call)
  pairs <- lapply(if (is.list(rng)) rng else list(rng), check_range, "numeric", call)
  check_numbers(epsilon, arg = "epsilon", call = call)
  n <- check_whole(n, min = 1, arg = "n", call = call)
  rows <- lapply(pairs, function(pair) {
    bias <- mean(within_bounds(values, pair[[1]], pair[[2]])) - mean(values)
    noise <- sqrt(2) * diff(pair) / (n * epsilon)
    data.frame(
      lower = pair[[1]], upper = pair[[2]], epsilon = epsilon,
      clamped = mean(values < pair[[1]] | values > pair[[2]]), bias = bias, noise = noise,
      rmse = sqrt(bias^2 + noise^2)
    )
  })
  do.call(rbind, rows)
}
