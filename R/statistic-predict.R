# Predictions of released models for public rows, by postprocessing.

# Generics' names have dots, and so their methods' have more.
# nolint start: object_name_linter.

#' @rdname statistic_models
#' @export
predict.dp_result <- function(object, newdata, type = "link", interval = "none", level = NULL,
                              formula = NULL, se.fit = FALSE, ...) {
  call <- environment()
  check_names(...)
  type <- check_name(type, c("link", "response"), "type", call)
  check_flag(se.fit)
  interval <- check_interval(interval, call)
  model <- released_model(object, formula, call)
  if (missing(newdata)) stop_without_rows(call)
  predictors <- predictor_rows(model, newdata, call)
  warn_of_new_rows(newdata, kept_by_predictors(model), so_extrapolates, call)
  scale <- if (type == "response") model$family$linkinv else identity
  fit <- drop(predictors$rows %*% model$coefficients) + predictors$offset
  names(fit) <- rownames(newdata)
  predicted <- scale(fit)
  if (interval != "none") {
    level <- check_probability(level %||% (1 - attr(object, "about")$alpha), arg = "level",
      call = call
    )
    reach <- reach_of_errors(errors_of_model(model, call), predictors$rows, level)
    predicted <- cbind(fit = predicted, lwr = scale(fit - reach), upr = scale(fit + reach))
  }
  if (!se.fit) {
    return(predicted)
  }
  errors <- errors_of_fit(model, predictors$rows, call)
  if (type == "response") errors <- errors * abs(model$family$mu.eta(fit))
  list(fit = predicted, se.fit = stats::setNames(errors, names(fit)))
}

# An interval for one more response would need the law of residuals.
check_interval <- function(interval, call) {
  if (identical(interval, "prediction")) {
    refuse_argument(
      paste(
        "`interval` must be \"confidence\" or \"none\".",
        "For \"prediction\" the release does not say how residuals are distributed."
      ), "interval", call
    )
  }
  check_name(interval, c("none", "confidence"), "interval", call)
}

# Standard errors of the linear predictor, to the first order.
errors_of_fit <- function(model, rows, call) {
  covariance <- covariance_of_errors(errors_of_model(model, call), names(model$coefficients))
  root(rowSums((rows %*% covariance) * rows))
}

stop_without_rows <- function(call) {
  stop_argument("given: predictions for the rows that were fitted would show them", "missing",
    "newdata", call
  )
}

# list(rows, offset): a matrix, with a column of ones first if there is an intercept.
predictor_rows <- function(model, newdata, call) {
  names <- names(model$coefficients)
  ones <- if (any(names_of_constant %in% names)) rep(1, NROW(newdata))
  columns <- setdiff(names, names_of_constant)
  if (!is.null(model$columns)) {
    values <- columns_of_rows(model$columns, model$kept$levels, newdata, call)
    return(list(rows = unname(cbind(ones, values)), offset = 0))
  }
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

# Models of data frames, and of private tables.
names_of_constant <- c("intercept", "(Intercept)")

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
augment.dp_result <- function(x, newdata, ..., formula = NULL, level = NULL,
                              type.predict = "link") {
  call <- environment()
  check_names(..., hints = c(conf.level = "Write `level`.", type = "Write `type.predict`."))
  check_name(type.predict, c("link", "response"), "type.predict", call)
  if (missing(newdata)) stop_without_rows(call)
  interval <- if (is.null(released_model(x, formula, call)$errors)) "none" else "confidence"
  fit <- predict(x, newdata, type = type.predict, interval = interval, level = level,
    formula = formula
  )
  added <- if (is.matrix(fit)) as.data.frame(fit) else data.frame(unname(fit))
  newdata[c(".fitted", ".lower", ".upper")[seq_along(added)]] <- added
  newdata
}

# nolint end

# Warnings about public rows for predictions -------------------------------------------------------

# Both the rows and the ranges are public, so messages can name values.

# Bounds of numeric predictors and levels of the others, which new rows must keep. `rng` has the
# bounds of predictors that are columns. Bounds that were found are in `bounds`.
kept_by_predictors <- function(model) {
  if (!is.null(model$kept)) {
    return(model$kept)
  }
  if (is.null(model$program)) {
    found <- model$bounds
    at <- if (!is.null(found$column)) match(names(model$rng), found$column)
    bounds <- if (is.null(at)) model$rng else Map(function(declared, row) {
      if (is.na(row)) declared else c(found$lower[[row]], found$upper[[row]])
    }, model$rng, at)
    return(list(bounds = bounds))
  }
  program <- model$program
  # Numbers can be levels, too.
  coded <- lengths(program$levels) > 0
  names <- program$columns$name
  bounds <- Map(c, program$columns$lower, program$columns$upper)
  list(
    bounds = stats::setNames(bounds, names)[!coded],
    levels = stats::setNames(program$levels, names)[coded]
  )
}

# `so` says what happens to values beyond the bounds.
warn_of_new_rows <- function(newdata, kept, so, call) {
  for (name in intersect(names(kept$bounds), names(newdata))) {
    bounds <- as.double(kept$bounds[[name]])
    values <- as.double(newdata[[name]])
    beyond <- which(values < bounds[[1]] | values > bounds[[2]])
    if (length(beyond) == 0) next
    warn_of_rows(paste0(
      "`newdata` has ", in_rows_of(beyond), " with `", name, "` outside of its range, ",
      show_value(bounds, 7, TRUE), ", such as ", show_number(values[[beyond[[1]]]], 7), ". ", so
    ), call)
  }
  for (name in names(kept$levels)) {
    values <- as.character(newdata[[name]])
    unknown <- which(!is.na(values) & !values %in% kept$levels[[name]])
    if (length(unknown) == 0) next
    warn_of_rows(paste0(
      "`newdata` has ", in_rows_of(unknown), " with a level of `", name,
      "` that the model does not know, such as \"", values[[unknown[[1]]]],
      "\". The predictions for them are `NA`."
    ), call)
  }
}

warn_of_rows <- function(sentence, call) warn_as_is(sentence, "new_rows", call)

in_rows_of <- function(rows) paste(length(rows), if (length(rows) == 1) "row" else "rows")

so_extrapolates <- paste(
  "The model knows nothing beyond the range, because its rows were clamped to it.",
  "The predictions for them extrapolate."
)
so_clamps <- "The predictions for them use the nearest bound."

# Bounds by the name of their column.
bounds_by_column <- function(columns, rng) {
  if (is.list(rng) && length(rng) >= length(columns)) {
    stats::setNames(rng[seq_along(columns)], columns)
  }
}
