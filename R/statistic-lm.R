#' Differentially private linear models
#'
#' A plan for releases of a linear regression by least squares, with standard errors and intervals
#' that count noise and sampling, from one release. Building it checks the arguments, chooses the
#' noise and reads no data; `release()` spends `epsilon`, each time that it is called.
#'
#' The number of rows `n` is public, and two datasets are neighbours if one row of one is replaced
#' in the other. Rows are used as in [dpCovariance()]: clamped, imputed, `n` of them.
#'
#' [dpCovariance()] with a `formula` has the same estimates and errors, of several regressions over
#' the same columns, for the price of one. If `n * epsilon` is below about 300, a point estimate of
#' [dpGLM()] with `objective = "ols"` and `inference = "none"` is closer to the truth, with a bias
#' and without errors. Above that `dpLM()` is closer.
#'
#' `dpLM(...)` and `dpLM$new(...)` are the same.
#'
#' @inheritParams dpGLM
#' @inheritParams dpMean
#' @param formula (`formula` or `character(1)`) A response and terms, as `y ~ a + I(b^2) + g`; with
#'   `- 1` no intercept. See [statistic_formulas] for what it may say.
#' @param n (whole number) Number of rows, 2 or more, and at least that of coefficients; public.
#' @param epsilon (`numeric(1)`) Privacy loss of one release, above 0; 3 and more gives a warning.
#' @param mechanism (`character(1)`) `"mechanismLaplace"`, or `"mechanismGaussian"`, which `rho` or
#'   `delta` choose by themselves; in any letter case.
#' @param varType (`character(1)`) `"numeric"`, `"integer"` or `"logical"`, of all columns.
#' @param alpha (`numeric(1)`) How often intervals miss.
#' @param missing (`character(1)`) Rule for missing values. `"drop"`: the model of the rows that
#'   lack no value of `formula`. `"impute"`: see `imputeRng`; only right if next to nothing is
#'   missing, because draws flatten slopes. Left out, it is `"drop"`, or `"impute"` if you give
#'   `imputeRng`.
#' @param vcov (`character(1)`) `"classical"`, which `NULL` stands for: errors take residuals to
#'   have one variance, whatever the predictors. `"sandwich"`, which it stands for with `weights`:
#'   they do not, and take a fifth of `epsilon`.
#' @param weights (`character(1)`) A column with the weights of rows, whose bounds are the last in
#'   `rng`, see Weights; for `missing = "drop"`. Or `NULL`.
#' @param ... Nothing: an argument with another name raises an error.
#' @returns An R6 object of class `dpLM`, with the methods of [dpMean()] and these fields:
#'   `mechanism`, `name`, `variable` (response and terms), `varType`, `n`, `epsilon`, `delta` (0),
#'   `rng` (of these, and last of weights), `rngFormat`, `alpha`, `accuracy` (`NA`), `imputeRng`,
#'   `missing`, `formula`, `intercept`, `levels`, `contrasts`, `vcov`, `weights`, `input_metric`,
#'   `d_in`, `measurement` and `result`, a [dp_result] with
#'
#' * `release`: a data frame with the column `estimate` and a row for each coefficient, `intercept`
#'   first, in the units of the columns.
#' * `variable`, `accuracy`, `epsilon`.
#' * `summary`: a data frame with a row for each coefficient: `Estimate`; `Std. Error`, of sampling
#'   and noise together; and both ends of an interval for the coefficient of what the rows were
#'   drawn from. Other levels: [confint()][statistic_models].
#' * `variance`: of residuals, at least 0.
#' * `status`: `"ok"`, or `"repaired"`: noise hid a part of the moments, so it was raised to the
#'   size of the noise. Estimates may then be nearer to 0, which intervals do not count. `print()`
#'   says so.
#' @section How it works: The sums, and sums of products, of all columns are released together, as
#'   in [dpCovariance()], with one loss. With P columns, h half of the width of a range, u = (x -
#'   middle) / h and `s = (P + 1)^2 / (2 epsilon)`, a sum of u and a sum of products have discrete
#'   Laplace noise of scale s, a sum of squares of 2 s. Coefficients solve the normal equations of
#'   these moments, without a ridge. An eigenvalue of the moments of the predictors below 3 s says
#'   nothing that noise could not have said, and is raised to 3 s: `status` is `"repaired"` then.
#'   Noise decides how predictors that are nearly multiples of each other, such as `a` and
#'   `I(2 * a)`, share their effect. Their standard errors are large, and `lm()` would have `NA` for
#'   one of them. Other coefficients are drawn towards 0, and intervals know nothing of that.
#'
#'   Errors follow from the noise, whose law is public, and from sampling. To the first order
#'   coefficients are off by `A^-1 (E a + sqrt(v A) N)`: A the moments of the predictors, E the
#'   noise of all moments, a the residual as a combination of columns, N normal, and v the variance
#'   of residuals, with 0.7 standard deviations of its own noise on top. It takes residuals to be of
#'   one variance, whatever the predictors.
#'
#'   With `vcov = "sandwich"` the moments have noise for `0.8 epsilon`, and a second stage of the
#'   release reads the rows again. With z the d scaled predictors, r a row's residual at the
#'   coefficients of the first stage and C = 64 v, it releases the sums of min(r^2 / C, 1) z_i z_j
#'   with noise of scale `d^2 / (0.4 epsilon)`, and twice that for squares. Weights between 0 and 1
#'   that hang on what was released before cost no more: the second stage loses `0.2 epsilon`
#'   whatever the first released, and both together `epsilon`. C times these sums, with one
#'   standard deviation of their noise in each direction on top, replaces v A.
#' @section Missing values: With `missing = "drop"` the moments are those of the rows without a gap,
#'   and their count is released with them, with discrete Laplace noise of scale 2 s. `result` has
#'   besides `nPresent`, the noisy count, and `share_missing`; and `status` is `"few"` if so few
#'   rows are left that the noise hides how many: then all numbers are `NA`.
#' @section Weights: They are sampling weights: how many people of a population each row stands for,
#'   in any unit, so that estimates are those of the population. `rng` has their bounds, none of
#'   them below 0, by the name of the column, or last. Weights are moved into these, and a row
#'   counts by the share that its weight has of the upper one, to 2^-20: it is in no sum more than
#'   once, so that weights cost nothing, and noise stays as it is without them. But what the noise
#'   is to be compared with is the sum of the shares in place of the number of rows: choose an upper
#'   bound that few weights exceed. A row that lacks its weight is a gap.
#'
#'   Rows are taken to be drawn independently; errors know nothing of strata and clusters. Those of
#'   the sandwich sum squares of share times residual, as errors of surveys do, and hold whatever
#'   weights and residuals have to do with each other. C is that of rows of the largest weight, of
#'   which no more is cut off than of rows without weights; so the noise of the sums is that of such
#'   rows, and intervals are a little wide where few weights are large. `"classical"` takes
#'   residuals to have one variance, whatever the predictors and the weights; then its errors are
#'   too wide, as squares of shares are below shares. Of weights that count equal rows both are too
#'   wide. Degrees of freedom are those of the sum of the shares, which is no more than the
#'   effective number of rows.
#'
#'   `result` has `sumWeights`, the noisy sum of the weights, in place of `nPresent` and
#'   `share_missing`.
#' @section Gaussian noise: As of [dpCovariance()]. Errors of coefficients have a normal law then.
#'   There is no sandwich.
#' @section Found bounds: If [bounds()] finds a range, the result has estimates only: no `summary`,
#'   standard errors or intervals, and `vcov()` and `confint()` raise an error. Values beyond found
#'   bounds are moved, and no public number says how far. No method with a proof counts that.
#'   `vcov = "sandwich"` raises an error, because it would spend budget on errors.
#' @inheritSection dpMean Errors
#' @section Warnings: `dp_warning_large_epsilon`, `dp_warning_noise` (3 s is as large as any moment
#'   can be), `dp_warning_range`, `dp_warning_impute_range`.
#' @references Dwork, McSherry, Nissim and Smith (2006), *Calibrating Noise to Sensitivity in
#'   Private Data Analysis*; Wang (2018), *Revisiting Differentially Private Linear Regression*;
#'   White (1980), *A Heteroskedasticity-Consistent Covariance Matrix Estimator*; Binder (1983), *On
#'   the Variances of Asymptotically Normal Estimators from Complex Surveys*, for weights.
#' @seealso [statistic_models] for what R asks of models, [dpGLM()] for other models.
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
                       varType = "numeric", imputeRng = NULL, alpha = 0.05, n_check = "refuse",
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
    model = list(formula = args$formula, program = args$predictors),
    columns = source_columns(args, c(args$variable, args$weights)), epsilon = moments_epsilon(args),
    limit = limit, measurement = lm_measurement(args, limit), covers = covers_of_model(args)
  )
}

# What a sandwich asks for no more than moments of the rows.
covers_of_model <- function(args) {
  c(summary = if (args$vcov == "sandwich") target_of$moved else target_of$classical)
}

# What of the loss a sandwich takes.
sandwich_share <- 0.2

moments_epsilon <- function(args) {
  if (args$vcov == "sandwich") (1 - sandwich_share) * args$epsilon else args$epsilon
}

# A sandwich is another step, so that plans without one keep their hashes.
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

# Of a release that has, behind the moments, the cap of squared residuals and weighted squares of
# predictors. As in least squares, each residual has lost a little to the fit.
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

# Of so few rows that there is nothing to say.
unknown_line <- function(formula) {
  names <- coefficient_names(formula)
  nothing <- matrix(NA_real_, length(names), length(names))
  c(
    list(estimate = stats::setNames(nothing[, 1], names), variance = NA_real_),
    normal_errors(nothing, Inf)
  )
}
