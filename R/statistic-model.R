# Answers R's questions about models from released coefficients, by postprocessing only.

#' Released regressions as models
#'
#' These methods give coefficients, their covariance, intervals and predictions of a [dpLM()], a
#' [dpGLM()], or a [dpCovariance()] with a `formula`. They also give predictions of a
#' [dpNaiveBayes()] or a [dpKMeans()]. They use only the release and your rows, and cost nothing.
#'
#' Residuals, fitted values, deviance and likelihood depend on the private rows that a model was
#' fitted to. Each would need a separate release, so these functions raise an error. `newdata` are
#' other, public rows: predictions for them reveal their values.
#'
#' @param object,x A result with a regression, or a statistic that has released one. `confint()`
#'   also takes each other result whose `tidy()` has intervals, such as a [dpMean()] or a
#'   [dpHistogram()]: its attribute `covers` says if they are for the population, or for the data as
#'   used. A median or a quantile has an interval only with `interval = "population"`.
#' @param formula (`character(1)`) Name of one regression, if a covariance matrix has several. For
#'   other models, their formula or `NULL`.
#' @param parm (`character` or whole numbers) Names or positions of the coefficients, or of other
#'   numbers by their row names in the matrix. All by default.
#' @param level (`numeric(1)`) Confidence level of the intervals, by default 1 - `alpha` of the
#'   statistic. Results other than models accept only the default.
#' @param newdata (`data.frame`) Public rows, with the columns that the predictors need, see
#'   [statistic_formulas].
#' @param type,type.predict (`character(1)`) Kind of prediction: `"link"`, the linear predictor, or
#'   `"response"`. For a [dpNaiveBayes()] `"class"`, a factor, or `"probabilities"`, a matrix.
#' @param interval (`character(1)`) Kind of interval. `"confidence"` adds both ends of an interval
#'   for the mean of the response. There is no `"prediction"` interval.
#' @param se.fit (`logical(1)`) `TRUE` to return standard errors as well.
#' @param ... For a statistic, the arguments of its result. Other arguments raise an error.
#' @returns
#' * `coef()`: `numeric` with names.
#' * `vcov()`: covariance matrix of sampling and noise together. For linear models and a `dpGLM()`,
#'   the attribute `"noise"` is the part from noise, to first order. With `nBoot`, the matrix of a
#'   `dpGLM()` comes from its parts and does not have the attribute. With `inference = "none"`,
#'   there is no matrix.
#' * `confint()`: matrix with a row for each coefficient, or for each number of another result.
#' * `predict()`: `numeric`. With an interval, a matrix with the columns `fit`, `lwr` and `upr`,
#'   named by the rows of `newdata`. With `se.fit = TRUE`, a list of these in `fit`, and of
#'   `se.fit`, standard errors to first order. For a [dpKMeans()], whole numbers.
#'   Rows of the fit were clamped to their ranges. Predictions for values outside extrapolate,
#'   but a [dpKMeans()] or a [dpNaiveBayes()] uses the nearest bound. Predictions
#'   for unknown levels are `NA`. Each raises the warning `dp_warning_new_rows`.
#' * `augment()` (of package generics): `newdata` with the column `.fitted`, and `.lower` and
#'   `.upper` if there is a `vcov()`. For a [dpKMeans()], the column is `.cluster`.
#' * `summary()` of a result, and `tidy()` of a `dpLM()` or `dpGLM()`: data frame with a row for
#'   each coefficient. The columns are `term`, `estimate` and, if errors are known, `std.error`,
#'   `conf.low` and `conf.high`. Without a model, `summary()` returns the table of
#'   `as.data.frame()`. For a released query, it returns an object that prints the loss, the unit,
#'   the caps, the plan and the noise, and for a batch a list of these.
#' * `nobs()`: number of rows `n`. If rows without a value are dropped, the released number of the
#'   remaining rows, or `NA` if the release does not count them.
#' * `formula()`, `terms()`, `family()`: description of the model.
#' * `df.residual()`: number of rows minus number of coefficients.
#' * `sigma()`: square root of the released residual variance, for linear models and least squares.
#' @section Intervals: They are for the population, see [population_intervals].
#' @section Errors: `dp_error_invalid_argument` for results without a regression, intervals without
#'   standard errors, and `newdata` that are missing or lack a column. The same class is raised for
#'   unknown arguments of a method.
#'   `dp_error_unsupported` from `residuals()`, `fitted()`, `model.frame()`, `model.matrix()`,
#'   `deviance()` and `logLik()`, and so from `AIC()` and `BIC()`. `sigma()` and `df.residual()`
#'   raise it if the release lacks the number.
#' @examples
#' marriage <- dpGLM(
#'   mechanism = "mechanismObjective", varType = "numeric", n = 10000, formula = married ~ age,
#'   rng = list(c(0, 1), c(18, 93)), objective = "logit", epsilon = 1
#' )
#' result <- marriage$release(PUMS5extract10000)
#' coef(result)
#' confint(result, level = 0.9)
#' predict(result, data.frame(age = c(20, 40, 60)), type = "response", interval = "confidence")
#' @references Davies (1973), *Numerical inversion of a characteristic function*.
#' @importFrom stats coef confint deviance df.residual family fitted formula logLik model.frame
#' @importFrom stats model.matrix nobs predict residuals sigma terms vcov
#' @name statistic_models
NULL

# Returns list(formula, family, coefficients, errors, program, bounds). `bounds` are the found
# bounds. `errors` (statistic-error-law.R) is NULL if errors are not known. `program` comes from
# program_of_model(), if predictors are columns.
released_model <- function(x, formula = NULL, call = rlang::caller_env()) {
  UseMethod("released_model")
}

released_model.default <- function(x, formula = NULL, # nolint: object_name_linter.
                                   call = rlang::caller_env()) {
  model <- if (inherits(x, "dp_glm_result")) {
    own <- attr(x, "about")$model$formula
    if (!is.null(formula)) check_name(formula, own, "formula", call)
    if (inherits(x, "dp_lm_result")) lm_model(x) else glm_model(x)
  } else if (!is.null(x$linearRegression)) {
    line_model(x, formula, call)
  } else {
    stop_argument(
      "a result with a regression, or for `confint()` of a plan with `interval = \"population\"`",
      "another", "object", call
    )
  }
  c(model, x["bounds"])
}

lm_model <- function(x) {
  about <- attr(x, "about")$model
  list(
    formula = about$formula, family = stats::gaussian(),
    coefficients = stats::setNames(x$release$estimate, rownames(x$release)),
    errors = attr(x$summary, "errors"), program = about$program,
    rng = predictors_of(about), columns = about$columns, kept = about$kept
  )
}

glm_model <- function(x) {
  about <- attr(x, "about")$model
  parts <- x$release
  errors <- attr(x$summary, "errors")
  if (is.null(x$summary) || !is.null(errors)) {
    coefficients <- stats::setNames(parts$estimate, rownames(parts))
    covariance <- NULL
  } else {
    coefficients <- colMeans(parts)
    covariance <- unname(stats::cov(parts)) / nrow(parts)
  }
  # Drops the last number, the residual variance.
  kept <- seq_len(length(coefficients) - (about$objective == "ols"))
  list(
    formula = about$formula, family = family_of(about$objective),
    coefficients = coefficients[kept], program = about$program, rng = predictors_of(about),
    columns = about$columns, kept = about$kept,
    errors = if (is.null(covariance)) {
      errors
    } else {
      normal_errors(covariance[kept, kept, drop = FALSE], nrow(parts) - 1)
    }
  )
}

family_of <- function(objective) {
  switch(objective,
    logit = stats::binomial("logit"), probit = stats::binomial("probit"),
    poisson = stats::poisson(), ols = stats::gaussian()
  )
}

line_model <- function(x, formula, call) {
  about <- attr(x, "about")$model
  texts <- about$formula
  tables <- x$linearRegression
  if (is.data.frame(tables)) {
    table <- tables
    text <- texts[[1]]
  } else {
    if (is.null(formula)) {
      stop_argument(paste("one of", in_quotes(names(tables))), "missing", "formula", call)
    }
    text <- check_name(formula, names(tables), "formula", call)
    table <- tables[[text]]
  }
  list(
    formula = text, family = stats::gaussian(),
    coefficients = stats::setNames(table$Estimate, rownames(table)),
    errors = attr(table, "errors"), program = about$programs[[match(text, texts)]],
    rng = about$rng[intersect(rownames(table), names(about$rng))]
  )
}

# Bounds of the predictors: the response is the first column.
predictors_of <- function(about) about$rng[-1]

errors_of_model <- function(model, call) {
  refuse_without_interval(model, call)
  must <- "a model with standard errors: build it with another `inference` than \"none\""
  model$errors %||% stop_argument(must, "one without", "object", call)
}

# Names of generics contain dots, and so do names of their methods.

# nolint start: object_name_linter.
#' @rdname statistic_models
#' @export
coef.dp_result <- function(object, formula = NULL, ...) {
  check_names(...)
  released_model(object, formula)$coefficients
}

refuse_given <- function(x, arg, call) {
  if (!is.null(x)) {
    stop_argument("left out, for a result without a regression", name_public(x), arg, call)
  }
}

has_regression <- function(x) inherits(x, "dp_glm_result") || !is.null(x$linearRegression)
# nolint end

# A statistic answers for its last result, by the generic, so that errors name it.

# Generics that would show the fitted rows raise an error ------------------------------------------

# nolint start: object_name_linter.
# `first` is the name that the generic gives to its first argument.
refuse_rows <- function(what, first = "object") {
  force(what)
  refuse <- function(object, ...) {
    stop_dp("{what} would show the fitted rows, which are private.",
      "unsupported", call = NULL
    )
  }
  names(formals(refuse))[[1]] <- first
  refuse
}

#' @rdname statistic_models
#' @export
residuals.dp_result <- refuse_rows("Residuals")

#' @rdname statistic_models
#' @export
fitted.dp_result <- refuse_rows("Fitted values")

#' @rdname statistic_models
#' @export
deviance.dp_result <- refuse_rows("The deviance")

#' @rdname statistic_models
#' @export
logLik.dp_result <- refuse_rows("The likelihood")

#' @rdname statistic_models
#' @export
model.frame.dp_result <- refuse_rows("A model frame", "formula")

#' @rdname statistic_models
#' @export
model.matrix.dp_result <- refuse_rows("A model matrix")
# nolint end

# A statistic answers the generics of models with its result ---------------------------------------

# nolint start: object_name_linter.
#' @rdname statistic_models
#' @usage NULL
#' @export
coef.dpStatistic <- function(object, ...) coef(result_of(object), ...)

#' @rdname statistic_models
#' @usage NULL
#' @export
vcov.dpStatistic <- function(object, ...) vcov(result_of(object), ...)

#' @rdname statistic_models
#' @usage NULL
#' @export
confint.dpStatistic <- function(object, ...) confint(result_of(object), ...)

#' @rdname statistic_models
#' @usage NULL
#' @export
predict.dpStatistic <- function(object, ...) predict(result_of(object), ...)

#' @rdname statistic_models
#' @usage NULL
#' @exportS3Method generics::augment
augment.dpStatistic <- function(x, ...) generics::augment(result_of(x), ...)

#' @rdname statistic_models
#' @usage NULL
#' @export
nobs.dpStatistic <- function(object, ...) nobs(result_of(object), ...)

#' @rdname statistic_models
#' @usage NULL
#' @export
formula.dpStatistic <- function(x, ...) formula(result_of(x), ...)

#' @rdname statistic_models
#' @usage NULL
#' @export
terms.dpStatistic <- function(x, ...) terms(result_of(x), ...)

#' @rdname statistic_models
#' @usage NULL
#' @export
family.dpStatistic <- function(object, ...) family(result_of(object), ...)

#' @rdname statistic_models
#' @usage NULL
#' @export
sigma.dpStatistic <- function(object, ...) sigma(result_of(object), ...)

#' @rdname statistic_models
#' @usage NULL
#' @export
df.residual.dpStatistic <- function(object, ...) df.residual(result_of(object), ...)

#' @rdname statistic_models
#' @usage NULL
#' @export
residuals.dpStatistic <- residuals.dp_result

#' @rdname statistic_models
#' @usage NULL
#' @export
fitted.dpStatistic <- fitted.dp_result

#' @rdname statistic_models
#' @usage NULL
#' @export
deviance.dpStatistic <- deviance.dp_result

#' @rdname statistic_models
#' @usage NULL
#' @export
logLik.dpStatistic <- logLik.dp_result

#' @rdname statistic_models
#' @usage NULL
#' @export
model.frame.dpStatistic <- model.frame.dp_result

#' @rdname statistic_models
#' @usage NULL
#' @export
model.matrix.dpStatistic <- model.matrix.dp_result
# nolint end
