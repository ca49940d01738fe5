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

# Regression lines from jointly released moments ---------------------------------------------------

coefficient_names <- function(formula) c(if (formula$intercept) "intercept", formula$terms)

# Fits a formula over `columns` by least squares, from the moments of u. With a constant it uses
# (1, u), otherwise the columns divided by their largest magnitudes.
joint_line <- function(found, formula, columns, ridge = 0) {
  used <- match(c(formula$terms, formula$response), columns)
  in_order <- c(1, used + 1)
  design <- line_design(found$middle[used], found$half[used], formula$intercept)
  if (!is.null(found$mixed) && formula$intercept) {
    predictors <- in_order[-length(in_order)]
    design$back <- design$unit * solve(t(found$mixed[predictors, predictors]))
  }
  count <- length(formula$terms)
  moments <- moment_matrix(found$count, found$sums, found$products, found$pairs)
  noise <- moment_deviations(found)
  model <- list(
    design = design$predictors, response = design$response,
    ridge = c(if (formula$intercept) 0, rep(4 * ridge * (found$count - found$lost), count)),
    floor = max(moment_floor(found$scales), variance_floor),
    degrees_of_freedom = max(found$count - nrow(design$predictors), 1)
  )
  line <- fitted_line(
    list(values = moments[in_order, in_order], noise = noise[in_order, in_order]), model,
    design$back, coefficient_names(formula)
  )
  if (!is.null(found$shared)) {
    line$noise <- added_noise(line$noise, found$shared[in_order, in_order])
  }
  if (formula$intercept) line$estimate[[1]] <- line$estimate[[1]] + found$middle[[used[count + 1]]]
  line$variance <- line$variance * design$unit^2
  line$normal <- found$scales$normal
  line
}

# Adds up the effects of moments that are one released number, with equal `ids`. Moments with id 0
# are known. The columns of `noise` are pairs of columns, in the order of least_squares.h.
added_noise <- function(noise, ids) {
  of_columns <- ids[lower.tri(ids, diag = TRUE)]
  known <- setdiff(unique(of_columns), 0)
  together <- outer(of_columns, known, "==")
  noise %*% together
}

# Design of a regression: its predictors and response (the last column) as combinations of (1, u),
# the matrix that maps its coefficients to the units of the columns, and the unit of its response.
line_design <- function(middle, half, intercept) {
  last <- length(middle)
  x <- seq_len(last - 1)
  if (intercept) {
    unit <- half[[last]]
    return(list(
      predictors = cbind(diag(last), 0), response = c(numeric(last), 1), unit = unit,
      back = unit * rbind(c(1, -middle[x] / half[x]), cbind(0, diag(1 / half[x], last - 1)))
    ))
  }
  size <- abs(middle) + half
  unit <- size[[last]]
  list(
    predictors = cbind((middle / size)[x], diag((half / size)[x], last - 1), 0),
    response = c(middle[[last]], numeric(last - 1), half[[last]]) / unit, unit = unit,
    back = diag(unit / size[x], last - 1)
  )
}

without_intercept <- function(line) {
  line$estimate <- line$estimate[-1]
  line$noise <- line$noise[-1, , drop = FALSE]
  line$sampling <- line$sampling[-1, -1, drop = FALSE]
  line
}

#' How covariance matrices and linear models are released
#'
#' [dpCovariance()] and [dpLM()] release all sums and sums of products of their columns in one
#' measurement, and compute the rest from these moments.
#'
#' @section Moments: Values are rounded to public grids of 40 bits, so sums and sums of
#'   products are exact integers. If you give only `globalEps`, one measurement releases them
#'   jointly and costs `globalEps` for one replaced row. Let P be the number of columns, h half the
#'   width of a range, x the value minus the middle of its range, and
#'   `s = (P + 1)^2 / (2 globalEps)`. The discrete Laplace noise has scale s h for a sum, s h h' for
#'   a sum of products and 2 s h^2 for a sum of squares. This is enough because replacing a row
#'   changes at most half of all moments. The header of the measurement has the proof. `accuracy` of
#'   the object is computed for data whose means are in the middle of the ranges. `accuracy` of the
#'   result is the half-width of each entry's interval. That interval contains the covariance of the
#'   data as used with probability at least `1 - alpha`. `epsilon` is `globalEps`.
#'
#'   With separate losses, each entry has independent discrete Laplace noise. One replaced row moves
#'   an entry by at most `R_i R_j / n`, the product of both range widths over `n`. Some data attain
#'   this bound. One row moves a mean by at most `R_i / n`.
#' @section Separate losses: Usually, give only `globalEps`: one joint release then measures all
#'   sums and products that the matrix needs. You can also spend a separate loss on each entry, but
#'   the losses add up and the noise is larger. Give `epsilon` (the loss of each entry), `globalEps`
#'   with `epsilonDist` (shares), `accuracy` (one for all entries) or `accuracyVals` (one for each).
#'   If you give several, the first in this list counts. The entries are the lower triangle with the
#'   diagonal, column by column: for three columns 11, 21, 31, 22, 32, 33.
#' @section Linear models: One joint release measures the sums and sums of products of all columns,
#'   as in [dpCovariance()]. Let P be the number of columns, h half the width of a range,
#'   u = (x - middle) / h and `s = (P + 1)^2 / (2 epsilon)`. The discrete Laplace noise has scale s
#'   for sums and sums of products, and 2 s for sums of squares. Coefficients solve the normal
#'   equations of these moments, without a ridge. Noise alone can explain an eigenvalue of the
#'   predictors' moments below 3 s. Such an eigenvalue is raised to 3 s, and `status` is
#'   `"repaired"`. If predictors are nearly multiples of each other, such as `a` and `I(2 * a)`,
#'   noise decides how they share their effect. Their standard errors are large, and `lm()` would
#'   give `NA` for one of them. Raised eigenvalues also shrink other coefficients towards 0, which
#'   intervals do not cover.
#'
#'   Errors follow from sampling and from the noise, whose law is public. To first order,
#'   coefficients are off by `A^-1 (E a + sqrt(v A) N)`. Here A has the moments of the predictors, E
#'   the noise of all moments, a is the residual as a combination of columns, and N is normal. v is
#'   the residual variance plus 0.7 standard deviations of its noise. This assumes one residual
#'   variance for all predictors.
#'
#'   With `vcov = "sandwich"` the moments spend `0.8 epsilon`, and a second stage of the release
#'   reads the rows again. Let z be the d scaled predictors, r a row's residual at the coefficients
#'   of the first stage and C = 64 v. The stage releases the sums of min(r^2 / C, 1) z_i z_j with
#'   noise of scale `d^2 / (0.4 epsilon)`, and twice that for squares. The weights are between 0 and
#'   1, so they cost nothing more, even though they depend on the first release. The second stage
#'   loses `0.2 epsilon` for any first release, and both together lose `epsilon`. C times these
#'   sums, plus one standard deviation of their noise in each direction, replaces v A.
#' @references Dwork, McSherry, Nissim and Smith (2006), *Calibrating Noise to Sensitivity in
#'   Private Data Analysis*. Wang (2018), *Revisiting Differentially Private Linear Regression*.
#'   Dwork, Talwar, Thakurta and Zhang (2014), *Analyze Gauss: Optimal Bounds for Privacy-Preserving
#'   Principal Component Analysis*. Bun and Steinke (2016), *Concentrated Differential Privacy:
#'   Simplifications, Extensions, and Lower Bounds*. Canonne, Kamath and Steinke (2020), *The
#'   Discrete Gaussian for Differential Privacy*.
#' @seealso [gaussian_noise]
#' @examples
#' plan <- dpCovariance(
#'   c("income", "age"), n = 10000, rng = list(c(0, 200000), c(18, 93)), epsilon = 1
#' )
#' plan$accuracyVals
#' @name joint_moments
NULL
