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
