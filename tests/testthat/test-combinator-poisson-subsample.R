rows <- rows_of("i32")
counted <- function(scale = 1) rows |> then_count() |> then_laplace(scale)
gaussian <- function(scale = 2) rows |> then_count() |> then_gaussian(scale)

test_that("one row loses what the classic formula says, under both measures that have it", {
  for (rate in c(1e-4, 0.1, 1)) {
    sampled <- make_poisson_subsample(counted(0.5), rate)
    expect_equal(sampled(d_in = 1L), log1p(rate * expm1(2)), tolerance = 1e-13)
    expect_gte(sampled(d_in = 1L), log1p(rate * expm1(2)) * (1 - 1e-15))
    expect_identical(sampled(d_in = 0L), 0)
    pair <- make_poisson_subsample(make_approximate(counted(0.5)), rate)
    expect_identical(pair(d_in = 1L), list(sampled(d_in = 1L), 0))
  }
})

test_that("several rows lose at most a group's loss, and at most the loss without sampling", {
  sampled <- counted(0.5) |> then_poisson_subsample(rate = 0.1)
  one <- sampled(d_in = 1L)
  for (d_in in 2:20) {
    loss <- sampled(d_in = d_in)
    expect_lte(loss, d_in * one * (1 + 1e-14))
    expect_lte(loss, log1p((1 - 0.9^d_in) * expm1(2 * d_in)) * (1 + 1e-14))
  }
})

test_that("a profile follows the closed form in both directions", {
  # Balle and Wang (2018), Theorem 8, at exp(epsilon) = a.
  whole <- function(a, shift) {
    stats::pnorm(shift / 2 - log(a) / shift) - a * stats::pnorm(-shift / 2 - log(a) / shift)
  }
  fine <- c(vector_domain(atom_domain(bounds = c(0, 1))), symmetric_distance()) |>
    then_lattice_sum()
  noisy <- fine |> then_gaussian(scale = fine(d_in = 1L))
  for (rate in c(0.01, 0.5)) {
    sampled <- noisy |> then_poisson_subsample(rate = rate)
    expect_identical(toString(sampled$output_measure), "SmoothedMaxDivergence")
    profile <- sampled(d_in = 1L)
    a <- exp(c(0.01, 0.2, 0.6))
    there <- rate * whole((a - 1 + rate) / rate, 1)
    left <- 1 - a * (1 - rate)
    back <- ifelse(left > 0, left * whole(a * rate / ifelse(left > 0, left, 1), 1), 0)
    claimed <- vapply(log(a), \(e) profile(epsilon = e), 0)
    expect_true(all(claimed >= pmax(there, back) * (1 - 1e-11)))
    expect_true(all(claimed <= pmax(there, back) * (1 + 1e-5)))
    fixed <- sampled |> then_fix_delta(delta = 1e-6)
    expect_identical(fixed(d_in = 1L)[[1]], profile(delta = 1e-6))
  }
})

test_that("many releases lose a fraction of the loss on the whole data", {
  sampled <- gaussian() |> then_poisson_subsample(rate = 0.01)
  profile <- compose_pld(sampled, d_in = 1L, times = 1000)
  whole <- compose_pld(gaussian(), d_in = 1L, times = 1000)
  expect_lt(profile(delta = 1e-6), whole(delta = 1e-6) / 50)
  mixed <- compose_pld(list(sampled, gaussian()), d_in = 1L, times = c(1000, 1))
  expect_gt(mixed(delta = 1e-6), profile(delta = 1e-6))
})

test_that("each release draws a new sample of whole rows, in their order", {
  exact <- c(vector_domain(atom_domain(.T = "i32")), symmetric_distance()) |>
    then_user_measurement(max_divergence(), identity, \(d) d / 1)
  sampled <- exact |> then_poisson_subsample(rate = 0.5)
  first <- sampled(arg = 1:1000)
  expect_false(is.unsorted(first, strictly = TRUE))
  expect_true(all(first %in% 1:1000))
  # By Chernoff's bound, these fail with probability e^-130 and 2^-1000.
  expect_true(length(first) > 250 && length(first) < 750)
  expect_false(identical(sampled(arg = 1:1000), first))
  all_rows <- exact |> then_poisson_subsample(rate = 1)
  expect_identical(all_rows(arg = 1:10), 1:10)
  expect_length(sampled(arg = integer()), 0)
})

test_that("frames are sampled by rows", {
  split <- make_split_dataframe(NULL, c("a", "b"))
  both <- c(split("output_domain"), split("output_metric")) |>
    then_user_measurement(max_divergence(), \(x) x$a - x$b, \(d) d / 1, .TO = "ExtrinsicObject")
  sampled <- both |> then_poisson_subsample(rate = 0.5)
  expect_identical(unique(sampled(arg = data.frame(a = 1:500, b = 1:500))), 0L)
})

test_that("compositors reject samples, and objects built on them, in favour of compose_pld()", {
  sampled <- counted() |> then_poisson_subsample(rate = 0.5)
  refused <- function(expr) {
    expect_error(expr, "compose, then subsample", class = "dp_error_make_measurement")
  }
  refused(make_composition(list(sampled, sampled)))
  refused(make_composition(list(make_pureDP_to_zCDP(sampled))))
  refused(make_poisson_subsample(sampled, 0.5))
  odometer <- rows |> then_fully_adaptive_composition(max_divergence())
  queryable <- odometer(arg = 1:10)
  refused(queryable(query = sampled))
  expect_identical(queryable(d_in = 1L), 0)
  composed <- make_composition(list(counted(), counted())) |> then_poisson_subsample(rate = 0.1)
  expect_equal(composed(d_in = 1L), log1p(0.1 * expm1(2)), tolerance = 1e-13)
  expect_length(composed(arg = 1:10), 2)
})

test_that("after a transformation the loss covers both directions", {
  sampled <- gaussian() |> then_poisson_subsample(rate = 0.1)
  behind <- make_chain_mt(sampled, make_identity(rows[[1]], rows[[2]]))
  direct <- compose_pld(sampled, d_in = 1L, times = 20)
  turned <- compose_pld(behind, d_in = 1L, times = 20)
  for (epsilon in c(0, 0.3, 1)) {
    expect_gte(turned(epsilon = epsilon), direct(epsilon = epsilon) * (1 - 1e-12))
  }
})

test_that("it is written, saved and read back", {
  sampled <- gaussian() |> then_poisson_subsample(rate = 0.125)
  for (again in list(from_json(to_json(sampled)), unserialize(serialize(sampled, NULL)))) {
    expect_identical(plan_hash(again), plan_hash(sampled))
    expect_identical(again(d_in = 1L)(epsilon = 0.1), sampled(d_in = 1L)(epsilon = 0.1))
  }
})

test_that("measurements that cannot be sampled raise errors", {
  for (rate in list(0, -1, 1.5)) {
    expect_error(make_poisson_subsample(counted(), rate), class = "dp_error_make_measurement")
  }
  for (rate in list("a", NULL, c(0.1, 0.2))) {
    expect_error(make_poisson_subsample(counted(), rate), class = "dp_error")
  }
  sized <- bounded_rows(c(0L, 1L), size = 10L) |> then_sum() |> then_laplace(1)
  expect_error(make_poisson_subsample(sized, 0.5), "must not be public",
    class = "dp_error_make_measurement"
  )
  number <- number_of("i32") |> then_laplace(1)
  expect_error(make_poisson_subsample(number, 0.5), class = "dp_error_type")
  flat <- rows |> then_user_measurement(max_divergence(), length, \(d) 1)
  expect_error(make_poisson_subsample(flat, 0.5)(d_in = 1L), "distance of 0",
    class = "dp_error_failed_map"
  )
})
