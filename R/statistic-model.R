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
#'   also takes each other result whose `tidy()` has intervals, such as a [dpMean()] or a
#'   [dpHistogram()]: its attribute `covers` says if they are for the population, or for the data as
#'   used. A median or a quantile has an interval only with `interval = "population"`.
#' @param formula (`character(1)`) Which regression, of a covariance matrix with several of them; of
#'   another model its own formula, or `NULL`.
#' @param parm (`character` or whole numbers) Which coefficients, or other numbers by the names that
#'   they have in the rows of the matrix; all by default.
#' @param level (`numeric(1)`) Of the intervals; 1 - `alpha` of the statistic by default. Of what is
#'   not a model there is no other one.
#' @param newdata (`data.frame`) Public rows, with the columns that the predictors are computed of;
#'   see [statistic_formulas].
#' @param type,type.predict (`character(1)`) `"link"`, the linear predictor, or `"response"`. For a
#'   [dpNaiveBayes()] `"class"`, a factor, or `"probabilities"`, a matrix.
#' @param interval (`character(1)`) `"confidence"` adds both ends of an interval for the mean of the
#'   response. Intervals for a single response (`"prediction"`) are not available.
#' @param se.fit (`logical(1)`) Whether to return standard errors as well.
#' @param ... For a statistic, the arguments of its result. Other arguments raise an error.
#' @returns `coef()`: `numeric` with names. `vcov()`: a matrix, of sampling and noise together;
#'   that of linear models, and of a `dpGLM()`, has the part of noise, to the first order, as
#'   attribute `"noise"`; with `nBoot` that of a `dpGLM()` comes from its parts and has no such
#'   attribute, and with `inference = "none"` there is none. `confint()`: a matrix with a row for
#'   each coefficient, or for each number of what is not a model. `predict()`: `numeric`, or with an
#'   interval a matrix with the columns `fit`, `lwr` and `upr`, named by the rows of `newdata`; with
#'   `se.fit = TRUE` a list of these, `fit`, and of `se.fit`, standard errors to the first order.
#'   `augment()` (of package generics): `newdata` with the columns `.fitted`, `.lower` and `.upper`,
#'   the latter if there is a `vcov()`. For a [dpKMeans()] `predict()` gives whole numbers, and
#'   `augment()` the column `.cluster`. `summary()` of a result, and `tidy()` of a `dpLM()` or
#'   `dpGLM()`: a data frame with a row for each coefficient, `term`, `estimate` and, where errors
#'   are known, `std.error`, `conf.low` and `conf.high`. `nobs()`: the number of rows `n`.
#'   If rows without a value are left out, it is the released number of the others, or `NA` if the
#'   release does not count them.
#'   `formula()`, `terms()` and `family()` describe the model. `df.residual()`: rows less
#'   coefficients. `sigma()`: the root of the released variance of residuals, for linear models and
#'   least squares.
#' @section Intervals: They are for the population, and say so: `confint()` and `vcov()` have the
#'   target as attribute `"covers"`, tables as a column. If [bounds()] found a range, `confint()`,
#'   `vcov()` and intervals of `predict()` raise an error.
#'
#'   Intervals count sampling and noise. An error of a linear model is, to the first
#'   order, a known sum of Laplace variables, the noise of the moments, and a normal one, of
#'   sampling. Its quantiles are computed from its characteristic function, for any `level`, so that
#'   nothing of an interval is drawn at random. Those of a `dpGLM()` follow the law of its
#'   noise, that of its curvature included, by 2000 points that are the same each time, and that of
#'   a normal vector of sampling; or, with `nBoot`, Student's law of its parts. `vcov()` takes the
#'   curvature as it was released, and is less than intervals say where its noise matters.
#' @section Errors: `dp_error_invalid_argument`: of results without a regression, of intervals
#'   without standard errors, of `newdata` that are missing or lack a column.
#'   `dp_error_invalid_argument` also for an argument that a method does not have.
#'   `dp_error_unsupported` from `residuals()`, `fitted()`, `model.frame()`, `model.matrix()`,
#'   `deviance()`, `logLik()`, and so from `AIC()` and `BIC()`; from `sigma()` and `df.residual()`
#'   if the release does not say.
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

# list(formula, family, coefficients, errors, program, bounds), the last those that were found;
# `errors`, of statistic-error-law.R, are NULL
# where nothing is known of them, and `program`, of program_of_model(), if predictors are columns.
released_model <- function(x, formula = NULL, call = rlang::caller_env()) {
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
  refuse_without_interval(model, call)
  must <- "a model with standard errors: build it with another `inference` than \"none\""
  model$errors %||% stop_argument(must, "one without", "object", call)
}

# Generics' names have dots, and so their methods' have more.
# nolint start: object_name_linter.

#' @rdname statistic_models
#' @export
coef.dp_result <- function(object, formula = NULL, ...) {
  check_names(...)
  released_model(object, formula)$coefficients
}

#' @rdname statistic_models
#' @export
vcov.dp_result <- function(object, formula = NULL, ...) {
  call <- environment()
  check_names(..., hints = c(
    type = "The statistic has the argument `vcov`, which its release is made for."
  ))
  model <- released_model(object, formula, call)
  errors <- errors_of_model(model, call)
  structure(covariance_of_errors(errors, names(model$coefficients)),
    covers = confint_target(object)
  )
}

#' @rdname statistic_models
#' @export
confint.dp_result <- function(object, parm = NULL, level = NULL, formula = NULL, ...) {
  call <- environment()
  check_names(...)
  level <- check_probability(level %||% (1 - alpha_of(object)), arg = "level", call = call)
  found <- result_intervals(object, parm, level, formula, call)
  colnames(found$table) <- paste(show_number(100 * c((1 - level) / 2, (1 + level) / 2), 4), "%")
  structure(found$table, covers = found$covers)
}

alpha_of.dp_result <- function(x) attr(x, "about")$alpha

result_intervals.dp_result <- function(x, parm, level, formula, call) {
  covers <- confint_target(x)
  table <- population_intervals(x, call)
  if (is.null(table) && !has_regression(x)) {
    refuse_given(formula, "formula", call)
    table <- intervals_in_table(x, call)
    covers <- main_target(x)
  }
  if (has_regression(x) && is.null(table)) {
    model <- released_model(x, formula, call)
    table <- coefficient_intervals(model$coefficients, errors_of_model(model, call), level)
  } else {
    check_released_level(level, alpha_of(x), "level", call)
  }
  chosen <- check_coefficients(parm %||% rownames(table), rownames(table), call)
  list(table = table[chosen, , drop = FALSE], covers = covers)
}

# Of numbers that only have intervals for the data as used.
intervals_in_table <- function(x, call) {
  table <- result_rows(x)
  if (is.null(table$conf.low)) {
    name <- attr(x, "about")$name
    stop_argument("a result with intervals", paste0("the ", name, ", ", why_no_interval(x)),
      "object", call
    )
  }
  matrix(c(table$conf.low, table$conf.high), ncol = 2, dimnames = list(table$term, NULL))
}

why_no_interval <- function(x) {
  plans <- c("median", "quantile", "quantiles")
  if (inherits(x, "dp_tree_result")) {
    "whose leaves have standard errors: see `tidy()`"
  } else if (!is.numeric(x$release)) {
    "whose values are no numbers with noise"
  } else if (any(startsWith(attr(x, "about")$name, plans)) && is.null(x$nFailed)) {
    "whose rank has the noise: build it with `interval = \"population\"`"
  } else {
    "which has none"
  }
}

# What errors, and intervals of confint(), are for.
confint_target <- function(x) {
  covers <- covers_of(x)
  known <- intersect(c("summary", "linearRegression", main_elements), names(covers))
  if (length(known) > 0) unname(covers[known[[1]]])
}

# Intervals of numbers that are not coefficients have the level that they were released with.
check_released_level <- function(level, alpha, arg, call) {
  check_probability(level, arg = arg, call = call)
  if (abs(level - (1 - alpha)) > 1e-12) {
    stop_argument(paste0("1 - `alpha` of the release, ", 1 - alpha, ": other levels are not known"),
      name_public(level), arg, call
    )
  }
}

# Of what is not a model: for what the rows were drawn from, with the names of the numbers; or NULL.
population_intervals <- function(x, call) {
  if (is.null(x$populationInterval)) {
    own <- covers_of(x)["intervals"]
    if (!is.na(own) && !is_for_rows(own)) return(x$intervals)
    if (!has_regression(x)) refuse_without_interval(x, call)
    return(NULL)
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
summary.dp_result <- function(object, formula = NULL, level = NULL, ...) {
  check_names(...)
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
  table |>
    with_ends(confint(object, level = level, formula = formula), c("conf.low", "conf.high")) |>
    with_target(confint_target(object))
}

refuse_given <- function(x, arg, call) {
  if (!is.null(x)) {
    stop_argument("left out, for a result without a regression", name_public(x), arg, call)
  }
}

has_regression <- function(x) inherits(x, "dp_glm_result") || !is.null(x$linearRegression)

#' @rdname statistic_models
#' @export
nobs.dp_result <- function(object, ...) {
  check_names(...)
  if (!is.null(object$sumWeights)) {
    return(attr(object, "about")$n)
  }
  round(rows_of_model(object) %||% NA_real_)
}

#' @rdname statistic_models
#' @export
formula.dp_result <- function(x, formula = NULL, ...) {
  check_names(...)
  stats::as.formula(released_model(x, formula)$formula, env = globalenv())
}

#' @rdname statistic_models
#' @export
terms.dp_result <- function(x, formula = NULL, ...) {
  check_names(...)
  stats::terms(formula(x, formula = formula))
}

#' @rdname statistic_models
#' @export
family.dp_result <- function(object, ...) {
  check_names(...)
  # Several lines of a covariance matrix have one family.
  if (length(object$linearRegression) > 0) stats::gaussian() else released_model(object)$family
}

#' @rdname statistic_models
#' @export
sigma.dp_result <- function(object, formula = NULL, ...) {
  call <- environment()
  check_names(...)
  variance <- residual_variance_of(object, formula, call)
  if (is.null(variance)) {
    stop_dp(
      "This release has no variance of residuals: only linear models and least squares have one.",
      "unsupported", call = call
    )
  }
  root(variance)
}

# Of a linear model, where it was released, or follows from a covariance matrix; else NULL.
residual_variance_of <- function(x, formula, call) {
  model <- released_model(x, formula, call)
  if (inherits(x, "dp_lm_result")) {
    return(x$variance)
  }
  if (inherits(x, "dp_glm_result")) {
    if (attr(x, "about")$model$objective != "ols") {
      return(NULL)
    }
    released <- if (is.null(x$summary)) x$release$estimate else x$summary$Estimate
    return(released[[length(released)]])
  }
  variance_from_matrix(x, model)
}

#' @rdname statistic_models
#' @export
df.residual.dp_result <- function(object, formula = NULL, ...) {
  call <- environment()
  check_names(...)
  model <- released_model(object, formula, call)
  rows <- rows_of_model(object)
  if (is.null(rows)) {
    stop_dp("The release does not count the rows that the model was fitted to.", "unsupported",
      call = call
    )
  }
  max(rows - length(model$coefficients), 1)
}

# How many rows the model is of, NULL where a private number of them lacks a value and there was no
# count, or where rows have weights.
rows_of_model <- function(x) {
  about <- attr(x, "about")
  counted <- is.null(x$sumWeights) && !isTRUE(about$model$uncounted)
  x$nPresent %||% if (counted) about$n
}

# `first` is the name that the generic gives to its first argument.
refuse_rows <- function(what, first = "object") {
  force(what)
  refuse <- function(object, ...) {
    stop_dp("{what} would show the rows that were fitted: nobody paid for such a release.",
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

# A statistic answers for its last result, by the generic, so that errors name it.

#' @rdname statistic_models
#' @export
coef.dpStatistic <- function(object, ...) coef(result_of(object), ...)

#' @rdname statistic_models
#' @export
vcov.dpStatistic <- function(object, ...) vcov(result_of(object), ...)

#' @rdname statistic_models
#' @export
confint.dpStatistic <- function(object, ...) confint(result_of(object), ...)

#' @rdname statistic_models
#' @export
predict.dpStatistic <- function(object, ...) predict(result_of(object), ...)

#' @rdname statistic_models
#' @exportS3Method generics::augment
augment.dpStatistic <- function(x, ...) generics::augment(result_of(x), ...)

#' @rdname statistic_models
#' @export
nobs.dpStatistic <- function(object, ...) nobs(result_of(object), ...)

#' @rdname statistic_models
#' @export
formula.dpStatistic <- function(x, ...) formula(result_of(x), ...)

#' @rdname statistic_models
#' @export
terms.dpStatistic <- function(x, ...) terms(result_of(x), ...)

#' @rdname statistic_models
#' @export
family.dpStatistic <- function(object, ...) family(result_of(object), ...)

#' @rdname statistic_models
#' @export
sigma.dpStatistic <- function(object, ...) sigma(result_of(object), ...)

#' @rdname statistic_models
#' @export
df.residual.dpStatistic <- function(object, ...) df.residual(result_of(object), ...)

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

#' @rdname statistic_models
#' @export
model.frame.dpStatistic <- model.frame.dp_result

#' @rdname statistic_models
#' @export
model.matrix.dpStatistic <- model.matrix.dp_result

# nolint end
