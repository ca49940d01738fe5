glm_objectives <- c("logit", "probit", "poisson", "ols")

#' Differentially private generalized linear models
#'
#' Plans releases of the coefficients of a regression (logistic, probit, Poisson or least squares),
#' with standard errors and intervals. Building the plan checks the arguments, calibrates the noise
#' and reads no data. Each call of `release()` spends `epsilon` on all coefficients together.
#'
#' The number of rows `n` is public, and two datasets are neighbours if one row of one is replaced
#' in the other. Rows are used as in [dpCovariance()]: clamped, imputed, `n` of them.
#'
#' How far the noise moves a coefficient depends on the data, without a closed form. So `accuracy`
#' is `NA`, and you cannot ask for one. `inference` chooses the method for standard errors:
#'
#' * `"onestep"`, the default without `nBoot`: a second stage of the release uses all rows and takes
#'   a fifth of `epsilon`. Errors cover sampling and noise, and the ridge does not bias estimates.
#' * `"none"`: no errors. All of `epsilon` goes to the coefficients, whose noise is a fifth less.
#'   Use this for point estimates, such as for prediction.
#' * `"parts"`, with `nBoot`: rows are dealt at random into that many disjoint parts. Each part has
#'   a separate release. A row is in only one part, so all parts together cost `epsilon`. Their
#'   spread covers sampling and noise. But noise weighs more in small parts: about `sqrt(nBoot)`
#'   times as much in their mean. The ridge that privacy needs also shrinks the coefficients of
#'   small parts more, and the spread does not show this bias.
#'
#' @inheritParams dpVariance
#' @param mechanism (`character(1)`) `"mechanismObjective"`, in any letter case.
#' @param varType (`character(1)`) `"numeric"`.
#' @param rng (`list`) Public bounds of each numeric column in the formula, not from the data:
#'   pairs, or a matrix with a row for each. Name them after the columns, or use the order of the
#'   formula, the response first and `weights` last. You can also name bounds of terms, see
#'   [statistic_formulas]. If you do not know a pair, give [bounds()] instead.
#' @param formula (`formula` or `character(1)`) Response and terms, as `y ~ a + I(b^2) + g`. `- 1`
#'   removes the intercept. See [statistic_formulas] for the terms.
#' @param objective (`character(1)`) Model: `"logit"`, `"probit"`, `"poisson"` (the response is a
#'   count) or `"ols"`. For `"logit"` and `"probit"` the bounds of the response become 0 and 1.
#' @param epsilon (`numeric(1)`) Privacy loss of one release, above 0. Losses of 3 or more
#'   give a warning.
#' @param accuracy Kept for positional calls: leave it out.
#' @param imputeRng (`list`) With `missing = "impute"`: for each numeric column, the range that
#'   missing values are drawn from. `NULL`, for all columns or for one, means `rng`.
#' @param nBoot (whole number or `NULL`) Number of parts for `inference = "parts"`, 2 or more.
#' @param intercept (`logical(1)`) Whether the model has an intercept. `- 1` in the formula also
#'   removes it.
#' @param alpha (`numeric(1)`) Probability that an interval misses.
#' @param lambda (`numeric(1)`) Wanted ridge for each row, at least 0. `NULL` uses the least ridge
#'   that privacy needs.
#' @param missing (`character(1)`) Rule for missing values. `"drop"` uses the rows that have all
#'   values of `formula`, at no further loss. `"impute"` draws values, see `imputeRng`. Use it only
#'   if very few values are missing, because draws flatten slopes. The default is `"drop"`, or
#'   `"impute"` if you give `imputeRng`.
#' @param levels (`list` or `NULL`) Public values of each column of texts or of whole-number codes,
#'   as `list(region = c("N", "S", "W"))`.
#' @param contrasts (`character(1)`) Coding of these columns: `"treatment"` (also `NULL`) or
#'   `"sum"`.
#' @param inference (`character(1)`) Method for standard errors: `"onestep"`, `"parts"` (needs
#'   `nBoot`) or `"none"`. The default is `"parts"` if you give `nBoot`, otherwise `"onestep"`. With
#'   [bounds()] in `rng` the default is `"none"`, and other methods raise an error, because no
#'   standard error covers the values beyond found bounds. `NULL` is for saved plans that are older
#'   than this argument. It means `"parts"` if you give `nBoot`, otherwise `"none"`, and gives the
#'   same plan with the same hash.
#' @param inferenceShare (`numeric(1)`) With `"onestep"`: share of `epsilon` for the second stage,
#'   above 0 and below 1. `NULL` means 0.2.
#' @param vcov (`character(1)`) Covariance estimator for `"onestep"`. `"classical"` assumes that the
#'   model is true. `"sandwich"` does not, and splits the share in halves. `NULL` means
#'   `"classical"`, or `"sandwich"` with `weights`.
#' @param weights (`character(1)` or `NULL`) Column with the weights of rows. Its bounds are the
#'   last in `rng`, see Weights. Needs `missing = "drop"`.
#' @param ... Not used: an argument with another name raises an error.
#' @returns An R6 object of class `dpGLM`, with the methods of [dpMean()] and these fields:
#'   `mechanism`, `name` (the objective), `variable` (response and terms), `varType`, `n`,
#'   `epsilon`, `delta` (0), `rng` (bounds of `variable` and then of weights, for `"ols"` not of an
#'   offset), `rngFormat`, `alpha`, `accuracy` (`NA`), `imputeRng`, `formula`, `objective`,
#'   `intercept`, `levels`, `contrasts`, `nBoot`, `lambda` (the ridge in use), `inference`,
#'   `inferenceShare`, `vcov`, `weights`, `missing`, `input_metric`, `d_in`, `measurement` and
#'   `result`, a [dp_result] with
#'
#' * `release`: a data frame with the column `estimate` and a row for each coefficient, on the
#'   original scale, `intercept` first. `"ols"` adds a last row, `variance`, the residual variance,
#'   which noise can take below 0. Its name is `residual variance` if a predictor is called
#'   `variance`. With `nBoot`, a data frame with a row for each part and a column for each
#'   coefficient.
#' * `variable`, `accuracy`, `epsilon`.
#' * `summary`: with `nBoot` or `"onestep"`, a data frame with a row for each coefficient:
#'   `Estimate`, `Std. Error` and both ends of an interval. With `nBoot`, estimates are the means of
#'   the parts, and intervals use Student's t. With `"onestep"`, estimates are the coefficients in
#'   `release`, and intervals are for the coefficients of the population that the rows were drawn
#'   from. The last row of `"ols"` has no errors.
#' * With `"onestep"` also `raw`, the coefficients of the first stage, and `status`. The status is
#'   `"ok"`, `"repaired"` if an eigenvalue of the curvature was raised, or `"noise"` if the
#'   curvature could be noise only. With `"noise"`, `release` is `raw`, and errors are `NA`.
#' @section How it works: See [its page][glm_method], which also tells how many rows intervals
#'   need.
#' @section Missing values: With `missing = "drop"` a row with a missing value adds nothing to the
#'   objective. Replacing a row by such a row moves the objective by half as much as two rows can
#'   differ. So noise, loss and ridge stay the same: `lambda` is the ridge for each of all `n` rows.
#'   `"ols"` also releases the number of complete rows together with the squared residuals. Both
#'   share an eighth of `epsilon`, and the number has noise of scale 16 / epsilon. The result has it
#'   as `nPresent`. With `nBoot` that is the sum over the parts. The variance divides by it.
#' @section Weights: See [sampling_weights].
#' @section Errors: See [statistic_errors].
#' @section Warnings: `dp_warning_large_epsilon`, `dp_warning_range`, `dp_warning_impute_range`.
#' @references The page [glm_method] has the references of the method. Binder (1983), *On the
#'   Variances of Asymptotically Normal Estimators from Complex Surveys*, for weights.
#' @seealso [dpLM()] for linear models with intervals, [dpCovariance()] for several regressions from
#'   one release.
#' @examples
#' marriage <- dpGLM(
#'   married ~ age + educ, n = 10000, rng = list(c(0, 1), c(18, 93), c(1, 16)), epsilon = 1,
#'   objective = "logit"
#' )
#' result <- marriage$release(PUMS5extract10000)
#' result
#' confint(result, level = 0.9)
#' @export
dpGLM <- new_statistic("dpGLM", "Coefficients of a generalized linear model",
  "a logistic, probit or Poisson regression",
  arguments = function(mechanism = "mechanismObjective", varType = "numeric", n, rng = NULL,
                       formula, objective, epsilon = NULL, accuracy = NULL, imputeRng = NULL,
                       nBoot = NULL, intercept = TRUE, alpha = 0.05, lambda = NULL,
                       n_check = "error", missing = c("drop", "impute"), levels = NULL,
                       contrasts = NULL, inference = c("onestep", "none", "parts"),
                       inferenceShare = NULL, vcov = NULL, weights = NULL) {
  },
  required = c("n", "rng", "formula", "objective", "epsilon"),
  takes = list(
    mechanism = one_of("mechanismObjective"), varType = variable_type("numeric"),
    rng = bounds_of_formula(), formula = model_formula(),
    objective = one_of(glm_objectives), epsilon = loss_of_release(),
    accuracy = left_out("it depends on the data"),
    imputeRng = imputed_bounds_of("formula", columns_of_formula),
    nBoot = whole_number(min = 2, null = TRUE), intercept = flag(),
    lambda = real_number(min = 0, max = 256, null = TRUE), levels = declared_levels(),
    contrasts = one_of(contrast_names, null = TRUE),
    inference = inference_kind(), inferenceShare = of_one_step(share()),
    vcov = of_one_step(one_of(vcov_names)), weights = row_weights("formula", columns_of_formula)
  ),
  plan = function(...) plan_glm(...),
  fields = glm_fields, later = "inference",
  numbers = c("n", "range", "formula", "objective")
)

plan_glm <- function(args, call) {
  args <- with_model_columns(with_weights(with_offset(args), call), call)
  if (args$objective == "poisson" && args$rng[[1]][[1]] < 0) {
    stop_argument("bounds of counts, from 0 on, for the response", "a negative one", "rng", call)
  }
  coefficients <- length(args$variable) - 1 + args$intercept
  args <- with_inference(args)
  plan <- list(
    objective = args$objective, intercept = args$intercept, n = args$n, parts = args$nBoot %||% 1,
    lambda = args$lambda %||% 0, epsilon = args$epsilon, drops = drops_missing(args),
    inference_share = args$inferenceShare %||% 0, sandwich = identical(args$vcov, "sandwich"),
    offset = if (has_offset(args)) TRUE, weights = weighted_rows(args)
  )
  if (args$n %/% plan$parts < coefficients) {
    stop_argument("at least the number of coefficients, of each part", "smaller", "n", call)
  }
  names <- c(args$variable, if (has_offset(args)) offset_name, weights_column(args))
  columns <- column_specs(names, args$rng, args$imputeRng %||% args$rng, args$varType)
  measurement <- after_program(args, glm_measurement(columns, plan))
  budget <- core_glm_budget(plan, coefficients)
  args$lambda <- budget$lambda
  fields <- c(args, list(
    name = args$objective, delta = 0, rngFormat = "list",
    input_metric = measurement("input_metric"), d_in = protected_rows, measurement = measurement
  ))[glm_fields]
  names(fields) <- glm_fields
  made <- new_plan(fields, glm_result(budget),
    read = columns_of_kinds, class = "dp_glm_result",
    name = paste(args$objective, "of", args$formula),
    model = list(
      formula = args$formula, objective = args$objective, program = args$predictors,
      rng = bounds_by_column(args$variable, args$rng), uncounted = drops_missing(args)
    ),
    columns = source_columns(args, c(args$variable, args$weights)),
    covers = covers_of_glm(args)
  )
  # Keeps the name that plans from before this choice existed have, so each law has one name.
  c(made, list(chosen = list(inference = if (args$inference == "onestep") "onestep")))
}

# Measurement of a generalized linear model --------------------------------------------------------

# Compares parts with each other, for any model.
covers_of_glm <- function(args) {
  if (is.null(args$vcov)) {
    c(summary = target_of$moved)
  } else if (args$objective == "ols") {
    covers_of_model(args)
  } else {
    c(summary = if (args$vcov == "sandwich") target_of$moved else target_of$model)
  }
}

# Resolves the inference method and its share of `epsilon`.
with_inference <- function(args) {
  one_step <- !is.null(args$inference)
  args["inference"] <- if (one_step) "onestep" else if (is.null(args$nBoot)) "none" else "parts"
  args["inferenceShare"] <- list(if (one_step) args$inferenceShare %||% one_step_share)
  args["vcov"] <- list(if (one_step) args$vcov %||% usual_vcov(args))
  args
}

one_step_share <- 0.2

# Handles an offset. Least squares subtracts it from the response. Other objectives add it to the
# linear predictor, as an extra last column.
with_offset <- function(args) {
  design <- args$formula$design
  if (is.null(design$offset) || args$objective == "ols") {
    return(args)
  }
  design$terms[[1]] <- design$observed
  design$terms[[offset_name]] <- design$offset
  args$formula$design <- design
  args
}

has_offset <- function(args) offset_name %in% names(args$design$terms)

# Adds a step for `inference = "onestep"`, so plans without it keep their hashes.
glm_measurement <- function(columns, plan) {
  if (plan$inference_share > 0) {
    used <- setdiff(names(plan), "parts")
    do.call(build, c(list("objective_then_curvature", columns), unname(plan[used])))
  } else {
    used <- setdiff(names(plan), c("inference_share", "sandwich"))
    do.call(build, c(list("objective_perturbation", columns), unname(plan[used])))
  }
}

#' How generalized linear models are released
#'
#' [dpGLM()] perturbs the objective of a regression and releases the minimizer. With
#' `inference = "onestep"`, a second stage measures the curvature, which gives standard errors and
#' intervals.
#'
#' @section First stage: Public bounds scale the predictors to lie between -1 and 1. `dpGLM`
#'   minimizes the sum over rows of the loss, plus `lambda / 2` times the squared coefficients for
#'   each row, plus a random linear function. It releases the minimizer on the original scale. Let d
#'   be the number of coefficients, m the number of rows, s the largest slope and c the largest
#'   curvature of the loss. The random vector b has density proportional to
#'   `exp(-rate max|b_j|)`, and a release costs `2 s rate + ln(1 + c d / (lambda m))` for it. Unless
#'   you ask for a larger `lambda`, the second part is a quarter of the available loss.
#'
#'   The losses are:
#'
#'   * Logistic: s = 1, c = 1/4.
#'   * Probit: s = 3.2832, c = 1. The slope is constant beyond a linear predictor of 3 on the wrong
#'     side.
#'   * Poisson, divided by the largest count: s = 1, c = 1. The slope is constant once the mean
#'     exceeds the largest count.
#'   * Least squares, in half-widths of the response's range: s = 2, c = 1. The slope is constant
#'     beyond a residual of 2. This is Huber's loss, which equals least squares while fitted values
#'     are within the range. The variance has discrete Laplace noise and an eighth of `epsilon`.
#'
#'   No computer finds the exact minimum. The gradient is summed in integers, which bounds its norm
#'   for certain by a public number. Discrete Laplace noise, with a 1024th of `epsilon`, covers the
#'   region that this bound leaves for the coefficients. Newton's method usually finishes within 16
#'   passes over the rows and gets at most 64. After that, gradient steps finish in a public, though
#'   large, number of passes. Nothing else hides the time that a release takes. If the random vector
#'   is beyond its range, the release raises an error, with probability below 1e-50 for any data. So
#'   the guarantee is (`epsilon`, 1e-50)-differential privacy, not pure differential privacy.
#'   Reports, ledgers and JSON leave out this 1e-50.
#' @section One step: With `"onestep"` the release has two stages. The first one is described above
#'   and spends `epsilon (1 - inferenceShare)`. The second stage reads the rows again, at the
#'   released coefficients `theta`. Let z be the scaled predictors, with 1 for an intercept, and k
#'   the curvature of a row's loss at `theta`, at most K. The stage releases the `d (d + 1) / 2`
#'   sums of k / K times z_i z_j together. The weights k / K are between 0 and 1. So with
#'   `v = d^2 / (2 e)` and discrete Laplace noise of scale v, or 2 v for squares, the stage costs e
#'   for any `theta`. K is c, with two exceptions. For Poisson, K is at most the largest possible
#'   mean at `theta`, divided by the largest count. For probit, k is the mean over responses and K
#'   is 2 / pi. The losses of the stages add up to `epsilon`. A sandwich has a third stage of the
#'   same form, whose weights are squared slopes divided by `s^2`. Then the second and third stages
#'   each have e = `epsilon inferenceShare / 2`, and k is the row's own curvature, with K = c for
#'   probit.
#'
#'   All further steps are postprocessing. With H, K times the sums, the estimate is
#'   `theta + H^-1 m lambda theta`, which removes the bias of the ridge. Its error is
#'   `H^-1 (b + g)`, with g the gradient at the population's coefficients. The law of b is public,
#'   and g is normal. The covariance of g is H (logit and probit), H over the largest count
#'   (Poisson), or H times the residual variance (least squares). Otherwise it comes from the
#'   sandwich, plus one standard deviation of its noise in each direction. `Std. Error` follows from
#'   this law, with the released H.
#'
#'   Intervals also account for the noise in H. They use 2000 fixed draws of b and of the noise of
#'   the sums. Subtracting a noise draw from the sums gives another H. If it is positive definite,
#'   the coefficients `theta + H^-1 (m lambda theta + b + g)` have a normal law. An interval is
#'   centred at the estimate and contains 1 - `alpha` of the mean of these laws. If H is far above
#'   its noise, the interval agrees with `Std. Error`. Near the noise it is two to three times as
#'   long. The extra length is necessary: errors are given if H stands out from its noise, which
#'   often happens because noise made H large. For a logistic model with two predictors, 1000 rows
#'   and `epsilon = 0.5`, one release in six has intervals. Intervals of 95% cover in 96 to 98% of
#'   these releases. With H as released they would cover in 85 to 92%.
#'
#'   Noise can leave an invalid curvature matrix, so eigenvalues of the sums below 2 v are raised to
#'   2 v. `status` is `"noise"` if the smallest one, before that, is below a threshold: the median
#'   of the largest eigenvalue of noise alone (about 4 v, 7 v and 11 v for 3, 6 and 12
#'   coefficients). Then use more rows, a larger `epsilon`, fewer predictors or narrower bounds.
#'   Intervals would be many times as long as without noise, and the estimate would usually be no
#'   better than `theta`.
#'
#'   Choose bounds no wider than they need to be. If a predictor hardly moves within its bounds, few
#'   releases have intervals, but most of those few mislead. One predictor of a logistic model with
#'   2500 rows and `epsilon = 2` spanned a twentieth of its bounds. Of 300 releases, 21 had
#'   intervals of 95%, and in 14 the interval of this predictor did not cover. Intervals are valid
#'   to first order, as in [stats::glm()], and need a true model unless `vcov` says
#'   otherwise. With five predictors spread evenly over their bounds and 10,000 rows, nine in ten
#'   releases of a logistic or probit model have intervals at `epsilon = 0.5`, and all have them at
#'   2.
#' @references Chaudhuri, Monteleoni and Sarwate (2011), *Differentially Private Empirical Risk
#'   Minimization*. Kifer, Smith and Thakurta (2012), *Private Convex Empirical Risk Minimization
#'   and High-dimensional Regression*. Iyengar, Near, Song, Thakkar, Thakurta and Wang (2019),
#'   *Towards Practical Differentially Private Convex Optimization*. Awan and Slavkovic (2021),
#'   *Structure and Sensitivity in Differential Privacy: Comparing K-Norm Mechanisms*. Le Cam
#'   (1956), *On the Asymptotic Theory of Estimation and Testing Hypotheses*. White (1982), *Maximum
#'   Likelihood Estimation of Misspecified Models*.
#' @seealso [dpGLM()], [statistic_models]
#' @examples
#' marriage <- dpGLM(
#'   married ~ age, n = 10000, rng = list(c(0, 1), c(18, 93)), epsilon = 1, objective = "logit"
#' )
#' marriage$release(PUMS5extract10000)$status
#' @name glm_method
NULL
