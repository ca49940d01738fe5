#' Differentially private covariance matrix, and regressions from it
#'
#' Plans releases of the covariance matrix of several columns, with divisor n - 1. The matrix also
#' gives linear regressions at no further privacy cost. Building the plan checks the arguments,
#' calibrates the noise and reads no data. Each call of `release()` spends `globalEps`.
#'
#' The number of rows `n` is public, and two datasets are neighbours if one row of one is replaced
#' in the other. Separately, each entry is within its `accuracy` of the covariance of the data as
#' used (clamped, imputed, `n` rows) with probability `1 - alpha`.
#'
#' Usually, give only `epsilon`: one joint release then measures all sums and products that the
#' matrix needs. [joint_moments] tells how to spend a separate loss on each entry.
#'
#' @inheritParams dpVariance
#' @param columns (`character`) Names of the columns, two or more.
#' @param rng (`list`) Public bounds of each column: pairs, or a matrix with a row for each. Name
#'   them after the columns, or use the order of `columns`, with `weights` last. Logical columns
#'   need none. You can also name bounds of terms of formulas. If you do not know a pair, give
#'   [bounds()] instead.
#' @param epsilon,globalEps (`numeric(1)`) Loss of a release. Several numbers in `epsilon` are the
#'   loss of each entry.
#' @param accuracy,accuracyVals,epsilonDist (`numeric`) Wanted accuracy of all entries, of each
#'   entry, or share of each entry, see [joint_moments].
#' @param imputeRng (`list`) With `missing = "impute"`: for each column, the range that missing
#'   values are drawn from. `NULL`, for all columns or for one, means `rng`.
#' @param intercept (`logical(1)`) Whether to release the means of all columns too. Intercepts of
#'   regressions need them.
#' @param formula (formula, `character` or a list of these) Regressions on `columns` and on factors
#'   with `levels`, see [statistic_formulas]. Each term becomes a further column of the matrix. All
#'   regressions share these columns, and each one adds noise to every entry.
#' @param meanShare (`numeric(1)`) With `intercept` and separate losses of entries: share of
#'   `globalEps` to spend on the means. In a joint release the means cost nothing more.
#' @param ridge (`numeric(1)`) Ridge penalty of regressions, at least 0. It is added to the variance
#'   of each predictor, in units of the squared width of its range. In `coefficientRelease()` the
#'   unit is the released variance. A penalty shrinks the coefficients and makes them less sensitive
#'   to noise.
#' @param missing (`character(1)`) Rule for missing values. `"drop"` uses the rows that have a value
#'   in all of `columns`, and needs one loss for all entries. `"impute"` draws values, see
#'   `imputeRng`. Use it only if very few values are missing, because draws for one column do not
#'   depend on the others. The default is `"drop"`, or `"impute"` if you give `imputeRng`.
#' @param levels,contrasts Levels and contrasts of factors, see [dpLM()].
#' @param weights (`character(1)` or `NULL`) Column with the weights of rows, not one of `columns`.
#'   Its bounds are the last in `rng`, see Weights. Needs `missing = "drop"`.
#' @param release (`data.frame`) A released covariance matrix.
#' @param ... Not used: an argument with another name raises an error.
#' @returns `dpCovariance`: an R6 object, with the methods of [dpMean()] and these fields:
#'   `mechanism`, `name`, `variable` and `columns`, `varType`, `n`, `epsilon`, `globalEps`,
#'   `epsilonDist`, `delta`, `rng`, `rngFormat`, `alpha`, `accuracy` and `accuracyVals`,
#'   `imputeRng`, `missing`, `intercept`, `formula`, `levels`, `contrasts`, `ridge`,
#'   `meanEpsilon`, `weights`, `sens`, `rho`, `sigma`, `input_metric`, `d_in`, `measurement` and
#'   `result`, a [dp_result] with
#'
#' * `release`: a data frame with a row and a column for each of `columns`, then for each term of
#'   the formulas.
#' * `variable`, `epsilon`, `globalEps`, `accuracy` (of the entries), `n`.
#' * `means`: with `intercept`, a named `numeric`.
#' * `linearRegression`: with `formula`, a data frame, or a list with one for each formula. Its
#'   columns are `Estimate`, `Std. Error`, `sampling` and `status`. The standard error covers
#'   sampling and noise, to first order. `sampling` is the part from sampling only. The status is
#'   `"ok"`, or `"repaired"` if the noise left an invalid moment matrix and eigenvalues were raised
#'   to a floor. If you gave only `globalEps`, the errors are the ones that [dpLM()] explains, and
#'   [confint()][statistic_models] gives intervals.
#'
#'   `coefficientRelease()` returns `list(name, n, formula, coefficients)`: the regression from a
#'   matrix that was released before. It does not know the noise of that matrix.
#' @section How it works: See [joint_moments].
#' @section Missing values: With `missing = "drop"` only complete rows enter the moments. Their
#'   count is released too, with discrete Laplace noise of scale 2 s. `accuracy` of the object
#'   assumes that no value is missing. `result` also has `nPresent` (the noisy count),
#'   `share_missing` and `status`: `"ok"`, or `"few"` if so few rows are left that the noise hides
#'   their number. Then `release` is `NA`, and there are no regressions.
#' @section Weights: See [sampling_weights].
#' @section Gaussian noise: See [gaussian_noise]. Here the released vector has all sums and sums of
#'   products of u = x / h, including squares, and the count if rows are dropped. For P columns it
#'   moves by at most D = P + 1 in L2. Each element has noise of standard deviation
#'   `sigma` = (P + 1) / sqrt(2 rho). The header of the measurement has the proof. Gaussian noise
#'   needs one loss for all entries.
#' @section Errors: See [statistic_errors].
#' @section Warnings: `dp_warning_large_epsilon`, `dp_warning_noise` (the accuracy of an entry is
#'   larger than any covariance can be), `dp_warning_range`, `dp_warning_impute_range`.
#' @seealso [dpLM()] for one regression, [joint_moments], [statistic_models], [dpVariance()].
#' @examples
#' cov_income <- dpCovariance(
#'   c("income", "age"), n = 10000, rng = list(c(0, 200000), c(18, 93)), epsilon = 1,
#'   intercept = TRUE, formula = income ~ age
#' )
#' result <- cov_income$release(PUMS5extract10000)
#' result$linearRegression
#'
#' coefficientRelease("age ~ income", result$release, n = 10000)$coefficients
#' @export
dpCovariance <- new_statistic("dpCovariance", "Covariance matrix of columns",
  "covariances, linear regressions",
  arguments = function(mechanism = "mechanismLaplace", varType = "numeric", n, columns, rng = NULL,
                       epsilon = NULL, globalEps = NULL, epsilonDist = NULL, accuracy = NULL,
                       accuracyVals = NULL, imputeRng = NULL, intercept = FALSE, formula = NULL,
                       alpha = 0.05, meanShare = 0.1, gamma = 0.05, ridge = 0, n_check = "error",
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
    epsilonDist = with_others("the share of each entry in `globalEps`, with sum 1, or NULL"),
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
  # Derived values come after the requested ones.
  fields <- fields[!duplicated(names(fields), fromLast = TRUE)]
  fields["rho"] <- list(NULL)
  all <- c(covariance_fields, gaussian_fields)
  fields <- stats::setNames(fields[all], all)
  plan <- new_plan(fields, if (joint) joint_covariance else covariance_result,
    read = columns_of_kinds, class = "dp_covariance_result",
    within = "the noise of an entry is no larger", range = largest,
    model = list(
      formula = vapply(args$formula, `[[`, "", "text"), programs = programs,
      rng = bounds_by_column(args$columns, args$rng)
    ),
    columns = source_columns(args, c(args$columns, args$weights)),
    covers = c(accuracy = target_of$rows, linearRegression = target_of$classical), call = call
  )
  with_chosen_mechanism(c(plan, list(chosen = one)), args)
}

# Pairs of columns, in the order of the entries.
triangle <- function(count) {
  left <- rev(seq_len(count))
  first <- rep(seq_len(count), left)
  list2DF(list(first = first, second = first + sequence(left) - 1L))
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

# Losses of the entries of a covariance matrix -----------------------------------------------------

covariance_sensitivity <- function(widths, n, intercept = FALSE) {
  if (intercept) widths <- c(0, widths)
  pairs <- triangle(length(widths))
  widths[pairs$first] * widths[pairs$second] / n
}

# Returns list(epsilon, meanEpsilon, accuracy): numbers for each entry, and for each mean if any.
covariance_loss <- function(args, sens, call) {
  args$alpha <- noise_alpha(args$mechanism, args$alpha)
  epsilon <- if (is_missing(args$epsilon) && !is_missing(args$globalEps)) {
    shared_epsilon(args, length(sens), call)
  } else {
    with_mean_epsilon(entry_epsilon(args, sens, call), args)
  }
  c(epsilon, list(accuracy = laplaceGetAccuracy(sens, epsilon$epsilon, args$alpha)))
}

# Gives the means `meanShare` of the loss, in equal parts.
with_mean_epsilon <- function(epsilon, args) {
  means <- if (args$intercept) length(args$columns) else 0
  each <- sum(epsilon) * args$meanShare / (1 - args$meanShare) / max(means, 1)
  list(epsilon = epsilon, meanEpsilon = rep(each, means))
}

# Splits `globalEps` between entries and means.
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

# Computes the losses from a request for each entry.
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

# Results from the released entries of a covariance matrix, by postprocessing ----------------------

covariance_result <- function(release, fields) {
  count <- length(fields$columns)
  pairs <- triangle(count)
  entries <- seq_len(nrow(pairs))
  matrix <- symmetric_matrix(release[entries], pairs, fields$columns)
  means <- if (fields$intercept) stats::setNames(release[-entries], fields$columns)
  c(
    list(
      release = as.data.frame(matrix), variable = fields$variable, epsilon = fields$epsilon,
      globalEps = fields$globalEps, accuracy = fields$accuracy, n = fields$n
    ),
    if (fields$intercept) list(means = means),
    if (length(fields$formula) > 0) {
      list(linearRegression = regressions(fields$formula, entry_lines(matrix, means, fields)))
    }
  )
}

symmetric_matrix <- function(entries, pairs, names) {
  matrix <- matrix(0, length(names), length(names), dimnames = list(names, names))
  matrix[cbind(pairs$first, pairs$second)] <- entries
  matrix[cbind(pairs$second, pairs$first)] <- entries
  matrix
}

# Lines from entries and means with independent Laplace noise.
entry_lines <- function(matrix, means, fields) {
  named <- function(x) stats::setNames(x, fields$columns)
  widths <- named(vapply(fields$rng, diff, 0))
  pairs <- triangle(length(widths))
  deviations <- symmetric_matrix(sqrt(2) * fields$sens / fields$epsilon, pairs, fields$columns)
  of_means <- if (fields$intercept) named(sqrt(2) * widths / fields$n / fields$meanEpsilon)
  function(formula) {
    covariance_line(matrix, formula, fields$n, widths, means, fields$ridge, deviations, of_means)
  }
}

# Residual variance at these coefficients of columns, with the degrees of freedom of `n` rows. NULL
# if the matrix lacks columns of the model. Noise can take it below 0.
variance_from_matrix <- function(x, model) {
  if (!is.null(model$program)) {
    return(NULL)
  }
  matrix <- as.matrix(x$release)
  slopes <- model$coefficients[setdiff(names(model$coefficients), "intercept")]
  formula <- check_formula(model$formula)
  used <- c(formula$response, names(slopes))
  if (!all(used %in% colnames(matrix))) {
    return(NULL)
  }
  contrast <- c(1, -slopes)
  rows <- x$nPresent %||% attr(x, "about")$n
  share <- (rows - 1) / max(rows - length(model$coefficients), 1)
  share * sum(contrast * (matrix[used, used] %*% contrast))
}

# S3 method names contain dots.
# nolint start: object_name_linter.

# Regressions have tables below the matrix.
result_lines.dp_covariance_result <- function(x, digits, rows) {
  tables <- x$linearRegression
  x$linearRegression <- NULL
  if (is.data.frame(tables)) tables <- list(`linear regression` = tables)
  shown <- Map(function(table, name) {
    table <- cbind(term = rownames(table), table)
    c("", paste0("  ", name), show_table(table, digits %||% 7, Inf))
  }, tables, names(tables))
  c(result_lines.dp_result(x, digits, rows), unlist(shown, use.names = FALSE))
}

estimates_of.dp_covariance_result <- function(x) {
  pairs <- as.matrix(triangle(length(x$variable)))
  estimate <- as.matrix(x$release)[pairs]
  data.frame(
    term = names_of_pairs(x$variable, pairs), estimate = estimate,
    conf.low = estimate - x$accuracy, conf.high = estimate + x$accuracy
  )
}

pictures.dp_covariance_result <- function(x) {
  entries <- list(entries = function() {
    list(kind = "points", table = as.data.frame(x), xlab = "covariance", apart = TRUE)
  })
  c(entries, if (!is.null(x$linearRegression)) list(coefficients = function() slopes(x)))
}

# nolint end

# Slopes whose errors cover noise and sampling.
slopes <- function(x) {
  tables <- x$linearRegression
  if (is.data.frame(tables)) tables <- list(tables)
  prefix <- if (length(tables) > 1) paste0(names(tables), ": ") else ""
  rows <- Map(function(table, prefix) {
    estimate <- stats::setNames(table$Estimate, rownames(table))
    errors <- attr(table, "errors")
    ends <- if (!is.null(errors)) {
      coefficient_intervals(estimate, errors, 1 - attr(x, "about")$alpha)
    }
    with_ends(
      data.frame(term = paste0(prefix, rownames(table)), estimate = estimate), ends,
      c("conf.low", "conf.high")
    )
  }, tables, prefix)
  list(
    kind = "points", table = do.call(rbind, unname(rows)), xlab = "coefficient", apart = TRUE,
    covers = target_in(x, "linearRegression")
  )
}
