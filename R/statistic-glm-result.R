# What follows from the released coefficients of a model: postprocessing.

glm_result <- function(release, fields) {
  parts <- fields$nBoot %||% 1
  scaled <- matrix(release, nrow = parts, byrow = TRUE)
  present <- if (drops_missing(fields) && fields$objective == "ols") scaled[, ncol(scaled)]
  estimates <- t(apply(scaled, 1, original_scale, fields = fields))
  colnames(estimates) <- c(
    if (fields$intercept) "intercept", fields$variable[-1],
    if (fields$objective == "ols") residual_row(fields$variable)
  )
  about <- list(
    variable = fields$variable, accuracy = fields$accuracy, epsilon = fields$epsilon
  )
  if (!is.null(present)) about$nPresent <- sum(present)
  if (is.null(fields$nBoot)) {
    return(c(list(release = data.frame(estimate = estimates[1, ])), about))
  }
  c(
    list(release = as.data.frame(estimates)), about,
    list(summary = parts_summary(estimates, fields$alpha))
  )
}

# What the variance of residuals is called, beside the coefficients.
residual_row <- function(variable) {
  if ("variance" %in% variable[-1]) "residual variance" else "variance"
}

# From columns moved and scaled by their bounds to their own units.
original_scale <- function(scaled, fields) {
  ols <- fields$objective == "ols"
  bounds <- matrix(unlist(fields$rng), nrow = 2)
  centre <- colMeans(bounds) * fields$intercept
  unit <- if (fields$intercept) (bounds[2, ] - bounds[1, ]) / 2 else apply(abs(bounds), 2, max)
  response <- if (ols) c(centre[[1]], unit[[1]]) else c(0, 1)
  count <- length(unit) - 1 + fields$intercept
  slopes <- scaled[seq_along(unit)[-1] - 1 + fields$intercept] / unit[-1]
  intercept <- if (fields$intercept) scaled[[1]] - sum(slopes * centre[-1])
  c(
    if (fields$intercept) response[[1]] + response[[2]] * intercept,
    response[[2]] * slopes,
    if (ols) response[[2]]^2 * residual_variance(scaled[-seq_len(count)], count, fields)
  )
}

# From the mean square of residuals; or from the sum of squares less 2 for each row without a gap,
# and the number of these rows.
residual_variance <- function(squares, count, fields) {
  if (drops_missing(fields)) {
    (squares[[1]] + 2 * squares[[2]]) / max(squares[[2]] - count, 1)
  } else {
    rows <- fields$n %/% (fields$nBoot %||% 1)
    squares[[1]] * rows / max(rows - count, 1)
  }
}

# Parts are independent, and alike but for chance.
parts_summary <- function(estimates, alpha) {
  parts <- nrow(estimates)
  estimate <- colMeans(estimates)
  error <- apply(estimates, 2, stats::sd) / sqrt(parts)
  reach <- stats::qt(1 - alpha / 2, parts - 1) * error
  interval_table(estimate, error, cbind(estimate - reach, estimate + reach), alpha)
}

# The `summary` of a result: `ends` has two columns.
interval_table <- function(estimate, error, ends, alpha) {
  names <- paste0(show_number(100 * c(alpha / 2, 1 - alpha / 2), 7), "%")
  stats::setNames(data.frame(estimate, error, ends), c("Estimate", "Std. Error", names))
}

# Methods' names have dots.
# nolint start: object_name_linter.

#' @rdname statistic_tables
#' @export
as.data.frame.dp_glm_result <- function(x, row.names = NULL, optional = FALSE, ...) {
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
      kind = "points", table = as.data.frame(x), xlab = "coefficient", apart = TRUE,
      covers = "the population"
    )
  })
}

# nolint end
