# D-EPS-5: claims of casts, fixed deltas and group distances, checked against the exact curve of the
# noise. A claim is a function of delta and of the actual noise. The check detects half the noise.

scale <- 2
numbers <- number_of("f64")
counts <- number_of("i32")

# Balle and Wang (2018), Theorem 8, by logarithms, so small differences keep their digits.
gaussian_curve <- function(d_in, epsilon, noise) {
  shift <- d_in / (scale * noise)
  there <- stats::pnorm(shift / 2 - epsilon / shift, log.p = TRUE)
  here <- epsilon + stats::pnorm(-shift / 2 - epsilon / shift, log.p = TRUE)
  exp(there) * -expm1(here - there)
}

# P[Z in S] - exp(epsilon) P[Z + d_in in S] for the worst S, with discrete Laplace noise.
laplace_curve <- function(d_in, epsilon, noise) {
  at <- -2000:2000
  law <- function(x) exp(-abs(x) / (scale * noise)) * tanh(1 / (2 * scale * noise))
  sum(pmax(law(at) - exp(epsilon) * law(at - d_in), 0))
}

conversions <- list(
  `zCDP to a profile` = list(
    make = \() make_zCDP_to_approxDP(numbers |> then_gaussian(scale)),
    claim = \(m, d_in) m(d_in = d_in), curve = gaussian_curve
  ),
  `zCDP at a fixed delta` = list(
    make = \() make_zCDP_to_approxDP(numbers |> then_gaussian(scale)),
    claim = \(m, d_in) \(delta) make_fix_delta(m, delta)(d_in = d_in)[[1]], curve = gaussian_curve
  ),
  `pure to a profile, by zCDP` = list(
    make = \() make_zCDP_to_approxDP(make_pureDP_to_zCDP(counts |> then_laplace(scale))),
    claim = \(m, d_in) m(d_in = as.integer(d_in)), curve = laplace_curve
  ),
  `pure to a profile, by its Renyi curve` = list(
    make = \() make_RDP_to_approxDP(make_pureDP_to_RDP(counts |> then_laplace(scale))),
    claim = \(m, d_in) m(d_in = as.integer(d_in)), curve = laplace_curve
  ),
  `zCDP to a profile, by its Renyi curve` = list(
    make = \() make_RDP_to_approxDP(make_zCDP_to_RDP(numbers |> then_gaussian(scale))),
    claim = \(m, d_in) m(d_in = d_in), curve = gaussian_curve
  ),
  `pure to approximate` = list(
    make = \() make_approximate(counts |> then_laplace(scale)),
    claim = \(m, d_in) \(delta) m(d_in = as.integer(d_in))[[1]], curve = laplace_curve
  ),
  `a fixed delta to a profile` = list(
    make = \() make_fixed_approxDP_to_approxDP(make_approximate(counts |> then_laplace(scale))),
    claim = \(m, d_in) m(d_in = as.integer(d_in)), curve = laplace_curve
  ),
  `a composed loss` = list(
    make = \() counts |> then_laplace(scale),
    claim = \(m, d_in) compose_pld(m, as.integer(d_in)), curve = laplace_curve
  )
)

deltas <- c(1e-300, 1e-9, 1e-3, 0.05, 0.5, 1)

# Whether, at every delta, the claimed epsilon keeps the exact curve at or below this delta.
covers <- function(conversion, noise = 1) {
  object <- conversion$make()
  all(vapply(c(1, 2, 7), function(d_in) {
    claim <- conversion$claim(object, d_in)
    epsilons <- vapply(deltas, \(delta) claim(delta = delta), numeric(1))
    exact <- vapply(epsilons, \(epsilon) conversion$curve(d_in, epsilon, noise), numeric(1))
    # Sums of differences are inaccurate in their last digits.
    slack <- if (identical(conversion$curve, laplace_curve)) 1e-13 else 0
    !is.unsorted(-epsilons) && all(epsilons >= 0) && all(exact <= deltas * (1 + 1e-9) + slack)
  }, logical(1)))
}

for (name in names(conversions)) {
  test_that(paste("D-EPS-5: no distance costs more than claimed from", name), {
    expect_true(covers(conversions[[name]]))
    expect_false(covers(conversions[[name]], noise = 0.5))
  })
}

test_that("D-EPS-5: without a delta, Gaussian noise has no epsilon", {
  fixed <- make_fix_delta(make_zCDP_to_approxDP(numbers |> then_gaussian(scale)), 0)
  expect_identical(fixed(d_in = 1)[[1]], Inf)
})
