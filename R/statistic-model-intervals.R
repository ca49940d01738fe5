# Intervals, covariances and summaries of the coefficients of released models.

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
