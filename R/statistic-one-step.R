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
# is true, else the sum of squares of slopes.

# list(estimate, noise, sampling, df, draws, status) of scaled coefficients. `squares` and `slopes`
# are the released M, the latter NULL without a sandwich, `budget` that of core_glm_budget(),
# `ridge` of all rows, `dispersion` the variance of a slope over its curvature. `most` is what a
# curvature is at most, over its bound whatever theta is: M has noise of that share.
one_step <- function(theta, squares, slopes, budget, ridge, dispersion, df, most) {
  size <- length(theta)
  scale <- budget$curvature_scale * most
  parts <- eigen(weighted_matrix(squares, size), symmetric = TRUE)
  least <- min(parts$values)
  # A direction whose eigenvalue is small is shown only if noise made it large, and then its
  # interval is too short. Of 1000 releases of a logit at epsilon 0.5, three coefficients, in which
  # one predictor spans 10%, 15%, 20%, 25% or 30% of its bounds, this many had a 95% interval of
  # that predictor which missed: 58, 64, 65, 59 and 64; of half the threshold 123, 104, 98, 64 and
  # 64; of a quarter 162, 130, 102, 65 and 64; of none 312, 168, 104, 65 and 64. So a lower
  # threshold would show more intervals, and not keep their level.
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
  list(
    estimate = theta + ridge * drop(inverse %*% theta), noise = deviation * inverse,
    sampling = inverse %*% gradient %*% inverse, df = df, draws = cube_draws(size),
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

# Fractions of multiples of square roots of primes, which no two dimensions share: a row for each
# point, evenly spread over a cube, with nothing drawn at random.
# Source: Richtmyer (1951), "The evaluation of definite integrals, and a quasi-Monte-Carlo method
# based on the properties of algebraic numbers".
spread_points <- function(points, dimensions) {
  multiples <- outer(seq_len(points), sqrt(first_primes(dimensions)))
  multiples - floor(multiples)
}

first_primes <- function(count) {
  most <- ceiling(max(15, count * (log(count) + log(log(max(count, 3))) + 1)))
  is_prime <- c(FALSE, rep(TRUE, most - 1))
  for (k in 2:floor(sqrt(most))) {
    if (is_prime[[k]]) is_prime[seq(k^2, most, by = k)] <- FALSE
  }
  which(is_prime)[seq_len(count)]
}

kept_draws <- 2000

# The law of b in any unit is that of a gamma variable of size + 1 times a point of the cube: a
# column for each of the kept draws, each element of variance 1.
cube_draws <- remembered(function(size) {
  points <- spread_points(kept_draws, size + 1)
  radius <- stats::qgamma(points[, 1], size + 1)
  draws <- t((2 * points[, -1, drop = FALSE] - 1) * radius)
  draws / sqrt((size + 1) * (size + 2) / 3)
})

# The median of the largest magnitude of eigenvalues that the noise of M alone has, for products of
# scale 1 and squares of scale 2.
noise_norm <- remembered(function(size) {
  pairs <- triangle(size)
  points <- spread_points(noise_matrices, nrow(pairs))
  stats::median(apply(points, 1, function(point) {
    laplace <- ifelse(point < 0.5, log(2 * point), -log(2 - 2 * point))
    noise <- weighted_matrix(laplace * (1 + (pairs$first == pairs$second)), size)
    max(abs(eigen(noise, symmetric = TRUE, only.values = TRUE)$values))
  }))
})

noise_matrices <- 501
