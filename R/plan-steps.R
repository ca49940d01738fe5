#' Show and identify the plan of an object
#'
#' Every framework object knows the steps that built it, and `summary()` lists them: the input
#' space, then each transformation, then the measurement. A plan holds only public arguments.
#'
#' `plan_hash()` identifies a plan. Two objects that are built in the same steps with the same
#' arguments have the same hash, in any session and on any platform, whether they were piped or
#' written out. The hash is the SHA-256 of the canonical bytes of the steps. Arguments are hashed
#' with their types: `1L` differs from `1`. A `NULL` argument is not hashed, so when a version of
#' the package adds an argument, hashes of plans without it do not change.
#'
#' @param object (`transformation`, `measurement` or `odometer`) Object to summarize.
#' @param x (object) A framework object, a statistic, a query ([dp_aggregates]) or a batch
#'   ([dp_batch()]).
#' @param loss (`dp_loss`) Privacy loss that a query or a batch can spend.
#' @param alpha (`numeric(1)`) For a query or a batch: confidence intervals cover with probability
#'   `1 - alpha`, as in [release()].
#' @param ... Not used.
#' @returns `summary()` returns an object of class `dp_plan_summary` that prints the steps. Its
#'   element `steps` is a data frame with the columns `step` and `arguments`, both `character`, and
#'   its element `hash` is the result of `plan_hash()`. `plan_hash()` returns `character(1)`, 64
#'   hexadecimal digits. It returns `NULL` for an object with state, such as a queryable, or whose
#'   plan holds one.
#' @section Errors: `plan_hash()` raises `dp_error_invalid_argument` for any other object.
#' @examples
#' enable_features("contrib")
#' noisy <- c(vector_domain(atom_domain(.T = "i32")), symmetric_distance()) |>
#'   then_clamp(c(0L, 10L)) |>
#'   then_sum() |>
#'   then_laplace(scale = 20)
#' summary(noisy)
#' plan_hash(noisy)
#' plan_hash(from_json(to_json(noisy))) == plan_hash(noisy)
#' @name plans
NULL

#' @rdname plans
#' @export
summary.transformation <- function(object, ...) {
  check_names(...)
  rows <- steps_of(object)
  steps <- data.frame(
    step = vapply(rows, `[[`, "", "step"), arguments = vapply(rows, `[[`, "", "arguments")
  )
  structure(list(steps = steps, hash = plan_hash(object)), class = "dp_plan_summary")
}

#' @rdname plans
#' @export
summary.measurement <- summary.transformation

#' @rdname plans
#' @export
summary.odometer <- summary.transformation

#' @rdname plans
#' @export
plan_hash <- function(x, ...) UseMethod("plan_hash")

#' @export
plan_hash.default <- function(x, ...) { # nolint: object_name_linter.
  check_names(...)
  if (!is_planned(x)) {
    stop_argument("a framework object, a statistic, a query or a batch", describe(x), "x",
      quote(plan_hash())
    )
  }
  hash_of(identity_of(x)$digest)
}

#' @export
format.dp_plan_summary <- function(x, ...) {
  places <- format(seq_len(nrow(x$steps)))
  lines <- paste0("  ", places, "  ", format(x$steps$step), "  ", x$steps$arguments)
  c(paste("Plan", substr(x$hash %||% "without identity", 1, 16)), trimws(lines, "right"))
}

#' @export
print.dp_plan_summary <- function(x, ...) {
  cat(format(x), sep = "\n")
  invisible(x)
}

# The steps of an object from first to last. Not recursive along a chain, because a chain can have
# more steps than the stack allows.
steps_of <- function(x) {
  steps <- list()
  while (!is.null(x)) {
    node <- plan_of(x)
    before <- inner_of(node)
    last <- if (is.null(node$input) && !is.null(before)) own_steps(plan_of(outer_of(node)), TRUE)
    steps <- c(last %||% own_steps(node, !is.null(before)), steps)
    x <- before
  }
  steps
}

chains <- c("make_chain_tt", "make_chain_mt", "make_chain_pm")

is_chain <- function(node) !is.null(node$constructor) && node$constructor %in% chains

# The object before the last step, NULL for the first step.
inner_of <- function(node) node$input %||% if (is_chain(node)) node$args[[2]]

outer_of <- function(node) node$args[[1]]

# The step of a node, after its input space if it is the first. The step of a part is the step of
# its whole.
own_steps <- function(node, is_chained) {
  if (is.null(node$constructor)) {
    name <- if (is.null(node)) "unknown" else paste(node$part %||% "map", "of another object")
    return(list(list(step = name, arguments = "")))
  }
  args <- node$args
  space <- c("input_domain", "input_metric")
  input <- if (all(space %in% names(args)) && !is_chained) {
    list(list(step = "input", arguments = describe_arguments(unname(args[space]))))
  }
  shown <- args[!names(args) %in% space]
  step <- sub("^make_", "", node$constructor)
  c(input, list(list(step = step, arguments = describe_arguments(shown))))
}

# "scale = 2, k = NULL", without omitted arguments.
describe_arguments <- function(args) {
  args <- Filter(Negate(is.null), args)
  values <- vapply(args, describe_argument, "")
  names <- published_name(names(args) %||% rep("", length(args)))
  paste0(ifelse(nzchar(names), paste(names, "= "), ""), values, collapse = ", ")
}

describe_argument <- function(x) {
  if (is_framework_object(x)) {
    gsub("\n *", " ", toString(x))
  } else if (inherits(x, "runtime_type") || is_string(x)) {
    format(x)
  } else if (is.function(x)) {
    "a function"
  } else if (is.list(x) && all(vapply(x, is_framework_object, NA))) {
    paste(length(x), paste0(class(x[[1]])[[1]], "s"))
  } else {
    shown <- unlist(utils::head(x, 6))
    if (!is.character(shown)) shown <- format(shown, digits = 6, trim = TRUE)
    paste0(toString(shown), if (length(x) > 6) paste0(", ... (", length(x), ")"))
  }
}

# The plan of a statistic --------------------------------------------------------------------------

# list(statistic, args) has its name and all its arguments, defaults included. The constructor
# writes it. The measurement of a statistic is a part of it, so objects that hold the measurement,
# such as a composition, have a plan too.

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
