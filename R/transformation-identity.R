#' Pass data through unchanged
#'
#' Returns data unchanged. It takes any domain with any metric, even if they do not form a metric
#' space. You promise that the metric is meaningful on the domain when you enable the feature
#' `"honest-but-curious"`.
#'
#' @param domain (`domain`) Any domain. Public.
#' @param metric (`metric`) Any metric. Public.
#' @param lhs (`transformation` or `c(domain, metric)`) The left side of the pipe.
#' @returns (`transformation`) From the space to itself.
#' @section Stability: `d_out = d_in`, in any distance type.
#' @section Errors: Raises `dp_error_missing_feature` without both features, and
#'   `dp_error_invalid_argument` unless the arguments are a domain and a metric.
#' @template ref-opendp
#' @examples
#' enable_features("contrib", "honest-but-curious")
#' same <- make_identity(vector_domain(atom_domain(.T = "i32")), symmetric_distance())
#' same(arg = 1:3)
#' same(d_in = 4L)
#' @export
make_identity <- function(domain, metric) build("make_identity", domain, metric)

# The pipe supplies its arguments, although they are not called input_domain and input_metric.
#' @rdname make_identity
#' @export
then_identity <- then_from(make_identity, takes_space = TRUE)
