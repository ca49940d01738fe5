# Builds framework objects from steps of the core's catalogue.

# Builds the object that the constructor `step` returns for its arguments, given in the
# constructor's order. The object keeps the step and the arguments as its plan. A missing feature
# raises an error before any argument is read.
build <- function(step, ...) {
  assert_features(features_of(step))
  wrap(core_build(step, NULL, as_it_is(list(...))))
}

# Like build(), with the first two arguments taken from the pipe, and chained to it.
build_after <- function(step, lhs, ...) {
  assert_features(features_of(step))
  from <- piped(lhs, as_it_is(list(...)))
  wrap(core_build(step, from$before, from$args))
}

# A transformation precedes the step. A space supplies its first two arguments.
piped <- function(lhs, args) {
  if (inherits(lhs, "transformation")) return(list(before = lhs, args = args))
  list(before = NULL, args = c(output_space(lhs), args))
}

# Placeholder for the argument that calibrated() finds.
least <- structure(list(), class = "dp_least")

# Builds a measurement with the smallest value of the argument `least` that keeps the loss at
# distance `d_in` within `loss`, a number or list(epsilon, delta). The step's own map decides, and
# the plan holds the value found. `lhs` is NULL for a step without an input space.
calibrated <- function(step, lhs, ..., d_in, loss) {
  assert_features(features_of(step))
  args <- as_it_is(list(...))
  is_free <- vapply(args, inherits, NA, "dp_least")
  known <- catalogue()[[step]]$arguments
  free <- (if (is.null(lhs)) known else known[-(1:2)])[is_free]
  args[is_free] <- list(NULL)
  from <- if (is.null(lhs)) list(before = NULL, args = args) else piped(lhs, args)
  wrap(core_calibrate(step, from$before, from$args, free, d_in, as.double(loss)))
}

# The public value of an argument in the plan of a built object.
value_of <- function(x, argument) plan_of(x)$args[[argument]]

# Wraps an object of the core in R. `made` is a list of one handle, named by its class.
wrap <- function(made) {
  handle <- made[[1]]
  switch(names(made)[[1]],
    domain = new_domain(handle),
    metric = new_metric(handle),
    measure = new_measure(handle),
    transformation = new_transformation(handle),
    measurement = new_measurement(handle),
    odometer = new_odometer(handle),
    opendp_function = new_postprocessor(handle, made$takes),
    privacy_profile = new_profile(handle)
  )
}

# The catalogue, by step name. It does not change, so R reads it from the core once.
catalogue <- function() {
  if (is.null(read_once$catalogue)) {
    rows <- core_catalogue()
    read_once$catalogue <- stats::setNames(lapply(seq_along(rows$name), function(i) {
      list(
        module = rows$module[[i]], arguments = rows$arguments[[i]],
        features = rows$features[[i]], example = rows$example[[i]]
      )
    }), rows$name)
  }
  read_once$catalogue
}
read_once <- new.env(parent = emptyenv())

# Empty for a name that is not a step.
features_of <- function(step) as.character(catalogue()[[step]]$features)

# The features of a function that builds other steps.
features_below <- function(name) {
  fun <- get0(name, topenv(), mode = "function", inherits = FALSE)
  if (name %in% names(catalogue()) || is.null(fun)) {
    return(features_of(name))
  }
  steps <- setdiff(grep("^make_", all.names(body(fun)), value = TRUE), name)
  unique(as.character(unlist(lapply(unique(steps), features_below))))
}

# Called from C++, for values that only R can read -------------------------------------------------

descriptor_text <- function(type) rt_to_string(rt_parse(type))

# The element type of a public example, the argument `arg`.
type_of_example <- function(example, arg) {
  rt_to_string(if (startsWith(arg, "bounds")) {
    type_of_bounds(example, arg, caller_of_binding())
  } else {
    type_of_elements(example)
  })
}

# The type of the lower bound.
type_of_bounds <- function(bounds, arg, call) {
  if (is.null(bounds)) {
    stop_dp("either type_name or public_example must be passed", "invalid_argument",
      argument = arg, call = call
    )
  }
  if (!is.atomic(bounds) && !is.list(bounds) || length(bounds) != 2) {
    stop_argument("two elements, lower and upper", describe(bounds), arg, call)
  }
  rt_infer(bounds[[1]])
}

refuse_object <- function(x, class, arg) {
  stop_argument(paste("an object of class", class), describe(x), arg, caller_of_binding())
}

refuse_list <- function(x, what, arg) {
  stop_argument(what, describe(x), arg, caller_of_binding())
}

refuse_chain <- function(class) {
  stop_dp("cannot chain lhs and rhs: transformation, {class}", "invalid_argument",
    argument = "rhs", call = caller_of_binding()
  )
}

# Seals a user's function: the plan keeps one form, and the core calls the other.
isolated_argument <- function(f, arg) {
  callback <- new_callback(f, arg, caller_of_binding())
  list(logged = callback$fun, callback = callback)
}

# Like isolated_argument(), for a function that returns losses: objects in R, handles in the core.
isolated_loss_argument <- function(f, arg) {
  loss <- new_callback(f, arg, caller_of_binding())$fun
  list(
    logged = loss,
    callback = new_callback(function(d_in) core_distance(loss(r_distance(d_in))))
  )
}

# Bytes that identify an R object without a form in the core (a function, or a user's domain
# descriptor), given in a list of length one. The first 14 bytes of R's format hold R versions, so
# they are dropped.
canonical_bytes <- function(x) {
  serialize(plain_form(x[[1]], list()), NULL, version = 2)[-(1:14)]
}

# Identifies a function by its arguments, its body and its environment, and a formula by its text
# and its environment. Objects are identified by their plan, and environments of packages and the
# global environment by name. `seen` holds the enclosing environments, so that cycles end.
plain_form <- function(x, seen) {
  if (is_planned(x) && !is.null(plan_hash(x))) {
    list("object", plan_hash(x))
  } else if (inherits(x, "formula")) {
    list("formula", deparse1(x), plain_form(environment(x), seen))
  } else if (is.function(x) && !is.primitive(x)) {
    x <- utils::removeSource(x)
    list("function", formals(x), body(x), plain_form(environment(x), seen))
  } else if (is.environment(x)) {
    plain_environment(x, seen)
  } else if (is.list(x)) {
    form <- lapply(unclass(x), plain_form, seen)
    attributes(form) <- attributes(x)
    form
  } else {
    x
  }
}

plain_environment <- function(env, seen) {
  if (is_shared(env)) {
    return(environmentName(env))
  }
  place <- Position(function(one) identical(one, env), seen)
  if (!is.na(place)) {
    return(place)
  }
  seen <- c(seen, list(env))
  list(
    lapply(as.list(env, all.names = TRUE, sorted = TRUE), plain_form, seen),
    plain_form(parent.env(env), seen)
  )
}

# Left side of a pipe ------------------------------------------------------------------------------

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
