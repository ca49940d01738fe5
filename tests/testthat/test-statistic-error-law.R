# Law of an error that is the sum of several Laplace variables and a normal one.

# P(|error| > h) by its definition, for one Laplace variable of variance 2 b^2.
tail_of_two <- function(h, variance, b) {
  laplace <- function(x) ifelse(x > 0, exp(-x / b) / 2, 1 - exp(x / b) / 2)
  beyond <- function(z) stats::dnorm(z, 0, sqrt(variance)) * laplace(h - z)
  edges <- c(-Inf, h - 3 * b, h, h + 3 * b, Inf)
  parts <- mapply(function(lower, upper) {
    stats::integrate(beyond, lower, upper, rel.tol = 1e-11)$value
  }, edges[-5], edges[-1])
  2 * sum(parts)
}

test_that("the reach includes the normal and the Laplace law", {
  for (alpha in c(0.9, 0.5, 0.05, 1e-3, 1e-6)) {
    normal <- stats::qnorm(alpha / 2, lower.tail = FALSE)
    expect_equal(error_reach(c(1, 4), matrix(0, 2, 0), alpha), c(1, 2) * normal)
    expect_equal(error_reach(c(1, 4), matrix(c(0, 1e-9), 2), alpha), c(1, 2) * normal,
      tolerance = 1e-6)
    laplace <- log(1 / alpha) / sqrt(2)
    expect_equal(error_reach(c(0, 0), matrix(c(1, 3), 2), alpha), c(1, 3) * laplace,
      tolerance = 1e-3)
  }
})

test_that("it is exceeded at its rate by a normal plus a Laplace variable", {
  for (b in c(0.1, 0.7, 5)) {
    for (alpha in c(0.5, 0.05, 1e-3)) {
      reach <- error_reach(1, matrix(sqrt(2) * b), alpha)
      expect_equal(tail_of_two(reach, 1, b), alpha, tolerance = 1e-6)
    }
  }
})

test_that("for two Laplace variables it is the closed-form tail", {
  # (a^2 exp(-h / a) - b^2 exp(-h / b)) / (a^2 - b^2)
  a <- 2
  b <- 0.5
  h <- error_reach(0, sqrt(2) * cbind(a, b), 0.05)
  expect_equal((a^2 * exp(-h / a) - b^2 * exp(-h / b)) / (a^2 - b^2), 0.05, tolerance = 1e-5)
})

test_that("for many variables it is nearly normal, and each variable increases it", {
  many <- matrix(0.1, 1, 100)
  expect_equal(error_reach(0, many, 0.05), stats::qnorm(0.975), tolerance = 0.01)
  rows <- rbind(c(1, 0, 0), c(1, 0.5, 0), c(1, 0.5, 0.4))
  expect_true(all(diff(error_reach(rep(0.01, 3), rows, 0.05)) > 0))
})

test_that("each row has its own answer, whatever their number", {
  variance <- seq(0.1, 2, length.out = 600)
  deviations <- cbind(rev(variance), 0.3)
  all <- error_reach(variance, deviations, 0.1)
  some <- c(1, 256, 257, 600)
  alone <- vapply(some, function(i) {
    error_reach(variance[[i]], deviations[i, , drop = FALSE], 0.1)
  }, 0)
  expect_equal(all[some], alone, tolerance = 1e-6)
  expect_identical(error_reach(numeric(), matrix(0, 0, 2), 0.1), numeric())
  expect_identical(error_reach(c(NA, Inf), matrix(1, 2, 1), 0.1), c(NA, Inf))
})

test_that("combinations of coefficients have the errors of their sum", {
  errors <- list(
    noise = rbind(c(1, 0.5), c(0, 2)), sampling = rbind(c(1, 0.2), c(0.2, 0.5)), df = Inf
  )
  combination <- rbind(c(1, -1))
  expect_equal(
    reach_of_errors(errors, combination, 0.95), error_reach(1.1, rbind(c(1, -1.5)), 0.05)
  )
  covariance <- covariance_of_errors(errors, c("a", "b"))
  expect_equal(covariance, rbind(c(2.25, 1.2), c(1.2, 4.5)), ignore_attr = TRUE)
  expect_equal(attr(covariance, "noise"), rbind(c(1.25, 1), c(1, 4)), ignore_attr = TRUE)
  # Few degrees of freedom widen estimated parts, as Student's law does.
  parts <- normal_errors(matrix(4), 3)
  expect_equal(reach_of_errors(parts, matrix(1), 0.9), 2 * stats::qt(0.95, 3))
})
