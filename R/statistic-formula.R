# Formulas of models: a response, and terms computed from one row (statistic-formula-language.R).

#' Formulas of private models
#'
#' Lists what you can write in the `formula` of [dpLM()], [dpGLM()] and [dpCovariance()]: a
#' response, and terms computed from one row and constants. The core computes the terms. R only
#' parses them and never evaluates them. So a formula cannot look at other rows or run code on
#' private data.
#'
#' | in a formula | meaning |
#' |---|---|
#' | `x` | a numeric column, with bounds in `rng` |
#' | `g`, `factor(g)` | a column of texts, or of whole numbers, with values in `levels` |
#' | `I(x^2)`, `I(x / 10 + z)` | `+`, `-`, `*`, `/`, and `^` with a whole exponent from -32 to 32 |
#' | `log(x)`, `exp(x)`, `sqrt(x)`, `abs(x)` | function of a number |
#' | `pmin(x, 40)`, `pmax(x - 40, 0)` | minimum or maximum of numbers |
#' | `x > 40`, `I(g == "S")` | 0 or 1. Within `I()`, you can also use `&`, `!` |
#' | `a:b`, `a * b` | product of columns. `a * b` also adds both columns |
#' | `offset(z)` | term of the linear predictor without a coefficient, for `dpLM()` and `dpGLM()` |
#' | `- 1`, `+ 0` | no intercept |
#'
#' A response is a column, its `log()`, or a comparison. Columns of the model have the same names
#' and order as in [stats::model.matrix()], with `intercept` for `(Intercept)`.
#'
#' @section Factors: `levels` declares the values of a column, as `list(region = c("N", "S", "W"))`.
#'   They are public and must not come from the data. With `contrasts = "treatment"`, the default,
#'   each level but the first has a column of 0 and 1. With `"sum"` each level but the last has a
#'   column of 1, 0 and, for the last level, -1. As in R, a factor has a column for each level in
#'   two cases: it is the first factor of a model without an intercept, or the other part of its
#'   interaction has no main effect in the model. A value outside the levels is missing. An ordered
#'   factor has the same contrasts as any other factor: there are no polynomial contrasts.
#' @section Bounds: Numeric columns are read in the type `varType`. Terms are numeric.
#'   Values of columns are clamped to their public bounds first. The bounds of a term follow from
#'   these, rounded outward. For example, `I(x^2)` has the bounds 0 and 4 if x is between -2 and 1.
#'   `rng` can narrow them by the name of the term, as
#'   `list(y = c(0, 1), x = c(-2, 1), "I(x^2)" = c(0, 2))`. You must give bounds if none follow: for
#'   the logarithm of a number that can be 0, and for a quotient by one. Narrower bounds of a term
#'   mean less noise.
#' @section Missing values: A term without a finite value, such as `log(x)` at x = 0, is missing in
#'   this row. It never raises an error. With `missing = "drop"` the row is left out. With
#'   `"impute"` columns are drawn first, so all terms see the same values. Each level of a factor is
#'   equally likely. If a term still has no finite value, it is drawn from its bounds.
#' @section Privacy: Each term is a function of one row and of public constants. So datasets that
#'   differ in one row still do after terms are computed. The loss and its map are the same as for a
#'   model of plain columns.
#' @section Refused: Formulas cannot contain terms that look at other rows, such as `poly()`,
#'   `scale()`, `ns()`, `bs()` and `mean()`. They cannot contain `.` (there are no data yet), smooth
#'   terms, random effects or `cbind()` responses. The message names the term and the reason.
#' @section Errors: `dp_error_invalid_argument`, before any data are read. Its field `argument` is
#'   `"formula"` for a refused term, which the message names with the reason. It is also `"formula"`
#'   for a formula of more than 256 nested calls, 65536 parts, or 1024 terms or columns once it is
#'   written out. It is `"levels"` or `"contrasts"` if these are invalid or no term uses them. It is
#'   `"rng"` if bounds are missing, have a name that is neither column nor term, or leave a term
#'   only one value.
#' @section Predictions: `predict()` computes the terms of public rows with the same program, see
#'   [statistic_models]. Nothing is clamped. A row with a missing value, or with a value outside the
#'   levels, has the prediction `NA`.
#' @seealso [dpLM()], [dpGLM()], [dpCovariance()]
#' @examples
#' wages <- dpLM(log(income) ~ educ + I(age^2) + married * sex,
#'   n = 10000, epsilon = 1, missing = "drop", levels = list(sex = 0:1),
#'   rng = list(
#'     income = c(0, 200000), "log(income)" = c(7, 12.3), educ = c(1, 16), age = c(18, 93),
#'     married = c(0, 1)
#'   )
#' )
#' result <- wages$release(PUMS5extract10000)
#' coef(result)
#' predict(result, data.frame(educ = 12, age = c(30, 50), married = 1, sex = 0))
#' @name statistic_formulas
NULL

# Returns list(text, response, terms, intercept) with column names if the formula has only columns.
# Otherwise names the response and the columns of the model, and adds their `design`. `constant`:
# whether an intercept is possible.
model_of_formula <- function(formula, levels, contrasts, constant, call) {
  formula <- two_sided_formula(formula, call)
  levels <- levels[intersect(all.vars(formula), names(levels))]
  if (length(levels) == 0 && is_plain_formula(formula)) {
    return(check_formula(formula, call))
  }
  intercept <- constant && has_constant(formula, call)
  design <- formula_design(formula, levels, contrasts %||% "treatment", intercept, call)
  labels <- names(design$terms)
  if ("intercept" %in% labels[-1]) {
    refuse_formula("`intercept`, which is the name of the constant", call)
  }
  list(
    text = deparse1(formula), response = labels[[1]], terms = labels[-1], intercept = intercept,
    design = design
  )
}

two_sided_formula <- function(formula, call) {
  came <- describe(formula)
  if (is_string(formula)) formula <- or_else(stats::as.formula(formula))
  if (!inherits(formula, "formula") || length(formula) != 3) {
    stop_argument("a formula such as y ~ a + b, or the text of one", came, "formula", call)
  }
  check_formula_size(formula, call)
  formula
}

# Tells whether it can only be a formula of columns, valid or not.
is_plain_formula <- function(formula) {
  used <- setdiff(all.names(formula), all.vars(formula))
  is.symbol(formula[[2]]) && all(used %in% c("~", "+", "-", "("))
}

# Lets R parse the formula by its operators, without looking up columns.
parsed_formula <- function(formula, call) {
  if ("." %in% all.vars(formula)) {
    refuse_term(quote(.), "columns are named, as a model has no data before a release", call)
  }
  if ("%in%" %in% all.names(formula)) {
    refuse_formula("`%in%`: nested terms are written out, as `a:b`, and values as `x == 1`", call)
  }
  or_else(stats::terms(formula), function(error) {
    stop_argument("a formula such as y ~ a + b", deparse1(formula), "formula", call)
  })
}

has_constant <- function(formula, call) attr(parsed_formula(formula, call), "intercept") == 1

# Returns list(columns, levels, terms, offset). `columns`: numeric columns in order of appearance.
# `levels`: levels of the others. `terms`: row expressions by the model column's name, the response
# first. `offset`: sum of offsets, to subtract from the response, or NULL. Also the response minus
# that sum.
formula_design <- function(formula, levels, contrasts, intercept, call) {
  parsed <- parsed_formula(formula, call)
  scope <- new_term_scope(levels, call)
  variables <- lapply(as.list(attr(parsed, "variables"))[-1], read_variable, scope = scope)
  offset <- sum_of_terms(lapply(variables[attr(parsed, "offset")], `[[`, "expression"))
  response <- check_response(formula[[2]], variables[[attr(parsed, "response")]], call)
  terms <- columns_of_terms(parsed, variables, contrasts, intercept, call)
  if (length(terms) == 0) {
    stop_argument("of at least one column, such as y ~ a", "of a constant", "formula", call)
  }
  observed <- response$expression
  if (!is.null(offset)) response$expression <- operation("-", observed, offset)
  terms <- c(stats::setNames(list(response$expression), response$label), terms)
  if (anyDuplicated(names(terms)) > 0) {
    refuse_formula(paste(in_quotes(unique(names(terms)[duplicated(names(terms))])), "twice"), call)
  }
  list(
    columns = setdiff(all.vars(formula), names(levels)), levels = levels, terms = terms,
    offset = offset, observed = observed
  )
}

sum_of_terms <- function(expressions) {
  if (length(expressions) > 0) Reduce(function(a, b) operation("+", a, b), expressions)
}
