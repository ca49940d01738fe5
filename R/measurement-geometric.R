#' Add geometric noise
#'
#' Laplace noise on integers by its other name. Without `bounds`, it is [make_laplace()]. With
#' `bounds`, data and releases are clamped to them, and a draw takes a step for each binary digit of
#' their distance, whatever the data and the noise are: its running time says nothing of either, but
#' how often it was started over for a minus before a zero.
#'
#' @inheritParams make_laplace
#' @param input_domain (`domain`) A single integer, or a vector of integers. Public.
#' @param input_metric (`metric`) [absolute_distance()] for a number, [l1_distance()] for a vector;
#'   in any integer type. Public.
#' @param bounds (two integers in the type of the data, or `NULL`) The lower and the upper one.
#'   Public.
#' @returns (`measurement`) Its releases have the type and the length of the data. With bounds that
#'   meet, it releases that number; with scale 0, the data as they are.
#' @section Privacy: `epsilon = d_in / scale`, rounded up; 0 at `d_in = 0`, `Inf` at scale 0.
#' @section Errors: `dp_error_make_measurement` for bounds in the wrong order, a negative scale, or
#'   one so large that noise in constant time would never end;
#'   `dp_error_make_transformation` for a scale that is not finite; `dp_error_type` for data or
#'   distances that are not integers; `dp_error_failed_cast` for bounds of another type. The map:
#'   `dp_error_failed_map` for a negative distance.
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
