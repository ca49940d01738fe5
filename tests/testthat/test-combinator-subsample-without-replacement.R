# Noisy sum of m sampled rows from 0 to 1.
of_sample <- function(m, noise, bounds = c(0, 1)) {
  sum <- bounded_rows(bounds, change_one_distance(), size = m) |>
    then_metric_unbounded() |>
    then_lattice_sum()
  sum |> noise(sum(d_in = 1L))
}
laplace <- \(sum, reach) sum |> then_laplace(scale = 2 * reach)
gaussian <- \(sum, reach) sum |> then_gaussian(scale = reach)

test_that("one row loses what the classic formula says, under both measures that have it", {
  epsilon <- of_sample(10L, laplace)(d_in = 1L)
  for (population in c(10L, 40L, 1000L)) {
    sampled <- make_subsample_without_replacement(of_sample(10L, laplace), 10L, population)
    formula <- log1p(10 / population * expm1(epsilon))
    expect_equal(sampled(d_in = 1L), formula, tolerance = 1e-13)
    expect_gte(sampled(d_in = 1L), formula * (1 - 1e-15))
    expect_identical(sampled(d_in = 0L), 0)
    pair <- make_subsample_without_replacement(
      make_approximate(of_sample(10L, laplace)), 10L, population
    )
    expect_identical(pair(d_in = 1L), list(sampled(d_in = 1L), 0))
  }
})

test_that("several rows lose at most a group's loss, and at most the loss without sampling", {
  sampled <- of_sample(4L, laplace) |>
    then_subsample_without_replacement(size = 4, population = 100)
  one <- sampled(d_in = 1L)
  for (d_in in 2:20) {
    loss <- sampled(d_in = d_in)
    missed <- prod(1 - 4 / (100 - seq_len(d_in) + 1))
    expect_lte(loss, d_in * one * (1 + 1e-14))
    expect_lte(loss, log1p((1 - missed) * expm1(of_sample(4L, laplace)(d_in = d_in))) * (1 + 1e-14))
  }
})

# Balle and Wang (2018), Theorem 8, at exp(epsilon) = a.
whole <- function(a, shift = 1) {
  stats::pnorm(shift / 2 - log(a) / shift) - a * stats::pnorm(-shift / 2 - log(a) / shift)
}
# Divergence of a sample, for all a.
of_rate <- function(a, q) {
  above <- function(a) q * whole(1 + (a - 1) / q)
  ifelse(a >= 1, above(pmax(a, 1)), 1 - a + a * above(pmax(1 / a, 1)))
}
# Mean of the second release's divergence over the first release's loss. It combines the part above
# 0, its mirror image, and the rest at 0. Two integrals, because the divergence has a kink between
# them.
twice <- function(epsilon, q) {
  loss <- function(x) log1p(q * expm1(x - 1 / 2))
  mixed <- function(x) (1 - q) * stats::dnorm(x) + q * stats::dnorm(x - 1)
  part <- function(x) {
    mixed(x) * of_rate(exp(epsilon - loss(x)), q) +
      stats::dnorm(x) * of_rate(exp(epsilon + loss(x)), q)
  }
  bend <- log1p(expm1(epsilon) / q) + 1 / 2
  over <- function(f, from, to) stats::integrate(f, from, to, rel.tol = 1e-11)$value
  covered <- over(\(x) mixed(x) + stats::dnorm(x), 1 / 2, Inf)
  below <- if (bend > 1 / 2) over(part, 1 / 2, bend) else 0
  below + over(part, bend, bend + 12) + (1 - covered) * of_rate(exp(epsilon), q)
}

test_that("a profile follows the closed form, and two releases the integral", {
  for (population in c(20L, 1000L)) {
    q <- 10 / population
    noisy <- of_sample(10L, gaussian)
    sampled <- noisy |> then_subsample_without_replacement(size = 10L, population = population)
    expect_identical(toString(sampled$output_measure), "SmoothedMaxDivergence")
    profile <- sampled(d_in = 1L)
    both <- compose_pld(sampled, d_in = 1L, times = 2)
    for (epsilon in c(0, 0.01, 0.2, 0.6)) {
      once <- of_rate(exp(epsilon), q)
      expect_gte(profile(epsilon = epsilon), once * (1 - 1e-11))
      expect_lte(profile(epsilon = epsilon), once * (1 + 1e-5))
      two <- twice(epsilon, q)
      expect_gte(both(epsilon = epsilon), two * (1 - 1e-9))
      expect_lte(both(epsilon = epsilon), two * (1 + 1e-5))
    }
    fixed <- sampled |> then_fix_delta(delta = 1e-6)
    expect_identical(fixed(d_in = 1L)[[1]], profile(delta = 1e-6))
  }
})

test_that("the check rejects a wrong rate and a rate on the wrong side", {
  sampled <- of_sample(10L, gaussian) |>
    then_subsample_without_replacement(size = 10L, population = 20L)
  claimed <- sampled(d_in = 1L)(epsilon = 0.2)
  halved <- make_subsample_without_replacement(of_sample(10L, gaussian), 10L, 40L)(d_in = 1L)
  expect_lt(halved(epsilon = 0.2), of_rate(exp(0.2), 0.5) * 0.9)
  # P against (1 - q) P + q Q: the loss of an added row.
  left <- 1 - exp(0.2) / 2
  expect_lt(left * whole(exp(0.2) / 2 / left), claimed * 0.9)
})

test_that("many releases lose a fraction of the sample's loss", {
  noisy <- of_sample(10L, gaussian)
  sampled <- noisy |> then_subsample_without_replacement(size = 10L, population = 1000L)
  profile <- compose_pld(sampled, d_in = 1L, times = 100)
  expect_lt(profile(delta = 1e-6), compose_pld(noisy, d_in = 1L, times = 100)(delta = 1e-6) / 10)
})

test_that("each release draws a new sample of distinct rows, in random order", {
  exact <- c(vector_domain(atom_domain(.T = "i32"), size = 100L), change_one_distance()) |>
    then_user_measurement(max_divergence(), identity, \(d) d / 1)
  sampled <- exact |> then_subsample_without_replacement(size = 100L, population = 1000L)
  first <- sampled(arg = 1:1000)
  expect_length(first, 100)
  expect_true(all(first %in% 1:1000))
  expect_identical(anyDuplicated(first), 0L)
  # Samples are equal or sorted with probability below 1e-100.
  expect_true(is.unsorted(first))
  expect_false(identical(sampled(arg = 1:1000), first))
  expect_error(sampled(arg = 1:999), class = "dp_error_failed_function")
  of_all <- exact |> then_subsample_without_replacement(size = 100L, population = 100L)
  expect_setequal(of_all(arg = 1:100), 1:100)
})

test_that("compositors reject samples, and objects built on them, in favour of compose_pld()", {
  sampled <- of_sample(4L, laplace) |> then_subsample_without_replacement(size = 4, population = 9)
  refused <- function(expr) {
    expect_error(expr, "compose, then subsample", class = "dp_error_make_measurement")
  }
  refused(make_composition(list(sampled, sampled)))
  refused(make_composition(list(make_pureDP_to_zCDP(sampled))))
  refused(make_subsample_without_replacement(sampled, 9L, 10L))
  two <- make_composition(list(of_sample(4L, laplace), of_sample(4L, laplace)))
  both <- two |> then_subsample_without_replacement(size = 4, population = 40)
  expect_equal(both(d_in = 1L), log1p(0.1 * expm1(two(d_in = 1L))), tolerance = 1e-13)
  expect_length(both(arg = rep(0.5, 40)), 2)
})

test_that("it is written, saved and read back", {
  sampled <- of_sample(4L, gaussian) |>
    then_subsample_without_replacement(size = 4, population = 9)
  for (again in list(from_json(to_json(sampled)), unserialize(serialize(sampled, NULL)))) {
    expect_identical(plan_hash(again), plan_hash(sampled))
    expect_identical(again(d_in = 1L)(epsilon = 0.1), sampled(d_in = 1L)(epsilon = 0.1))
  }
})

test_that("measurements that cannot be sampled raise errors", {
  four <- of_sample(4L, laplace)
  for (sizes in list(c(0, 9), c(4, 3), c(3, 9))) {
    expect_error(make_subsample_without_replacement(four, sizes[[1]], sizes[[2]]),
      class = "dp_error_make_measurement"
    )
  }
  for (size in list("a", NULL, c(4, 4), 4.5, -1)) {
    expect_error(make_subsample_without_replacement(four, size, 9), class = "dp_error")
    expect_error(make_subsample_without_replacement(four, 4, size), class = "dp_error")
  }
  added <- rows_of("i32") |> then_count() |> then_laplace(1)
  expect_error(make_subsample_without_replacement(added, 4, 9), class = "dp_error_type")
  number <- number_of("i32") |> then_laplace(1)
  expect_error(make_subsample_without_replacement(number, 4, 9), class = "dp_error_type")
  curved <- make_pureDP_to_RDP(four)
  expect_error(make_subsample_without_replacement(curved, 4, 9), class = "dp_error_type")
})
