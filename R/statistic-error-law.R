# Errors of released coefficients. Their law is known because the noise is public. Postprocessing.
#
# list(noise, sampling, df, curvature, normal): the error of d coefficients is `noise`, with d rows,
# times independent Laplace variables of variance 1, plus a normal vector with covariance
# `sampling`. That covariance was estimated with `df` degrees of freedom. With `normal`, the noise
# is normal, too. With a noisy `curvature`, these are first-order variances, and
# statistic-one-step.R has the law.

# Errors from parts, or from estimates without noise.
normal_errors <- function(covariance, df) {
  list(noise = matrix(0, nrow(covariance), 0), sampling = covariance, df = df)
}

covariance_of_errors <- function(errors, names) {
  noise <- tcrossprod(errors$noise)
  total <- structure(noise + errors$sampling, dimnames = list(names, names))
  if (ncol(errors$noise) > 0) attr(total, "noise") <- structure(noise, dimnames = dimnames(total))
  total
}

# Errors of a line, which has other elements, too.
errors_of_line <- function(line) {
  line[intersect(c("noise", "sampling", "df", "curvature", "normal"), names(line))]
}

# Does the same as error_reach(), for noise that can be normal.
reach_of_noise <- function(variance, deviations, alpha, normal) {
  if (normal) {
    variance <- variance + rowSums(deviations^2)
    deviations <- deviations[, 0, drop = FALSE]
  }
  error_reach(variance, deviations, alpha)
}

# Number that |error| exceeds with probability `alpha`, for each row of `deviations`: standard
# deviations of independent Laplace variables, plus a normal variable of this `variance`.
error_reach <- function(variance, deviations, alpha) {
  total <- sqrt(variance + rowSums(deviations^2))
  reach <- total * stats::qnorm(alpha / 2, lower.tail = FALSE)
  noisy <- which(is.finite(total) & rowSums(deviations != 0) > 0)
  for (rows in split(noisy, ceiling(seq_along(noisy) / rows_at_once))) {
    normal <- variance[rows] / total[rows]^2
    laplace <- (deviations[rows, , drop = FALSE] / total[rows])^2 / 2
    reach[rows] <- total[rows] * unit_reach(normal, laplace, alpha)
  }
  reach
}

rows_at_once <- 256

# Tells whether |error| exceeds its reach. Each tail is evaluated once. A reach takes ten times.
exceeds_reach <- function(error, variance, deviations, alpha) {
  total <- sqrt(variance + rowSums(deviations^2))
  law <- unit_law(variance / total^2, (deviations / total)^2 / 2, alpha)
  unit_tail(law, all_products(law$t, error / total)) < alpha
}

# Reach for a total variance of 1. The characteristic function is
#   phi(t) = exp(-v t^2 / 2) / prod(1 + b_k^2 t^2),
# with b_k^2 half of a variance. P(|X| <= h) is 2 / pi times the integral of phi(t) sin(h t) / t
# over t > 0. The midpoint rule with steps of 2 pi / s is off by at most P(|X| > s - h), which the
# smallest scale 1 / sqrt(2) bounds, plus the terms after the last step.
# Source: Davies (1973), "Numerical inversion of a characteristic function".
unit_law <- function(normal, laplace, alpha) {
  step <- 2 * pi / (40 + 2 * log(2 / alpha))
  left <- rowSums(unit_characteristic(numbers_of_steps * step, normal, laplace) > negligible)
  last <- numbers_of_steps[[match(0, left, length(left))]]
  t <- (seq_len(last) - 0.5) * step
  list(step = step, t = t, phi = unit_characteristic(t, normal, laplace))
}

# P(|X| > h). Its density follows below. `angles` has all products of t and h.
unit_tail <- function(law, angles) {
  within <- 2 / pi * law$step * colSums(law$phi * sin(angles) / law$t)
  pmax(1 - within, negligible)
}

unit_density <- function(law, angles) 2 / pi * law$step * colSums(law$phi * cos(angles))

all_products <- function(x, y) matrix(x, ncol = 1) %*% matrix(y, nrow = 1)

# Solves by Newton's method. The logarithm of the tail is concave, because normal and Laplace
# densities are. So the first step goes beyond the root, and later steps fall towards it.
unit_reach <- function(normal, laplace, alpha) {
  law <- unit_law(normal, laplace, alpha)
  h <- rep(stats::qnorm(alpha / 2, lower.tail = FALSE), length(normal))
  for (newton in 1:40) {
    angles <- all_products(law$t, h)
    tail <- unit_tail(law, angles)
    move <- tail / unit_density(law, angles) * log(tail / alpha)
    h <- h + move
    # Stops early: the next step would be about the square of this one.
    if (all(abs(move) < 1e-8 * h)) break
  }
  h
}

# Step counts, each a quarter larger than the one before.
numbers_of_steps <- local({
  numbers <- 64
  while (utils::tail(numbers, 1) < 2^13) {
    numbers <- c(numbers, ceiling(1.25 * utils::tail(numbers, 1)))
  }
  numbers
})
negligible <- 1e-12

unit_characteristic <- function(t, normal, laplace) {
  phi <- exp(-all_products(t^2, normal) / 2)
  for (k in seq_len(ncol(laplace))) {
    if (any(laplace[, k] > 0)) phi <- phi / (1 + all_products(t^2, laplace[, k]))
  }
  phi
}
