# Variance of a population.

test_that("moments with little noise give the variance and an interval for its upper bound", {
  withr::local_seed(1)
  data <- data.frame(x = c(stats::rbeta(50, 2, 5), NA, NA))
  sampled <- function(...) {
    exactly(variance_of(
      variable = "x", n = 52, rng = c(0, 1), epsilon = exact_epsilon, interval = "population", ...
    ))$release(data)
  }
  found <- sampled(missing = "drop")
  v <- stats::var(data$x, na.rm = TRUE)
  expect_equal(found$release, v, tolerance = 1e-6)
  expect_equal(found$interval, c(v, v), tolerance = 1e-6)
  # Only the mean of the population is unknown.
  mean_reach <- stats::qt(0.975, 49) * sqrt(v / 50)
  farthest <- 0.5 + abs(mean(data$x, na.rm = TRUE) - 0.5) + mean_reach
  sd <- sqrt((farthest^2 * v - v^2 * 47 / 49) / 50)
  expect_equal(found$standardError, sd, tolerance = 1e-6)
  ends <- c(max(v - stats::qnorm(0.975) * sd, 0), v + stats::qnorm(0.975) * sd)
  expect_equal(found$populationInterval, ends, tolerance = 1e-6)
  expect_identical(found$stdInterval, sqrt(found$populationInterval))
  expect_identical(found$populationAlpha, 0.05)
  # Two of the rows are drawn. At the mean they add nothing, and most at an end.
  imputed <- sampled()$release
  with_ends <- apply(expand.grid(0:1, 0:1), 1, function(ends) stats::var(c(data$x[1:50], ends)))
  expect_gte(imputed, v * 49 / 51 * (1 - 1e-6))
  expect_lte(imputed, max(with_ends) * (1 + 1e-6))
})

test_that("the variance of a variance is bounded for every law on three values", {
  # On [-1, 1], by enumeration: m4 - v^2 (n - 3) / (n - 1), over n.
  shares <- expand.grid(a = 0:10, b = 0:10)
  shares <- shares[shares$a + shares$b <= 10, ] / 10
  for (middle in c(-0.8, 0, 0.3)) {
    values <- c(-1, middle, 1)
    for (i in seq_len(nrow(shares))) {
      p <- c(shares$a[[i]], shares$b[[i]], 1 - shares$a[[i]] - shares$b[[i]])
      mean <- sum(p * values)
      v <- sum(p * (values - mean)^2)
      m4 <- sum(p * (values - mean)^4)
      for (n in c(2, 3, 4, 50)) {
        truth <- (m4 - v^2 * (n - 3) / (n - 1)) / n
        expect_lte(truth, variance_of_variance(v, 1 + abs(mean), n) + 1e-12)
        expect_gte(variance_of_variance(v + 0.1, 1 + abs(mean), n),
          variance_of_variance(v, 1 + abs(mean), n))
      }
    }
  }
  # Attained by equally many values at both ends.
  expect_equal(variance_of_variance(1, 1, 5), 1 / 10)
})

test_that("the noise of a variance follows from its moments", {
  withr::local_seed(2)
  data <- data.frame(x = rep(c(0, 1), c(40, 10)))
  statistic <- variance_of(
    variable = "x", n = 50, rng = c(0, 1), epsilon = 2, interval = "population"
  )
  off <- replicate(4000, statistic$release(data)$release) - stats::var(data$x)
  # With b = R^2 / (n epsilon), squares have scale b. The mean, 0.3 from the midpoint, is squared.
  b <- 1 / (50 * 2)
  mean <- qLap(stats::runif(4e5), 0, b)
  expected <- 50 / 49 * (qLap(stats::runif(4e5), 0, b) - 2 * 0.3 * mean - mean^2)
  expect_gt(suppressWarnings(stats::ks.test(off, expected))$p.value, rare)
})

test_that("without enough values the interval covers every possible variance", {
  # At a small loss, noise turns none into enough in one of 160 releases.
  few <- exactly(variance_of(
    variable = "x", n = 20, rng = c(0, 10), epsilon = 100, missing = "drop",
    interval = "population"
  ))
  result <- few$release(data.frame(x = rep(NA_real_, 20)))
  expect_identical(result$status, "few")
  expect_identical(result$populationInterval, c(0, 25))
  expect_identical(result$stdInterval, c(0, 5))
  expect_identical(result$standardError, NA_real_)
})

test_that("the interval must be requested, and raises an error if impossible", {
  expect_identical(variance_of()$interval, "noise")
  expect_null(released(variance_of())$populationInterval)
  for (hindered in list(list(mechanism = "mechanismSnapping"), list(rng = c(0, 1e200)))) {
    expect_refused(do.call(variance_of, c(hindered, interval = "population")), "interval")
  }
  expect_refused(variance_of(interval = "none"), "interval")
  # The accuracy includes both noises, whether requested or derived.
  sampled <- variance_of(interval = "population")
  expect_equal(sampled$accuracy, 2 * sampled$sens * log(2 / 0.05) / 0.1)
  again <- variance_of(epsilon = NULL, accuracy = sampled$accuracy, interval = "population")
  expect_equal(again$epsilon, 0.1)
})

test_that("tables, confint and print show the population interval", {
  result <- released(variance_of(epsilon = 1, interval = "population"))
  table <- as.data.frame(result)
  expect_equal(c(table$conf.low, table$conf.high), result$populationInterval)
  expect_equal(c(table$noise.low, table$noise.high), result$interval)
  expect_equal(as.vector(confint(result)), result$populationInterval)
  expect_match(format(result), "stdInterval .* of the standard deviation of that", all = FALSE)
})
