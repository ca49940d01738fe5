# What R asks of models, answered from released coefficients. Postprocessing: nothing else is read.

#' Released regressions as models
#'
#' Coefficients, their covariance, intervals and predictions of a [dpLM()], a [dpGLM()], or a
#' [dpCovariance()] with a `formula`, and predictions of a [dpNaiveBayes()] or a [dpKMeans()], by
#' the functions that models have in R. They read what was released and the rows that they are
#' given, and cost nothing.
#'
#' What a model knows of the rows that it was fitted to is private: residuals, fitted values,
#' deviance and likelihood would each be a release that nobody paid for. These functions say so.
#' `newdata` are other rows, which are public: what is predicted for them shows their values.
#'
#' @param object,x A result with a regression, or a statistic that has released one. `confint()`
#'   also takes a [dpMeanDifference()], a [dpCorrelation()], the variances of a [dpPCA()], the means
#'   of classes of a [dpNaiveBayes()], and a [dpMean()], [dpVariance()], [dpQuantile()] or
#'   [dpQuantiles()] with an interval for the population.
#' @param formula (`character(1)`) Which regression, of a covariance matrix with several of them; of
#'   another model its own formula, or `NULL`.
#' @param parm (`character` or whole numbers) Which coefficients, or other numbers by the names that
#'   they have in the rows of the matrix; all by default.
#' @param level (`numeric(1)`) Of the intervals; 1 - `alpha` of the statistic by default. Of what is
#'   not a model there is no other one.
#' @param newdata (`data.frame`) Public rows, with the columns that the predictors are computed of;
#'   see [statistic_formulas].
#' @param type (`character(1)`) `"link"`, the linear predictor, or `"response"`. Of a
#'   [dpNaiveBayes()] `"class"`, a factor, or `"probabilities"`, a matrix.
#' @param interval (`character(1)`) `"confidence"`: with both ends of an interval for the mean of
#'   the response.
#' @param ... For methods, `formula` and `level`.
#' @returns `coef()`: `numeric` with names. `vcov()`: a matrix, of sampling and noise together;
#'   that of linear models, and of a `dpGLM()`, has the part of noise, to the first order, as
#'   attribute `"noise"`; with `nBoot` that of a `dpGLM()` comes from its parts and has no such
#'   attribute, and with `inference = "none"` there is none. `confint()`: a matrix with a row for
#'   each coefficient, or for each number of what is not a model. `predict()`: `numeric`, or with an
#'   interval a matrix with the columns `fit`, `lwr` and `upr`. `augment()` (of package generics):
#'   `newdata` with the columns `.fitted`, `.lower` and `.upper`, the latter if there is a `vcov()`;
#'   of the response. Of a [dpKMeans()] `predict()` gives whole numbers, and `augment()` the column
#'   `.cluster`. `summary()` of a result, and `tidy()` of a `dpLM()` or `dpGLM()`: a data frame with
#'   a row for each coefficient, `term`, `estimate` and, where errors are known, `std.error`,
#'   `conf.low` and `conf.high`. `nobs()`: the number of rows `n`. `formula()` and `family()`: those
#'   of the model.
#' @section Intervals: They count sampling and noise. An error of a linear model is, to the first
#'   order, a known sum of Laplace variables, the noise of the moments, and a normal one, of
#'   sampling. Its quantiles are computed from its characteristic function, for any `level`, so that
#'   nothing of an interval is drawn at random. Those of a `dpGLM()` follow the law of its
#'   noise, that of its curvature included, by 2000 points that are the same each time, and that of
#'   a normal vector of sampling; or, with `nBoot`, Student's law of its parts. `vcov()` takes the
#'   curvature as it was released, and is less than intervals say where its noise matters.
#' @section Errors: `dp_error_invalid_argument`: of results without a regression, of intervals
#'   without standard errors, of `newdata` that are missing or lack a column.
#'   `dp_error_unsupported` from `residuals()`, `fitted()`, `deviance()`, `logLik()`, and so from
#'   `AIC()` and `BIC()`.
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
#' @importFrom stats coef confint deviance family fitted formula logLik nobs predict residuals vcov
#' @name statistic_models
NULL

# list(formula, family, coefficients, errors, program); `errors`, of statistic-error-law.R, are NULL
# where nothing is known of them, and `program`, of program_of_model(), if predictors are columns.
released_model <- function(x, formula = NULL, call = rlang::caller_env()) {
  if (inherits(x, "dp_glm_result")) {
    own <- attr(x, "about")$model$formula
    if (!is.null(formula)) check_name(formula, own, "formula", call)
    if (inherits(x, "dp_lm_result")) lm_model(x) else glm_model(x)
  } else if (!is.null(x$linearRegression)) {
    line_model(x, formula, call)
  } else {
    stop_argument("a result with a regression", "one without", "object", call)
  }
}

lm_model <- function(x) {
  about <- attr(x, "about")$model
  list(
    formula = about$formula, family = stats::gaussian(),
    coefficients = stats::setNames(x$release$estimate, rownames(x$release)),
    errors = attr(x$summary, "errors"), program = about$program
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
  # The variance of residuals, which is the last, is none of them.
  kept <- seq_len(length(coefficients) - (about$objective == "ols"))
  list(
    formula = about$formula, family = family_of(about$objective),
    coefficients = coefficients[kept], program = about$program,
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
    errors = attr(table, "errors"), program = about$programs[[match(text, texts)]]
  )
}

errors_of_model <- function(model, call) {
  must <- "a model with standard errors: build it with another `inference` than \"none\""
  model$errors %||% stop_argument(must, "one without", "object", call)
}

# Generics' names have dots, and so their methods' have more.
# nolint start: object_name_linter.

#' @rdname statistic_models
#' @export
coef.dp_result <- function(object, formula = NULL, ...) {
  released_model(object, formula)$coefficients
}

#' @rdname statistic_models
#' @export
vcov.dp_result <- function(object, formula = NULL, ...) {
  call <- environment()
  model <- released_model(object, formula, call)
  covariance_of_errors(errors_of_model(model, call), names(model$coefficients))
}

#' @rdname statistic_models
#' @export
confint.dp_result <- function(object, parm = NULL, level = NULL, formula = NULL, ...) {
  call <- environment()
  alpha <- attr(object, "about")$alpha
  level <- check_probability(level %||% (1 - alpha), arg = "level", call = call)
  table <- population_intervals(object)
  if (is.null(table)) {
    model <- released_model(object, formula, call)
    table <- coefficient_intervals(model$coefficients, errors_of_model(model, call), level)
  } else if (level != 1 - alpha) {
    stop_argument(paste("1 - `alpha` of the statistic,", 1 - alpha), name_public(level), "level",
      call
    )
  }
  colnames(table) <- paste(show_number(100 * c((1 - level) / 2, (1 + level) / 2), 4), "%")
  chosen <- check_coefficients(parm %||% rownames(table), rownames(table), call)
  table[chosen, , drop = FALSE]
}

# Of what is not a model: for what the rows were drawn from, with the names of the numbers; or NULL.
population_intervals <- function(x) {
  if (is.null(x$populationInterval)) {
    return(x$intervals)
  }
  terms <- names(x$release) %||% x$variable
  matrix(x$populationInterval, ncol = 2, dimnames = list(terms, NULL))
}

# `estimate` with names, which are those of the rows.
coefficient_intervals <- function(estimate, errors, level) {
  reach <- reach_of_errors(errors, diag(length(estimate)), level)
  cbind(estimate - reach, estimate + reach)
}

check_coefficients <- function(parm, names, call) {
  known <- if (is.character(parm)) parm %in% names else parm %in% seq_along(names)
  if (!all(known)) {
    stop_argument(paste("among", in_quotes(names)), name_public(parm[!known]), "parm", call)
  }
  parm
}

#' @rdname statistic_models
#' @export
predict.dp_result <- function(object, newdata, type = "link", interval = "none", level = NULL,
                              formula = NULL, ...) {
  call <- environment()
  type <- check_name(type, c("link", "response"), "type", call)
  interval <- check_name(interval, c("none", "confidence"), "interval", call)
  model <- released_model(object, formula, call)
  if (missing(newdata)) stop_without_rows(call)
  predictors <- predictor_rows(model, newdata, call)
  rows <- predictors$rows
  scale <- if (type == "response") model$family$linkinv else identity
  fit <- drop(rows %*% model$coefficients) + predictors$offset
  if (interval == "none") {
    return(scale(fit))
  }
  level <- check_probability(level %||% (1 - attr(object, "about")$alpha), arg = "level",
    call = call
  )
  reach <- reach_of_errors(errors_of_model(model, call), rows, level)
  cbind(fit = scale(fit), lwr = scale(fit - reach), upr = scale(fit + reach))
}

stop_without_rows <- function(call) {
  stop_argument("given: predictions for the rows that were fitted would show them", "missing",
    "newdata", call
  )
}

# list(rows, offset): a matrix, with a column of ones first if there is an intercept.
predictor_rows <- function(model, newdata, call) {
  names <- names(model$coefficients)
  ones <- if ("intercept" %in% names) rep(1, NROW(newdata))
  columns <- setdiff(names, "intercept")
  if (is.null(model$program)) {
    return(list(rows = cbind(ones, numbers_of_rows(newdata, columns, call), deparse.level = 0),
      offset = 0))
  }
  terms <- terms_of_rows(model$program, newdata, call)
  list(
    rows = unname(cbind(ones, terms[, columns, drop = FALSE])),
    offset = if (offset_name %in% colnames(terms)) terms[, offset_name] else 0
  )
}

numbers_of_rows <- function(newdata, columns, call) {
  check_columns_of_rows(newdata, columns, call)
  numeric <- vapply(newdata[columns], is_plain_column, NA)
  if (!all(numeric)) {
    stop_argument("a data frame of numbers", paste("one with other columns:",
      in_quotes(columns[!numeric])), "newdata", call
    )
  }
  unname(do.call(cbind, lapply(newdata[columns], as.numeric)))
}

#' @rdname statistic_models
#' @exportS3Method generics::augment
augment.dp_result <- function(x, newdata, ..., formula = NULL, level = NULL) {
  model <- released_model(x, formula)
  interval <- if (is.null(model$errors)) "none" else "confidence"
  fit <- predict.dp_result(x, newdata, "response", interval, level, formula)
  added <- if (is.matrix(fit)) as.data.frame(fit) else data.frame(fit)
  newdata[c(".fitted", ".lower", ".upper")[seq_along(added)]] <- added
  newdata
}

#' @rdname statistic_models
#' @export
summary.dp_result <- function(object, formula = NULL, level = NULL, ...) {
  if (!has_regression(object)) {
    refuse_given(formula, "formula", environment())
    refuse_given(level, "level", environment())
    return(as.data.frame(object))
  }
  coefficients <- coef(object, formula = formula)
  table <- data.frame(term = names(coefficients), estimate = unname(coefficients))
  if (is.null(released_model(object, formula)$errors)) {
    return(table)
  }
  table$std.error <- unname(sqrt(diag(vcov(object, formula = formula))))
  with_ends(table, confint(object, level = level, formula = formula), c("conf.low", "conf.high"))
}

refuse_given <- function(x, arg, call) {
  if (!is.null(x)) {
    stop_argument("left out, for a result without a regression", name_public(x), arg, call)
  }
}

has_regression <- function(x) inherits(x, "dp_glm_result") || !is.null(x$linearRegression)

#' @rdname statistic_models
#' @export
nobs.dp_result <- function(object, ...) attr(object, "about")$n

#' @rdname statistic_models
#' @export
formula.dp_result <- function(x, formula = NULL, ...) {
  stats::as.formula(released_model(x, formula)$formula, env = globalenv())
}

#' @rdname statistic_models
#' @export
family.dp_result <- function(object, ...) {
  if (inherits(object, "dp_glm_result")) released_model(object)$family else stats::gaussian()
}

refuse_rows <- function(what) {
  force(what)
  function(object, ...) {
    stop_dp("{what} would show the rows that were fitted: nobody paid for such a release.",
      "unsupported", call = NULL
    )
  }
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

# A statistic answers for its last result.
of_last_result <- function(method) {
  force(method)
  function(object, ...) method(result_of(object), ...)
}

#' @rdname statistic_models
#' @export
coef.dpStatistic <- of_last_result(coef.dp_result)

#' @rdname statistic_models
#' @export
vcov.dpStatistic <- of_last_result(vcov.dp_result)

#' @rdname statistic_models
#' @export
confint.dpStatistic <- of_last_result(confint.dp_result)

#' @rdname statistic_models
#' @export
predict.dpStatistic <- of_last_result(predict)

#' @rdname statistic_models
#' @exportS3Method generics::augment
augment.dpStatistic <- function(x, ...) generics::augment(result_of(x), ...)

#' @rdname statistic_models
#' @export
nobs.dpStatistic <- of_last_result(nobs.dp_result)

#' @rdname statistic_models
#' @export
formula.dpStatistic <- function(x, ...) formula.dp_result(result_of(x), ...)

#' @rdname statistic_models
#' @export
family.dpStatistic <- of_last_result(family.dp_result)

#' @rdname statistic_models
#' @export
residuals.dpStatistic <- residuals.dp_result

#' @rdname statistic_models
#' @export
fitted.dpStatistic <- fitted.dp_result

#' @rdname statistic_models
#' @export
deviance.dpStatistic <- deviance.dp_result

#' @rdname statistic_models
#' @export
logLik.dpStatistic <- logLik.dp_result

# nolint end
