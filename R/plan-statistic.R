# The plan of a statistic: list(statistic, args), its name and all its arguments, defaults included.
# Its constructor writes it. The measurement of a statistic is a part of it, so that what holds the
# measurement, such as a composition, has a plan as well.

is_statistic <- function(x) inherits(x, "dpStatistic") && is.environment(x)

# What can have a plan.
is_planned <- function(x) is_statistic(x) || is_framework_object(x)

# All of them, and the only functions that are called because a plan of a statistic names them.
statistic_names <- function() {
  exports <- sort(getNamespaceExports(topenv()), method = "radix")
  Filter(function(name) is_declared(get(name, topenv())), exports)
}

is_declared <- function(x) inherits(x, "dp_generator") && !is.null(declaration_of(x))

# Whether a text, which may be anything, is one of them. Without looking at all of them.
is_statistic_name <- function(name) {
  is_string(name) && name %in% getNamespaceExports(topenv()) && is_declared(get(name, topenv()))
}

# list(node, digest), which a statistic keeps as the handle of another object keeps them.
identity_of <- function(x) {
  if (is_statistic(x)) {
    x$.__enclos_env__$private$.plan$identity
  } else {
    core_identity(environment(x)$handle)
  }
}

# The node of its measurement, by itself.
drawn_by <- function(statistic) statistic$.__enclos_env__$private$.plan$drawn

# Called from C++.
digest_of_statistic <- function(statistic) identity_of(statistic)$digest

# The arguments of a constructor of statistics, whose frame this is, in their order, but for those
# that were left out.
arguments_in <- function(frame, statistic, left_out = NULL) {
  mget(setdiff(names(formals(get(statistic, topenv()))), c("...", left_out)), frame)
}

# The identity of what `statistic` makes of `arguments`. A function of the caller is kept as it was
# sealed, which the fields have; its surroundings may hold data.
identified <- function(statistic, arguments, fields) {
  args <- Map(function(value, name) {
    own <- fields[[name]]
    if (is_code_of_caller(own)) own else plain_argument(value, name, statistic)
  }, arguments, names(arguments))
  node <- list(statistic = statistic, args = args)
  list(node = node, digest = core_node_digest(node))
}

is_code_of_caller <- function(x) is.function(x) || inherits(x, "formula")

# Without what is of no consequence, or no public value: of a vector nothing is kept but its names,
# of a formula, which has surroundings as well, its text. Pairs in a matrix are a list of pairs.
plain_argument <- function(x, name, statistic) {
  if (inherits(x, "formula")) {
    deparse1(x)
  } else if (is.list(x)) {
    x <- unclass(x)
    stats::setNames(lapply(x, plain_argument, name, statistic), names(x))
  } else if (is.matrix(x)) {
    lapply(rows_of_matrix(x), unname)
  } else if (is.atomic(x) || is.null(x)) {
    stats::setNames(as.vector(x), names(x))
  } else {
    stop_argument("a plain value", describe(x), name, as.call(list(as.name(statistic))))
  }
}

# The arguments of a plan of `statistic`. One that was not there when the plan was written is NULL,
# as it is in the hash, also where its default has become something else.
with_later <- function(statistic, args) {
  args[setdiff(declaration_of(get(statistic, topenv()))$later, names(args))] <- list(NULL)
  args
}

# The statistic that a node says. What there was to warn of was said when the plan was written.
remade <- function(node) {
  if (!is_statistic_name(node$statistic)) stop_no_constructor()
  suppressWarnings(
    do.call(get(node$statistic, topenv()), with_later(node$statistic, node$args), quote = TRUE),
    classes = "dp_warning"
  )
}

# The measurement of a statistic that was loaded, built anew. Another version of the package may
# choose another noise, but must not spend more than the statistic says.
remade_measurement <- function(statistic) {
  measurement <- remade(plan_of(statistic))$measurement
  said <- total_loss(statistic)
  spent <- measured_loss(measurement, is_gaussian(statistic$getFields()))
  more <- c(spent$epsilon > said$epsilon, spent$delta > said$delta, spent$rho > said$rho)
  if (any(more, na.rm = TRUE)) {
    stop_dp("stale object: it would lose more here than it says. Build it again.", "stale_object",
      call = NULL
    )
  }
  measurement
}

total_loss <- function(statistic) {
  fields <- statistic$getFields()
  list(epsilon = fields$globalEps %||% fields$epsilon, delta = fields$delta, rho = fields$rho)
}
