# Intervals for the population, by postprocessing: they cover sampling and noise together. Intervals
# for a mean assume only that a mean of n rows is normal. Intervals for a share assume nothing.

# Cases without an interval. Snapping releases one number, so no number is left to estimate the
# spread. One row has no spread.
no_population_interval <- function(args) {
  if (args$mechanism == "mechanismSnapping") {
    '"mechanismSnapping" has none'
  } else if (args$n < 2 || args$n >= 2^40) {
    "there must be 2 rows or more for it, and fewer than 2^40"
  } else if (!has_square(diff(args$rng))) {
    "the square of the range must be a double for it"
  }
}

# Limit of the core's lattices, squared (lattice_columns.cpp).
has_square <- function(width) width >= 2^-450 && width <= 2^450

population_fields <- function(interval, fields) {
  list(populationInterval = interval, populationAlpha = fields$alpha)
}

# Uses a noisy mean and a noisy mean square, both about the middle of the range.
population_of_mean <- function(mean, square, fields) {
  n <- fields$n
  width <- diff(fields$rng)
  scale <- width / (n * fields$epsilon)
  variance <- n / (n - 1) * (square - mean^2)
  spread <- cautious_variance(variance, width * scale, n, width, fields$alpha)
  sd <- sqrt(spread / n) * student_excess(n, fields$alpha)
  reach <- noisy_normal_reach(sd, scale, fields$alpha)
  ends <- mean(fields$rng) + mean + c(-reach, reach)
  ends <- within_bounds(ends, fields$rng[[1]], fields$rng[[2]])
  c(
    list(variance = variance, standardError = sqrt(max(variance, 0) / n + 2 * scale^2)),
    population_fields(ends, fields)
  )
}

# Returns a variance that is rarely too small under noise of this `scale`. The added margin makes an
# interval miss with probability at most alpha, for every variance and epsilon and for alpha up to
# 1/2. test-statistic-population.R computes how often an interval misses.
cautious_variance <- function(variance, scale, n, width, alpha) {
  excess <- 0.4 * log(1.2 / alpha) * scale
  min(max(variance, 0) + excess, n * width^2 / (4 * (n - 1)))
}

student_excess <- function(n, alpha) {
  stats::qt(alpha / 2, n - 1, lower.tail = FALSE) / stats::qnorm(alpha / 2, lower.tail = FALSE)
}

# Inverts the exact law of Binomial(n, p) plus noise for the noisy number s. The interval holds all
# p that give counts up to s and counts from s on both probability at least alpha / 2.
population_of_share <- function(share, fields) {
  n <- fields$n
  count <- share * n
  below <- noise_below(fields)
  more <- function(p) noisy_binomial_tail(count, n, p, below)
  fewer <- function(p) noisy_binomial_tail(n - count, n, 1 - p, below)
  half <- fields$alpha / 2
  # Both tails are monotone in p.
  lower <- if (more(0) >= half) 0 else solve_share(function(p) more(p) - half, FALSE)
  upper <- if (fewer(1) >= half) 1 else solve_share(function(p) half - fewer(p), TRUE)
  population_fields(c(lower, upper), fields)
}

# Finds the zero of a rising function of p, moved outward by the numerical error. Returns the
# end if the function does not pass 0.
solve_share <- function(rising, up) {
  if (rising(1) < 0) {
    return(1)
  }
  if (rising(0) > 0) {
    return(0)
  }
  found <- stats::uniroot(rising, c(0, 1), tol = 1e-10)
  within_bounds(found$root + (if (up) 1 else -1) * found$estim.prec, 0, 1)
}

# Distribution function of the noise in a count.
noise_below <- function(fields) {
  if (is_gaussian(fields)) {
    function(x) stats::pnorm(x, 0, fields$n * fields$sigma)
  } else {
    function(x) pLap(x, 0, 1 / fields$epsilon)
  }
}

# P(X + Z >= s) for binomial X and symmetric noise Z, rounded up: the part of X beyond 12 standard
# deviations counts in full.
noisy_binomial_tail <- function(s, n, p, below) {
  reach <- 12 * sqrt(n * p * (1 - p)) + 12
  least <- max(0, ceiling(n * p - reach))
  most <- min(n, floor(n * p + reach))
  x <- seq(least, most)
  within <- sum(stats::dbinom(x, n, p) * below(x - s))
  within + stats::pbinom(least - 1, n, p) + stats::pbinom(most, n, p, lower.tail = FALSE)
}

# Uses the noisy count of the rows with a value, and the noisy sums of u and of its squares
# (present_moments() in statistic-missing.R).
population_of_present <- function(found, fields) {
  mean <- noisy_mean(found, fields$alpha)
  ends <- within_bounds(mean$estimate + c(-mean$reach, mean$reach), -1, 1)
  sampling <- max(mean$variance$estimate, 0) / found$count
  c(
    list(
      variance = found$half^2 * mean$variance$estimate,
      standardError = found$half * sqrt(sampling + unit_variance(found) * sum(mean$noise^2))
    ),
    population_fields(found$middle + found$half * ends, fields)
  )
}

# Variance of noise of scale 1.
unit_variance <- function(found) if (found$normal) 1 else 2

# Mean of u, as list(estimate, noise, variance, reach). `noise` holds the noise scales in the
# estimate. `variance` is the variance of u by present_spread(), and `reach` bounds the distance to
# the population mean. Noise in the count moves a mean in proportion to its distance from the
# middle.
noisy_mean <- function(found, alpha) {
  count <- found$count
  mean <- within_bounds(found$values[["sum"]] / count, -1, 1)
  noise <- c(found$scales[["sum"]], abs(mean) * found$scales[["count"]]) / count
  if (found$normal) {
    return(c(list(estimate = mean, noise = noise), normal_mean(found, mean, noise, alpha)))
  }
  variance <- present_spread(found, mean, noise, alpha)
  sd <- sqrt(variance$most / count) * student_excess(count, alpha)
  reach <- two_noises_reach(sd, noise[[1]], noise[[2]], alpha)
  list(estimate = mean, noise = noise, variance = variance, reach = reach)
}

# Returns list(variance, reach) under normal noise. To first order, the error of the variance is
# also normal: (Q - 2 m S + (m^2 - v) C) / count. Q, S and C are the noise of squares, sum and
# count, and m^2 - v is between -1 and 1. One fiftieth of alpha covers this error. Another covers
# the distance between m and `mean`, whose square enters at second order. The rest covers sampling
# and noise in the mean.
normal_mean <- function(found, mean, noise, alpha) {
  count <- found$count
  rare <- alpha / 50
  each <- found$scales / count
  off <- two_sided_quantile(rare) * sqrt(each[["sum"]]^2 + each[["count"]]^2)
  far <- min(abs(mean) + off, 1)
  deviation <- sqrt(each[["squares"]]^2 + 4 * far^2 * each[["sum"]]^2 + each[["count"]]^2)
  estimate <- to_sample(count) * (found$values[["squares"]] / count - mean^2)
  excess <- to_sample(count) * (stats::qnorm(rare, lower.tail = FALSE) * deviation + off^2)
  most <- min(max(estimate, 0) + excess, to_sample(count))
  rest <- alpha - 2 * rare
  sampling <- most / count * student_excess(count, rest)^2
  list(
    variance = list(estimate = estimate, most = most),
    reach = two_sided_quantile(rest) * sqrt(sampling + sum(noise^2))
  )
}

# Only the range is known.
population_of_few <- function(fields) {
  c(list(variance = NA_real_, standardError = NA_real_), population_fields(fields$rng, fields))
}

# Returns list(estimate, most): the variance of u, and a bound that it rarely exceeds. For a share,
# both follow from its mean, taken as far from an end as noise allows.
present_spread <- function(found, mean, noise, alpha) {
  count <- found$count
  if (!"squares" %in% names(found$values)) {
    least <- max(abs(mean) - two_noises_reach(0, noise[[1]], noise[[2]], alpha), 0)
    variances <- to_sample(count) * (1 - c(mean, least)^2)
    return(list(estimate = variances[[1]], most = variances[[2]]))
  }
  estimate <- to_sample(count) * (found$values[["squares"]] / count - mean^2)
  scale <- found$scales[["squares"]] / count
  list(estimate = estimate, most = cautious_variance(estimate, scale, count, 2, alpha))
}

# Changes the divisor from n to n - 1.
to_sample <- function(count) count / (count - 1)

# Returns the value that |normal + Laplace + Laplace| exceeds with probability `alpha`. The two
# Laplaces with scales a > b have density (a^2 f_a - b^2 f_b) / (a^2 - b^2).
two_noises_reach <- function(sd, a, b, alpha) {
  # If the scales are nearly equal, this makes the larger one larger still.
  a <- max(a, 1.001 * b)
  tail <- function(h) {
    (a^2 * noisy_normal_tail(h, sd, a) - b^2 * noisy_normal_tail(h, sd, max(b, a * 1e-6))) /
      (a^2 - b^2)
  }
  most <- sd * stats::qnorm(alpha / 8, lower.tail = FALSE) + (a + b) * log(4 / alpha)
  reach_of(tail, most, alpha)
}
