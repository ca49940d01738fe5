# Every framework object remembers how it was built: by which constructor from which arguments, or
# as which part of which other object. Arguments are public, so a log holds no data. It travels with
# the handle of the object and survives where the core's object does not: what comes from a file or
# from another process is built anew from its log when it is first used, see src/boundary.h. What
# holds data or has spent of a budget (a queryable) is not built from arguments alone: it has no
# log, and stays stale.

# Constructors of domains, metrics, measures, functions and profiles. The others are called make_*.
other_constructors <- list(
  domains = c(
    "atom_domain", "option_domain", "vector_domain", "map_domain", "bitvector_domain", "user_domain"
  ),
  metrics = c(
    "symmetric_distance", "insert_delete_distance", "change_one_distance", "hamming_distance",
    "discrete_distance", "absolute_distance", "l1_distance", "l2_distance", "linf_distance",
    "l01inf_distance", "l02inf_distance", "user_distance"
  ),
  measures = c(
    "max_divergence", "zero_concentrated_divergence", "renyi_divergence",
    "smoothed_max_divergence", "approximate", "user_divergence", "new_privacy_profile"
  ),
  core = "new_function",
  accounting = "compose_pld"
)

combinators <- c(
  "make_chain_tt", "make_chain_mt", "make_chain_pm", "make_composition", "make_basic_composition",
  "make_sequential_composition", "make_adaptive_composition", "make_fully_adaptive_composition",
  "make_privacy_filter", "make_fix_delta", "make_approximate", "make_pureDP_to_zCDP",
  "make_zCDP_to_approxDP", "make_fixed_approxDP_to_approxDP", "make_population_amplification",
  "make_select_private_candidate"
)

# All functions that a log may name, and the only ones that are ever called because a file says so.
is_constructor <- function(name) {
  name %in% getNamespaceExports(topenv()) &&
    (startsWith(name, "make_") || name %in% unlist(other_constructors))
}

# Where the framework files a constructor; that of the others follows from what they build.
module_of <- function(name, object) {
  modules <- rep(names(other_constructors), lengths(other_constructors))
  filed <- modules[match(name, unlist(other_constructors))]
  if (!is.na(filed)) {
    filed
  } else if (name %in% combinators) {
    "combinators"
  } else if (inherits(object, c("measurement", "odometer"))) {
    "measurements"
  } else {
    "transformations"
  }
}

is_framework_object <- function(x) {
  is.function(x) && is.object(x) && typeof(environment(x)$handle) == "externalptr"
}

# The log of an object, NULL if it has none: list(constructor, args); of what an object
# returned, list(part, of); of the profile or curve that a map returned, list(d_in, of).
log_of <- function(x) core_recall(environment(x)$handle)

# An object without a log stays stale when it was loaded.
forget_log <- function(x) core_remember(environment(x)$handle, NULL)

# The log of what is being made, for new_callable(). It looks for who asked: an object that was
# asked for a part, or the outermost constructor of the package that is at work with no function of
# the user's in between. A constructor may well use others; what it returns is its own work.
log_from_frames <- function() {
  parents <- sys.parents()
  frame <- parents[[sys.parent()]]
  constructor <- NULL
  while (frame > 0) {
    caller <- sys.function(frame)
    if (is_framework_object(caller)) {
      if (is.null(constructor)) {
        return(log_of_answer(caller, sys.frame(frame)))
      }
      break
    }
    if (!is_of_package(caller)) break
    name <- constructor_name(caller)
    if (!is.null(name)) constructor <- list(name = name, frame = sys.frame(frame))
    frame <- parents[[frame]]
  }
  if (!is.null(constructor)) log_of_call(constructor$name, constructor$frame)
}

# Base R stands between two functions of the package as lapply() or do.call().
is_of_package <- function(f) {
  is.primitive(f) || environmentName(topenv(environment(f))) %in% c("PSIlence", "base")
}

# Found by what it is, not by how it was called: then_*() and do.call() have other words for it.
constructor_name <- function(f) {
  if (!is.null(f) && identical(environment(f), topenv())) {
    for (name in constructors_like(f)) {
      if (identical(get(name, topenv()), f)) {
        return(name)
      }
    }
  }
}

# The constructors with the arguments of `f`. The names of all are looked up once.
constructors_like <- function(f) {
  if (is.null(known_constructors$by_arguments)) {
    names <- Filter(is_constructor, getNamespaceExports(topenv()))
    arguments <- vapply(names, function(name) argument_key(get(name, topenv())), character(1))
    known_constructors$by_arguments <- split(names, arguments)
  }
  known_constructors$by_arguments[[argument_key(f)]]
}
known_constructors <- new.env(parent = emptyenv())

argument_key <- function(f) paste0("(", toString(names(formals(f))), ")")

# All arguments with the values that they have by now, defaults included: what a default means may
# change with the package, and the object must not. A constructor may have put an argument in
# another form, as long as it takes that form as well.
log_of_call <- function(name, frame) {
  arguments <- formals(get(name, topenv()))
  has_value <- function(argument) {
    !rlang::is_missing(arguments[[argument]]) || is_given(argument, frame)
  }
  list(constructor = name, args = mget(as.character(Filter(has_value, names(arguments))), frame))
}

# What an object returned when it was called in `frame`. A release is nobody's to repeat.
log_of_answer <- function(x, frame) {
  takes <- names(formals(x))
  if ("attr" %in% takes && is_given("attr", frame)) {
    list(part = frame$attr, of = x)
  } else if ("d_in" %in% takes && is_given("d_in", frame)) {
    list(d_in = frame$d_in, of = x)
  }
}

is_given <- function(argument, frame) !eval(call("missing", as.symbol(argument)), frame)

# The framework objects in a log, or in a list of arguments.
objects_in <- function(x) {
  if (is_framework_object(x)) {
    list(x)
  } else if (is.list(x) && !is.object(x)) {
    do.call(c, unname(lapply(x, objects_in)))
  }
}

# One for each object, whatever copies of it there are in R.
address_of <- function(x) rlang::obj_address(environment(x)$handle)

# All objects that are needed to replay a log, each after those that it needs itself. Not by
# recursion: a chain may have more steps than the stack has room for.
objects_behind <- function(log, is_wanted = function(x) TRUE) {
  ordered <- list()
  is_new <- function(x) is.null(ordered[[address_of(x)]])
  pending <- Filter(is_wanted, objects_in(log))
  while (length(pending)) {
    last <- pending[[length(pending)]]
    needed <- if (is_new(last)) Filter(is_new, Filter(is_wanted, objects_in(log_of(last))))
    if (length(needed)) {
      pending <- c(pending, needed)
    } else {
      ordered[[address_of(last)]] <- last
      pending <- pending[-length(pending)]
    }
  }
  unname(ordered)
}

# Called from C++ with the log of an object whose handle is null: the handle of its successor. What
# the object was built from is as stale as itself and comes first.
rebuild <- function(log) {
  is_lost <- function(x) core_is_null(environment(x)$handle) && !is.null(log_of(x))
  with_features("contrib", {
    for (x in objects_behind(log, is_lost)) assign("handle", rebuilt(log_of(x)), environment(x))
    rebuilt(log)
  })
}

rebuilt <- function(log) environment(replay(log))$handle

replay <- function(log) {
  if (!is.null(log$part)) {
    log$of(log$part)
  } else if (!is.null(log$d_in)) {
    object_in(log$of(d_in = log$d_in))
  } else {
    build_from <- get(check_constructor(log$constructor), topenv())
    suppressWarnings(do.call(build_from, log$args, quote = TRUE), classes = "deprecatedWarning")
  }
}

check_constructor <- function(name) {
  if (!is_string(name) || !is_constructor(name)) {
    stop_dp("this version of the package has no such constructor.", "serialization", call = NULL)
  }
  name
}

# The profile or the curve in a distance, NULL if it has none. None has two.
object_in <- function(distance) {
  found <- objects_in(distance)
  if (length(found) == 1) found[[1]]
}

# The log in the framework's words. Arguments that are objects are left as they are, and have logs
# of their own.
published_log <- function(x) {
  log <- log_of(x)
  if (is.null(log)) {
    stop_unlogged()
  }
  if (!is.null(log$constructor)) {
    list(
      `_type` = "constructor", name = log$constructor, module = module_of(log$constructor, x),
      kwargs = stats::setNames(log$args, published_name(names(log$args)))
    )
  } else if (!is.null(log$part)) {
    list(`_type` = "part", name = log$part, of = log$of)
  } else {
    list(`_type` = "map", d_in = log$d_in, of = log$of)
  }
}

# `.T` is called `T` in a log.
published_name <- function(argument) sub("^[.]", "", argument)

stop_unlogged <- function() {
  stop_dp(
    "an object that no exported constructor built, such as a part of a statistic, has no log.",
    "serialization",
    call = NULL
  )
}
