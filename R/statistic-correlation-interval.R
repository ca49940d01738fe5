# Intervals for correlations from noisy scatters: postprocessing.
#
# Where noise is large next to a variance, what it moves a correlation by to the first order says
# too little: the same noise is in the variance, and so in what it is judged by. So a test is
# inverted. Were rho the correlation in what the rows were drawn from, and S_11 and S_22 the sums of
# squares of the rows themselves, then, with R^2 = S_11 S_22 and k^2 = S_22 / S_11,
#
#   l = s_12 - rho R - rho / 2 (k (s_11 - S_11) + (s_22 - S_22) / k)
#
# of the released s were a known sum of the Laplace noise of the moments, and R times what sampling
# moves the correlation of the rows by: normal, of variance (1 - rho^2)^2 / (n - 3) if columns are
# normal, and whatever they are, of certified_spread() times that. The interval
# has each rho that l does not speak against for some S_11 and S_22 within what noise lets them be.
# So it covers as often as it should whatever these are, up to the first order in sampling alone;
# next to small noise l hardly depends on them, and nothing is lost.
#
# Sampling is a translation on Fisher's scale, and noise on that of l: how far off the correlation
# is, is the mean of both, by the shares that they have of the variance. If columns need not be
# normal, sampling is on the scale of l as well: its variance grows beyond all bounds on Fisher's
# where rho is next to 1.

# For one pair: `scatter` is list(first, across, second) of the released s_11, s_12 and s_22,
# `moved` how far one standard deviation of each moment moves them, and `r` the estimate, NA where
# there is none. `spread`: see certified_spread(); NULL of normal columns.
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

# Correlations next to 1, on Fisher's scale.
farthest_z <- 6

# The last correlation that is possible on the way to one that is not, or 1 in magnitude if there is
# none: in many steps first, for the way may lead out and in again, then in few, for each is a cost.
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

# Sums of squares of the rows, from least to most, that the released one does not rule out; more
# seldom than one in 20 of what intervals miss, the true one is not between them.
possible_sums <- function(released, moved, count, alpha) {
  reach <- error_reach(0, matrix(moved, 1), alpha / 20)
  most <- min(max(released + reach, reach / 100), count)
  least <- max(released - reach, most / 400)
  exp(seq(log(min(least, most)), log(most), length.out = 5))
}

# Whether what was released speaks against each of these correlations, for all `sums`.
surprises <- function(rho, sums, scatter, moved, count, alpha, spread) {
  # All sums at the first correlation, at the second, and so on.
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
  # Of other columns than normal ones sampling is no translation on Fisher's scale.
  share <- if (is.null(spread)) noise / (noise + sampling) else 1
  error <- between_scales(linear, at, share)
  total <- sqrt(noise + sampling)
  # The sums for which it is least of a surprise.
  surprise <- matrix(error / total, ncol = nrow(sums), byrow = TRUE)
  nearest <- (seq_along(rho) - 1) * nrow(sums) + max.col(-surprise, "first")
  is_beyond(error[nearest], total[nearest], sampling[nearest],
    deviations[nearest, , drop = FALSE], alpha)
}

# The quantile of an error is next to that of a normal or of a Laplace variable, or between them: it
# is computed where that leaves it open.
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

# How much larger the variance of a correlation of n rows can be than that of normal rows, if no row
# is farther than these numbers from the means: a function of rho and of the sums of squares S_11
# and S_22. With z_1 and z_2 the columns in standard deviations, at most b_1 and b_2 in magnitude,
# the correlation is off by the mean of
#
#   q = z_1 z_2 - rho (z_1^2 + z_2^2) / 2 = (1 - rho^2) / 2 (s^2 - d^2),
#
# to the first order, with s and d the sum and the difference of both, in standard deviations. Their
# squares have the mean 1, so E q^2 <= (1 - rho^2)^2 / 4 (max s^2 + max d^2), which is
# (1 - rho^2) (b_1 + b_2)^2 / 4. And q = z_1 (z_2 - rho z_1) + rho / 2 (z_1^2 - z_2^2), so that the
# root of E q^2 is b_1 sqrt(1 - rho^2) + |rho| / 2 sqrt(E (z_1^2 - z_2^2)^2) at most, where the last
# mean is at most b_1^2 + b_2^2, and 2 (1 - |rho|) (b_1 + b_2)^2; and so with b_2 in front.
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

# How far off a correlation is that was seen `linear` times 1 - rho^2 from rho, if noise has this
# `share` of the variance.
between_scales <- function(linear, rho, share) {
  seen <- rho + linear * (1 - rho^2)
  fisher <- abs(atanh(within_bounds(seen, -1, 1)) - atanh(rho))
  linear <- abs(linear)
  ifelse(abs(seen) < 1, (1 - share) * fisher + share * linear, linear)
}
