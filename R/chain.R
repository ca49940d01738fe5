# What comes out on the left of a pipe: list(domain, metric).
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

# c(domain, metric) is a plain list of the two.
is_space <- function(x) {
  is.list(x) && length(x) == 2 && inherits(x[[1]], "domain") && inherits(x[[2]], "metric")
}

# Joins what the pipe brings with what was built from it.
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

# A constructor with an input space of its own must start where the given space is; the published
# bindings do not look, and hide the mismatch until data arrives.
check_input_space <- function(space, rhs) {
  if (inherits(rhs, c("transformation", "measurement", "odometer"))) {
    core_check_same_space(space[[1]], space[[2]], rhs)
  }
  rhs
}

#' Chain two objects
#'
#' The second object works on what the first returns. `a |> then_x()` chains as well and is what one
#' usually writes.
#'
#' * `make_chain_tt()`: two transformations. Map: that of the outer at that of the inner.
#' * `make_chain_mt()`: a measurement after a transformation. Map: that of the measurement at that
#'   of the transformation.
#' * `make_chain_pm()`: a postprocessor after a measurement. A function that does not see the data
#'   reveals nothing, so the map is that of the measurement. Of a transformation only the function
#'   is used.
#'
#' @param transformation1,measurement1 The outer, second object.
#' @param transformation0,measurement0 The inner, first object.
#' @param postprocess1 (`opendp_function` or `transformation`) Works on the release.
#' @param lhs (`transformation`, `measurement` or `c(domain, metric)`) The left side of the pipe.
#' @returns (`transformation` or `measurement`)
#' @section Stability: `d_out = map1(map0(d_in))`.
#' @section Errors: `dp_error_domain_mismatch` or `dp_error_metric_mismatch`, printing both sides,
#'   unless the output space of the first equals the input space of the second. Equality is exact:
#'   `i32` is not `i64`, a bounded domain is not an unbounded one.
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

# Of a transformation its function alone, which may then see what was released.
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
