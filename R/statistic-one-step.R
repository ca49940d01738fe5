# From the coefficients that objective perturbation releases, and weighted squares of predictors at
# these (weighted_squares.h), to better coefficients and their errors: postprocessing.
#
# What is released, theta, is the minimum of J = sum of losses + theta'L theta / 2 + b'theta: L is
# the ridge, and b noise of the density proportional to exp(-rate max|b_j|), all public but b. With
# H the Hessian of the losses and g their gradient at the coefficients beta of what the rows were
# drawn from, to the first order
#
#   theta - beta = -H^-1 (L theta + b + g).
#
# So theta + H^-1 L theta has no bias from the ridge, and the error H^-1 (b + g). The law of b is
# known, and g is normal: its covariance is H times a public or released dispersion where the model
# is true, else the sum of squares of slopes. H is known up to noise, of which
# statistic-curvature-noise.R has the law.

# list(estimate, noise, sampling, df, curvature, status) of scaled coefficients. `squares` and
# `slopes` are the released M, the latter NULL without a sandwich, `budget` that of
# core_glm_budget(), `ridge` of all rows, `dispersion` the variance of a slope over its curvature.
# `most` is what a curvature is at most, over its bound whatever theta is: M has noise of that
# share.
one_step <- function(theta, squares, slopes, budget, ridge, dispersion, df, most) {
  size <- length(theta)
  scale <- budget$curvature_scale * most
  parts <- eigen(weighted_matrix(squares, size), symmetric = TRUE)
  least <- min(parts$values)
  # A smaller eigenvalue may be all noise. Then the estimate is mostly no better than theta, and an
  # interval that knows of the noise is many times as long as what rows alone would leave.
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

# The covariance of a sum of slopes, from released weighted squares with noise of this `scale`, in
# units of the bound of weights. Every direction a has one standard deviation of the noise of a'M a
# more, which is sqrt(8) times the scale at most.
sandwich_meat <- function(squares, size, scale) {
  parts <- eigen(weighted_matrix(squares, size), symmetric = TRUE)
  values <- pmax(parts$values, 0) + sqrt(8) * scale
  parts$vectors %*% (t(parts$vectors) * values)
}
