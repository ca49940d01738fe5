#' Differentially private linear models
#'
#' Plans releases of a linear regression by least squares. One release gives the coefficients, and
#' standard errors and intervals that cover sampling and noise. Building the plan checks the
#' arguments, calibrates the noise and reads no data. Each call of `release()` spends `epsilon`.
#'
#' The number of rows `n` is public, and two datasets are neighbours if one row of one is replaced
#' in the other. Rows are used as in [dpCovariance()]: clamped, imputed, `n` of them.
#'
#' [dpCovariance()] with a `formula` gives the same estimates and errors. It can fit several
#' regressions over the same columns for the cost of one. If `n * epsilon` is below about 300, use
#' [dpGLM()] with `objective = "ols"` and `inference = "none"`: its point estimate is closer to the
#' truth, but biased and without errors. Above 300, `dpLM()` is closer.
#'
#' @inheritParams dpGLM
#' @inheritParams dpMean
#' @param formula (`formula` or `character(1)`) Response and terms, as `y ~ a + I(b^2) + g`. `- 1`
#'   removes the intercept. See [statistic_formulas] for the terms.
#' @param n (whole number) Public number of rows, at least 2 and at least the number of
#'   coefficients.
#' @param epsilon (`numeric(1)`) Privacy loss of one release, above 0. Losses of 3 or more
#'   give a warning.
#' @param mechanism (`character(1)`) `"mechanismLaplace"` or `"mechanismGaussian"`, in any letter
#'   case. `rho` or `delta` choose Gaussian noise automatically.
#' @param varType (`character(1)`) Type of all columns: `"numeric"`, `"integer"` or `"logical"`.
#' @param alpha (`numeric(1)`) Probability that an interval misses.
#' @param missing (`character(1)`) Rule for missing values. `"drop"` uses the rows that have all
#'   values of `formula`. `"impute"` draws values, see `imputeRng`. Use it only if very few values
#'   are missing, because draws flatten slopes. The default is `"drop"`, or `"impute"` if you give
#'   `imputeRng`.
#' @param vcov (`character(1)`) Covariance estimator. `"classical"` assumes one residual variance
#'   for all predictors. `"sandwich"` does not, and takes a fifth of `epsilon`. `NULL` means
#'   `"classical"`, or `"sandwich"` with `weights`.
#' @param weights (`character(1)` or `NULL`) Column with the weights of rows. Its bounds are the
#'   last in `rng`, see Weights. Needs `missing = "drop"`.
#' @param ... Not used: an argument with another name raises an error.
#' @returns An R6 object of class `dpLM`, with the methods of [dpMean()] and these fields:
#'   `mechanism`, `name`, `variable` (response and terms), `varType`, `n`, `epsilon`, `delta` (0),
#'   `rng` (bounds of `variable`, then of weights), `rngFormat`, `alpha`, `accuracy` (`NA`),
#'   `imputeRng`, `missing`, `formula`, `intercept`, `levels`, `contrasts`, `vcov`, `weights`,
#'   `input_metric`, `d_in`, `measurement` and `result`, a [dp_result] with
#'
#' * `release`: a data frame with the column `estimate` and a row for each coefficient, `intercept`
#'   first, in the units of the columns.
#' * `variable`, `accuracy`, `epsilon`.
#' * `summary`: a data frame with a row for each coefficient: `Estimate`, `Std. Error` and both ends
#'   of an interval. The interval is for the coefficient of the population that the rows were drawn
#'   from. Errors cover sampling and noise. [confint()][statistic_models] gives other levels.
#' * `variance`: the residual variance, at least 0.
#' * `status`: `"ok"`, or `"repaired"` if noise hid part of the moments, which were raised to the
#'   size of the noise. Then estimates may be nearer to 0, and intervals do not cover this.
#'   `print()` shows the status.
#' @section How it works: See [joint_moments].
#' @section Missing values: With `missing = "drop"` only complete rows enter the moments. Their
#'   count is released too, with discrete Laplace noise of scale 2 s. `result` also has `nPresent`
#'   (the noisy count) and `share_missing`. `status` is `"few"` if so few rows are left that the
#'   noise hides their number: then all numbers are `NA`.
#' @section Weights: See [sampling_weights].
#' @section Gaussian noise: See [dpCovariance()]. Errors of coefficients are then normal. There is
#'   no sandwich.
#' @section Found bounds: If [bounds()] finds a range, the result has estimates only: no `summary`,
#'   standard errors or intervals, and `vcov()` and `confint()` raise an error. Values beyond found
#'   bounds are clamped, but no public number says how far, and no proven method covers that.
#'   `vcov = "sandwich"` raises an error, because it would spend budget on errors.
#' @section Errors: See [statistic_errors].
#' @section Warnings: `dp_warning_large_epsilon`, `dp_warning_noise` (3 s is as large as any moment
#'   can be), `dp_warning_range`, `dp_warning_impute_range`.
#' @references Dwork, McSherry, Nissim and Smith (2006), *Calibrating Noise to Sensitivity in
#'   Private Data Analysis*. Wang (2018), *Revisiting Differentially Private Linear Regression*.
#'   White (1980), *A Heteroskedasticity-Consistent Covariance Matrix Estimator*. Binder (1983), *On
#'   the Variances of Asymptotically Normal Estimators from Complex Surveys*, for weights.
#' @seealso [statistic_models] for methods of models, [dpGLM()] for other models.
#' @examples
#' income <- dpLM(income ~ age + educ,
#'   n = 10000, rng = list(income = c(0, 200000), age = c(18, 93), educ = c(1, 16)), epsilon = 1
#' )
#' result <- income$release(PUMS5extract10000)
#' result
#' confint(result, level = 0.9)
#' predict(result, data.frame(age = c(30, 60), educ = 12), interval = "confidence")
#' @export
dpLM <- new_statistic("dpLM", "Coefficients of a linear model", "a linear regression",
  arguments = function(formula, n, rng = NULL, epsilon = NULL, mechanism = "mechanismLaplace",
                       varType = "numeric", imputeRng = NULL, alpha = 0.05, n_check = "error",
                       missing = c("drop", "impute"), levels = NULL, contrasts = NULL, vcov = NULL,
                       rho = NULL, delta = NULL, weights = NULL) {
  },
  required = c("formula", "n", "rng", "epsilon"),
  or = list(epsilon = "rho"),
  takes = list(
    mechanism = one_of(additive_mechanisms), formula = model_formula(), n = count_from(2),
    rng = bounds_of_formula(), epsilon = loss_or_rho(),
    imputeRng = imputed_bounds_of("formula", columns_of_formula),
    levels = declared_levels(), contrasts = one_of(contrast_names, null = TRUE),
    vcov = covariance_kind(), weights = row_weights("formula", columns_of_formula)
  ),
  plan = function(...) plan_lm(...),
  fields = c(lm_fields, gaussian_fields),
  numbers = c("n", "range", "formula"), others = c("n", "formula")
)

plan_lm <- function(args, call) {
  args <- with_mechanism(args, call)
  args <- with_model_columns(with_weights(args, call), call)
  coefficients <- length(args$variable) - 1 + args$intercept
  if (args$n < coefficients) {
    stop_argument("at least the number of coefficients", "smaller", "n", call)
  }
  limit <- joint_limit(args, args$epsilon, call)
  args$vcov <- args$vcov %||% usual_vcov(args)
  if (args$vcov == "sandwich" && is_gaussian(args)) {
    stop_argument('"classical", for Gaussian noise', name_public(args$vcov), "vcov", call)
  }
  name <- paste("linear model of", args$formula)
  plan_joint(args, args$variable, name, c(lm_fields, gaussian_fields), lm_result, call,
    class = c("dp_lm_result", "dp_glm_result"),
    model = list(formula = args$formula, program = args$predictors,
      rng = bounds_by_column(args$variable, args$rng)
    ),
    columns = source_columns(args, c(args$variable, args$weights)), epsilon = moments_epsilon(args),
    limit = limit, measurement = lm_measurement(args, limit), covers = covers_of_model(args)
  )
}

# Targets of intervals. A sandwich assumes only that the rows have moments.
covers_of_model <- function(args) {
  c(summary = if (args$vcov == "sandwich") target_of$moved else target_of$classical)
}

# Share of the loss for a sandwich.
sandwich_share <- 0.2

moments_epsilon <- function(args) {
  if (args$vcov == "sandwich") (1 - sandwich_share) * args$epsilon else args$epsilon
}

# Adds a step for a sandwich, so plans without it keep their hashes.
lm_measurement <- function(args, limit) {
  if (args$vcov != "sandwich") {
    return(joint_measurement(args$variable, args, limit))
  }
  drops <- drops_missing(args)
  columns <- column_specs(
    c(args$variable, weights_column(args)), args$rng, if (drops) args$rng else args$imputeRng,
    args$varType
  )
  build("moments_then_residuals", columns, args$intercept, drops, args$epsilon, sandwich_share,
    args$n, weighted_rows(args)
  )
}

# Sandwich from a release that has, after the moments, the cap of squared residuals and the weighted
# squares of predictors. As in least squares, it corrects residuals for the fit.
with_sandwich <- function(line, squares, fields) {
  size <- length(line$estimate)
  scale <- size^2 / (2 * sandwich_share * fields$epsilon)
  meat <- squares[[1]] * sandwich_meat(squares[-1], size, scale)
  line$sampling <- (1 + size / line$df) * line$inverse %*% meat %*% t(line$inverse)
  line
}

lm_result <- function(release, fields) {
  columns <- length(fields$variable)
  moments <- seq_len(columns * (columns + 3) / 2 + drops_missing(fields))
  found <- joint_found(release[moments], fields, moments_epsilon(fields))
  formula <- list(
    response = fields$variable[[1]], terms = fields$variable[-1], intercept = fields$intercept
  )
  line <- if (found$enough) joint_line(found, formula, fields$variable) else unknown_line(formula)
  if (found$enough && fields$vcov == "sandwich") {
    line <- with_sandwich(line, release[-moments], fields)
  }
  ends <- coefficient_intervals(line$estimate, line, 1 - fields$alpha)
  summary <- interval_table(line$estimate, standard_errors(line), ends, fields$alpha)
  c(
    list(
      release = data.frame(estimate = line$estimate), variable = fields$variable,
      accuracy = fields$accuracy, epsilon = fields$epsilon,
      summary = structure(summary, errors = errors_of_line(line)),
      variance = line$variance
    ),
    counted_rows(found$count, fields),
    list(status = if (found$enough) line$status else "few")
  )
}

# Result for too few rows: all numbers are missing.
unknown_line <- function(formula) {
  names <- coefficient_names(formula)
  nothing <- matrix(NA_real_, length(names), length(names))
  c(
    list(estimate = stats::setNames(nothing[, 1], names), variance = NA_real_),
    normal_errors(nothing, Inf)
  )
}
