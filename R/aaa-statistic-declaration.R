# A statistic is declared in one place: from this follow its class, the arguments of its constructor
# and their checks, its fields, its descriptor in JSON, and the tables of the help.

# `question`: what one asks for who needs it. `arguments`: a function with the arguments, of which
# the `required` ones must be given, or what `or` names in their place. `takes`: of what kind each
# is that is not among the shared ones, see argument_kind(). `plan(args, call)` makes the plan of
# arguments in their canonical forms, see new_plan(). `fields`: what objects have of the plan.
# `numbers` and `others`: what it wants to know of columns of numbers and of other columns, whose R
# types are `other_types`; NULL if it takes none of the kind. `later`: arguments that came later,
# and whose default is no longer what NULL does, see with_later().
new_statistic <- function(name, description, question, arguments, required, or = list(),
                          takes = list(), plan, fields, numbers = NULL, others = NULL,
                          other_types = "logical", later = character()) {
  kinds <- c(takes, shared_kinds[setdiff(names(shared_kinds), names(takes))])
  arguments <- with_dots(formals(arguments))
  if (converts_values(arguments, kinds)) {
    arguments <- c(arguments, alist(conversion = c("round", "truncate")))
    later <- c(later, "conversion")
  }
  declared <- list(
    description = description, question = question, required = required, or = or, plan = plan,
    kinds = kinds[setdiff(names(arguments), "...")], numbers = numbers, others = others,
    types = other_types, later = later, call = as.call(list(as.symbol(name)))
  )
  new_generator(statistic_class(name, arguments, fields), declared)
}

# With `...`, a name that no argument has reaches check_names(), which says what was meant. R's own
# error would be of no class.
with_dots <- function(arguments) {
  if ("..." %in% names(arguments)) arguments else c(arguments, formals(function(...) NULL))
}

# Its methods see the namespace alone: objects that are saved take along what they can see.
statistic_class <- function(name, arguments, fields) {
  start <- bquote(private$.start(.(as.symbol(name)), environment()))
  R6::R6Class(name,
    inherit = class_of(dpStatistic), parent_env = topenv(), active = plan_fields(fields),
    public = list(
      initialize = as.function(c(arguments, start), topenv())
    )
  )
}

declaration_of <- function(generator) environment(generator)$declared

# Whether columns of numbers may be read as whole or as logical values.
converts_values <- function(arguments, kinds) {
  "varType" %in% names(arguments) && any(c("integer", "logical") %in% kinds$varType$choices)
}

# Of arguments that have one name and one meaning in most statistics.
shared_kinds <- list(
  mechanism = one_of(statistic_mechanisms),
  varType = variable_type(),
  variable = column_name(),
  n = number_of_rows(),
  rng = range_of_column(),
  epsilon = loss_or_other("a finite number above 0; or give `accuracy` in its place"),
  accuracy = with_others("a finite number above 0, used only without `epsilon`"),
  imputeRng = imputed_bounds(),
  alpha = share(),
  gamma = share(),
  n_check = one_of(row_checks),
  rho = loss_in_rho(),
  delta = gaussian_delta(),
  missing = missing_rule(),
  conversion = value_conversion()
)
