# Engines of the package parsnip, by postprocessing of statistics. Every fit is one release.

#' Private models in parsnip
#'
#' Load parsnip, and its models `linear_reg()`, `logistic_reg()` and `naive_Bayes()` have the engine
#' `"psilence"`. It fits them with [dpLM()], [dpGLM()] and [dpNaiveBayes()]. Each `fit()` is one
#' release: it spends `epsilon`, from the ledger of [with_ledger()] if you use one.
#'
#' Give the public facts and the privacy loss to `parsnip::set_engine()`. parsnip adds the formula
#' and the data when you call `fit()`. Do not tune a private model on private data: each fit of a
#' resample spends the budget again. `fit_xy()` is not available, because terms need a formula.
#'
#' @section Engine arguments:
#' * `n` (whole number): number of rows, public.
#' * `epsilon` (`numeric(1)`): privacy loss of the fit, for one replaced row.
#' * `rng` (`list`): public bounds of each numeric column, as in [dpLM()].
#' * `levels` (`list`): public levels of each text or factor column, by name. `logistic_reg()` and
#'   `naive_Bayes()` also need the outcome levels. `logistic_reg()` has two, and the second is the
#'   event, as in the engine `"glm"`. The levels of a factor in the data are not read.
#' * other arguments of the statistic, such as `missing`, `alpha` or `inference`.
#'
#' @section Predictions: `predict()` reads only the release and `new_data`, which is public. All
#'   models have the type `"raw"`. `linear_reg()` also has `"numeric"` and `"conf_int"`,
#'   `naive_Bayes()` has `"class"` and `"prob"`, and `logistic_reg()` has `"class"`, `"prob"` and
#'   `"conf_int"`, with intervals of the probability. Intervals come from
#'   [predict()][statistic_models]. Their level is the `1 - alpha` of the fit. `tidy()`, `glance()`
#'   and `extract_fit_engine()` give the release.
#'
#' @param formula (`formula`) Outcome and terms. See [statistic_formulas].
#' @param data (`data.frame`) Private rows.
#' @param model (`character(1)`) `"linear_reg"`, `"logistic_reg"` or `"naive_Bayes"`.
#' @param ... Arguments of the statistic, from `parsnip::set_engine()`.
#' @returns `fit_private_model()`, which parsnip calls for `fit()`: a [dp_result].
#' @section Errors: `dp_error_invalid_argument`, before any data are read, for an argument that the
#'   statistic does not accept, and for an outcome without declared levels. In `logistic_reg()`,
#'   also for an outcome without exactly two levels.
#' @examplesIf requireNamespace("parsnip", quietly = TRUE)
#' income <- parsnip::linear_reg() |>
#'   parsnip::set_engine("psilence",
#'     n = 10000, rng = list(income = c(0, 200000), age = c(18, 93)), epsilon = 1
#'   ) |>
#'   parsnip::fit(income ~ age, data = PUMS5extract10000)
#' income
#' predict(income, data.frame(age = c(30, 60)))
#' @seealso [statistic_models] for the same models without parsnip.
#' @name parsnip_engines
NULL

#' @rdname parsnip_engines
#' @export
fit_private_model <- function(..., formula, data, model) {
  call <- environment()
  check_name(model, names(parsnip_models), "model", call)
  plan <- parsnip_models[[model]](..., .formula = formula, .call = call)
  plan$release(data)
}

# The plan of each model, from its formula and the arguments of the engine.
parsnip_models <- list(
  linear_reg = function(..., .formula, .call) dpLM(.formula, ...),
  logistic_reg = function(..., levels = NULL, .formula, .call) {
    outcome <- outcome_levels(.formula, levels, .call)
    if (length(outcome) != 2) {
      stop_argument("two for the outcome", as.character(length(outcome)), "levels", .call)
    }
    .formula[[2]] <- call("==", .formula[[2]], outcome[[2]])
    dpGLM(formula = .formula, ..., levels = levels, objective = "logit")
  },
  naive_Bayes = function(..., levels = NULL, .formula, .call) {
    dpNaiveBayes(.formula, ..., levels = outcome_levels(.formula, levels, .call))
  }
)

outcome_levels <- function(formula, levels, call) {
  is_name <- inherits(formula, "formula") && length(formula) == 3 && is.name(formula[[2]])
  if (!is_name) stop_argument("an outcome by its name, as in `y ~ a`", "another", "formula", call)
  outcome <- as.character(formula[[2]])
  (if (is.list(levels)) levels[[outcome]]) %||%
    stop_argument(
      sprintf("a list with the levels of the outcome, as list(%s = c(\"no\", \"yes\"))", outcome),
      "one without", "levels", call
    )
}

# Functions that turn what predict() gives into the tables of parsnip. `object` is parsnip's.
predicted_ends <- function(result, object) {
  data.frame(.pred_lower = result[, "lwr"], .pred_upper = result[, "upr"], row.names = NULL)
}

event_classes <- function(result, object) {
  labels <- parsnip_levels(object)
  factor(labels[1 + (result > 0.5)], levels = labels)
}

event_probabilities <- function(result, object) {
  shares <- data.frame(unname(1 - result), unname(result))
  stats::setNames(shares, paste0(".pred_", parsnip_levels(object)))
}

event_ends <- function(result, object) {
  labels <- parsnip_levels(object)
  stats::setNames(
    data.frame(
      1 - result[, "upr"], 1 - result[, "lwr"], result[, "lwr"], result[, "upr"], row.names = NULL
    ),
    paste0(c(".pred_lower_", ".pred_upper_"), rep(labels, each = 2))
  )
}

class_table <- function(result, object) {
  shares <- as.data.frame(result, row.names = NULL, optional = TRUE)
  rownames(shares) <- NULL
  stats::setNames(shares, paste0(".pred_", colnames(result)))
}

# Returns the declared levels of the outcome from the engine's arguments, because parsnip's levels
# come from the data.
parsnip_levels <- function(object) {
  levels <- rlang::eval_tidy(object$spec$eng_args$levels)
  levels[[object$preproc$y_var]]
}

# Registers the engines in parsnip each time that its namespace is loaded.
register_parsnip_engines <- function(parsnip = asNamespace("parsnip")) {
  add <- function(model, mode, predictions) {
    parsnip$set_model_engine(model, mode, "psilence")
    parsnip$set_dependency(model, "psilence", "PSIlence", mode = mode)
    parsnip$set_encoding(model, eng = "psilence", mode = mode, options = list(
      predictor_indicators = "none", compute_intercept = FALSE, remove_intercept = FALSE,
      allow_sparse_x = FALSE
    ))
    parsnip$set_fit(model, eng = "psilence", mode = mode, value = list(
      interface = "formula", protect = c("formula", "data"),
      func = c(pkg = "PSIlence", fun = "fit_private_model"), defaults = list(model = model)
    ))
    for (type in names(predictions)) {
      parsnip$set_pred(model, eng = "psilence", mode = mode, type = type,
        value = predictions[[type]]
      )
    }
  }
  predicted <- function(..., post = NULL) {
    list(
      pre = NULL, post = post, func = c(pkg = "stats", fun = "predict"),
      args = list(object = quote(object$fit), newdata = quote(new_data), ...)
    )
  }
  add("linear_reg", "regression", list(
    numeric = predicted(),
    conf_int = predicted(interval = "confidence", post = predicted_ends),
    raw = predicted()
  ))
  add("logistic_reg", "classification", list(
    class = predicted(type = "response", post = event_classes),
    prob = predicted(type = "response", post = event_probabilities),
    conf_int = predicted(type = "response", interval = "confidence", post = event_ends),
    raw = predicted()
  ))
  add("naive_Bayes", "classification", list(
    class = predicted(type = "class"),
    prob = predicted(type = "probabilities", post = class_table),
    raw = predicted(type = "probabilities")
  ))
}

# parsnip can be loaded before or after this package.
attend_parsnip <- function() {
  if (isNamespaceLoaded("parsnip")) {
    register_parsnip_engines()
  }
  setHook(packageEvent("parsnip", "onLoad"), function(...) register_parsnip_engines())
}

rlang::on_load(attend_parsnip())
