# Results of models: postprocessing of the released coefficients.

# `budget`: the output of core_glm_budget().
glm_result <- function(budget) {
  force(budget)
  function(release, fields) {
    if (fields$inference == "onestep") {
      one_step_result(release, fields, budget)
    } else {
      parts_result(release, fields)
    }
  }
}

# Result from one part, or from several.
parts_result <- function(release, fields) {
  parts <- fields$nBoot %||% 1
  scaled <- matrix(release, nrow = parts, byrow = TRUE)
  present <- if (drops_missing(fields) && fields$objective == "ols") scaled[, ncol(scaled)]
  estimates <- t(apply(scaled, 1, original_scale, fields = fields))
  colnames(estimates) <- estimate_names(fields)
  about <- list(
    variable = fields$variable, accuracy = fields$accuracy, epsilon = fields$epsilon
  )
  if (!is.null(present)) about <- c(about, present_rows(sum(present), fields))
  if (is.null(fields$nBoot)) {
    return(c(list(release = data.frame(estimate = estimates[1, ])), about))
  }
  c(
    list(release = as.data.frame(estimates)), about,
    list(summary = parts_summary(estimates, fields$alpha))
  )
}

estimate_names <- function(fields) {
  c(
    if (fields$intercept) "intercept", fields$variable[-1],
    if (fields$objective == "ols") residual_row(fields$variable)
  )
}

# Result of one step. The release has theta, then squared residuals for least squares, then weighted
# squares of predictors: for curvatures, and for the slopes of a sandwich.
one_step_result <- function(release, fields, budget) {
  size <- length(fields$variable) - 1 + fields$intercept
  pairs <- size * (size + 1) / 2
  slopes <- if (fields$vcov == "sandwich") utils::tail(release, pairs)
  head <- release[seq_len(length(release) - pairs - length(slopes))]
  raw <- original_scale(head, fields)
  residuals <- scaled_residuals(head[-seq_len(size)], size, budget, fields)
  line <- one_step(
    head[seq_len(size)], release[length(head) + seq_len(pairs)], slopes, budget,
    fields$lambda * fields$n, residuals$dispersion, residuals$df,
    largest_curvature(head[seq_len(size)], fields)
  )
  units <- coefficient_units(fields)
  variance <- raw[-seq_len(size)]
  estimate <- c(units$shift + drop(units$back %*% line$estimate), variance)
  names(estimate) <- names(raw) <- estimate_names(fields)
  line$noise <- units$back %*% line$noise
  line$sampling <- units$back %*% line$sampling %*% t(units$back)
  if (!is.null(line$curvature)) line$curvature$back <- units$back
  unknown <- rep(NA_real_, length(variance))
  ends <- coefficient_intervals(estimate[seq_len(size)], line, 1 - fields$alpha)
  summary <- interval_table(
    estimate, c(standard_errors(line), unknown), rbind(ends, cbind(unknown, unknown)), fields$alpha
  )
  rownames(summary) <- names(estimate)
  c(
    list(
      release = data.frame(estimate = estimate), variable = fields$variable,
      accuracy = fields$accuracy, epsilon = fields$epsilon, raw = raw,
      summary = structure(summary, errors = errors_of_line(line))
    ),
    if (!is.null(residuals$present)) present_rows(residuals$present, fields),
    list(status = line$status)
  )
}

# Largest curvature of a row at these coefficients of scaled predictors, divided by the bound for
# any coefficients: see objective_perturbation.h. Without a sandwich it is the mean over responses.
largest_curvature <- function(theta, fields) {
  if (fields$objective == "probit" && fields$vcov == "classical") {
    return(2 / pi)
  }
  if (fields$objective != "poisson") {
    return(1)
  }
  bounds <- fields$rng
  constant <- fields$intercept & seq_along(theta) == 1
  has_offset <- length(bounds) > length(fields$variable) + has_weights(fields)
  offset <- if (has_offset) bounds[[length(fields$variable) + 1]][[2]] else 0
  min(exp(sum(ifelse(constant, theta, abs(theta))) + offset) / bounds[[1]][[2]], 1)
}

# Noisy number of complete rows, or the sum of their weights.
present_rows <- function(count, fields) {
  counted <- counted_rows(count, fields)
  counted[names(counted) != "share_missing"]
}

# Returns list(dispersion, df, present): the ratio of a slope's variance to its curvature, in scaled
# units, with its degrees of freedom. Least squares adds 0.7 standard deviations of the noise.
scaled_residuals <- function(squares, size, budget, fields) {
  if (fields$objective == "poisson") {
    return(list(dispersion = 1 / fields$rng[[1]][[2]], df = Inf))
  } else if (fields$objective != "ols") {
    return(list(dispersion = 1, df = Inf))
  }
  drops <- drops_missing(fields)
  rows <- if (drops) squares[[2]] else fields$n
  df <- max(rows - size, 1)
  noise <- (if (drops) 8 else sqrt(32)) / budget$variance_epsilon
  variance <- residual_variance(squares, size, fields) + 0.7 * noise / df
  c(list(dispersion = max(variance, 0), df = df), if (drops) list(present = rows))
}

# Name of the residual variance beside the coefficients.
residual_row <- function(variable) {
  if ("variance" %in% variable[-1]) "residual variance" else "variance"
}

# Converts coefficients of scaled columns to the original units.
original_scale <- function(scaled, fields) {
  units <- coefficient_units(fields)
  count <- nrow(units$back)
  c(
    units$shift + drop(units$back %*% scaled[seq_len(count)]),
    if (fields$objective == "ols") {
      units$response^2 * residual_variance(scaled[-seq_len(count)], count, fields)
    }
  )
}

# Returns list(back, shift, response): coefficients are `back` times the scaled ones, plus `shift`.
# `response` is the unit of the response.
coefficient_units <- function(fields) {
  ols <- fields$objective == "ols"
  bounds <- matrix(unlist(fields$rng[seq_along(fields$variable)]), nrow = 2) # not an offset's
  centre <- colMeans(bounds) * fields$intercept
  unit <- if (fields$intercept) (bounds[2, ] - bounds[1, ]) / 2 else apply(abs(bounds), 2, max)
  response <- if (ols) c(centre[[1]], unit[[1]]) else c(0, 1)
  back <- diag(1 / unit[-1], length(unit) - 1)
  if (fields$intercept) back <- rbind(c(1, -centre[-1] / unit[-1]), cbind(0, back))
  shift <- c(if (fields$intercept) response[[1]], rep(0, length(unit) - 1))
  list(back = response[[2]] * back, shift = shift, response = response[[2]])
}

# Residual variance from the mean square of residuals, or from the sum of squares minus 2 for each
# complete row, and the number of these rows.
residual_variance <- function(squares, count, fields) {
  if (drops_missing(fields)) {
    (squares[[1]] + 2 * squares[[2]]) / max(squares[[2]] - count, 1)
  } else {
    rows <- fields$n %/% (fields$nBoot %||% 1)
    squares[[1]] * rows / max(rows - count, 1)
  }
}

# Summarises the parts, which are independent and identically distributed.
parts_summary <- function(estimates, alpha) {
  parts <- nrow(estimates)
  estimate <- colMeans(estimates)
  error <- apply(estimates, 2, stats::sd) / sqrt(parts)
  reach <- stats::qt(1 - alpha / 2, parts - 1) * error
  interval_table(estimate, error, cbind(estimate - reach, estimate + reach), alpha)
}

# Makes the `summary` of a result: `ends` has two columns.
interval_table <- function(estimate, error, ends, alpha) {
  names <- paste0(show_number(100 * c(alpha / 2, 1 - alpha / 2), 7), "%")
  # Avoids data.frame(), which takes ten times as long, because each release of a model calls this.
  columns <- lapply(list(estimate, error, ends[, 1], ends[, 2]), as.vector)
  table <- list2DF(stats::setNames(columns, c("Estimate", "Std. Error", names)))
  row.names(table) <- names(estimate)
  table
}

# S3 method names contain dots.
# nolint start: object_name_linter.

estimates_of.dp_glm_result <- function(x) {
  if (is.null(x$summary)) {
    return(data.frame(term = rownames(x$release), estimate = x$release$estimate))
  }
  data.frame(
    term = rownames(x$summary), estimate = x$summary[[1]], std.error = x$summary[[2]],
    conf.low = x$summary[[3]], conf.high = x$summary[[4]]
  )
}

pictures.dp_glm_result <- function(x) {
  list(coefficients = function() {
    list(
      kind = "points", table = as.data.frame(x), xlab = "coefficient", apart = TRUE
    )
  })
}

# nolint end
