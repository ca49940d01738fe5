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
