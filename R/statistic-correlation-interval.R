# Intervals for correlations from noisy scatters: postprocessing.
#
# If noise is large compared with a variance, the first-order effect of noise on a correlation is
# not enough: the variance that scales it contains the same noise. So the interval inverts a test.
# Let rho be the population correlation, S_11 and S_22 the sums of squares of the rows,
# R^2 = S_11 S_22 and k^2 = S_22 / S_11. Then
#
#   l = s_12 - rho R - rho / 2 (k (s_11 - S_11) + (s_22 - S_22) / k)
#
# of the released s is a known sum of the moments' Laplace noise, plus R times the sampling error of
# the rows' correlation. For normal columns that error is normal with variance
# (1 - rho^2)^2 / (n - 3). For other columns, certified_spread() bounds how many times larger its
# variance is. The interval contains each rho that l does not reject for some S_11 and S_22
# that are possible given the noise. So it has its coverage for any such sums, with a first-order
# approximation for sampling only. If noise is small, l hardly depends on them, and nothing is lost.
#
# Sampling is a translation on Fisher's scale, and noise is one on the scale of l. The error of the
# correlation is the mean of both, weighted by their shares of the variance. If columns can be
# non-normal, sampling is also on the scale of l: near |rho| = 1 its variance on Fisher's scale is
# unbounded.

# Interval for one pair. `scatter` is list(first, across, second) of the released s_11, s_12 and
# s_22. `moved`: effect of one standard deviation of each moment on them. `r`: the estimate, or NA.
# `spread`: from certified_spread(), or NULL for normal columns.
correlation_interval <- function(r, scatter, moved, count, alpha, spread = NULL) {
  sums <- expand.grid(
    first = possible_sums(scatter$first, moved$first, count, alpha),
    second = possible_sums(scatter$second, moved$second, count, alpha)
  )
  speaks_against <- function(z) surprises(tanh(z), sums, scatter, moved, count, alpha, spread)
  grid <- seq(-farthest_z, farthest_z, length.out = 41)
  if (!is.na(r)) grid <- sort(unique(c(grid, within_bounds(atanh(r), -farthest_z, farthest_z))))
  possible <- !speaks_against(grid)
  if (!is.na(r)) possible[[which.min(abs(tanh(grid) - r))]] <- TRUE
  if (!any(possible)) {
    return(c(-1, 1))
  }
  ends <- range(which(possible))
  c(
    outermost(grid[ends[[1]]], if (ends[[1]] > 1) grid[ends[[1]] - 1], speaks_against),
    outermost(grid[ends[[2]]], if (ends[[2]] < length(grid)) grid[ends[[2]] + 1], speaks_against)
  )
}

# Correlations near 1, on Fisher's scale.
farthest_z <- 6

# Last possible correlation on the path from `inside` to `outside`, or 1 in magnitude if all are
# possible. Starts with many steps, because the path can leave the set and return. Then takes few,
# because each step is costly.
outermost <- function(inside, outside, speaks_against) {
  if (is.null(outside)) {
    return(sign(inside))
  }
  for (parts in c(20, rep(5, 6))) {
    steps <- seq(inside, outside, length.out = parts + 1)
    last <- match(TRUE, speaks_against(steps[-c(1, parts + 1)]), nomatch = parts)
    inside <- steps[[last]]
    outside <- steps[[last + 1]]
  }
  tanh(outside)
}

# Range of the rows' sums of squares that the released sum does not rule out. It misses the true sum
# with at most a twentieth of the interval's miss probability.
possible_sums <- function(released, moved, count, alpha) {
  reach <- error_reach(0, matrix(moved, 1), alpha / 20)
  most <- min(max(released + reach, reach / 100), count)
  least <- max(released - reach, most / 400)
  exp(seq(log(min(least, most)), log(most), length.out = 5))
}

# Tells for each correlation whether the release rejects it at all `sums`.
surprises <- function(rho, sums, scatter, moved, count, alpha, spread) {
  # Combines all sums with the first correlation, then with the second, and so on.
  first <- rep(sums$first, length(rho))
  second <- rep(sums$second, length(rho))
  at <- rep(rho, each = nrow(sums))
  unit <- sqrt(first * second) * (1 - at^2)
  by_first <- -at / 2 * sqrt(second / first)
  by_second <- -at / 2 * sqrt(first / second)
  linear <- (scatter$across - at * sqrt(first * second) + by_first * (scatter$first - first) +
    by_second * (scatter$second - second)) / unit
  deviations <- (outer(by_first, moved$first) + outer(by_second, moved$second) +
    rep(moved$across, each = length(at))) / unit
  largest <- if (is.null(spread)) rep(1, length(at)) else spread(at, first, second)
  sampling <- largest / max(count - 3, 1)
  noise <- rowSums(deviations^2)
  # For non-normal columns, sampling is no translation on Fisher's scale.
  share <- if (is.null(spread)) noise / (noise + sampling) else 1
  error <- between_scales(linear, at, share)
  total <- sqrt(noise + sampling)
  # Takes the least surprising sums.
  surprise <- matrix(error / total, ncol = nrow(sums), byrow = TRUE)
  nearest <- (seq_along(rho) - 1) * nrow(sums) + max.col(-surprise, "first")
  is_beyond(error[nearest], total[nearest], sampling[nearest],
    deviations[nearest, , drop = FALSE], alpha)
}

# Tells whether an error exceeds its quantile. The quantile is near the quantile of a normal or a
# Laplace variable, or between them. It is computed only if these bounds do not decide.
is_beyond <- function(error, total, sampling, deviations, alpha) {
  known <- c(stats::qnorm(alpha / 2, lower.tail = FALSE), -log(alpha) / sqrt(2))
  beyond <- error > 1.2 * max(known) * total
  unsure <- !beyond & error > 0.8 * min(known) * total
  if (any(unsure)) {
    beyond[unsure] <- exceeds_reach(error[unsure], sampling[unsure],
      deviations[unsure, , drop = FALSE], alpha)
  }
  beyond
}

# Bounds the variance of a sample correlation relative to normal rows, if no row is farther than
# `first` and `second` from the means. Returns a function of rho, S_11 and S_22. Let z_1 and z_2 be
# the columns in standard deviations, with magnitudes of at most b_1 and b_2. To first order, the
# correlation is off by the mean of
#
#   q = z_1 z_2 - rho (z_1^2 + z_2^2) / 2 = (1 - rho^2) / 2 (s^2 - d^2),
#
# with s and d the sum and the difference of z_1 and z_2, in standard deviations. Their squares have
# mean 1, so E q^2 <= (1 - rho^2)^2 / 4 (max s^2 + max d^2), which is at most
# (1 - rho^2) (b_1 + b_2)^2 / 4. Also q = z_1 (z_2 - rho z_1) + rho / 2 (z_1^2 - z_2^2). So the root
# of E q^2 is at most b_1 sqrt(1 - rho^2) + |rho| / 2 sqrt(E (z_1^2 - z_2^2)^2). The last mean is at
# most b_1^2 + b_2^2, and at most 2 (1 - |rho|) (b_1 + b_2)^2. By symmetry b_2 can replace the
# leading b_1.
certified_spread <- function(first, second, count) {
  function(rho, sums_first, sums_second) {
    b_1 <- pmax(first / sqrt(sums_first / count), 1)
    b_2 <- pmax(second / sqrt(sums_second / count), 1)
    apart <- pmin(b_1^2 + b_2^2, 2 * (1 - abs(rho)) * (b_1 + b_2)^2)
    by_squares <- (1 - rho^2) * (b_1 + b_2)^2 / 4
    by_residual <- (pmin(b_1, b_2) * sqrt(1 - rho^2) + abs(rho) / 2 * sqrt(apart))^2
    pmin(by_squares, by_residual) / (1 - rho^2)^2
  }
}

# Error of a correlation whose error on the scale of l is `linear` times 1 - rho^2, if noise has
# this `share` of the variance.
between_scales <- function(linear, rho, share) {
  seen <- rho + linear * (1 - rho^2)
  fisher <- abs(atanh(within_bounds(seen, -1, 1)) - atanh(rho))
  linear <- abs(linear)
  ifelse(abs(seen) < 1, (1 - share) * fisher + share * linear, linear)
}
