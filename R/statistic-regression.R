# Linear regression from a covariance matrix: postprocessing.

# Formulas over `columns`: a list, with the texts as names.
check_formulas <- function(formula, columns, call) {
  if (is.null(formula)) {
    return(list())
  }
  if (!is.list(formula)) formula <- if (inherits(formula, "formula")) list(formula) else
    as.list(formula)
  lapply(formula, check_formula, columns = columns, call = call)
}

# list(text, response, terms): y ~ a + b, all of them columns.
check_formula <- function(formula, columns, call = rlang::caller_env()) {
  if (is_string(formula)) formula <- tryCatch(stats::as.formula(formula), error = function(e) NULL)
  if (!inherits(formula, "formula") || length(formula) != 3) {
    stop_argument("formulas with a response, or texts of them", describe(formula), "formula", call)
  }
  response <- deparse1(formula[[2]])
  terms <- attr(stats::terms(formula), "term.labels")
  if (length(terms) == 0 || !all(c(response, terms) %in% columns) || response %in% terms) {
    stop_argument("of different columns alone, such as y ~ a + b", "another one", "formula", call)
  }
  list(text = deparse1(formula), response = response, terms = terms)
}

regressions <- function(matrix, means, fields, pairs) {
  variances <- matrix * 0
  entry <- 2 * (fields$sens / fields$epsilon)^2
  variances[as.matrix(pairs)] <- entry
  variances[as.matrix(pairs[2:1])] <- entry
  widths <- vapply(fields$rng, diff, 0)
  names(widths) <- fields$columns
  mean_variances <- if (fields$intercept) 2 * (widths / fields$n / fields$meanEpsilon)^2
  tables <- lapply(fields$formula, function(formula) {
    linear_regression(matrix, formula, fields$n, variances, widths, means, mean_variances,
      fields$ridge
    )
  })
  if (length(tables) == 1) {
    return(tables[[1]])
  }
  stats::setNames(tables, vapply(fields$formula, `[[`, "", "text"))
}

# Estimates and standard errors. `variances` are those of the noise of the entries: an estimate
# b = I C_xy, I = (C_xx + ridge widths^2)^-1, moves with the entry (x_j, y) by I e_j, and with
# (x_j, x_k) by -I (e_j b_k + e_k b_j). Sampling moves C_xy - C_xx b by C_xx residual / n.
linear_regression <- function(matrix, formula, n, variances = matrix * 0,
                              widths = spread_of(matrix), means = NULL,
                              mean_variances = NULL, ridge = 0) {
  x <- formula$terms
  y <- formula$response
  used <- repaired_covariance(matrix[c(y, x), c(y, x)], widths[c(y, x)])
  covariance <- used$matrix
  inner <- covariance[x, x, drop = FALSE]
  # In units of the widths, where no eigenvalue is too small to invert.
  units <- outer(widths[x], widths[x])
  inverse <- solve(inner / units + diag(ridge, length(x))) / units
  estimate <- drop(inverse %*% covariance[x, y])
  explained <- 2 * sum(covariance[x, y] * estimate) - drop(estimate %*% inner %*% estimate)
  residual <- max(covariance[y, y] - explained, 0)
  sampling <- inverse %*% inner %*% inverse * residual / n
  noise <- inverse %*% score_variance(variances, x, y, estimate) %*% inverse
  if (!is.null(means)) {
    first <- intercept_row(means, mean_variances, x, y, estimate, sampling, noise, residual / n)
    estimate <- c(intercept = first$estimate, estimate)
    sampling <- c(first$sampling, diag(sampling))
    noise <- c(first$noise, diag(noise))
  } else {
    sampling <- diag(sampling)
    noise <- diag(noise)
  }
  data.frame(
    Estimate = estimate, `Std. Error` = sqrt(sampling + noise), sampling = sqrt(sampling),
    status = used$status, row.names = names(estimate), check.names = FALSE
  )
}

# The variance of C_xy - C_xx b for noise of the entries alone, b fixed.
score_variance <- function(variances, x, y, estimate) {
  inner <- variances[x, x, drop = FALSE]
  # Entry (j, k) moves element j by b_k and k by b_j; the diagonal ones element j by b_j.
  scores <- inner * outer(estimate, estimate)
  diag(scores) <- variances[x, y] + drop(inner %*% estimate^2)
  scores
}

# a = mean of y - sum of b times means of x.
intercept_row <- function(means, mean_variances, x, y, estimate, sampling, noise, residual) {
  quadratic <- function(m) drop(means[x] %*% m %*% means[x])
  list(
    estimate = means[[y]] - sum(estimate * means[x]),
    sampling = residual + quadratic(sampling),
    noise = mean_variances[[y]] + sum(estimate^2 * mean_variances[x]) + quadratic(noise)
  )
}

# Units for columns of unknown ranges. Noise may have taken a variance below 0.
spread_of <- function(matrix) {
  spread <- sqrt(abs(diag(matrix)))
  ifelse(spread > 0, spread, 1)
}

# Noise may leave no covariance matrix. In units of the public widths, eigenvalues are raised to a
# public floor.
eigenvalue_floor <- 1e-9

repaired_covariance <- function(matrix, widths) {
  units <- outer(widths, widths)
  parts <- eigen(matrix / units, symmetric = TRUE)
  if (min(parts$values) >= eigenvalue_floor) {
    return(list(matrix = matrix, status = "ok"))
  }
  raised <- parts$vectors %*% (pmax(parts$values, eigenvalue_floor) * t(parts$vectors))
  list(matrix = structure(raised * units, dimnames = dimnames(matrix)), status = "repaired")
}

#' @rdname dpCovariance
#' @export
coefficientRelease <- function(formula, release, n, ridge = 0) {
  check_positive_whole(n)
  check_number(ridge, min = 0)
  matrix <- if (is.data.frame(release) || is.matrix(release)) as.matrix(release)
  square <- is.numeric(matrix) && length(matrix) > 0 && nrow(matrix) == ncol(matrix)
  if (!square || is.null(colnames(matrix))) {
    stop_argument("a square table with names", describe(release), "release", rlang::current_env())
  }
  rownames(matrix) <- colnames(matrix)
  formula <- check_formula(formula, colnames(matrix), rlang::current_env())
  list(
    name = "coefficients", n = n, formula = formula$text,
    coefficients = linear_regression(matrix, formula, n, ridge = ridge)
  )
}
