# Linear regression from a covariance matrix: postprocessing.

# Formulas over `columns`: a list of results of model_of_formula().
check_formulas <- function(formula, columns, levels, contrasts, call) {
  if (is.null(formula)) {
    return(list())
  }
  if (!is.list(formula)) formula <- if (inherits(formula, "formula")) list(formula) else
    as.list(formula)
  lapply(formula, function(formula) {
    checked <- model_of_formula(formula, levels, contrasts, TRUE, call)
    foreign <- setdiff(columns_of_formula(checked), columns)
    if (length(foreign) > 0) {
      stop_argument("of the `columns` alone", paste("of", in_quotes(foreign)), "formula", call)
    }
    if (!checked$intercept) {
      stop_argument(
        "without a constant term: `intercept` says whether there is one", "with one", "formula",
        call
      )
    }
    if (!is.null(checked$design$offset)) {
      refuse_formula("an offset, which `dpLM()` takes", call)
    }
    checked
  })
}

# Returns list(text, response, terms, intercept) for a formula y ~ a + b, or its text. Models
# support only columns by name and a constant. Anything else would be dropped silently, so it raises
# an error.
check_formula <- function(formula, call = rlang::caller_env()) {
  formula <- two_sided_formula(formula, call)
  response <- formula[[2]]
  if (!is_column_name(response)) refuse_summand(response, call)
  summands <- formula_summands(formula[[3]], call)
  constants <- Filter(is.numeric, summands)
  columns <- c(as.character(response), vapply(Filter(is.symbol, summands), as.character, ""))
  if (anyDuplicated(columns) > 0) {
    refuse_formula(paste(in_quotes(unique(columns[duplicated(columns)])), "twice"), call)
  }
  if ("intercept" %in% columns[-1]) {
    refuse_formula("`intercept`, which is the name of the constant", call)
  }
  if (length(columns) < 2) {
    stop_argument("of at least one column, such as y ~ a", "of a constant", "formula", call)
  }
  list(
    text = deparse1(formula), response = columns[[1]], terms = columns[-1],
    intercept = !any(vapply(constants, identical, NA, 0))
  )
}

# Summands of a right-hand side: symbols, and 1 or 0 for a constant or none.
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
    refuse_summand(side, call)
  }
}

is_column_name <- function(side) is.symbol(side) && !identical(side, quote(.))

refuse_summand <- function(term, call) {
  if (identical(term, quote(.))) {
    refuse_term(term, "columns are named, as a model has no data before a release", call)
  }
  refuse_term(term, "columns stand here by their names alone", call)
}

refuse_formula <- function(came, call) {
  raise(paste0("`formula` must not have ", came, "."),
    "invalid_argument", error_variants[["invalid_argument"]],
    argument = "formula", call = call
  )
}

# Tables of the results of `line(formula)`, one for each formula. One table if there is one formula.
regressions <- function(formulas, line) {
  tables <- lapply(formulas, function(formula) line_table(line(formula)))
  if (length(tables) == 1) {
    return(tables[[1]])
  }
  stats::setNames(tables, vapply(formulas, `[[`, "", "text"))
}

# A line is list(estimate, noise, sampling, df, variance, status). Estimates have names. Their error
# is `noise` times independent noise of variance 1, plus a normal vector with covariance `sampling`.
# `variance` is the residual variance.
line_table <- function(line) {
  table <- data.frame(
    Estimate = line$estimate, `Std. Error` = standard_errors(line),
    sampling = root(diag(line$sampling)), status = line$status, row.names = names(line$estimate),
    check.names = FALSE
  )
  structure(table, errors = errors_of_line(line))
}

standard_errors <- function(errors) root(diag(errors$sampling) + rowSums(errors$noise^2))

# Roots of variances, which rounding can make negative.
root <- function(variances) sqrt(pmax(variances, 0))

# Turns least squares of the core (least_squares.h) into the line of the columns. The matrix `back`
# maps coefficients to coefficients of the columns, named `names`. `inverse` maps sums of scores
# to the movement of the coefficients.
fitted_line <- function(moments, model, back, names) {
  size <- length(model$response)
  fit <- core_least_squares(
    list(size = size, values = moments$values, noise = moments$noise),
    c(model, list(predictors = nrow(model$design)))
  )
  list(
    estimate = stats::setNames(drop(back %*% fit$coefficients), names), noise = back %*% fit$noise,
    sampling = back %*% fit$sampling %*% t(back), df = model$degrees_of_freedom,
    variance = fit$variance, cautious = fit$cautious_variance, inverse = back %*% fit$inverse,
    status = if (fit$repaired) "repaired" else "ok"
  )
}

# Line from a covariance matrix whose entries have independent noise with these standard
# `deviations`, in units of the widths. No eigenvalue is too small to invert. `widths` and `means`
# have names. `ridge` is added to the variance of each predictor.
covariance_line <- function(matrix, formula, n, widths = spread_of(matrix), means = NULL, ridge = 0,
                            deviations = 0 * matrix, mean_deviations = NULL) {
  x <- formula$terms
  y <- formula$response
  used <- c(x, y)
  scale <- n / outer(widths[used], widths[used])
  model <- list(
    design = cbind(diag(length(x)), 0), response = c(numeric(length(x)), 1),
    ridge = rep(n * ridge, length(x)), floor = n * variance_floor, degrees_of_freedom = n
  )
  moments <- list(values = matrix[used, used] * scale, noise = deviations[used, used] * scale)
  line <- fitted_line(moments, model, diag(widths[[y]] / widths[x], length(x)), x)
  if (is.null(means)) line else with_intercept(line, y, means, mean_deviations, widths[[y]]^2 / n)
}

# With noise, the matrix may not be a covariance matrix. In units of the public widths, eigenvalues
# are raised to this public floor.
variance_floor <- 1e-9

# The intercept is the mean of y minus the slopes times the means of x. Means have separate errors:
# noise of these `deviations`, and residuals. `unit` times the residual variance is the variance of
# their mean.
with_intercept <- function(line, y, means, deviations, unit) {
  x <- names(line$estimate)
  slopes <- line$estimate
  line$estimate <- c(intercept = means[[y]] - sum(slopes * means[x]), slopes)
  across <- -drop(line$sampling %*% means[x])
  own <- line$cautious * unit - sum(across * means[x])
  line$sampling <- rbind(c(own, across), cbind(across, line$sampling))
  of_means <- if (!is.null(deviations)) deviations[c(y, x)] * c(1, -slopes)
  line$noise <- rbind(
    c(-drop(means[x] %*% line$noise), of_means),
    cbind(line$noise, matrix(0, length(x), length(of_means)))
  )
  dimnames(line$sampling) <- NULL
  line
}

# Units for columns of unknown ranges. Noise can make a variance negative.
spread_of <- function(matrix) {
  spread <- sqrt(abs(diag(matrix)))
  ifelse(spread > 0, spread, 1)
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
  call <- rlang::current_env()
  check_formula(formula, call)
  formula <- check_formulas(list(formula), colnames(matrix), NULL, NULL, call)[[1]]
  list(
    name = "coefficients", n = n, formula = formula$text,
    coefficients = line_table(covariance_line(matrix, formula, n, ridge = ridge))
  )
}
