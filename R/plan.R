# Every framework object has a plan: the step of the catalogue that made it with its public
# arguments, or as which part of which other object it came. It is written by who makes the object
# and kept by the object's handle, so it holds no data and survives where the core's object does
# not: what comes from a file or from another process is built anew from its plan when it is first
# used, see src/boundary.h. What holds data or has spent of a budget (a queryable) is not made of
# arguments alone: it has no plan, and stays stale.

# All functions that a plan may name, and the only ones that are ever called because a file says so:
# the exported ones of the catalogue, and those that are other names of one.
is_constructor <- function(name) {
  name %in% getNamespaceExports(topenv()) &&
    (name %in% names(catalogue()) || startsWith(name, "make_"))
}

module_of <- function(name) catalogue()[[name]]$module

# An object of the core, in R.
is_framework_object <- function(x) {
  is.function(x) && is.object(x) && typeof(environment(x)$handle) == "externalptr"
}

# The node of an object, NULL if it has none: list(constructor, args), of what a step after another
# object made with `input`, that object; of what an object returned, list(part, of); of the profile
# or curve that a map returned, list(d_in, of); of a statistic, list(statistic, args).
plan_of <- function(x) identity_of(x)$node

# Lets an object of the core keep a node, from now on.
keep_plan <- function(x, node) core_keep_plan(environment(x)$handle, node)

# 64 hexadecimal digits, NULL without a digest.
hash_of <- function(digest) if (!is.null(digest)) paste(format(digest), collapse = "")

# The node with a chain written out: the step that came last by itself, and what came before. It is
# kept, so that whoever asks twice sees one object.
explicit_plan <- function(x) {
  node <- plan_of(x)
  if (is.null(node$input)) {
    return(node)
  }
  before <- node$input
  step <- with_features(features_of(node$constructor), {
    space <- list(before("output_domain"), before("output_metric"))
    do.call(build, c(list(node$constructor), space, step_arguments(node)), quote = TRUE)
  })
  name <- if (inherits(step, "measurement")) "make_chain_mt" else "make_chain_tt"
  node <- list(
    constructor = name, args = stats::setNames(list(step, before), catalogue()[[name]]$arguments)
  )
  keep_plan(x, node)
  node
}

# The objects in a node, or in a list of arguments.
objects_in <- function(x) {
  if (is_planned(x)) {
    list(x)
  } else if (is.list(x) && !is.object(x)) {
    do.call(c, unname(lapply(x, objects_in)))
  }
}

# One for each object, whatever copies of it there are in R.
address_of <- function(x) {
  rlang::obj_address(if (is_statistic(x)) x else environment(x)$handle)
}

# All objects that a node needs, each after those that it needs itself; `node_of` says what the node
# of each is. Not by recursion: a chain may have more steps than the stack has room for.
objects_behind <- function(node, is_wanted = function(x) TRUE, node_of = plan_of) {
  ordered <- list()
  is_new <- function(x) is.null(ordered[[address_of(x)]])
  pending <- Filter(is_wanted, objects_in(node))
  while (length(pending)) {
    last <- pending[[length(pending)]]
    needed <- if (is_new(last)) Filter(is_new, Filter(is_wanted, objects_in(node_of(last))))
    if (length(needed)) {
      pending <- c(pending, needed)
    } else {
      ordered[[address_of(last)]] <- last
      pending <- pending[-length(pending)]
    }
  }
  unname(ordered)
}

# Called from C++ with the node of an object whose handle is null: the handle of its successor. What
# the object was built from is as stale as itself and comes first.
rebuild <- function(node) {
  is_lost <- function(x) {
    is_framework_object(x) && core_is_null(environment(x)$handle) && !is.null(plan_of(x))
  }
  with_features("contrib", {
    for (x in objects_behind(node, is_lost)) assign("handle", rebuilt(plan_of(x)), environment(x))
    rebuilt(node)
  })
}

rebuilt <- function(node) environment(replay(node))$handle

replay <- function(node) {
  if (!is.null(node$part)) {
    if (is_statistic(node$of)) remade_measurement(node$of) else node$of(node$part)
  } else if (!is.null(node$of)) {
    object_in(node$of(d_in = node$d_in))
  } else {
    check_step(node$constructor)
    args <- step_arguments(node)
    before <- node$input
    if (is.null(before)) {
      do.call(build, c(list(node$constructor), args), quote = TRUE)
    } else {
      do.call(build_after, c(list(node$constructor, before), args), quote = TRUE)
    }
  }
}

# The arguments of a step in its order. One that the step did not have when the node was written is
# NULL, as it is in the hash of the node.
step_arguments <- function(node) {
  names <- catalogue()[[node$constructor]]$arguments
  if (!is.null(node$input)) names <- names[-(1:2)]
  if (!all(names(node$args) %in% names)) stop_no_argument()
  lapply(names, function(name) node$args[[name]])
}

check_step <- function(name) {
  if (!is_string(name) || !name %in% names(catalogue())) stop_no_constructor()
}

check_constructor <- function(name) {
  if (!is_string(name) || !is_constructor(name)) stop_no_constructor()
  name
}

stop_no_constructor <- function() {
  stop_dp("this version of the package has no such constructor.", "serialization", call = NULL)
}

stop_no_argument <- function() {
  stop_dp("in this version of the package the constructor has no such argument.", "serialization",
    call = NULL
  )
}

# The profile or the curve in a distance, NULL if it has none. None has two.
object_in <- function(distance) {
  found <- objects_in(distance)
  if (length(found) == 1) found[[1]]
}

# The plan in the framework's words. Arguments that are objects are left as they are, and have plans
# of their own.
published_log <- function(x) {
  node <- explicit_plan(x)
  if (is.null(node)) {
    stop_without_plan()
  }
  if (!is.null(node$statistic)) {
    list(`_type` = "statistic", name = node$statistic, kwargs = node$args)
  } else if (!is.null(node$constructor)) {
    list(
      `_type` = "constructor", name = node$constructor, module = module_of(node$constructor),
      kwargs = stats::setNames(node$args, published_name(names(node$args)))
    )
  } else if (!is.null(node$part)) {
    list(`_type` = "part", name = node$part, of = node$of)
  } else {
    list(`_type` = "map", d_in = node$d_in, of = node$of)
  }
}

# `.T` is called `T` in a log.
published_name <- function(argument) sub("^[.]", "", argument)

stop_without_plan <- function() {
  stop_dp(
    "an object that no exported constructor built, such as a queryable, has no log.",
    "serialization",
    call = NULL
  )
}
