# Intervals for the variances of components, also where noise dominates: postprocessing.
#
# The released scatter is that of the rows plus noise E, both over count - 1. A component's vector
# follows the noise, so the noise along it is not the noise along a fixed vector. Two facts hold
# for any E that no unit vector makes longer than |E|:
#
#   (1) each eigenvalue of the released matrix is within |E| of the same one of the rows (Weyl);
#   (2) with v the vector of the rows, and g the way from an eigenvalue to the next one, in the
#       released matrix, the eigenvalue is v'E v off, and at most |E|^2 / (g - 2 |E|) more
#       (Kato and Temple). There is nothing more where there is no next one: the largest eigenvalue
#       is at least v'(.) v, the smallest at most.
#
# v is independent of the noise, and v'E v a sum of known laws. Each end of an interval takes the
# fact that moves it less: both hold at once but for a share `rare_share` of alpha.
# Sources: Stewart and Sun (1990), Matrix Perturbation Theory, IV.4.2, V.3.6; Tropp (2012),
# User-Friendly Tail Bounds for Sums of Random Matrices, theorem 3.6.

# Of alpha, for each of three rare events: |E| is larger than said, a mean or the count is farther
# off, sampling is, where an end takes (1).
rare_share <- 1 / 15

# Intervals for the variances of components, in rows: `parts`: all eigenvalues and vectors, `moved`:
# how far one standard deviation of each moment moves each of the first k, in columns.
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
  # The true divisor is count - 1 without noise.
  divisors <- within_bounds(found$count + c(1, -1) * noise$count, 2, fields$n) - 1
  t(pmax(ends, 0) * (found$count - 1) / divisors)
}

beyond_first_order <- function(norm, gap) {
  if (is.infinite(gap)) 0 else if (gap > 2 * norm) norm^2 / (gap - 2 * norm) else Inf
}

# The most that the sine of the angle can be between a component's vector and that of the rows
# (Davis and Kahan), where the next eigenvalue is `gap` away.
sine_between <- function(norm, gap) {
  if (is.infinite(gap)) 0 else if (gap > 2 * norm) norm / (gap - norm) else 1
}

# The noise of a scatter over count - 1, as a quadratic form of `unit` times u, but for rare events:
# list(norm, square, most, count, rows, deviations).
#
# With N the noise of the moments of (1, u) and m the means of the rows, E = L'N L - R, where L has
# -m above the identity and R is count times the square of the error of the mean: `square` at most,
# and no eigenvalue of it is below 0. `most` is a bound of the standard deviation of v'E v: of E^2
# the mean is V, and v'V v the mean of |E v|^2.
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

# Of the symmetric matrix L'N L, with independent N_ij of these `deviations` on and above the
# diagonal and l_i the rows of L: `values`, the eigenvalues of the mean of its square, and
# `largest`, the norm of the largest term for N_ij one deviation from 0.
noise_spread <- function(rows, deviations) {
  gram <- tcrossprod(rows)
  size <- diag(gram)
  variances <- deviations^2
  apart <- variances
  diag(apart) <- 0
  # Of N_ij the term is l_i l_j' + l_j l_i', or l_i l_i'.
  inner <- variances * gram
  diag(inner) <- diag(inner) + apart %*% size
  terms <- deviations * (abs(gram) + sqrt(outer(size, size)))
  diag(terms) <- diag(terms) / 2
  list(
    values = eigen(crossprod(rows, inner %*% rows), symmetric = TRUE, only.values = TRUE)$values,
    largest = max(terms)
  )
}

# What the norm of the matrix exceeds with probability `alpha` at most: for each t > 0
#
#   P(norm > x) <= 2 exp(-t x) trace exp(g(t) V), with g(t) = t^2 / 2 for normal noise,
#
# and -log(1 - t^2 a^2 / 2) / a^2 for Laplace noise, where a is the largest term: the logarithm of
# the moments of a Laplace variable times A is -log(1 - t^2 A^2 / 2), and at most that times A^2.
norm_reach <- function(spread, normal, alpha) {
  values <- pmax(spread$values, 0)
  # Of all t the best one, up to a constant.
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

# How far one standard deviation of each moment moves v'E v, for a v that the sine of the angle to
# the component, of loadings `a` of u, does not exceed: along a fixed v the standard deviation of
# this is a seminorm of v v', and two such matrices differ by `angle` times the difference of two
# others.
moved_along <- function(a, noise, angle, found) {
  mean <- within_bounds(found$sums / found$count, -1, 1)
  moved <- moved_by_moments(noise$deviations, c(abs(sum(a * mean)) + sum(abs(a) * noise$far), a))
  own <- sqrt(sum(moved^2))
  moved * max(min(own + 2 * angle * noise$most, noise$most), own) / own
}
