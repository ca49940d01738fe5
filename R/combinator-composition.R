#' Make several releases from the same data
#'
#' Runs every measurement on the same data, in order. `make_basic_composition()` is the deprecated
#' name.
#'
#' @param measurements (`list` of `measurement`) At least one measurement. All must have the same
#'   input domain, input metric and output measure.
#' @param lhs (`transformation` or `c(domain, metric)`) The left side of the pipe. Its output space
#'   must equal the input space of the measurements.
#' @returns (`measurement`) A measurement whose release is a list of the releases, in the same
#'   order.
#' @section Privacy: The sum of the losses at `d_in`, rounded up, part by part if a loss has
#'   several. It composes under [max_divergence()], [zero_concentrated_divergence()], their
#'   [approximate()] forms and [renyi_divergence()]. For a privacy profile, first fix a point, see
#'   [make_fix_delta()].
#' @section Errors: Raises `dp_error_make_measurement` if the list is empty or a measurement is
#'   amplified, see [make_population_amplification()]. Raises `dp_error_domain_mismatch` if input
#'   domains differ, `dp_error_metric_mismatch` if metrics or measures differ, and `dp_error_type`
#'   for a measure that does not compose. The map raises `dp_error_overflow` if a loss is infinite.
#' @template ref-dwork-roth-2014
#' @template ref-bun-steinke-2016
#' @examples
#' enable_features("contrib")
#' space <- c(atom_domain(.T = "i32"), absolute_distance(.T = "i32"))
#' both <- make_composition(list(
#'   space |> then_laplace(scale = 10),
#'   space |> then_laplace(scale = 20)
#' ))
#' both(arg = 100L)
#' both(d_in = 1L)
#' @export
make_composition <- function(measurements) build("make_composition", measurements)

#' @rdname make_composition
#' @export
then_composition <- to_then_fixed(make_composition)

#' @rdname make_composition
#' @export
make_basic_composition <- function(measurements) {
  deprecate_name("make_basic_composition", "make_composition")
  make_composition(measurements)
}

#' @rdname make_composition
#' @export
then_basic_composition <- to_then_fixed(make_basic_composition)
