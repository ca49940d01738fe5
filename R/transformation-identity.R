#' Pass data through unchanged
#'
#' Takes any domain with any metric, whether or not they make a metric space. It is therefore gated
#' by the feature `"honest-but-curious"`: that the metric means something on the domain is the
#' user's promise.
#'
#' @param domain (`domain`) Any. Public.
#' @param metric (`metric`) Any. Public.
#' @param lhs (`transformation` or `c(domain, metric)`) The left side of the pipe.
#' @returns (`transformation`) From the space to itself.
#' @section Stability: `d_out = d_in`, in any distance type.
#' @section Errors: `dp_error_missing_feature` without both features; `dp_error_invalid_argument`
#'   for something else than a domain and a metric.
#' @template ref-opendp
#' @examples
#' enable_features("contrib", "honest-but-curious")
#' same <- make_identity(vector_domain(atom_domain(.T = "i32")), symmetric_distance())
#' same(arg = 1:3)
#' same(d_in = 4L)
#' @export
make_identity <- function(domain, metric) build("make_identity", domain, metric)

# Its arguments are not called input_domain and input_metric, and yet the pipe brings them.
#' @rdname make_identity
#' @export
then_identity <- then_from(make_identity, takes_space = TRUE)
