# From a step of the core's catalogue to an object of the framework.

# What the constructor called `step` makes of its arguments, which come in its own order. The object
# keeps step and arguments as its plan. A feature that is missing is refused before any argument is
# looked at.
build <- function(step, ...) {
  assert_features(features_of(step))
  wrap(core_build(step, NULL, as_it_is(list(...))))
}

# The same with what the pipe brings for the first two arguments, joined to it.
build_after <- function(step, lhs, ...) {
  assert_features(features_of(step))
  from <- piped(lhs, as_it_is(list(...)))
  wrap(core_build(step, from$before, from$args))
}

# A transformation comes before the step; a space is its first two arguments.
piped <- function(lhs, args) {
  if (inherits(lhs, "transformation")) return(list(before = lhs, args = args))
  list(before = NULL, args = c(output_space(lhs), args))
}

# Stands for the argument that calibrated() finds.
least <- structure(list(), class = "dp_least")

# The same with the one argument that is `least`: a measurement with the least value of it at which
# the loss at a distance of `d_in` is at most `loss`, a number or list(epsilon, delta). The map of
# the step is what decides, and the value found is that of the plan. `lhs` is NULL for a step that
# takes no space.
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

# The public value of an argument in the plan of what a step made.
value_of <- function(x, argument) plan_of(x)$args[[argument]]

# The R object around what the core made: a list of a handle, named by the class of what it holds.
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

# The catalogue, by the name of the step. It does not change, so the core is asked once.
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

# None for what is no step.
features_of <- function(step) as.character(catalogue()[[step]]$features)

# The same of a function that builds others' steps.
features_below <- function(name) {
  fun <- get0(name, topenv(), mode = "function", inherits = FALSE)
  if (name %in% names(catalogue()) || is.null(fun)) {
    return(features_of(name))
  }
  steps <- setdiff(grep("^make_", all.names(body(fun)), value = TRUE), name)
  unique(as.character(unlist(lapply(unique(steps), features_below))))
}

# Called from C++, for what R alone can read -------------------------------------------------------

descriptor_text <- function(type) rt_to_string(rt_parse(type))

# The type of the elements of a public example, the argument `arg`.
type_of_example <- function(example, arg) {
  rt_to_string(if (startsWith(arg, "bounds")) {
    type_of_bounds(example, arg, caller_of_binding())
  } else {
    type_of_elements(example)
  })
}

# That of the lower one.
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

# A function of the user's: what a plan keeps of it, and what the core calls.
sealed_argument <- function(f, arg) {
  callback <- new_callback(f, arg, caller_of_binding())
  list(logged = callback$fun, callback = callback)
}

# The same of one that gives losses, which are objects in R and handles in the core.
sealed_loss_argument <- function(f, arg) {
  loss <- new_callback(f, arg, caller_of_binding())$fun
  list(
    logged = loss,
    callback = new_callback(function(d_in) core_distance(loss(r_distance(d_in))))
  )
}

# Bytes that stand for an R object, in a list of one, that the core has no form for: a function, or
# what the user attached to a domain. The first 14 bytes of R's format are the versions of R that
# wrote it.
canonical_bytes <- function(x) {
  serialize(plain_form(x[[1]], list()), NULL, version = 2)[-(1:14)]
}

# A function as its arguments, its body and the variables of its own that it sees, and so a formula;
# an object by the identity of its plan; what a package or the user's workspace defines stands for
# itself by its name. `seen` are the environments that lead
# here, so that one which holds itself has an end.
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
