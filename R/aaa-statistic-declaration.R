# A statistic is declared in one place: from this follow its class, the arguments of its constructor
# and their checks, its fields, and its descriptor in JSON.

# `arguments`: a function with the arguments, of which the `required` ones must be given, or what
# `or` names in their place. `plan(args, call)` makes the plan, see new_plan(); shared arguments are
# checked before, but for the statistic's `own`. `fields`: what objects have of the plan.
# `mechanisms`, the one by default first, and `types`, of the column, are what the statistic takes.
# `numbers` and `others`: what it wants to know of columns of numbers and of other columns, whose R
# types are `other_types`; NULL if it takes none of the kind.
new_statistic <- function(name, description, arguments, required, or = list(), plan, fields,
                          mechanisms, types = statistic_types, own = character(), numbers = NULL,
                          others = NULL, other_types = "logical") {
  arguments <- formals(arguments)
  declared <- list(
    description = description, required = required, or = or, plan = plan, mechanisms = mechanisms,
    varTypes = types, own = own, numbers = numbers, others = others, types = other_types,
    call = as.call(list(as.symbol(name)))
  )
  new_generator(statistic_class(name, arguments, fields), declared)
}

# Its methods see the namespace alone: objects that are saved take along what they can see.
statistic_class <- function(name, arguments, fields) {
  call <- as.call(list(as.symbol(name)))
  surplus <- if ("..." %in% names(arguments)) bquote(check_no_more(..., call = quote(.(call))))
  start <- bquote(private$.start(.(as.symbol(name)), environment()))
  R6::R6Class(name,
    inherit = class_of(dpStatistic), parent_env = topenv(), active = plan_fields(fields),
    public = list(
      initialize = as.function(c(arguments, as.call(c(quote(`{`), surplus, start))), topenv())
    )
  )
}

declaration_of <- function(generator) environment(generator)$declared

# What a parameter must be that most statistics have: the value in its canonical form.
shared_parameters <- list(
  mechanism = function(value, declared, call) {
    check_name(value, declared$mechanisms, "mechanism", call)
  },
  varType = function(value, declared, call) {
    type <- check_name(value, declared$varTypes, "varType", call)
    if (type == "double") "numeric" else type
  },
  variable = function(value, declared, call) check_string(value, arg = "variable", call = call),
  n = function(value, declared, call) check_positive_whole(value, "n", call),
  n_check = function(value, declared, call) check_name(value, row_checks, "n_check", call),
  alpha = function(value, declared, call) {
    as.double(check_probability(value, arg = "alpha", call = call))
  }
)

check_shared <- function(args, declared) {
  names <- setdiff(intersect(names(shared_parameters), names(args)), declared$own)
  args[names] <- lapply(names, function(name) {
    shared_parameters[[name]](args[[name]], declared, declared$call)
  })
  args
}
