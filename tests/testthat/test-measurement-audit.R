# D-EPS-1 from R: no event proves more than the map says, and half the noise is found out, or the
# share `found_out` of it. `make` is a function of `noise`, the share of the noise that is there.

texts_to <- c(
  map_domain(atom_domain(.T = "String"), atom_domain(.T = "i32")),
  l01inf_distance(absolute_distance("i32"))
)
scores <- function(...) c(vector_domain(atom_domain(.T = "i32")), linf_distance("i32", ...))
places <- c(0, 1, 2)
first_bits <- function(byte) as.integer(byte) %% 4L

gaussian_counts <- c(texts_to[[1]], l02inf_distance(absolute_distance("i32")))
at_delta <- function(concentrated) make_fix_delta(make_zCDP_to_approxDP(concentrated), 0.02)

# The value of key "a", cut off at both ends; `least - 1` stands for no entry.
value_of <- function(least, most) {
  function(table) min(max(utils::gethash(table, "a", least - 1L), least - 1L), most)
}

# Lies are to the truth as they would be at half the noise: the loss is twice as large.
honest <- function(prob, noise) {
  odds <- (prob / (1 - prob))^(1 / noise)
  odds / (1 + odds)
}

audited <- list(
  randomized_response_bool = list(
    make = function(noise) make_randomized_response_bool(honest(0.75, noise)),
    data = list(TRUE, FALSE), outcomes = c(FALSE, TRUE), d_in = 1L
  ),
  randomized_response_bool_constant_time = list(
    make = function(noise) make_randomized_response_bool(honest(0.75, noise), TRUE),
    data = list(TRUE, FALSE), outcomes = c(FALSE, TRUE), d_in = 1L
  ),
  randomized_response = list(
    make = function(noise) make_randomized_response(c("x", "y", "z"), honest(0.6, noise)),
    data = list("x", "z"), outcomes = c("x", "y", "z"), d_in = 1L
  ),
  randomized_response_bitvec = list(
    make = function(noise) {
      c(bitvector_domain(max_weight = 1L, size = 8), discrete_distance()) |>
        then_randomized_response_bitvec(f = 0.8 * noise)
    },
    data = list(as.raw(1), as.raw(2)), outcomes = 0:3, outcome = first_bits, d_in = 1L
  ),
  geometric = list(
    make = function(noise) number_of("i32") |> then_geometric(noise, bounds = c(0L, 4L)),
    data = list(0L, 1L), outcomes = 0:4, d_in = 1L
  ),
  geometric_of_unsigned = list(
    make = function(noise) number_of("u8") |> then_geometric(noise, bounds = c(0L, 4L)),
    data = list(0L, 1L), outcomes = 0:4, d_in = 1L
  ),
  noisy_max = list(
    make = function(noise) scores() |> then_noisy_max(max_divergence(), scale = 2 * noise),
    data = list(c(0L, 1L, 0L), c(1L, 0L, 1L)), outcomes = places, d_in = 1L
  ),
  noisy_max_monotonic = list(
    make = function(noise) {
      scores(monotonic = TRUE) |> then_noisy_max(max_divergence(), scale = noise)
    },
    data = list(c(0L, 0L, 0L), c(1L, 0L, 0L)), outcomes = places, d_in = 1L
  ),
  report_noisy_max_gumbel = list(
    make = function(noise) {
      suppressWarnings(
        scores() |> then_report_noisy_max_gumbel(2 * noise),
        classes = "deprecatedWarning"
      )
    },
    data = list(c(0L, 1L, 0L), c(1L, 0L, 1L)), outcomes = places, d_in = 1L
  ),
  noisy_top_k = list(
    make = function(noise) scores() |> then_noisy_top_k(max_divergence(), 2L, scale = 3 * noise),
    data = list(c(0L, 1L, 0L), c(1L, 0L, 1L)), outcomes = c(1, 2, 10, 12, 20, 21),
    outcome = function(two) 10 * two[[1]] + two[[2]], d_in = 1L, n = 1e5
  ),
  private_quantile = list(
    make = function(noise) {
      rows_of("i32") |> then_private_quantile(max_divergence(), c(0L, 2L), 0.5, scale = noise)
    },
    # The row between the candidates makes one of them better and the other worse.
    data = list(c(-1L, -1L, -1L), c(-1L, -1L, -1L, 1L)), outcomes = c(0, 2), d_in = 1L
  ),
  laplace_threshold = list(
    make = function(noise) texts_to |> then_laplace_threshold(scale = noise, threshold = 3L),
    data = list(new_hashtab("a", 6L), new_hashtab("a", 7L)), outcomes = 2:14,
    outcome = value_of(3L, 14L), d_in = c(1L, 1L, 1L)
  ),
  noise_threshold = list(
    make = function(noise) {
      texts_to |> then_noise_threshold(approximate(max_divergence()), noise, threshold = 3L)
    },
    data = list(new_hashtab("a", 6L), new_hashtab("a", 7L)), outcomes = 2:14,
    outcome = value_of(3L, 14L), d_in = c(1L, 1L, 1L)
  ),
  gaussian_threshold = list(
    make = function(noise) gaussian_counts |> then_gaussian_threshold(2 * noise, 10L) |> at_delta(),
    data = list(new_hashtab("a", 18L), new_hashtab("a", 19L)), outcomes = 9:28,
    outcome = value_of(10L, 28L), d_in = c(1L, 1L, 1L), found_out = 0.25
  ),
  canonical_noise = list(
    make = function(noise) {
      number_of("f64") |> then_canonical_noise(d_in = noise, d_out = c(1, 1e-3))
    },
    data = list(0, 1), outcomes = -9:10, outcome = function(x) min(max(floor(x), -9), 10), d_in = 1
  ),
  alp_queryable = list(
    make = function(noise) {
      texts_to |> then_alp_queryable(0.5 / noise, total_limit = 1L, value_limit = 1L)
    },
    data = list(new_hashtab("a", 0L), new_hashtab("a", 1L)), outcomes = c(FALSE, TRUE),
    outcome = function(queryable) queryable(query = "a") > 0, d_in = c(1L, 1L, 1L), n = 2e4,
    found_out = 0.25
  )
)

proven <- function(case, measurement, delta) {
  audit(
    measurement, case$data[[1]], case$data[[2]], case$outcomes, case[["outcome"]] %||% identity,
    delta, case$n %||% 4e4
  )
}

for (name in names(audited)) {
  test_that(paste("D-EPS-1: samples prove no more than the map of", name, "says"), {
    case <- audited[[name]]
    measurement <- case$make(noise = 1)
    loss <- c(unlist(measurement(d_in = case$d_in)), 0)
    expect_lte(proven(case, measurement, delta = loss[[2]]), loss[[1]])
    found_out <- case$make(noise = case$found_out %||% 0.5)
    expect_gt(proven(case, found_out, delta = loss[[2]]), loss[[1]])
  })
}
