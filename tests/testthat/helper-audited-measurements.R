# Audit cases (helper-audit.R), one for each measurement of the framework.

# Probability of the truth for a mutant. Its odds against each lie are the honest odds, at `prob` of
# `among` answers, to the power of `excess`.
honest <- function(prob, excess, among = 2) {
  odds <- (prob / (1 - prob) * (among - 1))^excess
  odds / (odds + among - 1)
}

# Smallest epsilon where discrete Gaussian noise hides a step of one, up to delta.
gaussian_epsilon <- function(sigma, delta) {
  at <- seq(-40 * ceiling(sigma), 40 * ceiling(sigma))
  law <- function(centre) {
    weights <- exp(-(at - centre)^2 / (2 * sigma^2))
    weights / sum(weights)
  }
  beyond <- function(epsilon) sum(pmax(law(0) - exp(epsilon) * law(1), 0)) - delta
  stats::uniroot(beyond, c(0, 20), tol = 1e-12)$root
}

sigma_of <- function(epsilon, delta) {
  stats::uniroot(function(sigma) gaussian_epsilon(sigma, delta) - epsilon, c(0.3, 1))$root
}

# Converts to approximate DP at the delta below.
at_delta <- function(concentrated) make_fix_delta(make_zCDP_to_approxDP(concentrated), 0.1)

value_of_a <- of_each(function(table) table[["a"]] %||% -1L)

measurement_audits <- function() {
texts_to <- c(
  map_domain(atom_domain(.T = "String"), atom_domain(.T = "i32")),
  l01inf_distance(absolute_distance("i32"))
)
gaussian_counts <- c(texts_to[[1]], l02inf_distance(absolute_distance("i32")))
scores <- function(...) c(vector_domain(atom_domain(.T = "i32")), linf_distance("i32", ...))
list(
  randomized_response_bool = list(
    make = function(excess) make_randomized_response_bool(honest(0.75, excess)),
    data = list(TRUE, FALSE), evidence = entry(1), d_in = 1L, draws = 9000
  ),
  randomized_response_bool_constant_time = list(
    make = function(excess) make_randomized_response_bool(honest(0.75, excess), TRUE),
    data = list(TRUE, FALSE), evidence = entry(1), d_in = 1L, draws = 10000
  ),
  randomized_response = list(
    make = function(excess) {
      make_randomized_response(c("x", "y", "z"), honest(0.6, excess, among = 3))
    },
    data = list("x", "z"), evidence = of_each(function(x) match(x, c("x", "y", "z"))),
    d_in = 1L, draws = 10000
  ),
  randomized_response_bitvec = list(
    make = function(excess) {
      c(bitvector_domain(max_weight = 1L, size = 8), discrete_distance()) |>
        then_randomized_response_bitvec(f = 2 - 2 * honest(0.6, excess))
    },
    data = list(as.raw(1), as.raw(2)), d_in = 1L, draws = 25000,
    evidence = of_each(function(byte) c(0, -1, 1, 0)[[1 + as.integer(byte) %% 4L]])
  ),
  laplace = list(
    make = function(excess) number_of("i32") |> then_laplace(1 / excess),
    data = list(0L, 1L), evidence = entry(1), d_in = 1L, draws = 11000
  ),
  laplace_of_floats = list(
    make = function(excess) number_of("f64") |> then_laplace(1 / excess),
    data = list(0, 1), evidence = entry(1), d_in = 1, draws = 25000
  ),
  gaussian = list(
    make = function(excess) {
      sigma <- sigma_of(excess * gaussian_epsilon(1, 0.1), 0.1)
      number_of("i32") |> then_gaussian(sigma) |> at_delta()
    },
    claim = c(gaussian_epsilon(1, 0.1), 0.1),
    data = list(0L, 1L), evidence = entry(1), d_in = 1L, draws = 48000
  ),
  geometric = list(
    make = function(excess) number_of("i32") |> then_geometric(1 / excess, bounds = c(0L, 4L)),
    data = list(0L, 1L), evidence = entry(1), d_in = 1L, draws = 10000
  ),
  geometric_of_unsigned = list(
    make = function(excess) number_of("u8") |> then_geometric(1 / excess, bounds = c(0L, 4L)),
    data = list(0L, 1L), evidence = entry(1), d_in = 1L, draws = 11000
  ),
  # Each of two equally good candidates is released half of the time.
  noisy_max = list(
    make = function(excess) scores() |> then_noisy_max(max_divergence(), scale = 2 / excess),
    data = list(c(0L, 0L), c(1L, -1L)), evidence = entry(1), d_in = 1L, draws = 32000
  ),
  noisy_max_monotonic = list(
    make = function(excess) {
      scores(monotonic = TRUE) |> then_noisy_max(max_divergence(), scale = 1 / excess)
    },
    data = list(c(0L, 0L), c(1L, 0L)), evidence = entry(1), d_in = 1L, draws = 30000
  ),
  report_noisy_max_gumbel = list(
    make = function(excess) {
      suppressWarnings(
        scores() |> then_report_noisy_max_gumbel(2 / excess),
        classes = "deprecatedWarning"
      )
    },
    data = list(c(0L, 0L), c(1L, -1L)), evidence = entry(1), d_in = 1L, draws = 30000
  ),
  noisy_top_k = list(
    make = function(excess) {
      scores() |> then_noisy_top_k(max_divergence(), 2L, scale = 4 / (2.5 * excess))
    },
    data = list(c(0L, 0L, 0L), c(1L, -1L, -1L)), d_in = 1L, draws = 95000,
    evidence = of_each(function(two) match(0, two, nomatch = 3))
  ),
  private_quantile = list(
    make = function(excess) {
      rows_of("i32") |> then_private_quantile(max_divergence(), c(0L, 2L), 0.5, scale = 1 / excess)
    },
    data = list(-1L, c(-1L, 1L)), evidence = entry(1), d_in = 1L, draws = 32000
  ),
  laplace_threshold = list(
    make = function(excess) texts_to |> then_laplace_threshold(1 / excess, threshold = 6L),
    data = list(new_hashtab("a", 6L), new_hashtab("a", 7L)), evidence = value_of_a,
    d_in = c(1L, 1L, 1L), draws = 12000
  ),
  noise_threshold = list(
    make = function(excess) {
      texts_to |> then_noise_threshold(approximate(max_divergence()), 1 / excess, threshold = 6L)
    },
    data = list(new_hashtab("a", 6L), new_hashtab("a", 7L)), evidence = value_of_a,
    d_in = c(1L, 1L, 1L), draws = 12000
  ),
  gaussian_threshold = list(
    make = function(excess) {
      sigma <- sigma_of(excess * gaussian_epsilon(1, 0.1), 0.1)
      gaussian_counts |> then_gaussian_threshold(sigma, 10L) |> at_delta()
    },
    claim = c(gaussian_epsilon(1, 0.1), 0.1),
    data = list(new_hashtab("a", 18L), new_hashtab("a", 19L)), evidence = value_of_a,
    d_in = c(1L, 1L, 1L), draws = 65000
  ),
  canonical_noise = list(
    make = function(excess) {
      number_of("f64") |> then_canonical_noise(d_in = 1, d_out = c(excess, 1e-3))
    },
    data = list(0, 1), evidence = entry(1), d_in = 1, draws = 16000
  ),
  # From 0 to 1, a set bit becomes 1 + scale times as likely. This is less than the claim.
  alp_queryable = list(
    make = function(excess) {
      texts_to |> then_alp_queryable(3^excess - 1, total_limit = 1L, value_limit = 1L)
    },
    claim = c(log(3), 0),
    data = list(new_hashtab("a", 0L), new_hashtab("a", 1L)),
    evidence = of_each(function(queryable) queryable(query = "a")), d_in = c(1L, 1L, 1L),
    draws = 22000
  )
)
}
