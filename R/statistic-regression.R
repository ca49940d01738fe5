# Linear regression from a covariance matrix: postprocessing.

# Formulas over `columns`: a list of what check_formula() gives.
check_formulas <- function(formula, columns, call) {
  if (is.null(formula)) {
    return(list())
  }
  if (!is.list(formula)) formula <- if (inherits(formula, "formula")) list(formula) else
    as.list(formula)
  lapply(formula, function(formula) {
    checked <- check_formula(formula, call)
    foreign <- setdiff(c(checked$response, checked$terms), columns)
    if (length(foreign) > 0) {
      stop_argument("of the `columns` alone", paste("of", in_quotes(foreign)), "formula", call)
    }
    if (!checked$intercept) {
      stop_argument(
        "without a constant term: `intercept` says whether there is one", "with one", "formula",
        call
      )
    }
    checked
  })
}

# list(text, response, terms, intercept) of a formula y ~ a + b, or of its text. Columns by name and
# a constant are all there is a model for; what else a formula can say would be lost without a word.
check_formula <- function(formula, call = rlang::caller_env()) {
  came <- describe(formula)
  if (is_string(formula)) formula <- tryCatch(stats::as.formula(formula), error = function(e) NULL)
  if (!inherits(formula, "formula") || length(formula) != 3) {
    stop_argument("a formula such as y ~ a + b, or the text of one", came, "formula", call)
  }
  response <- formula[[2]]
  if (!is_column_name(response)) refuse_term(response, call)
  summands <- formula_summands(formula[[3]], call)
  constants <- Filter(is.numeric, summands)
  columns <- c(as.character(response), vapply(Filter(is.symbol, summands), as.character, ""))
  if (anyDuplicated(columns) > 0) {
    refuse_formula(paste(in_quotes(unique(columns[duplicated(columns)])), "twice"), call)
  }
  if (length(columns) < 2) {
    stop_argument("of at least one column, such as y ~ a", "of a constant", "formula", call)
  }
  list(
    text = deparse1(formula), response = columns[[1]], terms = columns[-1],
    intercept = !any(vapply(constants, identical, NA, 0))
  )
}

# The summands of a right-hand side: symbols, and 1 or 0 for a constant or none.
formula_summands <- function(side, call) {
  is_call_of <- function(name, parts) rlang::is_call(side, name, n = parts)
  if (is_call_of("(", 1)) {
    formula_summands(side[[2]], call)
  } else if (is_call_of("+", 2)) {
    c(formula_summands(side[[2]], call), formula_summands(side[[3]], call))
  } else if (is_call_of("-", 2) && identical(side[[3]], 1)) {
    c(formula_summands(side[[2]], call), 0)
  } else if (is_call_of("-", 1) && identical(side[[2]], 1)) {
    list(0)
  } else if (is_column_name(side) || identical(side, 1) || identical(side, 0)) {
    list(side)
  } else {
    refuse_term(side, call)
  }
}

is_column_name <- function(side) is.symbol(side) && !identical(side, quote(.))

refuse_term <- function(term, call) {
  refuse_formula(
    paste0("`", deparse1(term), "`; interactions and functions are not supported"), call
  )
}

refuse_formula <- function(came, call) {
  raise(paste0("`formula` must name distinct columns only, as in y ~ a + b, not ", came, "."),
    "invalid_argument", error_variants[["invalid_argument"]],
    argument = "formula", call = call
  )
}

# `noise(fit, means)`: the covariance that noise gives the coefficients, the intercept first if
# there are `means`.
regressions <- function(matrix, means, fields, n, noise) {
  widths <- stats::setNames(vapply(fields$rng, diff, 0), fields$columns)
  tables <- lapply(fields$formula, function(formula) {
    linear_regression(matrix, formula, n, widths, means, fields$ridge, noise)
  })
  if (length(tables) == 1) {
    return(tables[[1]])
  }
  stats::setNames(tables, vapply(fields$formula, `[[`, "", "text"))
}

# Estimates and standard errors, from noise to the first order; their covariance is an attribute.
# Sampling moves C_xy - C_xx b by C_xx residual / n.
linear_regression <- function(matrix, formula, n, widths = spread_of(matrix), means = NULL,
                              ridge = 0, noise = no_noise) {
  fit <- fitted_slopes(matrix, formula, widths, ridge)
  estimate <- fit$estimate
  sampling <- fit$inverse %*% fit$inner %*% fit$inverse * fit$residual / n
  if (!is.null(means)) {
    estimate <- c(intercept = means[[fit$y]] - sum(estimate * means[fit$x]), estimate)
    sampling <- with_intercept(sampling, means[fit$x], fit$residual / n)
  }
  noise <- noise(fit, means)
  dimnames(sampling) <- dimnames(noise) <- list(names(estimate), names(estimate))
  table <- data.frame(
    Estimate = estimate, `Std. Error` = root(diag(sampling + noise)),
    sampling = root(diag(sampling)), status = fit$status, row.names = names(estimate),
    check.names = FALSE
  )
  structure(table, vcov = structure(sampling + noise, noise = noise))
}

# Of variances, which rounding may take below 0.
root <- function(variances) sqrt(pmax(variances, 0))

# Slopes b = I C_xy, I = (C_xx + ridge widths^2)^-1, and what their errors follow from.
fitted_slopes <- function(matrix, formula, widths, ridge) {
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
  list(
    x = x, y = y, inner = inner, inverse = inverse, estimate = estimate,
    residual = max(covariance[y, y] - explained, 0), status = used$status
  )
}

no_noise <- function(fit, means) {
  coefficients <- length(fit$x) + !is.null(means)
  matrix(0, coefficients, coefficients)
}

# The covariance of intercept and slopes: a = mean of y - sum of b times the means of x, where the
# mean of y has this `variance` of its own.
with_intercept <- function(slopes, means, variance) {
  across <- -drop(slopes %*% means)
  rbind(c(variance - sum(across * means), across), cbind(across, slopes))
}

# Of noise on each entry by itself, and on each mean: an estimate moves with the entry (x_j, y) by
# I e_j, and with (x_j, x_k) by -I (e_j b_k + e_k b_j).
noise_of_entries <- function(entries, means, columns) {
  variances <- symmetric_matrix(entries, triangle(length(columns)), columns)
  of_means <- if (!is.null(means)) stats::setNames(means, columns)
  function(fit, means) {
    x <- fit$x
    scores <- score_variance(variances[x, x, drop = FALSE], variances[x, fit$y], fit$estimate)
    slopes <- fit$inverse %*% scores %*% fit$inverse
    if (is.null(means)) {
      return(slopes)
    }
    own <- of_means[[fit$y]] + sum(fit$estimate^2 * of_means[x])
    with_intercept(slopes, means[x], own)
  }
}

# The variance of M_xy - M_xx b, with b fixed, for noise of these variances alone. An entry (j, k)
# moves element j by b_k and k by b_j; the diagonal ones element j by b_j.
score_variance <- function(inner, with_response, estimate) {
  scores <- inner * outer(estimate, estimate)
  diag(scores) <- with_response + drop(inner %*% estimate^2)
  scores
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
  formula <- check_formulas(list(formula), colnames(matrix), rlang::current_env())[[1]]
  list(
    name = "coefficients", n = n, formula = formula$text,
    coefficients = linear_regression(matrix, formula, n, ridge = ridge)
  )
}
