# Improves the coefficients of objective perturbation and estimates their errors, by postprocessing.
# It uses the coefficients and the weighted squares of predictors at them (weighted_squares.h).
#
# The released theta is the minimum of J = sum of losses + theta'L theta / 2 + b'theta. L is the
# ridge, and b is noise with density proportional to exp(-rate max|b_j|). Everything except b is
# public. Let H be the Hessian of the losses, beta the population coefficients, and g the gradient
# of the losses at beta. To first order,
#
#   theta - beta = -H^-1 (L theta + b + g).
#
# So theta + H^-1 L theta has no bias from the ridge, and its error is H^-1 (b + g). The law of b is
# known, and g is normal. If the model is true, the covariance of g is H times a public or released
# dispersion. Otherwise it is the sum of squares of slopes. H is known up to noise.
# statistic-curvature-noise.R has its law.

# Returns list(estimate, noise, sampling, df, curvature, status) for scaled coefficients. `squares`
# and `slopes` are the released M. `slopes` is NULL without a sandwich. `budget` comes from
# core_glm_budget(). `ridge` is the ridge of all rows. `dispersion` is the variance of a slope over
# its curvature. `most` is the largest curvature over its bound, for any theta: M has noise of that
# share.
one_step <- function(theta, squares, slopes, budget, ridge, dispersion, df, most) {
  size <- length(theta)
  scale <- budget$curvature_scale * most
  parts <- eigen(weighted_matrix(squares, size), symmetric = TRUE)
  least <- min(parts$values)
  # A smaller eigenvalue may be pure noise. The estimate is then usually no better than theta. An
  # interval that accounts for this noise is many times as long as one from rows only.
  if (!isTRUE(least >= scale * noise_norm(size) && all(is.finite(theta)))) {
    nothing <- matrix(NA_real_, size, size)
    return(c(list(estimate = theta, status = "noise"), normal_errors(nothing, Inf)))
  }
  values <- budget$curvature_bound * pmax(parts$values, 2 * scale)
  inverse <- parts$vectors %*% (t(parts$vectors) / values)
  gradient <- if (is.null(slopes)) {
    dispersion * parts$vectors %*% (t(parts$vectors) * values)
  } else {
    budget$slope_bound^2 * sandwich_meat(slopes, size, budget$slope_scale)
  }
  deviation <- sqrt((size + 1) * (size + 2) / 3) / budget$rate
  moved <- ridge * drop(inverse %*% theta)
  list(
    estimate = theta + moved, noise = deviation * inverse,
    sampling = inverse %*% gradient %*% inverse, df = df,
    curvature = list(
      squares = squares, scale = scale, bound = budget$curvature_bound, ridge = ridge * theta,
      moved = moved, deviation = deviation, dispersion = dispersion,
      slopes = if (!is.null(slopes)) gradient, back = diag(size)
    ),
    status = if (least < 2 * scale) "repaired" else "ok"
  )
}

weighted_matrix <- function(squares, size) {
  unname(symmetric_matrix(squares, triangle(size), seq_len(size)))
}

# Covariance of a sum of slopes, from released weighted squares with noise of this `scale`, in units
# of the weight bound. Each direction a gets one more standard deviation of the noise of a'M a,
# which is at most sqrt(8) times the scale.
sandwich_meat <- function(squares, size, scale) {
  parts <- eigen(weighted_matrix(squares, size), symmetric = TRUE)
  values <- pmax(parts$values, 0) + sqrt(8) * scale
  parts$vectors %*% (t(parts$vectors) * values)
}
