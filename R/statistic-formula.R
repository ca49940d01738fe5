# Formulas of models: a response, and terms computed from one row (statistic-formula-program.R).

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

# Columns of the terms of a formula, and declared levels -------------------------------------------

# Returns list(kind, label, expression). The kind is "number", "flag", "factor" (with `levels`) or
# "offset".
read_variable <- function(expr, scope) {
  if (is.numeric(expr)) refuse_term(expr, "a number is written within `I()`", scope$call)
  name <- name_of_function(expr)
  if (isTRUE(name %in% c("|", "||"))) refuse_function_of_term(expr, scope$call)
  if (isTRUE(name == "offset") && length(expr) == 2) {
    return(list(kind = "offset", expression = read_term(expr[[2]], scope)))
  }
  variable <- list(kind = "number", label = deparse1(expr))
  named <- if (isTRUE(name %in% c("factor", "as.factor")) && length(expr) == 2) expr[[2]] else expr
  if (is.symbol(named) && as.character(named) %in% names(scope$levels)) {
    variable$kind <- "factor"
    variable$levels <- scope$levels[[as.character(named)]]
    expr <- named
  } else if (is_condition(expr)) {
    variable$kind <- "flag"
  }
  variable$expression <- read_term(expr, scope)
  variable
}

check_response <- function(expr, variable, call) {
  fits <- is.symbol(expr) || is_condition(expr) || isTRUE(name_of_function(expr) == "log")
  if (!fits) {
    refuse_term(expr, "a response is a column, its `log()`, or a comparison", call)
  }
  if (variable$kind == "factor") {
    refuse_term(expr, "a response is a number: compare it, as `x == \"a\"`", call)
  }
  variable
}

# Row expressions by their names in model.matrix(). Interactions are products. The columns of the
# first variable vary fastest.
columns_of_terms <- function(parsed, variables, contrasts, intercept, call) {
  codes <- coded_terms(attr(parsed, "factors"), variables, intercept, attr(parsed, "response"))
  check_number_of_columns(codes, variables, call)
  columns <- lapply(seq_along(attr(parsed, "term.labels")), function(term) {
    used <- which(codes[, term] > 0)
    parts <- Map(columns_of_variable, variables[used], codes[used, term], contrasts)
    Reduce(product_of_columns, parts)
  })
  unlist(columns, recursive = FALSE)
}

# Coding of each variable in each term: 0 absent, 1 contrasts, 2 a column for each level. Without a
# constant the first factor has all its levels.
coded_terms <- function(codes, variables, intercept, response) {
  if (intercept || length(codes) == 0) {
    return(codes)
  }
  is_factor <- vapply(variables, `[[`, "", "kind") %in% c("factor", "flag")
  is_factor[[response]] <- FALSE
  first <- which(codes > 0 & is_factor)
  if (length(first) > 0) codes[[first[[1]]]] <- 2L
  codes
}

columns_of_variable <- function(variable, code, contrasts) {
  if (variable$kind == "number") {
    return(stats::setNames(list(variable$expression), variable$label))
  }
  if (variable$kind == "flag") {
    both <- list(operation("!", variable$expression), variable$expression)
    names(both) <- paste0(variable$label, c("FALSE", "TRUE"))
    return(if (code == 2) both else both[2])
  }
  is_level <- lapply(variable$levels, function(level) {
    operation("==", variable$expression, list(op = "literal", value = level))
  })
  last <- length(is_level)
  if (code == 1 && contrasts == "sum") {
    less <- lapply(is_level[-last], function(one) operation("-", one, is_level[[last]]))
    return(stats::setNames(less, paste0(variable$label, seq_len(last - 1))))
  }
  names(is_level) <- paste0(variable$label, level_texts(variable$levels))
  if (code == 1) is_level[-1] else is_level
}

level_texts <- function(levels) {
  if (is.character(levels)) levels else format(levels, scientific = FALSE, trim = TRUE)
}

product_of_columns <- function(a, b) {
  products <- lapply(b, function(right) lapply(a, function(left) operation("*", left, right)))
  names <- outer(names(a), names(b), paste, sep = ":")
  stats::setNames(unlist(unname(products), recursive = FALSE), as.vector(names))
}

# Checks texts or whole numbers for columns, by name.
check_levels <- function(levels, call) {
  words <- "a list of the values of columns, by their names, as `list(region = c(\"N\", \"S\"))`"
  names <- names(levels)
  named <- is.list(levels) && !is.object(levels) && length(levels) > 0 && !is.null(names) &&
    !anyDuplicated(names) && !anyNA(names) && all(nzchar(names))
  if (!named) stop_argument(words, describe(levels), "levels", call)
  lapply(levels, function(values) {
    texts <- are_texts(values)
    if (!(texts || are_wholes(values)) || anyDuplicated(values) || length(values) < 2) {
      stop_argument("two or more different texts or whole numbers for each column",
        describe(values), "levels", call
      )
    }
    if (texts) enc2utf8(as.vector(values)) else as.double(values)
  })
}

are_texts <- function(x) is.character(x) && !is.object(x) && !anyNA(x) && all(validUTF8(x))

# Tells whether the core can hold the numbers exactly.
are_wholes <- function(x) {
  is_numbers(x) && all(is.finite(x)) && all(x == trunc(x) & abs(x) < 2^51)
}

# Refuses levels and contrasts that no formula in `models` uses.
check_levels_used <- function(models, levels, contrasts, call) {
  used <- unlist(lapply(models, function(model) names(model$design$levels)))
  unknown <- setdiff(names(levels), used)
  if (length(unknown) > 0) {
    columns <- unique(unlist(lapply(models, function(model) all.vars(str2lang(model$text)))))
    what <- if (length(models) == 0) "NULL where there is no `formula`" else
      paste("named after columns of the formula,", in_quotes(columns))
    stop_argument(what, paste("named", in_quotes(unknown)), "levels", call)
  }
  if (is.null(levels) && !is.null(contrasts)) {
    stop_argument("NULL where there are no `levels`", in_quotes(contrasts), "contrasts", call)
  }
}

# The size of a formula, counted before its terms are written out ----------------------------------

# `(a + b + c)^2` has six terms.

# Limits for terms and for their columns. The core reads no formulas, so R has these limits.
most_terms <- 1024

check_formula_size <- function(formula, call, arg = "formula", dot = 1) {
  if (!is_readable_code(formula)) {
    stop_argument(paste("a formula with", readable_code()),
      "one that is longer: compute a part of it in a column of the data", arg, call
    )
  }
  if (size_of_formula(formula, dot)[["terms"]] > most_terms) {
    stop_argument(paste("a formula of at most", most_terms, "terms, written out"),
      "one of more: name the terms that the model needs", arg, call
    )
  }
}

# Upper bound on the number of terms that [stats::terms()] makes of `expr`, Inf beyond the limit,
# and the number of variables in it, counting repeats. `dot`: the number of columns that `.` means.
size_of_formula <- function(expr, dot) {
  name <- name_of_function(expr)
  if (!isTRUE(name %in% formula_operators)) {
    leaves <- if (identical(expr, quote(.))) dot else 1
    return(c(terms = leaves, leaves = leaves))
  }
  args <- as.list(expr)[-1]
  if (name == "^" && length(args) == 2) {
    base <- size_of_formula(args[[1]], dot)
    return(bounded_size(terms_of_power(base[["terms"]], args[[2]]), base[["leaves"]]))
  }
  sizes <- vapply(args, size_of_formula, numeric(2), dot)
  terms <- sizes["terms", ]
  if (any(terms == Inf)) {
    return(c(terms = Inf, leaves = Inf))
  }
  written <- switch(name,
    ":" = prod(terms),
    "*" = prod(1 + terms) - 1,
    "-" = , "%in%" = terms[[1]],
    sum(terms)
  )
  bounded_size(written, sum(sizes["leaves", ]))
}

formula_operators <- c("~", "+", "-", "*", "/", ":", "%in%", "^", "(")

# Bounds the size: each term is a set of variables, so n variables have fewer than 2^n terms.
bounded_size <- function(terms, leaves) {
  if (terms < Inf) terms <- min(terms, 2^leaves)
  c(terms = if (terms > most_terms) Inf else terms, leaves = leaves)
}

# Number of products of up to `exponent` different `terms`. R multiplies step by step, so a large
# exponent takes long even if it changes nothing.
terms_of_power <- function(terms, exponent) {
  if (!is_number(exponent) || !isTRUE(exponent >= 1)) {
    return(terms)
  }
  if (terms == Inf || exponent > most_terms) {
    return(Inf)
  }
  sum(choose(terms, seq_len(min(exponent, terms))))
}

# Checks before columns are made: an interaction of factors has the product of their columns.
check_number_of_columns <- function(codes, variables, call) {
  if (length(codes) == 0) {
    return(invisible())
  }
  widths <- vapply(variables, function(variable) {
    switch(variable$kind, factor = length(variable$levels), flag = 2, 1)
  }, 0)
  # With contrasts, code 1, a factor has one column less.
  fewer <- vapply(variables, function(variable) variable$kind %in% c("factor", "flag"), NA)
  columns_of_term <- function(code) prod(ifelse(code == 0, 1, widths - (fewer & code == 1)))
  columns <- apply(codes, 2, columns_of_term)
  if (sum(columns) > most_terms) {
    stop_argument(paste("a formula of at most", most_terms, "columns"),
      "one of more: declare fewer `levels`, or leave out interactions", "formula", call
    )
  }
}
