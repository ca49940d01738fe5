# The output space of the left side of a pipe: list(domain, metric).
output_space <- function(lhs, call = rlang::caller_env()) {
  if (inherits(lhs, "transformation")) {
    list(lhs("output_domain"), lhs("output_metric"))
  } else if (is_space(lhs)) {
    lhs
  } else {
    stop_dp("expected a transformation or metric space. Got {class(lhs)[[1]]}", "invalid_argument",
      argument = "lhs", call = call
    )
  }
}

# c(domain, metric) gives a plain list of length two.
is_space <- function(x) {
  is.list(x) && length(x) == 2 && inherits(x[[1]], "domain") && inherits(x[[2]], "metric")
}

# Joins the left side of the pipe to the object that was built from it.
chain <- function(lhs, rhs, call = rlang::caller_env()) {
  if (is_space(lhs)) {
    return(check_input_space(lhs, rhs))
  }
  kinds <- c("transformation", "measurement", "opendp_function")
  left <- inherits(lhs, kinds, which = TRUE) > 0
  right <- inherits(rhs, kinds, which = TRUE) > 0
  if (left[[1]] && right[[1]]) {
    make_chain_tt(rhs, lhs)
  } else if (left[[1]] && right[[2]]) {
    make_chain_mt(rhs, lhs)
  } else if (left[[2]] && (right[[1]] || right[[3]])) {
    make_chain_pm(rhs, lhs)
  } else {
    stop_dp("cannot chain lhs and rhs: {class(lhs)[[1]]}, {class(rhs)[[1]]}", "invalid_argument",
      argument = "rhs", call = call
    )
  }
}

# A constructor with a fixed input space must start at the given space. The published bindings do
# not check this, and hide the mismatch until data arrive.
check_input_space <- function(space, rhs) {
  if (inherits(rhs, c("transformation", "measurement", "odometer"))) {
    core_check_same_space(space[[1]], space[[2]], rhs)
  }
  rhs
}

#' Chain two objects
#'
#' Applies the second object to the output of the first. The shorter form `a |> then_x()` also
#' chains, and is more common.
#'
#' * `make_chain_tt()` chains two transformations. Its map applies the outer map to the result of
#'   the inner map.
#' * `make_chain_mt()` puts a measurement after a transformation. Its map applies the measurement's
#'   map to the result of the transformation's map.
#' * `make_chain_pm()` puts a postprocessor after a measurement. A function that does not see the
#'   data reveals nothing, so the privacy map does not change. If the postprocessor is a
#'   transformation, only its function is used.
#'
#' @param transformation1,measurement1 The outer, second object.
#' @param transformation0,measurement0 The inner, first object.
#' @param postprocess1 (`opendp_function` or `transformation`) Function to apply to the release.
#' @param lhs (`transformation`, `measurement` or `c(domain, metric)`) The left side of the pipe.
#' @returns (`transformation` or `measurement`) The chained object.
#' @section Stability: `d_out = map1(map0(d_in))`.
#' @section Errors: Raises `dp_error_domain_mismatch` or `dp_error_metric_mismatch`, printing both
#'   sides, unless the output space of the first equals the input space of the second. Equality is
#'   exact: `i32` differs from `i64`, and a bounded domain from an unbounded one.
#' @references Dwork and Roth (2014), *The Algorithmic Foundations of Differential Privacy*,
#'   Proposition 2.1 (post-processing).
#' @examples
#' enable_features("contrib")
#' space <- c(vector_domain(atom_domain(.T = "i32")), symmetric_distance())
#' clamp <- space |> then_clamp(c(0L, 10L))
#' total <- c(clamp$output_domain, clamp$output_metric) |> then_sum()
#' make_chain_tt(total, clamp)(d_in = 1L)
#' @name chaining
NULL

#' @rdname chaining
#' @export
make_chain_tt <- function(transformation1, transformation0) {
  build("make_chain_tt", transformation1, transformation0)
}

#' @rdname chaining
#' @export
make_chain_mt <- function(measurement1, transformation0) {
  build("make_chain_mt", measurement1, transformation0)
}

#' @rdname chaining
#' @export
make_chain_pm <- function(postprocess1, measurement0) {
  build("make_chain_pm", function_of(postprocess1), measurement0)
}

# Returns only the function of a transformation, because it can then see the release.
function_of <- function(x) if (inherits(x, "transformation")) x("function") else x

#' @rdname chaining
#' @export
then_chain_tt <- to_then_fixed(make_chain_tt)

#' @rdname chaining
#' @export
then_chain_mt <- to_then_fixed(make_chain_mt)

#' @rdname chaining
#' @export
then_chain_pm <- to_then_fixed(make_chain_pm)
