sampled <- bounded_rows(c(0L, 1L), change_one_distance(), size = 10L)

amplified <- function() {
  sampled |>
    then_metric_unbounded() |>
    then_sum() |>
    then_laplace(scale = 1) |>
    then_population_amplification(population_size = 100L)
}

# Combinators that run a measurement beside others, or more than once.
compositors <- list(
  make_composition = \(m) make_composition(list(m, m)),
  make_basic_composition = \(m) make_composition(list(m)),
  compose_pld = \(m) compose_pld(list(m), d_in = 1L),
  make_population_amplification = \(m) make_population_amplification(m, 1000L),
  make_poisson_subsample = \(m) make_poisson_subsample(m, 0.5),
  make_subsample_without_replacement = \(m) make_subsample_without_replacement(m, 10L, 20L),
  make_select_private_candidate = \(m) make_select_private_candidate(m, 0.5, 1)
)

queried <- list(
  adaptive = sampled |> then_adaptive_composition(max_divergence(), d_in = 1L, d_mids = c(1, 1)),
  odometer = sampled |> then_fully_adaptive_composition(max_divergence()),
  filter = sampled |>
    then_fully_adaptive_composition(max_divergence()) |>
    make_privacy_filter(d_in = 1L, d_out = 1)
)

# Objects built on a measurement that release the same.
carriers <- list(
  make_approximate = \() make_approximate(amplified()),
  make_pureDP_to_zCDP = \() make_pureDP_to_zCDP(amplified()),
  make_zCDP_to_approxDP = \() make_zCDP_to_approxDP(make_pureDP_to_zCDP(amplified())),
  make_pureDP_to_RDP = \() make_pureDP_to_RDP(amplified()),
  make_zCDP_to_RDP = \() make_zCDP_to_RDP(make_pureDP_to_zCDP(amplified())),
  make_RDP_to_approxDP = \() make_RDP_to_approxDP(make_pureDP_to_RDP(amplified())),
  make_fixed_approxDP_to_approxDP = \() {
    make_fixed_approxDP_to_approxDP(make_approximate(amplified()))
  },
  make_fix_delta = \() {
    make_fix_delta(make_zCDP_to_approxDP(make_pureDP_to_zCDP(amplified())), 1e-6)
  },
  make_chain_mt = \() make_chain_mt(amplified(), make_identity(sampled[[1]], sampled[[2]])),
  make_chain_pm = \() amplified() |> then_postprocess(\(x) x)
)

expect_amplified_refused <- function(expr) {
  testthat::expect_error(expr, "compose, then amplify", class = "dp_error_make_measurement")
}

test_that("D-CMP-1: no compositor takes an amplified measurement", {
  for (compose in compositors) expect_amplified_refused(compose(amplified()))
  for (compositor in queried) {
    queryable <- compositor(arg = rep(1L, 10))
    expect_amplified_refused(queryable(query = amplified()))
  }
  queryable <- queried$odometer(arg = rep(1L, 10))
  expect_amplified_refused(queryable(query = amplified()))
  expect_identical(queryable(d_in = 1L), 0)
})

test_that("D-CMP-1: an object built on an amplified measurement is rejected like it", {
  for (carry in carriers) expect_amplified_refused(make_composition(list(carry())))
})

test_that("D-CMP-1: a user's map cannot hide an amplified measurement", {
  map <- \(d_in) amplified()(d_in = d_in)
  hidden <- sampled |> then_user_measurement(max_divergence(), length, map)
  expect_error(hidden(d_in = 1L), "compose, then amplify", class = "dp_error_failed_function")
})

test_that("D-CMP-1: amplifying a composition costs more than the sum of its amplified parts", {
  once <- sampled |> then_metric_unbounded() |> then_sum() |> then_laplace(scale = 1)
  pair <- make_population_amplification(make_composition(list(once, once)), 100L)
  expect_equal(pair(d_in = 1L), log1p(0.1 * expm1(2)), tolerance = 1e-12)
  expect_gt(pair(d_in = 1L), 2 * amplified()(d_in = 1L))
})

test_that("the tables cover every combinator of measurements", {
  takes <- function(name) {
    f <- get(name, envir = asNamespace("PSIlence"))
    is.function(f) && any(grepl("^measurements?[01]?$", names(formals(f))))
  }
  exported <- Filter(takes, grep("^(make|compose)_", getNamespaceExports("PSIlence"), value = TRUE))
  expect_setequal(exported, c(names(compositors), names(carriers)))
})
