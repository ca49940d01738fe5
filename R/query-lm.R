#' Linear models, covariances, correlations and components of private tables
#'
#' `dp_lm()`, `dp_cov()`, `dp_cor()` and `dp_pca()` are queries, like `summarise()`. They use the
#' unit, the caps and the groups of a [dp_tbl()], and [release()] charges its session or ledger. The
#' release contains the moments of the columns with noise. Coefficients, standard errors and
#' intervals follow from them, and cost nothing extra.
#'
#' With groups, there is one model for each group. A formula has columns by name and their
#' interactions, as `a:b` and `a * b`. Compute other terms before, with `mutate(age2 = age * age)`.
#' Numbers need declared bounds. Columns of [dp_levels()] are factors with treatment contrasts: each
#' level but the first has a coefficient. A logical column is `TRUE` or not.
#'
#' @param .data (`dp_tbl`) A private table.
#' @param formula (`formula`) Response and terms, as `days ~ age + ward`. `- 1` removes the
#'   intercept, if there are no factors. Public.
#' @param ... Two or more numeric or logical columns, as in `select()`. For `dp_cov()`, one is
#'   enough. `dp_lm()` takes no more arguments. Public.
#' @param weights Column with the weights of rows, such as survey weights. Its declared bounds must
#'   be at least 0, and clamp it. Coefficients are then for the population that the weights stand
#'   for. Compute other weights before, with `mutate()`.
#' @param vcov (`character(1)`) Errors of coefficients. `"classical"` covers noise and sampling, if
#'   residuals have one variance and rows are independent. `"noise"` covers only noise: then
#'   intervals are for the coefficients of the rows in the table. `NULL` is `"classical"`, or
#'   `"noise"` with `weights`, or if the unit is an id with several rows. Public.
#' @param law (`character(1)`) Law of the columns for intervals of correlations and components:
#'   `"any"` or `"normal"`. See [dpCorrelation()]. Public.
#' @param k (whole number) Number of principal components, all by default. Public.
#' @param scale (`character(1)`) `"none"` for components of the columns, `"public"` for components
#'   of the columns divided by the half-widths of their bounds. Public.
#' @returns A query for [release()], [dp_preview()], [dp_batch()] and [dp_keys()]. Its release is a
#'   [dp_result]. For a linear model, `coef()`, `vcov()`, `confint()`, `predict()`, `sigma()`,
#'   `nobs()`, `df.residual()` and `generics::augment(newdata = )` work as in [statistic_models].
#'   The intercept is called `(Intercept)`. [tidy()][statistic_tables] has a row for each
#'   coefficient or pair of columns, `glance()` a row for each group. With groups, the release is a
#'   list with one result for each group, such as `released[["A"]]`.
#' @section How it works: Let u be a column in half-widths of its bounds about their middle, so that
#'   |u| is at most 1. A level is 0 or 1. The release has the number of rows, the sums of u and the
#'   sums of products u v. With q numeric columns (the response included) and F factors of any
#'   number of levels, one row moves all of them together by at most `((q + F + 1)^2 - F) / 2`. This
#'   gives squares and the number of rows half the weight. The loss `epsilon` is then spent on
#'   discrete Laplace noise of scale `s = M ((q + F + 1)^2 - F) / (2 epsilon)` in each moment, and
#'   `2 s` in squares and the number of rows. `M` is the most rows of one unit. A factor costs as
#'   much as one column, because a row has one level. [dp_preview()] shows the scale of each moment.
#'
#'   The estimate solves the normal equations of the noisy moments. Eigenvalues below three noise
#'   scales are raised to that, and the status is then `"repaired"`. The error of a coefficient is
#'   the noise of all moments, to first order, with the noise in the number of rows, and a normal
#'   sampling error. See [joint_moments], whose estimators these are.
#'
#' @section Rows and people: Rows that lack a value of a variable are left out, and the footer says
#'   so. With `dp_unit(id = )`, a person can have several rows, and those are not independent. A
#'   classical standard error is then too small, so `vcov = "classical"` raises an error. Use
#'   `dp_truncate(max_rows = 1)` or [dp_per_unit()] for one row each. A cap also changes the
#'   population: the model describes rows as the cap keeps them.
#' @section Weights: With `weights = w`, each product in a moment is multiplied by `w`, and sums of
#'   `w` replace numbers of rows. Let w1 be the upper bound of `w`. One row of weight w1 moves each
#'   moment by w1 times as much as before, so each noise scale is multiplied by w1. The estimate
#'   uses moments divided by w1, as [dpLM()] does: see [sampling_weights]. The noise then compares
#'   with the sum of `w / w1` instead of the number of rows, so choose an upper bound that few
#'   weights exceed. A row without a weight is left out. Weighted rows can follow a different model
#'   than the population, so the default `vcov` is `"noise"`. `"classical"` assumes one residual
#'   variance for all predictors and weights, and its errors are then too wide. `glance()` has
#'   `sum.weights`, the noisy sum of the weights, and no number of rows.
#' @section Errors: `dp_error_invalid_argument` for a formula with other terms, for a factor without
#'   intercept or without its main effects, and for `vcov = "classical"` of rows that are not
#'   independent. `dp_error_domain` for undeclared columns, columns without bounds, texts and dates,
#'   and for weights that can be negative.
#' @references Dwork, McSherry, Nissim and Smith (2006), *Calibrating Noise to Sensitivity in
#'   Private Data Analysis*. Wang (2018), *Revisiting Differentially Private Linear Regression*.
#' @seealso [dpLM()], [dpCovariance()] and [dpCorrelation()] for data frames with a public number of
#'   rows.
#' @examplesIf requireNamespace("dplyr", quietly = TRUE)
#' library(dplyr, warn.conflicts = FALSE)
#' people <- dp_tbl(dp_session(dp_epsilon(3)), PUMS5extract10000,
#'   unit = dp_unit(rows = 1),
#'   domain = dp_domain(
#'     income = dp_num(0, 200000), age = dp_int(18, 93), educ = dp_int(1, 16),
#'     sex = dp_levels(0, 1)
#'   )
#' )
#' model <- people |>
#'   dp_lm(income ~ age + educ + sex) |>
#'   release(epsilon = 1)
#' model
#' confint(model, level = 0.9)
#' predict(model, data.frame(age = 40, educ = 12, sex = 0:1))
#' people |>
#'   group_by(sex) |>
#'   dp_cor(income, age, educ) |>
#'   release(epsilon = 1)
#' @export
dp_lm <- function(.data, formula, ..., weights = NULL, vcov = NULL) {
  check_names(...)
  call <- environment()
  check_table_of_model(.data, call)
  model <- model_of_table(formula, .data, call)
  if (!is.null(vcov)) check_choice(vcov, c("classical", "noise"), arg = "vcov", call = call)
  weights <- weights_of_model(rlang::enexpr(weights), .data, call)
  about <- list(kind = "lm", text = model$text, intercept = model$intercept, weights = weights)
  query <- model_query(.data, c(list(model$response), model$terms), about, call)
  query$model$vcov <- checked_vcov(vcov, query, call)
  query
}

# The name of the column of weights, or NULL.
weights_of_model <- function(expr, x, call) {
  if (is.null(expr)) {
    return(NULL)
  }
  if (!is.symbol(expr)) {
    stop_argument("a column by name: compute it before, with `mutate()`", deparse1(expr),
      "weights", call
    )
  }
  variable <- table_variable(expr, x, call)
  field <- fields_of(x)[[variable$name]]
  if (variable$kind != "number" || field$lower < 0 || field$upper <= 0) {
    stop_query("domain",
      paste0("The weights, `", variable$name, "`, must be numbers with bounds from 0 on."),
      "Declare them, as in `dp_num(0, 5000)`.", call
    )
  }
  variable$name
}

check_table_of_model <- function(x, call) {
  if (!inherits(x, "dp_tbl")) stop_argument("a dp_tbl", describe(x), ".data", call)
}

# Rows of one person are not independent.
checked_vcov <- function(vcov, query, call) {
  independent <- has_independent_rows(query)
  if (identical(vcov, "classical") && !independent) {
    stop_argument(
      paste("\"noise\", because a person can have several rows, and those are not independent;",
        "for one row each, write `dp_truncate(max_rows = 1)` or `dp_per_unit()`"
      ), "\"classical\"", "vcov", call
    )
  }
  vcov %||% if (independent && is.null(query$model$weights)) "classical" else "noise"
}

has_independent_rows <- function(query) {
  unit <- unit_of(query)
  bound <- query$facts$bound
  if (unit$kind != "id") {
    return(TRUE)
  }
  people <- unit$count * if (replaces(unit)) 2 else 1
  !is.null(bound) && unlist(bound)[[2]] <= people
}

#' @rdname dp_lm
#' @export
dp_cov <- function(.data, ...) {
  check_names(..., unnamed = TRUE)
  call <- environment()
  check_table_of_model(.data, call)
  columns <- columns_of_matrix(.data, rlang::expr(c(...)), 1, call)
  model_query(.data, columns, list(kind = "cov"), call)
}

#' @rdname dp_lm
#' @export
dp_cor <- function(.data, ..., law = "any") {
  check_names(..., unnamed = TRUE)
  call <- environment()
  check_table_of_model(.data, call)
  check_choice(law, column_laws)
  columns <- columns_of_matrix(.data, rlang::expr(c(...)), 2, call)
  query <- model_query(.data, columns, list(kind = "cor", law = law), call)
  check_independent_rows(query, "correlations", call)
  query
}

#' @rdname dp_lm
#' @export
dp_pca <- function(.data, ..., k = NULL, scale = "none", law = "any") {
  check_names(..., unnamed = TRUE)
  call <- environment()
  check_table_of_model(.data, call)
  check_choice(law, column_laws)
  check_choice(scale, c("none", "public"))
  columns <- columns_of_matrix(.data, rlang::expr(c(...)), 2, call)
  if (!is.null(k)) k <- check_positive_whole(k)
  if (!is.null(k) && k > length(columns)) {
    stop_argument("at most the number of columns", name_public(k), "k", call)
  }
  model <- list(kind = "pca", law = law, k = k %||% length(columns), scale = scale)
  query <- model_query(.data, columns, model, call)
  check_independent_rows(query, "components", call)
  query
}

check_independent_rows <- function(query, of, call) {
  if (!has_independent_rows(query)) {
    stop_query("unsupported",
      paste("Intervals of", of, "need independent rows, but a person can have several rows."),
      "Write `dp_truncate(max_rows = 1)` or `dp_per_unit()` first, or use `dp_cov()`.", call
    )
  }
}

columns_of_matrix <- function(x, expr, least, call) {
  names <- names(x)[chosen_columns(expr, x, call, env = call)]
  if (length(names) < least) {
    stop_argument(paste("at least", if (least == 1) "one column" else "two columns"),
      length(names), "...", call
    )
  }
  lapply(names, function(name) {
    variable <- table_variable(as.name(name), x, call)
    if (variable$kind == "factor") {
      stop_query("domain", paste0("`", name, "` has levels, which are not numbers."),
        "Declare it with `dp_int()`, or compare it in `mutate()`.", call
      )
    }
    model_column(name, name)
  })
}
