#' Add geometric noise
#'
#' Adds Laplace noise to integers, under its alternative name. Without `bounds`, it is
#' [make_laplace()]. With `bounds`, data and releases are clamped to them. A draw then takes one
#' step for each binary digit of the distance between the bounds, whatever the data and the noise
#' are. So the run time reveals only how often a draw restarted because of a negative zero.
#'
#' @inheritParams make_laplace
#' @param input_domain (`domain`) A single integer, or a vector of integers. Public.
#' @param input_metric (`metric`) [absolute_distance()] for a number, [l1_distance()] for a vector,
#'   in any integer type. Public.
#' @param bounds (two integers in the type of the data, or `NULL`) Lower and upper bound. Public.
#' @returns (`measurement`) A measurement whose releases have the type and the length of the data.
#'   If both bounds are equal, it releases that number. With scale 0, it releases the data
#'   unchanged.
#' @section Privacy: `epsilon = d_in / scale`, rounded up. It is 0 at `d_in = 0` and `Inf` at scale
#'   0.
#' @section Errors: Raises `dp_error_make_measurement` for bounds in the wrong order, a negative
#'   scale, or a scale so large that noise in constant time would never end. Raises
#'   `dp_error_make_transformation` for a scale that is not finite, `dp_error_type` for data or
#'   distances that are not integers, and `dp_error_failed_cast` for bounds of a different type. The
#'   map raises `dp_error_failed_map` for a negative distance.
#' @template ref-ghosh-roughgarden-sundararajan-2009
#' @template ref-balcer-vadhan-2018
#' @examples
#' enable_features("contrib")
#' noisy <- c(atom_domain(.T = "i32"), absolute_distance(.T = "i32")) |>
#'   then_geometric(scale = 2, bounds = c(0L, 100L))
#' noisy(arg = 3L)
#' noisy(d_in = 1L)
#' @export
make_geometric <- function(input_domain, input_metric, scale, bounds = NULL,
                           .MO = "MaxDivergence") {
  build("make_geometric", input_domain, input_metric, scale, bounds, .MO)
}

#' @rdname make_geometric
#' @export
then_geometric <- to_then(make_geometric)
