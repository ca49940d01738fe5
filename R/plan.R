# Every framework object has a plan: the catalogue step that made it with its public arguments, or
# its place as a part of another object. The maker of the object writes the plan, and the object's
# handle keeps it. A plan holds no data, so it can be saved. An object from a file or from another
# process is rebuilt from its plan on first use, see src/boundary.h. A queryable holds data or has
# spent budget, so it has no plan, and stays stale.

# All functions that a plan can name, and the only ones called because a file says so: the exported
# constructors of the catalogue, and their aliases.
is_constructor <- function(name) {
  name %in% getNamespaceExports(topenv()) &&
    (name %in% names(catalogue()) || startsWith(name, "make_"))
}

module_of <- function(name) catalogue()[[name]]$module

# Whether `x` is an object of the core.
is_framework_object <- function(x) {
  is.function(x) && is.object(x) && typeof(environment(x)$handle) == "externalptr"
}

# The node of an object, NULL if it has none. A step has list(constructor, args), and `input`, the
# object before it in a chain. A part has list(part, of). A profile or curve from a map has
# list(d_in, of). A statistic has list(statistic, args).
plan_of <- function(x) identity_of(x)$node

# Makes an object of the core keep a node.
keep_plan <- function(x, node) core_keep_plan(environment(x)$handle, node)

# Returns 64 hexadecimal digits, or NULL without a digest.
hash_of <- function(digest) if (!is.null(digest)) paste(format(digest), collapse = "")

# The node with a chain written out: the last step, and the object before it. It is cached, so
# repeated calls return the same object.
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

# One address per object, however many R copies it has.
address_of <- function(x) {
  rlang::obj_address(if (is_statistic(x)) x else environment(x)$handle)
}

# All objects that a node needs, each after its own dependencies. `node_of` returns the node of an
# object. Not recursive, because a chain can have more steps than the stack allows.
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

# Called from C++ with the node of an object whose handle is null: returns its new handle. The
# objects that it was built from are stale too, so they are rebuilt first.
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

# The arguments of a step in its order. An argument that was added after the node was written is
# NULL, as in the node's hash.
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

# The profile or the curve in a distance, NULL if it has none. No distance has two.
object_in <- function(distance) {
  found <- objects_in(distance)
  if (length(found) == 1) found[[1]]
}

# The plan in the published format. Arguments that are objects are unchanged, and have their own
# plans.
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

# A log calls `.T` just `T`.
published_name <- function(argument) sub("^[.]", "", argument)

stop_without_plan <- function() {
  stop_dp(
    "an object that no exported constructor built, such as a queryable, has no log.",
    "serialization",
    call = NULL
  )
}
