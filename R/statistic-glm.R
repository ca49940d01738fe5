glm_objectives <- c("logit", "probit", "poisson", "ols")

#' Differentially private generalized linear models
#'
#' A plan for releases of the coefficients of a regression: logistic, probit, Poisson or least
#' squares, with standard errors and intervals. Building it checks the arguments, chooses the noise
#' and reads no data; `release()` spends `epsilon`, each time that it is called, on all coefficients
#' together.
#'
#' The number of rows `n` is public, and two datasets are neighbours if one row of one is replaced
#' in the other. Rows are used as in [dpCovariance()]: clamped, imputed, `n` of them.
#'
#' How far noise moves a coefficient depends on the data: there is no closed form. `accuracy` is
#' `NA`, and cannot be asked for. `inference` says where standard errors come from:
#'
#' * `"onestep"`, unless `nBoot` is given: from all rows together, by a second stage of the release,
#'   which takes a fifth of `epsilon`. Errors count sampling and noise, and estimates have not the
#'   bias of the ridge.
#' * `"none"`: there are none, and all of `epsilon` goes to the coefficients, whose noise is a fifth
#'   less. This is for a point estimate, such as one that predicts.
#' * `"parts"`, with `nBoot`: rows are dealt at random into that many disjoint parts, each part has
#'   a release of its own, and since a row is in one part alone, all of them together cost
#'   `epsilon`. Their spread counts sampling and noise alike. But noise weighs more in small parts,
#'   about `sqrt(nBoot)` times as much in their mean; and a ridge that privacy needs pulls
#'   coefficients towards zero more strongly, which no spread shows.
#'
#' `dpGLM(...)` and `dpGLM$new(...)` are the same.
#'
#' @inheritParams dpVariance
#' @param mechanism (`character(1)`) `"mechanismObjective"`, in any letter case.
#' @param varType (`character(1)`) `"numeric"`.
#' @param rng (`list`) Public bounds of each column of numbers in the formula: pairs, or a matrix
#'   with a row for each; named after the columns, or in the order of the formula, the response
#'   first and `weights` last. Not from the data. By their names also bounds of terms, see
#'   [statistic_formulas]. Where nobody knows a pair, [bounds()] in its place.
#' @param formula (`formula` or `character(1)`) A response and terms, as `y ~ a + I(b^2) + g`; with
#'   `- 1` no intercept. See [statistic_formulas] for what it may say.
#' @param objective (`character(1)`) `"logit"` or `"probit"`, whose response lies between its bounds
#'   as between 0 and 1, `"poisson"`, whose response is a count, or `"ols"`.
#' @param epsilon (`numeric(1)`) Privacy loss of one release, above 0; 3 and more gives a warning.
#' @param accuracy Kept for positional calls; must be missing.
#' @param imputeRng (`list`) With `missing = "impute"`: ranges from which missing values of each
#'   column of numbers are drawn. `NULL`, also for a single one, stands for its `rng`.
#' @param nBoot (whole number) Parts, 2 or more, for `inference = "parts"`; or `NULL`.
#' @param intercept (`logical(1)`) Whether there is one. A formula may also take it out, with `- 1`.
#' @param alpha (`numeric(1)`) How often intervals miss.
#' @param lambda (`numeric(1)`) Wanted ridge for each row, at least 0; `NULL` for the least that
#'   privacy needs.
#' @param missing (`character(1)`) Rule for missing values. `"drop"`: the model of the rows that
#'   lack no value of `formula`, at no further loss. `"impute"`: see `imputeRng`; only right if next
#'   to nothing is missing, because draws flatten slopes. Left out, it is `"drop"`, or `"impute"` if
#'   you give `imputeRng`.
#' @param levels (`list`) Of each column of texts, or of whole numbers that are no measure, its
#'   public values, as `list(region = c("N", "S", "W"))`; or `NULL`.
#' @param contrasts (`character(1)`) What columns these become: `"treatment"`, which `NULL` stands
#'   for, or `"sum"`.
#' @param inference (`character(1)`) Where standard errors come from: `"onestep"`, from a second
#'   stage of the same release; `"parts"`, from `nBoot`, which has to be given for it; or `"none"`.
#'   Left out it is `"parts"` if `nBoot` is given, and else `"onestep"`. `NULL`, which plans mean
#'   that were saved before there was this argument, is `"parts"` if `nBoot` is given, and else
#'   `"none"`; it gives the same plan, of the same hash.
#'   With [bounds()] in `rng` it is `"none"` if left out, and another one raises an error: no
#'   standard error counts the values beyond found bounds.
#' @param inferenceShare (`numeric(1)`) With `"onestep"`: the share of `epsilon` that the second
#'   stage takes, above 0 and below 1; `NULL` for 0.2.
#' @param vcov (`character(1)`) With `"onestep"`: `"classical"`, which `NULL` stands for, takes the
#'   model to be true; `"sandwich"`, which it stands for with `weights`, does not, and splits the
#'   share in halves.
#' @param weights (`character(1)`) A column with the weights of rows, whose bounds are the last in
#'   `rng`, see Weights; for `missing = "drop"`. Or `NULL`.
#' @param ... Nothing: an argument with another name raises an error.
#' @returns An R6 object of class `dpGLM`, with the methods of [dpMean()] and these fields:
#'   `mechanism`, `name` (the objective), `variable` (response and terms), `varType`, `n`,
#'   `epsilon`, `delta` (0), `rng` (of these, but for `"ols"` of an offset, and last of weights),
#'   `rngFormat`, `alpha`, `accuracy` (`NA`), `imputeRng`, `formula`, `objective`, `intercept`,
#'   `levels`, `contrasts`, `nBoot`, `lambda` (the ridge that is used), `inference`,
#'   `inferenceShare`, `vcov`, `weights`, `missing`, `input_metric`, `d_in`, `measurement` and
#'   `result`, a [dp_result] with
#'
#' * `release`: a data frame with the column `estimate` and a row for each coefficient, on the
#'   original scale, `intercept` first; for `"ols"` a last row, `variance`, of residuals, which
#'   noise may take below 0; it is `residual variance` if there is a predictor `variance`. With
#'   `nBoot` a data frame with a row for each part and a column for each coefficient.
#' * `variable`, `accuracy`, `epsilon`.
#' * `summary`: with `nBoot`, a data frame with a row for each coefficient: `Estimate`, the mean of
#'   the parts; `Std. Error`; and both ends of an interval by Student's t. With `"onestep"` the
#'   same of the coefficients in `release`, whose intervals are for the coefficients of what the
#'   rows were drawn from; the last row of `"ols"` has no errors.
#' * With `"onestep"` also `raw`, the coefficients as they were released, and `status`: `"ok"`;
#'   `"repaired"` if an eigenvalue of the curvature was raised; or `"noise"` if noise may have made
#'   all of one. Then `release` is `raw`, and errors are `NA`.
#' @section How it works: Predictors are moved and scaled by their public bounds to lie between -1
#'   and 1. `dpGLM` minimizes the sum over rows of the loss, plus `lambda / 2` times the squared
#'   coefficients for each row, plus a random linear function; it releases the place of the minimum,
#'   on the original scale. With d coefficients, a loss with slopes of at most s and curvature
#'   of at most c, and m rows, the random vector b has density proportional to `exp(-rate
#'   max|b_j|)`, and a release costs `2 s rate + ln(1 + c d / (lambda m))` for it. Unless `lambda`
#'   is larger, the second part is a quarter of what there is.
#'
#'   Losses: logistic (s = 1, c = 1/4). Probit (s = 3.2832, c = 1), whose slope stays where it is
#'   beyond a linear predictor of 3 on the wrong side. Poisson, over the largest count (s = 1, c =
#'   1), whose slope stays where it is beyond a mean that is the largest count. Least squares, in
#'   half-widths of the response's range (s = 2, c = 1), whose slope stays where it is beyond a
#'   residual of 2: which is to say Huber's loss, and least squares as long as fitted values are
#'   within the range. Its variance has discrete Laplace noise and an eighth of `epsilon`.
#'
#'   No computer finds the exact minimum. The gradient is added up in integers, so that its norm is
#'   known for certain, to a public bound; where coefficients may lie because of it is covered by
#'   discrete Laplace noise, with a 1024th of `epsilon`. Newton's method makes 16 passes over the
#'   rows, and as a rule is done then; it gets 64, and what it has not found then steps along the
#'   gradient find in a number of passes that is public, though large. The time that a release takes
#'   is not hidden otherwise. If the random vector is beyond its
#'   range, the release raises an error. That has a probability below 1e-50, whatever the data.
#'   Because of it the guarantee is (`epsilon`, 1e-50)-differential privacy, and not pure. Reports,
#'   ledgers and JSON leave out this 1e-50.
#' @section One step: With `"onestep"` the release has two stages. The first is the one
#'   above, with `epsilon (1 - inferenceShare)`. The second reads the rows again, at the
#'   coefficients `theta` that the first released. With z the scaled predictors, that of an
#'   intercept being 1, and k the curvature of a row's loss there, at most K, it releases the
#'   `d (d + 1) / 2` sums of k / K times z_i z_j together. Their weights k / K are between 0 and 1.
#'   So with
#'   `v = d^2 / (2 e)` and discrete Laplace noise of scale v, of 2 v for squares, the stage costs e,
#'   whatever `theta` is. K is c; but for Poisson no more than the mean can be at `theta`, over the
#'   largest count, and for probit 2 / pi, as k is the mean over responses there. The stages lose
#'   the sum of their losses, which is `epsilon`. A sandwich has a third stage of the same form,
#'   whose weights are squares of slopes over `s^2`; then the second and the third have e = `epsilon
#'   inferenceShare / 2` each, and k is the curvature itself, with c for probit.
#'
#'   All that follows reads nothing but what was released. With H, K times the sums, the estimate
#'   is `theta + H^-1 m lambda theta`, which has no bias from the ridge. Its error is
#'   `H^-1 (b + g)`, with g the gradient at the coefficients of what the rows were drawn from. The
#'   law of b is public, and g is normal: its covariance is H (logit and probit), H over the largest
#'   count (Poisson) or H times the variance of residuals (least squares), or from the sandwich,
#'   with one standard deviation of its noise in each direction on top. `Std. Error` is that of this
#'   law, with H as it was released.
#'
#'   H has noise, too, and intervals know of it. They take 2000 pairs of a b and of noise of the
#'   sums, of the laws that these have, which are the same each time. With the H that a pair leaves,
#'   if it is positive definite, the coefficients `theta + H^-1 (m lambda theta + b + g)` have a
#'   normal law. An interval is about the estimate, and contains 1 - `alpha` of the mean of these
#'   laws. Far above its noise H is as good as known, and an interval is what `Std. Error` says;
#'   near to it the interval is two to three times as long. It has to be: errors are given where H
#'   stands out from its noise, which it often does because noise made it large. Of a logistic model
#'   of two predictors, 1000 rows and `epsilon = 0.5`, one release in six has intervals; those of
#'   95% cover in 96 to 98% of these releases, where with H as released they would in 85 to 92%.
#'
#'   Noise may leave no matrix of curvatures. Eigenvalues of the sums below 2 v are raised to it.
#'   Where the least, before that, is below the median of the largest that the noise alone would
#'   have (about 4 v, 7 v and 11 v of 3, 6 and 12 coefficients), `status` is `"noise"`: more rows, a
#'   larger `epsilon`, fewer predictors or narrower bounds of these are needed. Intervals would then
#'   be many times as long as those that the rows leave without noise, and the estimate mostly no
#'   better than `theta`. Few releases have intervals of a predictor that hardly moves within its
#'   bounds, so that few mislead; but those that have them mostly do. Of 300 releases of a logistic
#'   model with 2500 rows and `epsilon = 2`, one of whose predictors spans a twentieth of its
#'   bounds, 21 had intervals of 95%, and in 14 that of this predictor did not cover: bounds should
#'   be no wider than they need to be. Intervals are to the first order, as those of [stats::glm()]
#'   are, and no better where the model is not true: see `vcov`. With five predictors spread evenly
#'   over their bounds, 10,000 rows and `epsilon = 0.5`, nine in ten releases of a logistic or
#'   probit model have intervals, and at 2 all.
#' @section Missing values: With `missing = "drop"` a row that lacks a value adds nothing to what is
#'   minimized. A row that is replaced by such a one moves it by half as much as two rows can
#'   differ, so noise and loss stay as they are, and so does the ridge: `lambda` is that of each of
#'   all `n` rows. For `"ols"` the number of rows without a gap is released along with their squared
#'   residuals, within the same eighth of `epsilon`, with noise of scale 16 / epsilon: `nPresent` of
#'   the result, with `nBoot` the sum over the parts. The variance divides by it.
#' @section Weights: They are sampling weights: how many people of a population each row stands for,
#'   in any unit, so that estimates are those of the population. `rng` has their bounds, none of
#'   them below 0, by the name of the column, or last. Weights are moved into these. With the share
#'   that a weight has of the upper bound, to 2^-20, the loss of the row is multiplied. Slopes and
#'   curvatures stay below s and c, so that weights cost nothing, and noise and ridge stay as they
#'   are without them. But what both are to be compared with is the sum of the shares in place of
#'   the number of rows: choose an upper bound that few weights exceed. A row that lacks its weight
#'   is a gap.
#'
#'   Rows are taken to be drawn independently; errors know nothing of strata and clusters. Those of
#'   the sandwich sum squares of share times slope, as errors of surveys do. `"classical"` takes the
#'   model to be true whatever the weight; then its errors are too wide, as squares of shares are
#'   below shares. Of weights that count equal rows both are too wide.
#'
#'   For `"ols"` the sum of the shares is released in place of the number of rows: `sumWeights` of
#'   the result is the sum of the weights, and there is no `nPresent`.
#' @inheritSection dpMean Errors
#' @section Warnings: `dp_warning_large_epsilon`, `dp_warning_range`, `dp_warning_impute_range`.
#' @references Chaudhuri, Monteleoni and Sarwate (2011), *Differentially Private Empirical Risk
#'   Minimization*; Kifer, Smith and Thakurta (2012), *Private Convex Empirical Risk Minimization
#'   and High-dimensional Regression*; Iyengar, Near, Song, Thakkar, Thakurta and Wang (2019),
#'   *Towards Practical Differentially Private Convex Optimization*; Awan and Slavkovic (2021),
#'   *Structure and Sensitivity in Differential Privacy: Comparing K-Norm Mechanisms*; Le Cam
#'   (1956), *On the Asymptotic Theory of Estimation and Testing Hypotheses*, for one step; White
#'   (1982), *Maximum Likelihood Estimation of Misspecified Models*, for the sandwich; Binder
#'   (1983), *On the Variances of Asymptotically Normal Estimators from Complex Surveys*, for
#'   weights.
#' @seealso [dpLM()], for linear models with intervals; [dpCovariance()], for many from one release.
#' @examples
#' marriage <- dpGLM(
#'   mechanism = "mechanismObjective", varType = "numeric", n = 10000,
#'   rng = list(c(0, 1), c(18, 93), c(1, 16)), formula = married ~ age + educ, objective = "logit",
#'   epsilon = 1
#' )
#' result <- marriage$release(PUMS5extract10000)
#' result
#' confint(result, level = 0.9)
#'
#' # All of epsilon for the coefficients:
#' point <- dpGLM(
#'   n = 10000, rng = list(c(0, 1), c(18, 93), c(1, 16)), formula = married ~ age + educ,
#'   objective = "logit", epsilon = 1, inference = "none"
#' )
#' coef(point$release(PUMS5extract10000))
#' @export
dpGLM <- new_statistic("dpGLM", "Coefficients of a generalized linear model",
  "a logistic, probit or Poisson regression",
  arguments = function(mechanism = "mechanismObjective", varType = "numeric", n, rng = NULL,
                       formula, objective, epsilon = NULL, accuracy = NULL, imputeRng = NULL,
                       nBoot = NULL, intercept = TRUE, alpha = 0.05, lambda = NULL,
                       n_check = "refuse", missing = c("drop", "impute"), levels = NULL,
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
      uncounted = drops_missing(args)
    ),
    columns = source_columns(args, c(args$variable, args$weights)),
    covers = covers_of_glm(args)
  )
  # A law has one name in the plan: that of plans from before there was a choice.
  c(made, list(chosen = list(inference = if (args$inference == "onestep") "onestep")))
}

# Parts are compared with each other, whatever the model.
covers_of_glm <- function(args) {
  if (is.null(args$vcov)) {
    c(summary = target_of$moved)
  } else if (args$objective == "ols") {
    covers_of_model(args)
  } else {
    c(summary = if (args$vcov == "sandwich") target_of$moved else target_of$model)
  }
}

# What is done, and with how much of `epsilon`.
with_inference <- function(args) {
  one_step <- !is.null(args$inference)
  args["inference"] <- if (one_step) "onestep" else if (is.null(args$nBoot)) "none" else "parts"
  args["inferenceShare"] <- list(if (one_step) args$inferenceShare %||% one_step_share)
  args["vcov"] <- list(if (one_step) args$vcov %||% usual_vcov(args))
  args
}

one_step_share <- 0.2

# Of least squares an offset is what the response has less of. Other objectives add it to the linear
# predictor: as a column of its own, the last one.
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

# `inference = "onestep"` is another step, so that plans without it keep their hashes.
glm_measurement <- function(columns, plan) {
  if (plan$inference_share > 0) {
    used <- setdiff(names(plan), "parts")
    do.call(build, c(list("objective_then_curvature", columns), unname(plan[used])))
  } else {
    used <- setdiff(names(plan), c("inference_share", "sandwich"))
    do.call(build, c(list("objective_perturbation", columns), unname(plan[used])))
  }
}
