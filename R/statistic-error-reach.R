# Reach of an error with a known law.

# Bounds on the errors of combinations of coefficients, one in each row of `rows`, that hold with
# probability `level`.
reach_of_errors <- function(errors, rows, level) {
  alpha <- 1 - level
  # Widens by the ratio of Student's quantile to the normal one.
  excess <- stats::qt(alpha / 2, errors$df, lower.tail = FALSE) /
    stats::qnorm(alpha / 2, lower.tail = FALSE)
  if (!is.null(errors$curvature)) {
    return(reach_of_draws(errors$curvature, rows, excess, alpha))
  }
  variance <- pmax(rowSums((rows %*% errors$sampling) * rows) * excess^2, 0)
  reach_of_noise(variance, rows %*% errors$noise, alpha, isTRUE(errors$normal))
}
