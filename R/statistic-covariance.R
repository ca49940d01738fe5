#' Differentially private covariance matrix, and regressions from it
#'
#' A plan for releases of the covariance matrix of several columns, with divisor n - 1. Linear
#' regressions follow from it at no further cost. Building it checks the arguments, chooses the
#' noise and reads no data; `release()` spends `globalEps`, each time that it is called.
#'
#' The number of rows `n` is public, and two datasets are neighbours if one row of one is replaced
#' in the other. Each entry, by itself, is within its `accuracy` of the covariance of the data as
#' used (clamped, imputed, `n` rows) with probability `1 - alpha`.
#'
#' With `globalEps` alone, the best choice, all sums and products that the matrix is made of are
#' released together. Entries with losses of their own, which add up, have more noise: `epsilon`
#' gives that of each entry, `globalEps` with `epsilonDist` its shares, `accuracy` what follows from
#' one accuracy for all entries, `accuracyVals` from one for each; the first of these that is given
#' counts. The entries are the lower triangle with the diagonal, column after column: for three
#' columns 11, 21, 31, 22, 32, 33.
#'
#' `dpCovariance(...)` and `dpCovariance$new(...)` are the same.
#'
#' @inheritParams dpVariance
#' @param columns (`character`) Names of the columns, two or more.
#' @param rng (`list`) Public bounds of each column: pairs, or a matrix with a row for each; named
#'   after the columns, or in the order of `columns`, with `weights` last. Not needed for logical
#'   columns. By their names also bounds of terms of formulas. Where nobody knows a pair, [bounds()]
#'   in its place.
#' @param epsilon (`numeric`) One number is the same as `globalEps`; several are the loss of each
#'   entry.
#' @param globalEps (`numeric(1)`) Loss of a release.
#' @param epsilonDist (`numeric`) Share of each entry, above 0, of sum 1.
#' @param accuracy (`numeric(1)`) Wanted accuracy of all entries.
#' @param accuracyVals (`numeric`) Wanted accuracy of each entry.
#' @param imputeRng (`list`) With `missing = "impute"`: ranges from which missing values of each
#'   column are drawn. `NULL`, also for a single column, stands for its `rng`.
#' @param intercept (`logical(1)`) Also release the means of all columns, which intercepts need.
#' @param formula Regressions: texts or formulas, one or a list of them, of `columns` and of factors
#'   with `levels`; see [statistic_formulas]. Terms become further columns of the matrix, which all
#'   regressions share, and all of whose entries have more noise for it.
#' @param meanShare (`numeric(1)`) With `intercept`, if entries have losses of their own: the share
#'   of `globalEps` for the means. Means of a joint release cost nothing more.
#' @param ridge (`numeric(1)`) For regressions, at least 0: what is added to the variance of each
#'   predictor, in units of the squared width of its range; of `coefficientRelease()`, of its
#'   released variance. Coefficients shrink, and noise moves them less.
#' @param missing (`character(1)`) Rule for missing values. `"drop"`: the matrix of the rows that
#'   lack no value of `columns`; it takes one loss for all entries. `"impute"`: see `imputeRng`;
#'   only right if next to nothing is missing, because draws of one column do not depend on the
#'   others. Left out, it is `"drop"`, or `"impute"` if you give `imputeRng`.
#' @param levels,contrasts As in [dpLM()].
#' @param weights (`character(1)`) A column with the weights of rows, none of `columns`, whose
#'   bounds are the last in `rng`, see Weights; for `missing = "drop"`. Or `NULL`.
#' @param release (`data.frame`) A released covariance matrix.
#' @param ... Nothing: an argument with another name raises an error.
#' @returns `dpCovariance`: an R6 object, with the methods of [dpMean()] and these fields:
#'   `mechanism`, `name`, `variable` and `columns`, `varType`, `n`, `epsilon`, `globalEps`,
#'   `epsilonDist`, `delta`, `rng`, `rngFormat`, `alpha`, `accuracy` and `accuracyVals`,
#'   `imputeRng`, `missing`, `intercept`, `formula`, `levels`, `contrasts`, `ridge`,
#'   `meanEpsilon`, `weights`, `sens`, `rho`, `sigma`, `input_metric`, `d_in`, `measurement` and
#'   `result`, a [dp_result] with
#'
#' * `release`: a data frame with the columns in rows and columns, and behind them the terms of
#'   formulas.
#' * `variable`, `epsilon`, `globalEps`, `accuracy` (of the entries), `n`.
#' * `means`: with `intercept`, `numeric` with names.
#' * `linearRegression`: with `formula`, a data frame, or a list of them, one for each. Columns
#'   `Estimate`; `Std. Error`, which counts sampling and noise, to the first order; `sampling`, the
#'   part of sampling alone; and `status`: `"ok"`, or `"repaired"` if noise had left no matrix of
#'   moments, and eigenvalues were raised to a floor. From `globalEps` alone they are those of
#'   [dpLM()], where their errors are explained; [confint()][statistic_models] has intervals.
#'
#'   `coefficientRelease()`: `list(name, n, formula, coefficients)`, the regression from a matrix
#'   that was released before, whose noise it does not know.
#' @section How it works: Values are rounded to public grids of 40 bits; sums and sums of products
#'   are exact integers. With `globalEps` alone these are released together, in one measurement that
#'   costs `globalEps` for one replaced row: with P columns, h half of the width of a range, x
#'   counted from its middle and `s = (P + 1)^2 / (2 globalEps)`, a sum has discrete Laplace noise
#'   of scale s h, a sum of products of s h h', one of squares of 2 s h^2. Replacing a row changes
#'   at most half of all moments, which is why that is enough; the proof stands in the header of
#'   the measurement. `accuracy` of the object is that of data with means in the middle; that of the
#'   result is how far from each entry its interval reaches, which contains the covariance of the
#'   data as used with probability `1 - alpha` at least. `epsilon` is `globalEps`.
#'
#'   With losses of their own each entry has discrete Laplace noise of its own. One replaced row
#'   moves an entry by at most `R_i R_j / n`, the widths of both ranges over `n`, which is attained,
#'   and a mean by `R_i / n`.
#' @section Missing values: With `missing = "drop"` the moments are those of the rows without a gap,
#'   and their count is released with them, with discrete Laplace noise of scale 2 s. `accuracy` of
#'   the object is that of data without gaps. `result` has besides `nPresent`, the noisy count,
#'   `share_missing`, and `status`: `"ok"`, or `"few"` if so few rows are left that the noise hides
#'   how many; then `release` is `NA`, and there are no regressions.
#' @section Weights: They are sampling weights, as in [dpLM()]: how many people of a population each
#'   row stands for, clamped to their bounds in `rng`, and taken as shares of the upper one. The
#'   matrix is that of the population, with the sum of the shares as divisor. Errors of regressions
#'   are those of `dpLM(vcov = "classical")`: they take residuals to have one variance, whatever the
#'   predictors and the weights, and are too wide then. Without that assumption they may be too
#'   narrow: `dpLM()` has a sandwich. `accuracy` of the object is that of rows that all have the
#'   largest weight. `result` has `sumWeights`, the noisy sum of the weights, in place of `nPresent`
#'   and `share_missing`.
#' @section Gaussian noise: As of [dpMean()]: for P columns all sums and sums of products of u,
#'   squares too, and the count where rows are dropped, move by at most D = P + 1 in L2, and each
#'   has noise of standard deviation `sigma` = (P + 1) / sqrt(2 rho). The proof stands in the header
#'   of the measurement. It is for one loss of all entries.
#' @inheritSection dpMean Errors
#' @section Warnings: `dp_warning_large_epsilon`, `dp_warning_noise` (the accuracy of an entry is
#'   larger than any covariance can be), `dp_warning_range`, `dp_warning_impute_range`.
#' @references Dwork, McSherry, Nissim and Smith (2006), *Calibrating Noise to Sensitivity in
#'   Private Data Analysis*; Wang (2018), *Revisiting Differentially Private Linear Regression*;
#'   Dwork, Talwar, Thakurta and Zhang (2014), *Analyze Gauss: Optimal Bounds for Privacy-Preserving
#'   Principal Component Analysis*; Bun and Steinke (2016), *Concentrated Differential Privacy:
#'   Simplifications, Extensions, and Lower Bounds*; Canonne, Kamath and Steinke (2020), *The
#'   Discrete Gaussian for Differential Privacy*.
#' @seealso [dpLM()], for one regression; [statistic_models]; [dpVariance()].
#' @examples
#' cov_income <- dpCovariance(
#'   n = 10000, columns = c("income", "age"), rng = list(c(0, 200000), c(18, 93)), epsilon = 1,
#'   intercept = TRUE, formula = income ~ age
#' )
#' result <- cov_income$release(PUMS5extract10000)
#' result$release
#' result$linearRegression
#'
#' coefficientRelease("age ~ income", result$release, n = 10000)$coefficients
#' @export
dpCovariance <- new_statistic("dpCovariance", "Covariance matrix of columns",
  "covariances, linear regressions",
  arguments = function(mechanism = "mechanismLaplace", varType = "numeric", n, columns, rng = NULL,
                       epsilon = NULL, globalEps = NULL, epsilonDist = NULL, accuracy = NULL,
                       accuracyVals = NULL, imputeRng = NULL, intercept = FALSE, formula = NULL,
                       alpha = 0.05, meanShare = 0.1, gamma = 0.05, ridge = 0, n_check = "refuse",
                       missing = c("drop", "impute"), levels = NULL, contrasts = NULL, rho = NULL,
                       delta = NULL, weights = NULL) {
  },
  required = c("n", "columns", "rng", "globalEps"),
  or = list(globalEps = c("epsilon", "accuracy", "accuracyVals", "rho")),
  takes = list(
    mechanism = one_of(c(snapping_mechanisms, gaussian_mechanism)),
    varType = variable_type(c(statistic_types, "double")), n = count_from(2),
    columns = column_names(2), rng = bounds_of_formulas("columns"),
    epsilon = with_others(
      "a finite number above 0, or one for each entry, in place of `globalEps`"
    ),
    globalEps = with_others("a finite number above 0, the loss of all entries together"),
    epsilonDist = with_others("the share of each entry in `globalEps`, of sum 1; or NULL"),
    accuracyVals = with_others("a finite number above 0 for each entry, or NULL"),
    imputeRng = imputed_bounds_of("columns"), intercept = flag(),
    formula = formulas_of("columns"), meanShare = share(), ridge = real_number(min = 0),
    levels = declared_levels(), contrasts = one_of(contrast_names, null = TRUE),
    weights = row_weights("columns")
  ),
  plan = function(...) plan_covariance(...),
  fields = c(covariance_fields, gaussian_fields),
  numbers = c("n", "columns", "range"), others = c("n", "columns")
)

plan_covariance <- function(args, call) {
  check_weight_bounds(args, call)
  args <- with_mechanism(args, call)
  one <- one_loss(args, call)
  args[names(one)] <- one
  programs <- lapply(args$formula, function(model) {
    own <- args$rng[match(model$design$columns, args$columns)]
    program_of_model(model$design, own, args$varType)
  })
  args <- with_terms_of_models(args, call)
  widths <- vapply(args$rng[seq_along(args$columns)], diff, 0)
  sens <- covariance_sensitivity(widths, args$n)
  joint <- is_joint_covariance(args)
  loss <- if (joint) joint_covariance_loss(args, widths, call) else
    covariance_loss(args, sens, call)
  largest <- sens * args$n^2 / (4 * (args$n - 1))
  snapping <- snapping_of(args$mechanism, -largest, largest, args$gamma)
  measurement <- if (joint) loss$measurement else
    covariance_measurement(args, loss$epsilon, loss$meanEpsilon)
  measurement <- after_program(args, measurement)
  fields <- c(args, loss, list(
    name = paste("covariance of", toString(args$columns)), variable = args$columns, delta = 0,
    rngFormat = "list", accuracyVals = loss$accuracy, sens = sens, snapping = snapping,
    input_metric = measurement("input_metric"), d_in = protected_rows, measurement = measurement
  ))
  # What was derived stands behind what was asked for.
  fields <- fields[!duplicated(names(fields), fromLast = TRUE)]
  fields["rho"] <- list(NULL)
  all <- c(covariance_fields, gaussian_fields)
  fields <- stats::setNames(fields[all], all)
  plan <- new_plan(fields, if (joint) joint_covariance else covariance_result,
    read = columns_of_kinds, class = "dp_covariance_result",
    within = "the noise of an entry is no larger", range = largest,
    model = list(formula = vapply(args$formula, `[[`, "", "text"), programs = programs),
    columns = source_columns(args, c(args$columns, args$weights)),
    covers = c(accuracy = target_of$rows, linearRegression = target_of$classical), call = call
  )
  with_chosen_mechanism(c(plan, list(chosen = one)), args)
}

# The pairs of columns, in the order of the entries.
triangle <- function(count) {
  left <- rev(seq_len(count))
  first <- rep(seq_len(count), left)
  list2DF(list(first = first, second = first + sequence(left) - 1L))
}

covariance_sensitivity <- function(widths, n, intercept = FALSE) {
  if (intercept) widths <- c(0, widths)
  pairs <- triangle(length(widths))
  widths[pairs$first] * widths[pairs$second] / n
}

# list(epsilon, meanEpsilon, accuracy): numbers for each entry, and each mean if there are any.
covariance_loss <- function(args, sens, call) {
  args$alpha <- noise_alpha(args$mechanism, args$alpha)
  epsilon <- if (is_missing(args$epsilon) && !is_missing(args$globalEps)) {
    shared_epsilon(args, length(sens), call)
  } else {
    with_mean_epsilon(entry_epsilon(args, sens, call), args)
  }
  c(epsilon, list(accuracy = laplaceGetAccuracy(sens, epsilon$epsilon, args$alpha)))
}

# Means get `meanShare` of all, in equal parts.
with_mean_epsilon <- function(epsilon, args) {
  means <- if (args$intercept) length(args$columns) else 0
  each <- sum(epsilon) * args$meanShare / (1 - args$meanShare) / max(means, 1)
  list(epsilon = epsilon, meanEpsilon = rep(each, means))
}

# Of `globalEps`, which entries and means share.
shared_epsilon <- function(args, count, call) {
  check_epsilon(args$globalEps, call, "globalEps")
  shares <- args$epsilonDist
  if (!is.null(shares)) shares <- check_entries(shares, count, "epsilonDist", call)
  if (!is.null(shares) && abs(sum(shares) - 1) > 1e-8) {
    stop_argument("of sum 1", "numbers of another sum", "epsilonDist", call)
  }
  weights <- with_mean_epsilon(shares %||% rep(1, count), args)
  parts <- core_share_epsilon(args$globalEps, c(weights$epsilon, weights$meanEpsilon))
  list(epsilon = parts[seq_len(count)], meanEpsilon = parts[-seq_len(count)])
}

check_entries <- function(x, count, arg, call) {
  check_numbers(x, arg = arg, call = call)
  if (!is.null(names(x))) {
    stop_argument("without names, in the order of the entries", paste("named", in_quotes(names(x))),
      arg, call
    )
  }
  if (length(x) != count) {
    stop_argument(paste(count, "numbers"), paste(length(x), "of them"), arg, call)
  }
  as.double(x)
}

# Asked for entry by entry.
entry_epsilon <- function(args, sens, call) {
  count <- length(sens)
  if (!is_missing(args$epsilon)) {
    epsilon <- check_entries(args$epsilon, count, "epsilon", call)
    check_epsilon(max(epsilon), call)
    epsilon
  } else if (!is_missing(args$accuracy)) {
    check_number(args$accuracy, above = 0, arg = "accuracy", call = call)
    laplaceGetEpsilon(sens, args$accuracy, args$alpha)
  } else if (!is_missing(args$accuracyVals)) {
    accuracies <- check_entries(args$accuracyVals, count, "accuracyVals", call)
    laplaceGetEpsilon(sens, accuracies, args$alpha)
  } else {
    stop_argument("given, or `globalEps`, `accuracy` or `accuracyVals` in its place", "missing",
      "epsilon", call
    )
  }
}

covariance_measurement <- function(args, epsilon, meanEpsilon) {
  columns <- column_specs(args$columns, args$rng, args$imputeRng, args$varType)
  pairs <- triangle(length(args$columns))
  means <- seq_along(meanEpsilon)
  is_mean <- rep(c(FALSE, TRUE), c(nrow(pairs), length(means)))
  build(
    "noisy_moments", columns, is_mean, c(pairs$first, means) - 1, c(pairs$second, means) - 1,
    c(epsilon, meanEpsilon), args$n
  )
}
