# Facts about released models: rows, degrees of freedom, formula and residual variance.

# nolint start: object_name_linter.
#' @rdname statistic_models
#' @export
nobs.dp_result <- function(object, ...) {
  check_names(...)
  if (!is.null(object$sumWeights)) {
    return(attr(object, "about")$n %||% NA_real_)
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

# Residual variance of a linear model if it was released or follows from a covariance matrix.
# Otherwise NULL.
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
# nolint end
