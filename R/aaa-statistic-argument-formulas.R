# Kinds of arguments of statistics that are formulas, and bounds of their terms.

# A formula or a list of formulas over the columns in the argument `of`, in the form that
# check_formulas() returns.
formulas_of <- function(of) {
  words <- "a formula such as `y ~ a + b`, its text, a list of these, or NULL"
  reads <- c(of, "levels", "contrasts")
  argument_kind(words, reads = reads, check = function(value, arg, call, args) {
    models <- check_formulas(value, args[[of]], args$levels, args$contrasts, call)
    check_levels_used(models, args$levels, args$contrasts, call)
    models
  })
}

# One formula, in the form that model_of_formula() returns.
model_formula <- function() {
  words <- "a formula such as `y ~ a + b`, or its text, see [statistic_formulas]"
  reads <- c("levels", "contrasts", "intercept")
  argument_kind(words, reads = reads, check = function(value, arg, call, args) {
    constant <- args$intercept %||% TRUE
    model <- model_of_formula(value, args$levels, args$contrasts, constant, call)
    check_levels_used(list(model), args$levels, args$contrasts, call)
    model
  })
}

# Formula for classes, which always have a constant.
class_formula <- function() {
  words <- "a formula of different columns such as `class ~ a + b`, or its text"
  argument_kind(words, function(value, arg, call, args) {
    formula <- check_formula(value, call)
    if (!formula$intercept) stop_argument(words, "one without a constant", arg, call)
    formula
  })
}

terms_of_formula <- function(formula) formula$terms

# Levels of the factors in a formula.
declared_levels <- function() {
  words <- "a list of texts or whole numbers by the names of columns, or NULL"
  argument_kind(words, function(value, arg, call, args) {
    if (!is.null(value)) check_levels(value, call)
  })
}

# Numeric columns that a formula reads, the response first.
columns_of_formula <- function(formula) {
  if (is.null(formula$design)) c(formula$response, formula$terms) else formula$design$columns
}

# Ranges of the numeric columns that a formula reads, then of the weights. The attribute `terms` has
# the ranges of terms. `design(args)` returns list(columns, terms) of a formula. `terms` is NULL if
# all columns are read.
bounds_of_design <- function(reads, design) {
  words <- paste(
    "a list of pairs or of [bounds()], or a matrix with a pair in each row (by name,",
    "also of terms)"
  )
  reads <- c("varType", "weights", reads)
  finds <- function(args) design(args)$columns
  argument_kind(words, reads = reads, finds = finds, check = function(value, arg, call, args) {
    design <- design(args)
    design$columns <- c(design$columns, args$weights)
    if (is.null(design$terms)) {
      return(check_ranges(value, design$columns, args$varType, call))
    }
    check_design_ranges(value, design, args$varType, call)
  })
}

bounds_of_formula <- function() {
  bounds_of_design("formula", function(args) {
    list(columns = columns_of_formula(args$formula), terms = args$formula$design$terms)
  })
}

bounds_of_formulas <- function(of) {
  bounds_of_design(c("formula", of), function(args) {
    list(columns = args[[of]], terms = terms_of_models(args$formula))
  })
}

# Kinds for statistics of `columns` from one joint release.
joint_kinds <- function(epsilon = loss_or_other(loss_words)) {
  list(
    columns = column_names(2), n = count_from(2), rng = bounds_of("columns"),
    epsilon = epsilon, imputeRng = imputed_bounds_of("columns")
  )
}
