# Errors of released coefficients: their law is known, as that of noise is public. Postprocessing.
#
# list(noise, sampling, df, curvature, normal): the error of d coefficients is `noise`, d rows,
# times independent Laplace variables of variance 1, and a normal vector of the covariance
# `sampling`, which was estimated with so many degrees of freedom. Where it is `normal`, noise is
# so, too. Where there is a `curvature`, which has noise of its own, these are variances to the
# first order, and the law is that of statistic-curvature-noise.R.

# Of parts, or of estimates without noise.
normal_errors <- function(covariance, df) {
  list(noise = matrix(0, nrow(covariance), 0), sampling = covariance, df = df)
}

covariance_of_errors <- function(errors, names) {
  noise <- tcrossprod(errors$noise)
  total <- structure(noise + errors$sampling, dimnames = list(names, names))
  if (ncol(errors$noise) > 0) attr(total, "noise") <- structure(noise, dimnames = dimnames(total))
  total
}

# What combinations of the coefficients, a row of `rows` each, are off by at most, with probability
# `level`.
reach_of_errors <- function(errors, rows, level) {
  alpha <- 1 - level
  # As Student's law is to the normal.
  excess <- stats::qt(alpha / 2, errors$df, lower.tail = FALSE) /
    stats::qnorm(alpha / 2, lower.tail = FALSE)
  if (!is.null(errors$curvature)) {
    return(reach_of_draws(errors$curvature, rows, excess, alpha))
  }
  variance <- pmax(rowSums((rows %*% errors$sampling) * rows) * excess^2, 0)
  reach_of_noise(variance, rows %*% errors$noise, alpha, isTRUE(errors$normal))
}

# What an error has of a line that knows more.
errors_of_line <- function(line) {
  line[intersect(c("noise", "sampling", "df", "curvature", "normal"), names(line))]
}

# The same as error_reach(), of noise that may be normal.
reach_of_noise <- function(variance, deviations, alpha, normal) {
  if (normal) {
    variance <- variance + rowSums(deviations^2)
    deviations <- deviations[, 0, drop = FALSE]
  }
  error_reach(variance, deviations, alpha)
}

# What |error| exceeds with probability `alpha`, for each row of `deviations`: those of independent
# Laplace variables, to which a normal one of this `variance` is added.
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

# Whether |error| is larger than that: one look at each tail, where a reach takes ten.
exceeds_reach <- function(error, variance, deviations, alpha) {
  total <- sqrt(variance + rowSums(deviations^2))
  law <- unit_law(variance / total^2, (deviations / total)^2 / 2, alpha)
  unit_tail(law, all_products(law$t, error / total)) < alpha
}

# For a total variance of 1. The characteristic function is
#   phi(t) = exp(-v t^2 / 2) / prod(1 + b_k^2 t^2),
# b_k^2 half of a variance, and P(|X| <= h) = 2 / pi times the integral of phi(t) sin(h t) / t over
# t > 0. By the midpoint rule, with steps of 2 pi / s, this is off by P(|X| > s - h) at most, which
# the smallest scale 1 / sqrt(2) bounds, and by what comes behind the last step.
# Source: Davies (1973), "Numerical inversion of a characteristic function".
unit_law <- function(normal, laplace, alpha) {
  step <- 2 * pi / (40 + 2 * log(2 / alpha))
  left <- rowSums(unit_characteristic(numbers_of_steps * step, normal, laplace) > negligible)
  last <- numbers_of_steps[[match(0, left, length(left))]]
  t <- (seq_len(last) - 0.5) * step
  list(step = step, t = t, phi = unit_characteristic(t, normal, laplace))
}

# P(|X| > h), and below its density, where `angles` are all products of t and h.
unit_tail <- function(law, angles) {
  within <- 2 / pi * law$step * colSums(law$phi * sin(angles) / law$t)
  pmax(1 - within, negligible)
}

unit_density <- function(law, angles) 2 / pi * law$step * colSums(law$phi * cos(angles))

all_products <- function(x, y) matrix(x, ncol = 1) %*% matrix(y, nrow = 1)

# The logarithm of the tail is concave, as normal and Laplace densities are: so Newton's method is
# beyond its root after the first step, and then falls towards it.
unit_reach <- function(normal, laplace, alpha) {
  law <- unit_law(normal, laplace, alpha)
  h <- rep(stats::qnorm(alpha / 2, lower.tail = FALSE), length(normal))
  for (newton in 1:40) {
    angles <- all_products(law$t, h)
    tail <- unit_tail(law, angles)
    move <- tail / unit_density(law, angles) * log(tail / alpha)
    h <- h + move
    # The next move would be of the size of its square.
    if (all(abs(move) < 1e-8 * h)) break
  }
  h
}

# Each a quarter more than the one before.
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
