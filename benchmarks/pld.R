# Question: how long does it take to compose a thousand releases by their loss distributions, next
# to a convolution of the same size by R's fft()?
#
#   Rscript benchmarks/pld.R [points]
#
# `points` is the size of the distribution of one release. The composed window is 32 times as wide.
# Ours is the whole of compose_pld(), with a step that gives `points` points: the law, the choice of
# windows, several tilts and the bounds on every error. R's is a single convolution power without
# these, which is wrong below a delta of about 1e-14.
library(PSIlence)
source("benchmarks/compare.R")
enable_features("contrib")

points <- as.numeric(c(commandArgs(TRUE), 1e5)[[1]])
noisy <- c(atom_domain(.T = "f64", nan = FALSE), absolute_distance(.T = "f64")) |>
  then_gaussian(scale = 30)
reach <- 2 * 24 / 30
step <- 2^floor(log2(reach / points))

loss <- step * seq(-points / 2, points / 2 - 1)
one <- c(stats::dnorm(loss, 1 / 1800, 1 / 30) * step, numeric(31 * points))

times <- compare(sprintf("1000 releases, %g points each", points), list(
  `compose_pld()` = function() compose_pld(noisy, d_in = 1, times = 1000, step = step),
  `fft(), power, fft()` = function() {
    Re(stats::fft(stats::fft(one)^1000, inverse = TRUE)) / length(one)
  }
))
target(
  "1000-fold composition of a loss distribution of 1e5 points", "fft() of R, one convolution power",
  times_ours(times, "fft(), power, fft()"),
  at_least = 2.5
)
compare("1000 releases as they come", list(
  `compose_pld()` = function() compose_pld(noisy, d_in = 1, times = 1000)
))

# Its accuracy: the relative error of delta, against the closed form of the normal law.
profile <- compose_pld(noisy, d_in = 1, times = 1000)
shift <- sqrt(1000) / 30
errors <- vapply(c(1, 3, 5, 7, 10), function(epsilon) {
  first <- stats::pnorm(shift / 2 - epsilon / shift, log.p = TRUE)
  second <- epsilon + stats::pnorm(-shift / 2 - epsilon / shift, log.p = TRUE)
  exact <- exp(first) * -expm1(second - first)
  c(epsilon = epsilon, delta = exact, relative_error = profile(epsilon = epsilon) / exact - 1)
}, numeric(3))
print(t(errors), digits = 3)
smallest <- errors[, which.min(errors["delta", ])]
target(
  "relative error of delta near 1e-20", "closed form of the Gaussian",
  abs(smallest[["relative_error"]]),
  at_most = 1e-5
)
