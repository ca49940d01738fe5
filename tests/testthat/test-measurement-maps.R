# Rows of the privacy map oracle by constructor: how the arguments of a row are read.
# `test-measurement.R` and other files test the rows with more content.

measure_of <- list(
  MaxDivergence = max_divergence(), ZeroConcentratedDivergence = zero_concentrated_divergence()
)

map_of <- function(text) {
  type_of <- function(part) sub(paste0(".*", part, "=([A-Za-z0-9]+).*"), "\\1", text)
  map_domain(atom_domain(.T = type_of("key")), number_of(type_of("value"))[[1]])
}

metric_of_maps <- function(text) {
  distance <- absolute_distance(sub(".*AbsoluteDistance[(]([a-z0-9]+)[)].*", "\\1", text))
  if (startsWith(text, "L01")) l01inf_distance(distance) else l02inf_distance(distance)
}

threshold <- function(make) {
  function(args) {
    make(map_of(args$input_domain), metric_of_maps(args$input_metric), args$scale, args$threshold)
  }
}

selection <- function(make) {
  function(args) {
    metric <- linf_distance("f64", monotonic = grepl("monotonic", args$metric))
    named <- args[intersect(names(args), c("k", "scale"))]
    do.call(make, c(
      list(number_rows("f64")[[1]], metric, measure_of[[args$output_measure]]), named
    ))
  }
}

number_rows <- function(type, ...) {
  c(vector_domain(number_of(type)[[1]], ...), symmetric_distance())
}

text_counts <- c(
  map_domain(atom_domain(.T = "String"), atom_domain(.T = "i32")),
  l01inf_distance(absolute_distance("i32"))
)

former <- function(make, space) {
  function(args) suppressWarnings(do.call(make, c(space, args)), classes = "deprecatedWarning")
}

float_counts <- c(
  map_domain(atom_domain(.T = "String"), number_of("f64")[[1]]),
  l01inf_distance(absolute_distance("f64"))
)

readers <- list(
  make_geometric = function(args) {
    make_geometric(
      parse_domain(args$input_domain), parse_metric(args$input_metric), args$scale,
      unlist(args$bounds)
    )
  },
  make_laplace_threshold = threshold(make_laplace_threshold),
  `make_laplace_threshold[sound tail]` = threshold(make_laplace_threshold),
  make_gaussian_threshold = threshold(make_gaussian_threshold),
  make_randomized_response_bool = function(args) make_randomized_response_bool(args$prob),
  make_randomized_response = function(args) {
    make_randomized_response(seq_len(args$categories), args$prob)
  },
  make_randomized_response_bitvec = function(args) {
    make_randomized_response_bitvec(
      bitvector_domain(max_weight = args$max_weight, size = 800), discrete_distance(), args$f
    )
  },
  make_noisy_max = selection(make_noisy_max),
  make_noisy_top_k = selection(make_noisy_top_k),
  make_private_quantile = function(args) {
    number_rows("i32", size = args$domain_size) |>
      then_private_quantile(measure_of[[args$output_measure]], 0:9, args$alpha, args$scale)
  },
  make_quantile_score_candidates = function(args) {
    number_rows("i32", size = args$domain_size) |>
      then_quantile_score_candidates(0:9, args$alpha)
  },
  make_alp_queryable = function(args) do.call(make_alp_queryable, c(text_counts, args)),
  make_canonical_noise = function(args) {
    number_of("f64") |> then_canonical_noise(args$d_in, args$d_out)
  },
  `make_base_laplace (legacy)` = former(make_base_laplace, number_of("f64")),
  `make_base_discrete_laplace (legacy)` = former(make_base_discrete_laplace, number_of("i32")),
  `make_base_gaussian (legacy)` = former(make_base_gaussian, number_of("f64")),
  `make_base_laplace_threshold (legacy)` = former(make_base_laplace_threshold, float_counts)
)

# Rows that other tests read, about profiles, combinators, accuracy or searches.
read_elsewhere <- c(
  "make_laplace", "make_gaussian", "make_zCDP_to_approxDP", "make_pureDP_to_zCDP",
  "make_approximate", "make_fixed_approxDP_to_approxDP", "make_fix_delta", "make_composition",
  "cdp_delta", "make_adaptive_composition", "make_privacy_filter", "make_population_amplification",
  "make_select_private_candidate", "binary_search", "binary_search_param",
  "laplacian_scale_to_accuracy", "accuracy_to_laplacian_scale", "gaussian_scale_to_accuracy",
  "accuracy_to_gaussian_scale", "discrete_laplacian_scale_to_accuracy",
  "accuracy_to_discrete_laplacian_scale", "discrete_gaussian_scale_to_accuracy",
  "accuracy_to_discrete_gaussian_scale"
)

oracle_parts <- function(text) {
  parts <- lapply(parse_json(sub("^Inf$", '"Inf"', text)), oracle_number)
  if (length(parts) == 1) parts[[1]] else parts
}

# Loss of a row, or its error.
row_loss <- function(row, args = parse_json(row$args_json)) {
  d_in <- oracle_parts(row$d_in)
  if (row$constructor == "make_base_laplace_threshold (legacy)") d_in <- rep(d_in, 3)
  condition_of(readers[[row$constructor]](args)(d_in = d_in))
}

# Expected result of a row. If the reference is below the truth, a sound number replaces it. The
# test also checks that the sound number is larger.
#
# * A grid of floats costs something even at distance 0, because both data may round a step apart.
# * The published delta of noise on integers excludes noise that exactly reaches the threshold. For
#   Laplace noise it equals our delta at a threshold one step higher.
sound_row <- function(row, args = parse_json(row$args_json)) {
  expected <- oracle_parts(row$d_out)
  if (row$constructor == "make_base_laplace (legacy)" && identical(args$k, 0L)) {
    stopifnot(row$d_in == "0.0", expected == 0)
    return(1)
  }
  on_integers <- grepl("value=[iu]", row$args_json) && !grepl("sound", row$constructor)
  if (!on_integers || expected[[2]] %in% c(0, 1)) {
    return(expected)
  }
  actual <- row_loss(row)
  stopifnot(actual[[2]] >= expected[[2]])
  if (row$constructor == "make_laplace_threshold") {
    args$threshold <- args$threshold + 1L
    expect_oracle(row_loss(row, args)[[2]], expected[[2]])
  }
  list(expected[[1]], actual[[2]])
}

test_that("no row of the privacy map oracle is left out", {
  all_rows <- read_fixture("privacy_maps.csv")$constructor
  others <- c("choose_branching_factor", "cdp_epsilon (test helper only)")
  expect_setequal(all_rows, c(names(readers), read_elsewhere, others))
  tests <- list.files(test_path(), "^test-.*[.]R$", full.names = TRUE)
  sources <- lapply(setdiff(tests, test_path("test-measurement-maps.R")), readLines)
  sources <- unlist(Filter(\(lines) any(grepl("privacy_map_rows", lines)), sources))
  for (name in read_elsewhere) {
    expect_true(any(grepl(paste0("\"", name, "\""), sources, fixed = TRUE)), info = name)
  }
})

test_that("the privacy maps match the oracle, or are sound where the oracle is not", {
  rows <- privacy_map_rows(names(readers))
  expect_identical(nrow(rows), 117L)
  for (i in seq_len(nrow(rows))) {
    row <- rows[i, ]
    loss <- row_loss(row)
    if (startsWith(row$d_out, "ERROR")) {
      expect_refusal(loss, row$d_out)
    } else {
      expect_oracle(loss, sound_row(row))
    }
  }
})

test_that("the two helpers of the oracle give its results", {
  rows <- privacy_map_rows("choose_branching_factor")
  expect_identical(nrow(rows), 8L)
  guesses <- vapply(rows$args_json, \(text) parse_json(text)$size_guess, 1L)
  expect_equal(vapply(guesses, choose_branching_factor, 1), as.numeric(rows$d_out),
    ignore_attr = TRUE
  )
  row <- privacy_map_rows("cdp_epsilon (test helper only)")
  args <- parse_json(row$args_json)
  cast <- number_of("f64") |> then_gaussian(1) |> then_zCDP_to_approxDP()
  expect_oracle(cast(d_in = sqrt(2 * args$rho))(delta = args$delta), as.numeric(row$d_out))
})
