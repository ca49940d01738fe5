#' Make measurements by their former names
#'
#' Calls the current constructor, with a warning. These are the framework's names before version
#' 0.10, for scripts that still use them:
#'
#' | former name | today |
#' |---|---|
#' | `make_base_laplace()` | [make_laplace()] |
#' | `make_base_discrete_laplace()` | [make_laplace()] |
#' | `make_base_discrete_laplace_cks20()` | [make_laplace()] |
#' | `make_base_discrete_laplace_linear()` | [make_geometric()] |
#' | `make_base_geometric()` | [make_geometric()] |
#' | `make_base_gaussian()` | [make_gaussian()] |
#' | `make_base_discrete_gaussian()` | [make_gaussian()] |
#' | `make_base_laplace_threshold()` | [make_laplace_threshold()] |
#' | `make_base_ptr()` | [make_laplace_threshold()] |
#'
#' Losses follow the current measurements, which are sound even where the former ones were
#' not:
#'
#' * A grid `k` coarser than the finest has a loss at `d_in = 0` too, and the rounding of each
#'   coordinate of a vector adds to the loss.
#' * The metric of thresholds is [l01inf_distance()]. Formerly it was only an L1 distance, which
#'   does not bound how many new keys one person adds, so it does not bound `delta`.
#' @inheritParams make_laplace
#' @inheritParams make_geometric
#' @inheritParams make_laplace_threshold
#' @param k (whole number) Grid exponent for floats: releases are multiples of `2^k`. A `k` below
#'   the minimum of the type is raised to it.
#' @param .MO (type descriptor) Output measure, `"ZeroConcentratedDivergence"`.
#' @returns (`measurement`) The current measurement.
#' @section Privacy: The loss of the measurement that is called.
#' @section Errors: Raises the errors of the measurement that is called.
#' @template ref-opendp
#' @examples
#' enable_features("contrib")
#' space <- c(atom_domain(.T = "i32"), absolute_distance(.T = "i32"))
#' noisy <- suppressWarnings(space |> then_base_discrete_laplace(scale = 1))
#' noisy(d_in = 4L)
#' @name legacy_measurements
NULL

#' @rdname legacy_measurements
#' @export
make_base_laplace <- function(input_domain, input_metric, scale, k = -1074) {
  deprecate_name("make_base_laplace", "make_laplace")
  make_laplace(input_domain, input_metric, scale, finest_grid_of(input_domain, k))
}

#' @rdname legacy_measurements
#' @export
then_base_laplace <- to_then(make_base_laplace)

#' @rdname legacy_measurements
#' @export
make_base_discrete_laplace <- function(input_domain, input_metric, scale) {
  deprecate_name("make_base_discrete_laplace", "make_laplace")
  make_laplace(input_domain, input_metric, scale)
}

#' @rdname legacy_measurements
#' @export
then_base_discrete_laplace <- to_then(make_base_discrete_laplace)

#' @rdname legacy_measurements
#' @export
make_base_discrete_laplace_cks20 <- function(input_domain, input_metric, scale) {
  deprecate_name("make_base_discrete_laplace_cks20", "make_laplace")
  make_laplace(input_domain, input_metric, scale)
}

#' @rdname legacy_measurements
#' @export
then_base_discrete_laplace_cks20 <- to_then(make_base_discrete_laplace_cks20)

#' @rdname legacy_measurements
#' @export
make_base_discrete_laplace_linear <- function(input_domain, input_metric, scale, bounds = NULL) {
  deprecate_name("make_base_discrete_laplace_linear", "make_geometric")
  make_geometric(input_domain, input_metric, scale, bounds)
}

#' @rdname legacy_measurements
#' @export
then_base_discrete_laplace_linear <- to_then(make_base_discrete_laplace_linear)

#' @rdname legacy_measurements
#' @export
make_base_geometric <- function(input_domain, input_metric, scale, bounds = NULL) {
  deprecate_name("make_base_geometric", "make_geometric")
  make_geometric(input_domain, input_metric, scale, bounds)
}

#' @rdname legacy_measurements
#' @export
then_base_geometric <- to_then(make_base_geometric)

#' @rdname legacy_measurements
#' @export
make_base_gaussian <- function(input_domain, input_metric, scale, k = -1074,
                               .MO = "ZeroConcentratedDivergence") {
  deprecate_name("make_base_gaussian", "make_gaussian")
  make_gaussian(input_domain, input_metric, scale, finest_grid_of(input_domain, k), .MO)
}

#' @rdname legacy_measurements
#' @export
then_base_gaussian <- to_then(make_base_gaussian)

#' @rdname legacy_measurements
#' @export
make_base_discrete_gaussian <- function(input_domain, input_metric, scale,
                                        .MO = "ZeroConcentratedDivergence") {
  deprecate_name("make_base_discrete_gaussian", "make_gaussian")
  make_gaussian(input_domain, input_metric, scale, .MO = .MO)
}

#' @rdname legacy_measurements
#' @export
then_base_discrete_gaussian <- to_then(make_base_discrete_gaussian)

#' @rdname legacy_measurements
#' @export
make_base_laplace_threshold <- function(input_domain, input_metric, scale, threshold, k = -1074) {
  deprecate_name("make_base_laplace_threshold", "make_laplace_threshold")
  make_laplace_threshold(
    input_domain, input_metric, scale, threshold, finest_grid_of(input_domain, k)
  )
}

#' @rdname legacy_measurements
#' @export
then_base_laplace_threshold <- to_then(make_base_laplace_threshold)

#' @rdname legacy_measurements
#' @export
make_base_ptr <- function(input_domain, input_metric, scale, threshold, k = -1074) {
  deprecate_name("make_base_ptr", "make_laplace_threshold")
  make_laplace_threshold(
    input_domain, input_metric, scale, threshold, finest_grid_of(input_domain, k)
  )
}

#' @rdname legacy_measurements
#' @export
then_base_ptr <- to_then(make_base_ptr)

# In older versions, a grid finer than the type has was silently raised to the finest.
finest_grid_of <- function(input_domain, k) {
  is_f32 <- grepl("f32", domain_carrier_type(input_domain), fixed = TRUE)
  if (is_f32 && is_number(k)) max(k, -149) else k
}
