# A statistic is declared in one place. Its class, its constructor with checked arguments, its
# fields, its descriptor in JSON and the tables of the help follow from the declaration.

# `question`: the user's question that this statistic answers. `arguments`: a function with the
# arguments in the order of plans, see order_of_calls(). Calls must give the `required` ones, or an
# alternative named in `or`. `takes`: kinds of arguments that are not in shared_kinds, see
# argument_kind(). `plan(args, call)` makes the plan from canonical arguments, see new_plan().
# `fields`: fields that objects take from the plan.
# `numbers` and `others`: facts it needs about numeric and other columns, whose R types are
# `other_types`. NULL if it takes no such columns. `later`: arguments added later whose default
# differs from the rule of NULL, see with_later().
new_statistic <- function(name, description, question, arguments, required, or = list(),
                          takes = list(), plan, fields, numbers = NULL, others = NULL,
                          other_types = "logical", later = character()) {
  kinds <- c(takes, shared_kinds[setdiff(names(shared_kinds), names(takes))])
  arguments <- with_dots(formals(arguments))
  if (converts_values(arguments, kinds)) {
    arguments <- c(arguments, alist(conversion = c("round", "truncate")))
    later <- c(later, "conversion")
  }
  call <- as.call(list(as.symbol(name)))
  declared <- list(
    description = description, question = question, required = required, or = or, plan = plan,
    arguments = names(arguments), kinds = kinds[setdiff(names(arguments), "...")],
    numbers = numbers, others = others, types = other_types, later = later,
    call = call, first = evaluated_columns(subject_of(names(arguments)), call)
  )
  new_generator(statistic_class(name, arguments[order_of_calls(arguments)], fields), declared)
}

# Adds `...`, so an unknown argument reaches check_names(), which suggests the right name. R's own
# error has no class.
with_dots <- function(arguments) {
  if ("..." %in% names(arguments)) arguments else c(arguments, formals(function(...) NULL))
}

# Encloses methods in the namespace only, because saved objects carry what their methods can see.
statistic_class <- function(name, arguments, fields) {
  start <- bquote(private$.start(.(as.symbol(name)), environment()))
  R6::R6Class(name,
    inherit = class_of(dpStatistic), parent_env = topenv(), active = plan_fields(fields),
    public = list(
      initialize = as.function(c(arguments, start), topenv())
    )
  )
}

# Tells whether numeric columns can be read as whole or logical values.
converts_values <- function(arguments, kinds) {
  "varType" %in% names(arguments) && any(c("integer", "logical") %in% kinds$varType$choices)
}

# Kinds of arguments that have one name and meaning in most statistics.
shared_kinds <- list(
  mechanism = one_of(statistic_mechanisms),
  varType = variable_type(),
  variable = column_name(),
  n = number_of_rows(),
  rng = range_of_column(),
  epsilon = loss_or_other("a finite number above 0, unless you give `accuracy`"),
  accuracy = with_others("a finite number above 0, used only without `epsilon`"),
  imputeRng = imputed_bounds(),
  alpha = share(),
  gamma = share(),
  n_check = row_check(),
  rho = loss_in_rho(),
  delta = gaussian_delta(),
  missing = missing_rule(),
  conversion = value_conversion()
)

# Fields of all statistics of one column, in the order of getFields() ------------------------------

common_fields <- c(
  "mechanism", "name", "variable", "varType", "n", "n_check", "epsilon", "delta", "rng",
  "rngFormat", "alpha", "accuracy", "noiseDominates", "imputeRng", "sens", "input_metric", "d_in",
  "measurement"
)

# Extra fields of statistics with optional Gaussian noise, whose standard deviation is `sigma`.
gaussian_fields <- c("rho", "sigma")

# Extra fields of histograms.
histogram_fields <- c(
  "bins", "nBins", "granularity", "missing", "imputeBins", "impute", "binWidth", "origin",
  "other", "closed", "nBoot", "snapping", "threshold"
)

# Extra fields of a covariance matrix, which has several columns.
covariance_fields <- c(
  "mechanism", "name", "variable", "columns", "varType", "n", "n_check", "epsilon", "globalEps",
  "epsilonDist", "delta", "rng", "rngFormat", "alpha", "accuracy", "accuracyVals",
  "noiseDominates", "imputeRng", "missing", "intercept", "formula", "levels", "contrasts", "ridge",
  "meanEpsilon", "weights", "sens", "snapping", "input_metric", "d_in", "measurement"
)

# Fields of a generalized linear model.
glm_fields <- c(
  "mechanism", "name", "variable", "varType", "n", "n_check", "epsilon", "delta", "rng",
  "rngFormat", "alpha", "accuracy", "noiseDominates", "imputeRng", "missing", "formula",
  "objective", "intercept", "levels", "contrasts", "nBoot", "lambda", "inference",
  "inferenceShare", "vcov", "weights", "input_metric", "d_in", "measurement"
)

# Fields of a linear model.
lm_fields <- setdiff(glm_fields, c("objective", "nBoot", "lambda", "inference", "inferenceShare"))

# Fields that statistics with formulas share.
formula_fields <- c("formula", "intercept", "levels", "contrasts", "vcov", "weights")
correlation_fields <- append(setdiff(lm_fields, formula_fields), "columns", 3)
pca_fields <- append(correlation_fields, c("k", "scale"), 4)

# Fields of statistics of two groups.
difference_fields <- append(correlation_fields[-4], c("group", "groups", "groupSizes"), 4)
classes_fields <- append(setdiff(lm_fields, formula_fields[-1]), "levels", 3)
kmeans_fields <- append(setdiff(correlation_fields, "missing"), c("k", "iterations"), 5)

# Fields of contingency tables.
contingency_fields <- c(
  "mechanism", "name", "variable", "variables", "varType", "levels", "margins", "design", "n",
  "n_check", "epsilon", "delta", "rng", "rngFormat", "alpha", "accuracy", "noiseDominates",
  "missing", "imputeRng", "other", "input_metric", "d_in", "measurement"
)

# Collects the shared fields. `args` have their canonical forms.
statistic_fields <- function(name, args, loss, sens, measurement) {
  common <- c(
    "mechanism", "varType", "variable", "n", "n_check", "alpha", "rng", "imputeRng"
  )
  fields <- c(args[common], loss, list(
    name = name, delta = 0, rngFormat = "vector", sens = sens, noiseDominates = FALSE,
    input_metric = measurement("input_metric"), d_in = protected_rows, measurement = measurement
  ))
  stats::setNames(fields[common_fields], common_fields)
}

# Active bindings for the fields of a plan. They are read-only: an edited field would make the
# reported plan differ from the executed one.
plan_fields <- function(names) {
  lapply(stats::setNames(nm = names), function(name) {
    field <- function(value) NULL
    body(field) <- bquote(read_only(private$.plan$fields[[.(name)]], value, .(name)))
    field
  })
}

read_only <- function(current, value, field) {
  if (!missing(value)) {
    stop_dp("`{field}` cannot be changed: build another statistic.", "invalid_argument",
      argument = field, call = NULL
    )
  }
  current
}

# Fields of a plan: the target of the interval and the shape of the tree, or NULL without a tree.
sampled_fields <- c("interval", "treeBranching", "treeDepth")

# The order of a statistic's arguments -------------------------------------------------------------

# A declaration lists them in the order of plans, which never changes, because hashes depend on
# it. A call gives the columns first, then `n`, `rng` and `epsilon`. Calls in the order of plans
# still work. Most of them begin with the mechanism.

# Arguments that name the columns.
column_arguments <- c("variable", "columns", "variables", "formula")

subject_of <- function(names) intersect(column_arguments, names)[[1]]

# Returns the names of `arguments` in the order of calls. Arguments after `...` must be named. A
# statistic that declares its columns first keeps its order, because a call in one order could mean
# something else in the other.
order_of_calls <- function(arguments) {
  names <- setdiff(names(arguments), "...")
  subject <- subject_of(names)
  if (names[[1]] == subject) return(names(arguments))
  needed <- Filter(function(name) !has_default(name, arguments), names)
  first <- intersect(c(subject, "n", "rng", "epsilon", needed), names)
  c(first, "...", setdiff(c("mechanism", "varType", names), first))
}

has_default <- function(arg, formals) !identical(formals[[arg]], rlang::missing_arg())

# A constructor calls this first. Returns NULL, or a call of `planned`, which is the constructor in
# the order of plans, if the user's call is in that order. The returned call passes promises on, so
# no argument is evaluated twice. A call with an unknown name is left to check_names().
call_in_plan_order <- function(planned, declared) {
  place <- sys.parent()
  constructor <- sys.function(place)
  given <- all_names_in_call(sys.call(place), sys.parents()[[place]])
  unnamed <- which(given == "")
  known <- names(formals(planned))
  if (length(unnamed) == 0 || !all(given[given != ""] %in% known)) return(NULL)
  now <- formals_filled(given, names(formals(constructor)))
  then <- formals_filled(given, known)
  in_dots <- now == "..."
  symbols <- lapply(replace(now, in_dots, paste0("..", seq_len(sum(in_dots)))), as.symbol)
  frame <- sys.frame(place)
  # Constructors have an argument `missing`, which can be a function.
  value <- function(i) eval(bquote(if (!base::missing(.(symbols[[i]]))) .(symbols[[i]])), frame)
  is_planned <- any(vapply(unnamed, tells_plan_order, NA, now, then, declared$kinds, value))
  if (!is_planned) return(NULL)
  # In the call below, the code of this argument is a name that exists.
  subject <- subject_of(known)
  columns <- which(then == subject & now != "...")
  if (length(columns) > 0) {
    eval(evaluated_columns(as.character(symbols[[columns]]), declared$call, subject), frame)
  }
  as.call(c(planned, stats::setNames(symbols, given)))
}

# Names of all arguments in the call, or "". `from` is the frame whose `...` the call passes on.
all_names_in_call <- function(call, from) {
  args <- as.list(call)[-1]
  names <- as.list(names(args) %||% rep("", length(args)))
  passed <- vapply(args, identical, NA, quote(...))
  if (any(passed)) {
    dots <- quote(if (is.null(...names())) rep("", ...length()) else ...names())
    names[passed] <- list(eval(dots, sys.frame(from)))
  }
  unlist(names)
}

# The formal argument that each argument of a call belongs to. `given` has exact names, or "".
formals_filled <- function(given, formals) {
  free <- setdiff(formals[seq_len(match("...", formals) - 1)], given)
  unnamed <- which(given == "")
  given[unnamed] <- c(free, rep("...", length(unnamed)))[seq_along(unnamed)]
  given
}

# Tells whether the unnamed argument `i` shows that a call is in the order of plans: this order
# expects such a value there, for example the name of a mechanism, and the order of calls does not.
tells_plan_order <- function(i, now, then, kinds, value) {
  expected <- kinds[[then[[i]]]]$choices
  if (then[[i]] == now[[i]] || (is.null(expected) && then[[i]] != "innerFun")) return(FALSE)
  x <- value(i)
  subject <- subject_of(names(kinds))
  if (then[[i]] == "mechanism") {
    names_mechanism(x)
  } else if (then[[i]] == "innerFun") {
    is.function(x) || inherits(x, "formula") || (is_string(x) && now[[i]] != subject)
  } else if (!is_string(x) || !tolower(x) %in% tolower(expected)) {
    FALSE
  } else {
    # A column can be called "numeric": the order of plans then has the column elsewhere.
    now[[i]] != subject || (subject %in% then && names_columns(value(match(subject, then))))
  }
}

names_mechanism <- function(x) is_string(x) && startsWith(tolower(x), "mechanism")

names_columns <- function(x) is.character(x) || inherits(x, "formula")

# Code that evaluates the argument for the columns, which is in the formal argument `formal`. An
# unquoted name, as in `dpMean(age)`, raises an error that shows the call with quotes. Names in a
# formula need no quotes.
evaluated_columns <- function(formal, owner, subject = formal) {
  value <- as.symbol(formal)
  if (subject != "formula") bquote(if (!base::missing(.(value))) {
    evaluate_columns(.(value), rlang::enquo0(.(value)), quote(.(owner)))
  })
}

# Evaluates the promise `columns`. `written` is its code, which an evaluated promise no longer has.
evaluate_columns <- function(columns, written, owner) {
  force(written)
  withCallingHandlers(columns, error = function(e) refuse_unquoted(written, owner))
  if (is.function(columns)) refuse_unquoted(written, owner, is.function)
  invisible()
}

# Raises an error if `written` is a name, or `c()` of names, that no object has, or only one that
# `is_other`. Returns nothing for other code.
refuse_unquoted <- function(written, owner, is_other = function(x) FALSE) {
  names <- unquoted_names(rlang::quo_get_expr(written))
  home <- rlang::quo_get_env(written)
  known <- vapply(names, function(name) {
    exists(name, home) && !is_other(get(name, home))
  }, NA)
  if (all(known)) return(invisible())
  quoted <- paste0('"', names, '"', collapse = ", ")
  if (length(names) > 1) quoted <- paste0("c(", quoted, ")")
  refuse_argument(
    paste0("Column names need quotes. Write `", deparse1(owner[[1]]), "(", quoted, ", ...)`."),
    subject_of(names(formals(eval(owner[[1]])))), owner
  )
}

unquoted_names <- function(expr) {
  parts <- if (rlang::is_call(expr, "c")) as.list(expr)[-1] else list(expr)
  is_name <- vapply(parts, function(x) is.symbol(x) && nzchar(as.character(x)), NA)
  if (all(is_name)) vapply(parts, as.character, "") else character()
}
