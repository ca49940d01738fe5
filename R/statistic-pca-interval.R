# Intervals for the variances of components, by postprocessing. They hold even if noise dominates.
#
# The released scatter is the scatter of the rows plus noise E, both over count - 1. A component's
# vector follows the noise, so the noise along it differs from the noise along a fixed vector. Two
# facts hold for any E that lengthens no unit vector beyond |E|:
#
#   (1) each eigenvalue of the released matrix is within |E| of the same eigenvalue of the rows
#       (Weyl).
#   (2) let v be the vector of the rows, and g the distance from an eigenvalue to the next one in
#       the released matrix. The eigenvalue is off by v'E v and at most |E|^2 / (g - 2 |E|) more
#       (Kato and Temple). Without a next eigenvalue there is no remainder: the largest eigenvalue
#       is at least v'(.) v, and the smallest at most.
#
# v is independent of the noise, and v'E v is a sum of known laws. Each end of an interval uses the
# fact with the smaller bound. Both hold at once, except for a share `rare_share` of alpha.
# Sources: Stewart and Sun (1990), Matrix Perturbation Theory, IV.4.2, V.3.6. Tropp (2012),
# User-Friendly Tail Bounds for Sums of Random Matrices, theorem 3.6.

# Share of alpha for each of three rare events: |E| exceeds its bound, a mean or the count is
# farther off, or sampling is, if an end uses (1).
rare_share <- 1 / 15

# Intervals for the variances of components, in rows. `parts` holds all eigenvalues and vectors.
# `moved` gives the change of each of the first k (columns) by one standard deviation of each
# moment.
component_intervals <- function(parts, k, unit, found, fields) {
  rare <- rare_share * fields$alpha
  noise <- scatter_noise(unit, found, rare)
  values <- parts$values
  next_above <- c(Inf, -diff(values))
  next_below <- c(-diff(values), Inf)
  ends <- vapply(seq_len(k), function(j) {
    angle <- sine_between(noise$norm, min(next_above[[j]], next_below[[j]]))
    a <- unit * parts$vectors[, j]
    moved <- moved_along(a, noise, angle, found)
    variance <- max(values[[j]], 0)
    sampling <- sampling_of_component(variance, a, noise$norm, angle, unit, found, fields)
    along <- noise$square +
      reach_of_noise(sampling, matrix(moved, 1), fields$alpha - 3 * rare, found$scales$normal)
    whole <- noise$norm + two_sided_quantile(rare) * sqrt(sampling)
    reach <- function(gap) min(along + beyond_first_order(noise$norm, gap), whole)
    values[[j]] + c(-reach(next_below[[j]]), reach(next_above[[j]]))
  }, numeric(2))
  # Without noise, the divisor is count - 1.
  divisors <- within_bounds(found$count + c(1, -1) * noise$count, 2, fields$n) - 1
  t(pmax(ends, 0) * (found$count - 1) / divisors)
}

beyond_first_order <- function(norm, gap) {
  if (is.infinite(gap)) 0 else if (gap > 2 * norm) norm^2 / (gap - 2 * norm) else Inf
}

# Largest sine of the angle between a component's vector and the vector of the rows (Davis and
# Kahan), if the next eigenvalue is `gap` away.
sine_between <- function(norm, gap) {
  if (is.infinite(gap)) 0 else if (gap > 2 * norm) norm / (gap - norm) else 1
}

# Noise of a scatter over count - 1, as a quadratic form of `unit` times u, except for rare events.
# Returns list(norm, square, most, count, rows, deviations).
#
# Let N be the noise of the moments of (1, u) and m the means of the rows. Then E = L'N L - R. L has
# -m above the identity. R is count times the squared error of the mean. It is positive semidefinite
# and at most `square`. `most` bounds the standard deviation of v'E v: the mean of E^2 is V, and v'V
# v is the mean of |E v|^2.
scatter_noise <- function(unit, found, rare) {
  scales <- found$scales
  each <- rare / (length(unit) + 1)
  reach <- function(scale) {
    if (scales$normal) sqrt(2) * scale * two_sided_quantile(each) else -log(each) * scale
  }
  far <- pmin((reach(scales$sums) + reach(scales$count)) / found$count, 2)
  mean <- pmin(abs(within_bounds(found$sums / found$count, -1, 1)) + far, 1)
  deviations <- moment_deviations(found) / (found$count - 1)
  # All that follows rises with each |m|: signs of u and N can be chosen so that L has none below 0.
  rows <- rbind(mean, diag(length(unit))) * rep(unit, each = length(unit) + 1)
  spread <- noise_spread(rows, deviations)
  square <- found$count * sum((unit * far)^2) / (found$count - 1)
  list(
    norm = norm_reach(spread, scales$normal, rare) + square, square = square,
    most = sqrt(max(spread$values)), count = reach(scales$count), far = far,
    deviations = deviations
  )
}

# Spread of the symmetric matrix L'N L, with independent N_ij of these `deviations` on and above the
# diagonal. l_i are the rows of L. `values` holds the eigenvalues of the mean of its square.
# `largest` is the norm of the largest term for N_ij one deviation from 0.
noise_spread <- function(rows, deviations) {
  gram <- tcrossprod(rows)
  size <- diag(gram)
  variances <- deviations^2
  apart <- variances
  diag(apart) <- 0
  # The term of N_ij is l_i l_j' + l_j l_i', or l_i l_i' on the diagonal.
  inner <- variances * gram
  diag(inner) <- diag(inner) + apart %*% size
  terms <- deviations * (abs(gram) + sqrt(outer(size, size)))
  diag(terms) <- diag(terms) / 2
  list(
    values = eigen(crossprod(rows, inner %*% rows), symmetric = TRUE, only.values = TRUE)$values,
    largest = max(terms)
  )
}

# Bound that the norm of the matrix exceeds with probability at most `alpha`. For each t > 0
#
#   P(norm > x) <= 2 exp(-t x) trace exp(g(t) V), with g(t) = t^2 / 2 for normal noise,
#
# and -log(1 - t^2 a^2 / 2) / a^2 for Laplace noise, where a is the largest term: the logarithm of
# the moments of a Laplace variable times A is -log(1 - t^2 A^2 / 2), and at most that times A^2.
norm_reach <- function(spread, normal, alpha) {
  values <- pmax(spread$values, 0)
  # Best t, up to a constant.
  best <- sqrt(2 * log(2 * length(values) / alpha) / max(values))
  reach <- function(t) {
    a <- spread$largest
    growth <- if (normal) t^2 / 2 else -log1p(-(t * a)^2 / 2) / a^2
    most <- growth * max(values)
    (log(2 / alpha) + most + log(sum(exp(growth * values - most)))) / t
  }
  limit <- if (normal) 2 * best else min(2 * best, 0.999 * sqrt(2) / spread$largest)
  stats::optimize(reach, c(limit / 100, limit))$objective
}

# Change of v'E v by one standard deviation of each moment. `angle` bounds the sine of the angle
# between v and the component with loadings `a` of u. Along a fixed v, the standard deviation is a
# seminorm of v v'. Two such matrices differ by `angle` times the difference of two others.
moved_along <- function(a, noise, angle, found) {
  mean <- within_bounds(found$sums / found$count, -1, 1)
  moved <- moved_by_moments(noise$deviations, c(abs(sum(a * mean)) + sum(abs(a) * noise$far), a))
  own <- sqrt(sum(moved^2))
  moved * max(min(own + 2 * angle * noise$most, noise$most), own) / own
}
