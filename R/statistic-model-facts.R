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

# Columns of a model -------------------------------------------------------------------------------

# A column of the model is list(name, numbers, cells): the product of these columns, in rows where
# each column in `cells` has this level. It has no numbers for an indicator.

variables_of_columns <- function(columns) {
  unique(unlist(lapply(columns, function(column) c(column$numbers, names(column$cells)))))
}

# Values of model columns in public rows. A row with a missing value or an unknown level has NA.
columns_of_rows <- function(columns, levels, newdata, call) {
  check_columns_of_rows(newdata, variables_of_columns(columns), call)
  numbers <- unique(unlist(lapply(columns, `[[`, "numbers")))
  known <- stats::setNames(numbers_of_new_rows(newdata, numbers, call), numbers)
  values <- vapply(columns, function(column) {
    product <- Reduce(`*`, known[column$numbers], rep(1, nrow(newdata)))
    for (name in names(column$cells)) {
      value <- as.character(newdata[[name]])
      value[!value %in% levels[[name]]] <- NA
      product <- product * (value == column$cells[[name]])
    }
    product
  }, numeric(nrow(newdata)))
  matrix(values, nrow(newdata))
}

numbers_of_new_rows <- function(newdata, names, call) {
  lapply(names, function(name) drop(numbers_of_rows(newdata, name, call)))
}

# Intervals, covariances and summaries of the coefficients of released models ----------------------

# nolint start: object_name_linter.
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

# Numbers that only have intervals for the data as used.
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

# Target of the errors and of the intervals of confint().
confint_target <- function(x) {
  covers <- covers_of(x)
  known <- intersect(c("summary", "linearRegression", main_elements), names(covers))
  if (length(known) > 0) unname(covers[known[[1]]])
}

# Intervals of numbers other than coefficients have the level of their release.
check_released_level <- function(level, alpha, arg, call) {
  check_probability(level, arg = arg, call = call)
  if (abs(level - (1 - alpha)) > 1e-12) {
    stop_argument(paste0("1 - `alpha` of the release, ", 1 - alpha, ": other levels are not known"),
      name_public(level), arg, call
    )
  }
}

# Population intervals of results other than models, with the names of the numbers, or NULL.
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

# Rows are named after `estimate`.
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
  call <- environment()
  parts <- lapply(result_parts(object), function(x) result_summary(x, formula, level, call))
  if (is.null(names(parts))) parts[[1]] else parts
}

result_summary.dp_result <- function(x, formula, level, call) {
  if (!has_regression(x)) {
    refuse_given(formula, "formula", call)
    refuse_given(level, "level", call)
    return(as.data.frame(x))
  }
  coefficients <- coef(x, formula = formula)
  table <- data.frame(term = names(coefficients), estimate = unname(coefficients))
  if (is.null(released_model(x, formula)$errors)) {
    return(table)
  }
  table$std.error <- unname(sqrt(diag(vcov(x, formula = formula))))
  table |>
    with_ends(confint(x, level = level, formula = formula), c("conf.low", "conf.high")) |>
    with_target(confint_target(x))
}
# nolint end

# Coefficients and other released numbers in the tables of package broom ---------------------------

# Methods' arguments have the names that the generics' other methods give them.
# nolint start: object_name_linter.

#' @rdname statistic_tables
#' @exportS3Method generics::tidy
tidy.dp_result <- function(x, conf.int = TRUE, conf.level = NULL, exponentiate = FALSE, ...) {
  call <- environment()
  check_names(...)
  check_flag(conf.int)
  check_flag(exponentiate)
  table <- result_rows(x)
  if (!is.null(conf.level)) table <- at_level(table, x, conf.level, call)
  if (exponentiate) table <- exponentiated(table, x, call)
  if (!conf.int) table[c("conf.low", "conf.high", "covers")] <- NULL
  table
}

#' @rdname statistic_tables
#' @exportS3Method generics::tidy
tidy.dpStatistic <- function(x, ...) generics::tidy(result_of(x), ...)

# nolint end

# Intervals of coefficients are known at any level. The variance of residuals has none.
at_level <- function(table, x, level, call) UseMethod("at_level", x)

at_level.default <- function(table, x, level, call) { # nolint: object_name_linter.
  if (!inherits(x, "dp_glm_result")) {
    check_released_level(level, alpha_of(x), "conf.level", call)
    return(table)
  }
  check_probability(level, arg = "conf.level", call = call)
  model <- released_model(x, call = call)
  ends <- coefficient_intervals(model$coefficients, errors_of_model(model, call), level)
  table[seq_len(nrow(ends)), c("conf.low", "conf.high")] <- ends
  table$mark <- marks_of_rows(x, table)
  table
}

# Odds ratios, and ratios of rates. As in broom, standard errors stay on the scale of the link.
exponentiated <- function(table, x, call) {
  link <- if (inherits(x, "dp_glm_result")) released_model(x, call = call)$family$link
  if (!isTRUE(link %in% c("log", "logit"))) {
    stop_argument("FALSE: only models with the link \"log\" or \"logit\" have ratios", "TRUE",
      "exponentiate", call
    )
  }
  shown <- intersect(c("estimate", "conf.low", "conf.high"), names(table))
  table[shown] <- lapply(table[shown], exp)
  table
}
