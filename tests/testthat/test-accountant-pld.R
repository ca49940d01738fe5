floats <- number_of("f64")
ints <- number_of("i32")
gaussian <- floats |> then_gaussian(scale = 10)
laplace <- floats |> then_laplace(scale = 10)

# Balle and Wang (2018), Theorem 8.
gaussian_delta <- function(shift, epsilon) {
  stats::pnorm(shift / 2 - epsilon / shift) -
    exp(epsilon) * stats::pnorm(-shift / 2 - epsilon / shift)
}

test_that("Gaussian releases match the closed form and are never below it", {
  profile <- compose_pld(gaussian, d_in = 1, times = 1000)
  epsilon <- c(0, 1, 5, 10, 20)
  exact <- gaussian_delta(sqrt(1000) / 10, epsilon)
  claimed <- vapply(epsilon, \(e) profile(epsilon = e), numeric(1))
  # pnorm() is inaccurate in the last digits.
  expect_true(all(claimed >= exact * (1 - 1e-11)))
  expect_true(all(claimed <= exact * (1 + 1e-4)))
  expect_identical(profile$delta(5), claimed[[3]])
  expect_lte(profile$delta(profile$epsilon(1e-6)), 1e-6)
})

test_that("a list with counts, a full list and a composition give the same profile", {
  counted <- compose_pld(list(gaussian, laplace), d_in = 1, times = c(3, 2))
  listed <- compose_pld(list(gaussian, laplace, gaussian, laplace, gaussian), d_in = 1)
  nested <- compose_pld(
    list(
      make_composition(list(gaussian, gaussian, gaussian)),
      make_composition(list(laplace, laplace))
    ),
    d_in = 1
  )
  for (epsilon in c(0, 0.3, 1)) {
    delta <- counted(epsilon = epsilon)
    expect_equal(listed(epsilon = epsilon) / delta, 1, tolerance = 1e-6)
    expect_equal(nested(epsilon = epsilon) / delta, 1, tolerance = 1e-6)
  }
})

test_that("the profile is tighter than the sum of losses", {
  many <- rep(list(gaussian), 50)
  fixed <- make_fix_delta(make_zCDP_to_approxDP(make_composition(many)), 1e-6)
  expect_lt(compose_pld(many, d_in = 1)(delta = 1e-6), fixed(d_in = 1)[[1]])
  pure <- make_composition(rep(list(laplace), 50))
  expect_lt(compose_pld(pure, d_in = 1)(delta = 1e-6), pure(d_in = 1) * 0.7)
})

test_that("a chain on rows has the law of its noise", {
  total <- bounded_rows(c(0L, 10L)) |> then_sum()
  noisy <- total |> then_laplace(scale = 100)
  alone <- ints |> then_laplace(scale = 100)
  expect_identical(
    compose_pld(noisy, d_in = 2L, times = 30)(delta = 1e-3),
    compose_pld(alone, d_in = 20L, times = 30)(delta = 1e-3)
  )
})

test_that("measures can be mixed, and casts change nothing", {
  cast <- make_zCDP_to_approxDP(gaussian)
  mixed <- compose_pld(list(cast, make_approximate(laplace)), d_in = 1)
  plain <- compose_pld(list(gaussian, laplace), d_in = 1)
  expect_identical(mixed(epsilon = 0.1), plain(epsilon = 0.1))
})

test_that("the loss is zero at distance 0 and infinite without noise", {
  expect_identical(compose_pld(gaussian, d_in = 0, times = 10)(epsilon = 0), 0)
  expect_identical(compose_pld(gaussian, d_in = 1, times = 0)(epsilon = 0), 0)
  expect_identical(compose_pld(floats |> then_gaussian(scale = 0), d_in = 1)(epsilon = 9), 1)
})

test_that("any step gives a valid profile", {
  for (step in c(4, 0.5, 0.01)) {
    coarse <- compose_pld(gaussian, d_in = 1, times = 100, step = step)
    expect_gte(coarse(epsilon = 2), gaussian_delta(1, 2))
  }
  for (step in list(0, -1, Inf, NaN, 1e-15)) {
    expect_error(compose_pld(gaussian, 1, step = step), class = "dp_error_invalid_distance")
  }
  expect_error(compose_pld(gaussian, 1, step = "a"), class = "dp_error")
})

test_that("measurements that do not compose raise errors", {
  invalid <- "dp_error_invalid_argument"
  expect_error(compose_pld(list(), 1), class = invalid)
  expect_error(compose_pld(list(1), 1), class = "dp_error")
  for (times in list(-1, 0.5, c(1, 2), "a", NA)) {
    expect_error(compose_pld(gaussian, 1, times = times), class = "dp_error")
  }
  other <- ints |> then_laplace(scale = 1)
  expect_error(compose_pld(list(gaussian, other), 1), class = "dp_error_metric_mismatch")
  withr::local_options(opendp_features = NULL)
  expect_error(compose_pld(gaussian, 1), class = "dp_error_missing_feature")
})

# Largest P(S) - exp(epsilon) Q(S) for `times` independent outcomes of the law P against Q.
exact_delta <- function(p, q, epsilon, times) {
  many <- function(law) Reduce(\(a, b) as.vector(outer(a, b)), rep(list(law), times))
  sum(pmax(many(p) - exp(epsilon) * many(q), 0))
}

test_that("D-EPS-2: bounded geometric noise has at most the composed loss", {
  stay <- exp(-1 / 2)
  at <- -400:400
  # Law from x. Values below 0 or above 3 are clamped.
  law_from <- function(x) {
    mass <- stay^abs(at - x) * (1 - stay) / (1 + stay)
    as.vector(tapply(mass, pmin(pmax(at, 0), 3), sum))
  }
  noisy <- ints |> then_geometric(scale = 2, bounds = c(0L, 3L))
  covers <- function(d_in, times, claimed_d_in = d_in) {
    profile <- compose_pld(noisy, as.integer(claimed_d_in), times = times)
    all(vapply(c(0, 0.2, 0.5, 0.9), function(epsilon) {
      pairs <- list(c(0, d_in), c(d_in, 0), c(3 - d_in, 3), c(3, 3 - d_in))
      exact <- vapply(pairs, function(x) {
        exact_delta(law_from(x[[1]]), law_from(x[[2]]), epsilon, times)
      }, numeric(1))
      profile(epsilon = epsilon) >= max(exact) - 1e-13
    }, logical(1)))
  }
  for (times in 1:4) {
    for (d_in in 1:3) expect_true(covers(d_in, times))
    expect_false(covers(2, times, claimed_d_in = 1))
  }
})

test_that("random scales, counts and distances agree with the closed forms", {
  withr::local_seed(1)
  for (i in 1:6) {
    times <- sample(1:400, 2)
    scales <- 2^stats::runif(2, 1, 6)
    d_in <- sample(1:4, 1)
    shift <- d_in * sqrt(sum(times / scales^2))
    releases <- lapply(scales, \(scale) floats |> then_gaussian(scale = scale))
    profile <- compose_pld(releases, d_in, times = times)
    epsilons <- pmax(shift^2 / 2 + shift * stats::runif(5, -2, 5), 0)
    claimed <- vapply(epsilons, \(epsilon) profile(epsilon = epsilon), numeric(1))
    exact <- gaussian_delta(shift, epsilons)
    info <- paste(c(times, scales, d_in), collapse = " ")
    expect_true(all(claimed >= exact * (1 - 1e-9)), info = info)
    expect_true(all(claimed <= exact * (1 + 1e-3)), info = info)

    # Randomized response: k more truths than lies lose k times the log odds.
    prob <- stats::runif(1, 0.52, 0.8)
    n <- sample(1:200, 1)
    answers <- compose_pld(make_randomized_response_bool(prob), d_in = 1L, times = n)
    odds <- log(prob / (1 - prob))
    loss <- odds * (2 * 0:n - n)
    for (epsilon in odds * sqrt(n) * c(0, 0.3, 0.8)) {
      exact <- sum(stats::dbinom(0:n, n, prob) * pmax(1 - exp(epsilon - loss), 0))
      claimed <- answers(epsilon = epsilon)
      expect_gte(claimed, exact * (1 - 1e-9))
      expect_lte(claimed, exact * 1.01 + 1e-12)
    }
  }
})

mean_of_age <- function(epsilon = 0.5) mean_of(epsilon = epsilon)
cells_of_text <- function(epsilon = 0.5) {
  histogram_of(varType = "character", variable = "sex", bins = c("f", "m"), epsilon = epsilon)
}

test_that("an analysis of a numeric and a text column adds up", {
  numeric <- mean_of_age()
  text <- cells_of_text()
  both <- compose_pld(list(numeric, text))
  expect_lte(both(delta = 0), (numeric$epsilon + text$epsilon) * (1 + 1e-12))
  # Composing laws gives less than composing epsilons.
  expect_lt(both(delta = 1e-2), optimalComposition(c(0.5, 0.5), 0, 1e-2))
  given <- compose_pld(list(numeric$measurement, text), d_in = 1L)
  expect_identical(given(epsilon = 0.3), both(epsilon = 0.3))
  for (one in list(numeric, text)) {
    expect_gt(both(delta = 1e-2), compose_pld(one)(delta = 1e-2))
  }
  alone <- compose_pld(text, times = 3)
  expect_lte(alone(delta = 0), 1.5 * (1 + 1e-12))
  expect_gt(alone(delta = 1e-2), compose_pld(text)(delta = 1e-2))
})

test_that("releases with different privacy units do not add up", {
  labels <- aggregate_of(scheme = "labels")
  expect_error(compose_pld(list(mean_of_age(), labels)), class = "dp_error_metric_mismatch")
  expect_error(compose_pld(mean_of_age()$measurement), class = "dp_error_invalid_argument")
})

test_that("every exported statistic adds up, to at most its map", {
  for (name in names(valid_arguments)) {
    statistic <- build_with(name, "n", 10)
    profile <- compose_pld(list(statistic, statistic))
    loss <- measured_loss(statistic$measurement)
    expect_lte(profile(epsilon = 2 * loss$epsilon * (1 + 1e-12)), 2 * loss$delta + 1e-300)
    expect_gt(profile(epsilon = loss$epsilon), compose_pld(statistic)(epsilon = loss$epsilon))
  }
})

test_that("the rho of members without a law are added before the profile is computed", {
  opaque <- function(scale) {
    with_features("honest-but-curious", ints |> then_user_measurement(
      zero_concentrated_divergence(), function(x) 0L, function(d_in) d_in^2 / (2 * scale^2)
    ))
  }
  many <- compose_pld(opaque(10), d_in = 1L, times = 50)
  one <- compose_pld(opaque(10 / sqrt(50)), d_in = 1L)
  for (delta in c(1e-9, 1e-6, 1e-3)) {
    expect_equal(many(delta = delta), one(delta = delta), tolerance = 1e-6)
  }
})

test_that("an integer vector under Gaussian noise loses about as much as one number", {
  vectors <- c(vector_domain(atom_domain(.T = "i32"), size = 5), l2_distance(.T = "f64"))
  counts <- compose_pld(vectors |> then_gaussian(scale = 10), d_in = sqrt(2), times = 50)
  number <- compose_pld(floats |> then_gaussian(scale = 10), d_in = sqrt(2), times = 50)
  rho <- make_fix_delta(
    make_zCDP_to_approxDP(make_composition(rep(list(vectors |> then_gaussian(scale = 10)), 50))),
    1e-6
  )
  expect_equal(counts(delta = 1e-6), number(delta = 1e-6), tolerance = 1e-3)
  expect_lt(counts(delta = 1e-6), 0.97 * rho(d_in = sqrt(2))[[1]])
})

test_that("at a delta near 1 the profile and epsilon stay below 1", {
  profile <- compose_pld(gaussian, d_in = 10, times = 100)
  expect_lt(profile(epsilon = 0), 1)
  expect_identical(profile(delta = 1), 0)
  # The true value is 1 - 6e-7 for a shift of 10, closer to 1 than doubles can express.
  expect_gte(profile(epsilon = 0), gaussian_delta(10, 0))
})

test_that("moments of rows with a value compose by the law of their noise", {
  noise <- compose_pld(floats |> then_laplace(scale = 1), d_in = 1, times = 100)(delta = 1e-3)
  response <- compose_pld(
    make_randomized_response_bool(exp(1) / (1 + exp(1))), d_in = 1L, times = 100
  )(delta = 1e-3)
  for (of in list(mean_of, variance_of)) {
    dropping <- of(missing = "drop", epsilon = 1)
    together <- compose_pld(dropping, d_in = 1L, times = 100)(delta = 1e-3)
    expect_equal(together, noise, tolerance = 1e-4)
    expect_lt(together, 0.9 * response)
    # The sum of 0 and 1 moves in large steps, which reveal more.
    coarse <- of(missing = "drop", epsilon = 1, varType = "logical", rng = NULL)
    steps <- compose_pld(coarse, d_in = 1L, times = 100)(delta = 1e-3)
    expect_gt(steps, together)
    expect_lt(steps, response)
  }
})
