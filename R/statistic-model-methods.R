# A statistic answers the generics of models with its result.

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
