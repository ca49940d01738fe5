# Intervals for the population that the rows were drawn from.

runs <- in_tier(400, 4000)

covers_at <- function(level, hits) sum(hits) >= least_of(length(hits), level)

covers <- function(result, truth) {
  result$populationInterval[[1]] <= truth && truth <= result$populationInterval[[2]]
}

populations <- list(
  lognormal = list(
    draw = function(n) pmin(rlnorm(n), 20), rng = c(0, 20),
    mean = pnorm(log(20) - 1) * exp(0.5) + 20 * pnorm(log(20), lower.tail = FALSE)
  ),
  beta = list(draw = function(n) rbeta(n, 9, 1), rng = c(0, 1), mean = 0.9)
)

test_that("intervals of a mean cover the mean of skewed populations, with and without gaps", {
  withr::local_seed(1)
  for (name in names(populations)) {
    from <- populations[[name]]
    for (n in c(100, 1000)) {
      for (missing in c("impute", "drop")) {
        epsilon <- if (n == 100) 1 else 0.1
        mean <- mean_of(variable = "x", n = n, rng = from$rng, epsilon = epsilon, missing = missing,
          interval = "population")
        hits <- replicate(runs, {
          x <- from$draw(n)
          if (missing == "drop") x[seq(1, n, 10)] <- NA
          covers(mean$release(data.frame(x = x)), from$mean)
        })
        # Skewness keeps means of 100 rows from being normal: the classical interval covers 92 %.
        expect_true(covers_at(0.935, hits), info = paste(name, n, missing, base::mean(hits)))
      }
    }
  }
})

test_that("intervals of a proportion cover it, imputed or dropped, and are not too wide", {
  withr::local_seed(2)
  for (missing in c("impute", "drop")) {
    share <- mean_of(
      varType = "logical", variable = "x", n = 200, rng = NULL, epsilon = 0.5, missing = missing,
      interval = "population"
    )
    for (p in c(0.02, 0.5)) {
      results <- replicate(runs, simplify = FALSE, {
        x <- runif(200) < p
        if (missing == "drop") x[1:20] <- NA
        share$release(data.frame(x = x))
      })
      hits <- vapply(results, covers, NA, truth = p)
      expect_true(covers_at(0.95, hits), info = paste(missing, p, base::mean(hits)))
    }
    widths <- vapply(results, function(result) diff(result$populationInterval), 0)
    classical <- 2 * 1.96 * sqrt(0.25 / 180)
    expect_lt(base::mean(widths), 1.6 * classical)
  }
})

# Miss rate of intervals for a mean. Units: the noise variance of the squares is 1. tau is the
# variance, and r the position of the mean in its range, from -1 to 1.
misses <- function(epsilon, tau, r, alpha, cautious) {
  noise <- seq(-20, 20, 0.2)
  weights <- dLap(noise) / sum(dLap(noise))
  reaches <- local({
    at <- seq(0, sqrt(tau + 50), length.out = 60)
    stats::splinefun(at, vapply(at, noisy_normal_reach, 0, 1 / sqrt(epsilon), alpha))
  })
  of_mean <- matrix(noise, length(noise), length(noise))
  of_squares <- t(of_mean)
  # On the noise grid many of them are equal.
  variance <- round(tau + of_squares - r * of_mean, 9)
  different <- unique(c(variance))
  seen <- vapply(different, cautious, 0)[match(variance, different)]
  reach <- reaches(sqrt(seen))
  shift <- of_mean / sqrt(epsilon)
  beyond <- stats::pnorm((-reach - shift) / sqrt(tau)) + stats::pnorm((shift - reach) / sqrt(tau))
  sum(outer(weights, weights) * beyond)
}

test_that("the term added to a variance suffices for every mean, and half of it does not", {
  worst <- function(epsilon, alpha, cautious) {
    at <- expand.grid(tau = c(1, 3, 5, 400), r = c(0, 1))
    max(mapply(function(tau, r) misses(epsilon, tau, r, alpha, cautious), at$tau, at$r))
  }
  most <- 1e9 # neither rows nor range bound the variance
  for (alpha in c(0.5, 0.05, 0.001)) {
    enough <- function(variance) cautious_variance(variance, 1, most, most, alpha)
    for (epsilon in c(0.1, 3, 1000)) expect_lte(worst(epsilon, alpha, enough), alpha)
    half <- function(variance) (max(variance, 0) + enough(variance)) / 2
    expect_gt(worst(1000, alpha, half), 1.02 * alpha)
  }
})

test_that("the law of a noisy binomial number equals the sum over all its values", {
  tail <- function(s, n, p, epsilon) {
    sum(vapply(0:n, function(x) dbinom(x, n, p) * pLap(x - s, 0, 1 / epsilon), 0))
  }
  for (s in c(-3, 0, 7.25, 30, 44)) {
    for (p in c(0, 0.01, 0.4, 1)) {
      below <- noise_below(list(epsilon = 0.7))
      expect_equal(noisy_binomial_tail(s, 40, p, below) / tail(s, 40, p, 0.7), 1)
    }
  }
  # At an end of the interval, the released value is exactly as rare as allowed.
  fields <- list(n = 40, epsilon = 0.7, alpha = 0.1)
  ends <- population_of_share(0.3, fields)$populationInterval
  expect_equal(tail(12, 40, ends[[1]], 0.7), 0.05, tolerance = 1e-6)
  expect_equal(1 - tail(12, 40, ends[[2]], 0.7), 0.05, tolerance = 1e-6)
  expect_identical(population_of_share(-2, fields)$populationInterval[[1]], 0)
  expect_identical(population_of_share(3, fields)$populationInterval, c(1, 1))
})

test_that("the reach of two noises and of sampling matches draws of them", {
  withr::local_seed(3)
  draws <- 1e5
  laplace <- function(scale) qLap(runif(draws), 0, scale)
  for (scales in list(c(2, 1), c(1, 1), c(1, 0), c(1, 3))) {
    reach <- two_noises_reach(1.5, scales[[1]], scales[[2]], 0.1)
    beyond <- base::mean(abs(rnorm(draws, 0, 1.5) + laplace(scales[[1]]) +
      (if (scales[[2]] > 0) laplace(scales[[2]]) else 0)) > reach)
    if (scales[[2]] <= scales[[1]]) {
      expect_equal(beyond, 0.1, tolerance = 0.05)
    } else {
      expect_lt(beyond, 0.1)
    }
  }
})

test_that("squares are free: the noise of a mean is the same with and without them", {
  withr::local_seed(4)
  data <- data.frame(x = rep(c(0, 10), 25))
  spread <- function(interval) {
    mean <- mean_of(variable = "x", n = 50, rng = c(0, 10), epsilon = 0.5, interval = interval)
    expect_identical(mean$measurement(d_in = 1L), 0.5)
    abs(vapply(seq_len(4000), function(i) mean$release(data)$release, 0) - 5)
  }
  # Magnitudes of Laplace noise are exponential.
  expect_gt(stats::ks.test(spread("population"), spread("noise"))$p.value, rare)
  exact <- exactly(mean_of(
    variable = "x", n = 50, rng = c(0, 10), epsilon = exact_epsilon, interval = "population"
  ))
  found <- exact$release(data)
  expect_equal(found$variance, var(data$x), tolerance = 1e-6)
  expect_equal(found$standardError, sd(data$x) / sqrt(50), tolerance = 1e-6)
  classical <- 5 + c(-1, 1) * qt(0.975, 49) * sd(data$x) / sqrt(50)
  expect_equal(found$populationInterval, classical, tolerance = 1e-5)
})

test_that("a population interval must be requested, and raises an error if impossible", {
  mean <- function(n = 50, rng = c(0, 10), ...) {
    mean_of(variable = "x", n = n, rng = rng, epsilon = 0.5, ...)
  }
  expect_identical(mean()$interval, "noise")
  expect_null(mean()$release(data.frame(x = 1:50 + 0))$populationInterval)
  expect_identical(mean(interval = "population")$interval, "population")
  expect_refused(mean(interval = "both"), "interval")
  snapping <- list(mechanism = "mechanismSnapping")
  for (hindered in list(list(n = 1), list(rng = c(0, 1e200)), snapping)) {
    arguments <- c(hindered, interval = "population")
    expect_refused(do.call(mean, arguments), "interval")
  }
  expect_error(
    mean_of(interval = "population", epsilon = 1e-320), class = "dp_error_make_measurement"
  )
})

test_that("D_FLT_1: with population intervals, means keep the same public step", {
  step <- 2^(7 - 51) # bounds below 2^7
  mean <- mean_of(variable = "x", n = 7, epsilon = 1, interval = "population")
  releases <- replicate(200, mean$release(data.frame(x = rep(1 / 3, 7)))$release)
  expect_true(all(releases / step == round(releases / step)))
})

test_that("with the interval, tables and print state its target", {
  result <- released(mean_of(epsilon = 1, interval = "population"))
  table <- as.data.frame(result)
  expect_equal(c(table$conf.low, table$conf.high), result$populationInterval)
  expect_equal(c(table$noise.low, table$noise.high), result$interval)
  expect_match(format(result), "populationInterval .* of the population, moved into `rng`",
    all = FALSE)
})
