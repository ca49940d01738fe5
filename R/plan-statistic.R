# The plan of a statistic: list(statistic, args), its name and all its arguments, defaults included.
# Its constructor writes it. The measurement of a statistic is a part of it, so objects that hold
# the measurement, such as a composition, have a plan too.

is_statistic <- function(x) inherits(x, "dpStatistic") && is.environment(x)

# Whether an object can have a plan.
is_planned <- function(x) is_statistic(x) || is_framework_object(x)

# All names of statistics: the only functions called because a plan of a statistic names them.
statistic_names <- function() {
  exports <- sort(getNamespaceExports(topenv()), method = "radix")
  Filter(function(name) is_declared(get(name, topenv())), exports)
}

is_declared <- function(x) inherits(x, "dp_generator") && !is.null(declaration_of(x))

# Whether a text, which can be any text, names a statistic. It avoids listing all names.
is_statistic_name <- function(name) {
  is_string(name) && name %in% getNamespaceExports(topenv()) && is_declared(get(name, topenv()))
}

# list(node, digest), which statistics store themselves and other objects store in their handle.
identity_of <- function(x) {
  if (is_statistic(x)) {
    x$.__enclos_env__$private$.plan$identity
  } else {
    core_identity(environment(x)$handle)
  }
}

# Node of the statistic's measurement, as a separate object.
drawn_by <- function(statistic) statistic$.__enclos_env__$private$.plan$drawn

# Called from C++.
digest_of_statistic <- function(statistic) identity_of(statistic)$digest

# The arguments of the constructor whose frame this is, in the order of plans, without omitted ones.
arguments_in <- function(frame, declared, left_out = NULL) {
  mget(setdiff(names(declared$kinds), left_out), frame)
}

# The identity of the object that `statistic` makes of `arguments`. User functions are kept as
# isolated, from `fields`, because their environments can hold data.
identified <- function(statistic, arguments, fields) {
  args <- Map(function(value, name) {
    own <- fields[[name]]
    if (is_code_of_caller(own)) own else plain_argument(value, name, statistic)
  }, arguments, names(arguments))
  node <- list(statistic = statistic, args = args)
  list(node = node, digest = core_node_digest(node))
}

is_code_of_caller <- function(x) is.function(x) || inherits(x, "formula")

# Drops parts of an argument that have no effect or are not public. Vectors keep only their names,
# and formulas only their text, because a formula has an environment. Pairs in a matrix become a
# list of pairs.
plain_argument <- function(x, name, statistic) {
  if (name == "n_check") {
    written_row_check(x)
  } else if (inherits(x, "formula")) {
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

# Plans and release files keep the rule "error" as "refuse", its former name, so that hashes and the
# format stay the same.
former_row_check <- "refuse"
written_row_check <- function(rule) if (identical(rule, "error")) former_row_check else rule

rows_of_matrix <- function(x) {
  if (!is.matrix(x)) {
    return(x)
  }
  stats::setNames(lapply(seq_len(nrow(x)), function(i) x[i, ]), rownames(x))
}

# The arguments of a plan of `statistic`. An argument added after the plan was written is NULL, as
# in the hash, even if its default has changed since.
with_later <- function(statistic, args) {
  args[setdiff(declaration_of(get(statistic, topenv()))$later, names(args))] <- list(NULL)
  args
}

# The statistic of a node. Its warnings were shown when the plan was written.
remade <- function(node) {
  if (!is_statistic_name(node$statistic)) stop_no_constructor()
  suppressWarnings(
    do.call(get(node$statistic, topenv()), with_later(node$statistic, node$args), quote = TRUE),
    classes = "dp_warning"
  )
}

# Rebuilds the measurement of a loaded statistic.
remade_measurement <- function(statistic) UseMethod("remade_measurement")
