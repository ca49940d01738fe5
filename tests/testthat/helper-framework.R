# Every constructor of the framework is gated; these tests are about what comes after the gate.
withr::local_options(
  list(opendp_features = c("contrib", "honest-but-curious")),
  .local_envir = testthat::teardown_env()
)

# How often a function of the caller was called: what it assigns is undone, what it writes is not.
call_counter <- function() {
  path <- tempfile()
  file.create(path)
  list(note = function() cat("*", file = path, append = TRUE), count = function() file.size(path))
}

condition_of <- function(expr) tryCatch(expr, error = identity)

integer64_of <- function(x) {
  core_integer64_from_text(if (is.numeric(x)) sprintf("%.0f", x) else as.character(x))
}

message_of <- function(expr) conditionMessage(tryCatch(expr, error = identity))

# "FailedCast" is dp_error_failed_cast.
class_of_variant <- function(variant) {
  kind <- names(error_variants)[error_variants == variant]
  stopifnot(length(kind) == 1)
  paste0("dp_error_", kind)
}

# Vectors of one type under a metric, the space that most constructors take.
rows_of <- function(type, metric = symmetric_distance(), ...) {
  c(vector_domain(atom_domain(.T = type), ...), metric)
}

bounded_rows <- function(bounds, metric = symmetric_distance(), ...) {
  c(vector_domain(atom_domain(bounds = bounds), ...), metric)
}

number_of <- function(type, distance = type) {
  c(atom_domain(nan = FALSE, .T = type), absolute_distance(.T = distance))
}

# Valid arguments for every constructor of transformations and measurements: `space` are those that
# its then_ form takes from the pipe, NULL if it takes none, `args` all others.
constructor_examples <- function() {
  ints <- rows_of("i32")
  optional <- c(vector_domain(option_domain(atom_domain(.T = "f64"))), symmetric_distance())
  floats <- rows_of("f64")
  sized <- bounded_rows(c(0L, 10L), size = 4)
  split <- make_split_dataframe(NULL, c("a", "b"))
  frames <- c(split("output_domain"), split("output_metric"))
  gaussian <- make_gaussian(atom_domain(.T = "i32"), absolute_distance("i32"), scale = 2)
  laplace <- make_laplace(atom_domain(.T = "i32"), absolute_distance("i32"), scale = 2)
  odometer <- make_fully_adaptive_composition(
    atom_domain(.T = "i32"), absolute_distance("i32"), max_divergence()
  )
  shares <- list(output_measure = max_divergence(), d_in = 6L, d_mids = c(0.5, 0.25))
  scores <- rows_of("i32", linf_distance("i32"))
  counts <- function(metric, type = "i32") {
    values <- map_domain(atom_domain(.T = "String"), number_of(type)[[1]])
    c(values, metric(absolute_distance(type)))
  }
  bits <- c(bitvector_domain(max_weight = 4L, size = 16L), discrete_distance())
  # `d_in` are distances that the map takes, none first.
  example <- function(args, space = NULL, d_in = 0:6) {
    list(args = args, space = space, d_in = d_in)
  }
  thrice <- lapply(0:6, rep, 3)
  list(
    make_split_lines = example(list()),
    make_split_records = example(list(separator = ",")),
    make_create_dataframe = example(list(col_names = c("a", "b"))),
    make_split_dataframe = example(list(separator = ",", col_names = c("a", "b"))),
    make_select_column = example(list(key = "a", .TOA = "String")),
    make_df_cast_default = example(
      list(column_name = "a", .TIA = "String", .TOA = "i32"), frames
    ),
    make_df_is_equal = example(list(column_name = "a", value = "x"), frames),
    make_subset_by = example(list(indicator_column = "a", keep_columns = c("a", "b"))),
    make_clamp = example(list(bounds = c(0L, 10L)), ints),
    make_cast = example(list(.TOA = "f64"), ints),
    make_cast_default = example(list(.TOA = "f64"), ints),
    make_cast_inherent = example(list(.TOA = "f64"), ints),
    make_is_equal = example(list(value = 3L), ints),
    make_is_null = example(list(), optional),
    make_impute_constant = example(list(constant = 0), optional),
    make_impute_uniform = example(list(bounds = c(0, 1)), optional),
    make_impute_uniform_float = example(list(bounds = c(0, 1)), floats),
    make_drop_null = example(list(), optional),
    make_find = example(list(categories = c(3L, 1L)), ints),
    make_find_bin = example(list(edges = c(1L, 3L)), ints),
    make_index = example(list(categories = c("a", "b"), null = "c"), rows_of("usize")),
    make_resize = example(list(size = 4, constant = 0L), ints),
    make_count = example(list(), ints),
    make_count_distinct = example(list(), ints),
    make_count_by = example(list(), ints),
    make_count_by_categories = example(list(categories = c(3L, 1L)), ints),
    make_sum = example(list(), bounded_rows(c(0L, 10L))),
    make_lattice_sum = example(list(), bounded_rows(c(0, 10))),
    make_mean = example(list(), bounded_rows(c(0, 10), size = 4)),
    make_sum_of_squared_deviations = example(list(), bounded_rows(c(0, 1), size = 4)),
    make_variance = example(list(), bounded_rows(c(0, 1), size = 4)),
    make_sized_bounded_covariance = example(
      list(size = 4, bounds_0 = c(0, 1), bounds_1 = c(-1, 0))
    ),
    make_quantile_score_candidates = example(list(candidates = c(1L, 3L), alpha = 0.5), ints),
    make_b_ary_tree = example(
      list(leaf_count = 4, branching_factor = 2), rows_of("i32", l1_distance("i32"))
    ),
    make_identity = example(list(), ints),
    make_ordered_random = example(list(), ints),
    make_unordered = example(list(), rows_of("i32", insert_delete_distance())),
    make_metric_bounded = example(list(), sized),
    make_metric_unbounded = example(
      list(), bounded_rows(c(0L, 10L), change_one_distance(), size = 4)
    ),
    make_lipschitz_float_mul = example(list(constant = 2, bounds = c(0, 1)), number_of("f64")),
    make_sized_bounded_int_checked_sum = example(list(size = 4, bounds = c(0L, 10L))),
    make_bounded_int_monotonic_sum = example(list(bounds = c(0L, 10L))),
    make_sized_bounded_int_monotonic_sum = example(list(size = 4, bounds = c(0L, 10L))),
    make_bounded_int_ordered_sum = example(list(bounds = c(0L, 10L))),
    make_sized_bounded_int_ordered_sum = example(list(size = 4, bounds = c(0L, 10L))),
    make_bounded_int_split_sum = example(list(bounds = c(0L, 10L))),
    make_sized_bounded_int_split_sum = example(list(size = 4, bounds = c(0L, 10L))),
    make_bounded_float_checked_sum = example(list(size_limit = 4, bounds = c(0, 10))),
    make_sized_bounded_float_checked_sum = example(list(size = 4, bounds = c(0, 10))),
    make_bounded_float_ordered_sum = example(list(size_limit = 4, bounds = c(0, 10))),
    make_sized_bounded_float_ordered_sum = example(list(size = 4, bounds = c(0, 10))),
    make_user_transformation = example(list(
      input_domain = ints[[1]], input_metric = ints[[2]], output_domain = ints[[1]],
      output_metric = ints[[2]], function_ = identity, stability_map = identity
    )),
    make_laplace = example(list(scale = 2), number_of("i32")),
    make_gaussian = example(list(scale = 2), number_of("i32")),
    make_noise = example(list(output_measure = max_divergence(), scale = 2), number_of("i32")),
    make_geometric = example(list(scale = 2, bounds = c(0L, 10L)), number_of("i32")),
    make_canonical_noise = example(list(d_in = 6, d_out = c(1, 1e-6)), number_of("f64")),
    make_randomized_response_bool = example(list(prob = 0.75)),
    make_randomized_response = example(list(categories = c("A", "B", "C"), prob = 0.8)),
    make_randomized_response_bitvec = example(list(f = 0.5), bits, d_in = 0:1),
    make_noisy_max = example(list(output_measure = max_divergence(), scale = 2), scores),
    make_noisy_top_k = example(list(output_measure = max_divergence(), k = 2L, scale = 2), scores),
    make_report_noisy_max_gumbel = example(list(scale = 2), scores),
    make_private_quantile = example(list(
      output_measure = max_divergence(), candidates = 0:10, alpha = 0.5, scale = 2
    ), ints),
    make_laplace_threshold = example(
      list(scale = 2, threshold = 50L), counts(l01inf_distance), thrice
    ),
    make_gaussian_threshold = example(
      list(scale = 2, threshold = 50L), counts(l02inf_distance), thrice
    ),
    make_noise_threshold = example(
      list(output_measure = fixed_smoothed_max_divergence(), scale = 2, threshold = 50L),
      counts(l01inf_distance), thrice
    ),
    make_alp_queryable = example(
      list(scale = 1, total_limit = 24L, value_limit = 24L), counts(l01inf_distance), thrice
    ),
    make_user_measurement = example(list(
      output_measure = max_divergence(), function_ = length, privacy_map = identity
    ), ints),
    make_base_laplace = example(list(scale = 2), number_of("f64")),
    make_base_discrete_laplace = example(list(scale = 2), number_of("i32")),
    make_base_discrete_laplace_cks20 = example(list(scale = 2), number_of("i32")),
    make_base_discrete_laplace_linear = example(list(scale = 2), number_of("i32")),
    make_base_geometric = example(list(scale = 2), number_of("i32")),
    make_base_gaussian = example(list(scale = 2), number_of("f64")),
    make_base_discrete_gaussian = example(list(scale = 2), number_of("i32")),
    make_base_laplace_threshold = example(
      list(scale = 2, threshold = 50), counts(l01inf_distance, "f64"), thrice
    ),
    make_base_ptr = example(
      list(scale = 2, threshold = 50), counts(l01inf_distance, "f64"), thrice
    ),
    make_composition = example(list(measurements = list(laplace, laplace))),
    make_basic_composition = example(list(measurements = list(laplace, laplace))),
    make_adaptive_composition = example(shares, number_of("i32")),
    make_sequential_composition = example(shares, number_of("i32")),
    make_fully_adaptive_composition = example(
      list(output_measure = max_divergence()), number_of("i32")
    ),
    make_privacy_filter = example(list(odometer = odometer, d_in = 6L, d_out = 1)),
    make_population_amplification = example(list(
      measurement = make_sum(sized[[1]], sized[[2]]) |> then_laplace(scale = 10),
      population_size = 100
    )),
    make_select_private_candidate = example(list(
      measurement = make_composition(list(laplace, laplace)), stop_probability = 0.1, threshold = 5
    )),
    make_fix_delta = example(list(measurement = make_zCDP_to_approxDP(gaussian), delta = 1e-7)),
    make_zCDP_to_approxDP = example(list(measurement = gaussian)),
    make_approximate = example(list(measurement = laplace)),
    make_pureDP_to_zCDP = example(list(measurement = laplace)),
    make_fixed_approxDP_to_approxDP = example(list(measurement = make_approximate(laplace))),
    make_chain_tt = example(list(
      transformation1 = make_sum(sized[[1]], sized[[2]]),
      transformation0 = make_clamp(
        vector_domain(atom_domain(.T = "i32"), size = 4), sized[[2]], c(0L, 10L)
      )
    )),
    make_chain_mt = example(list(
      measurement1 = laplace, transformation0 = make_sum(sized[[1]], sized[[2]])
    )),
    make_chain_pm = example(list(
      postprocess1 = new_function(identity, "ExtrinsicObject"), measurement0 = laplace
    ))
  )
}

# Valid arguments for every constructor of postprocessors, which have neither spaces nor maps.
postprocessor_examples <- function() {
  example <- function(...) list(args = list(...), space = NULL)
  list(
    make_cdf = example(),
    make_consistent_b_ary_tree = example(branching_factor = 2),
    make_quantiles_from_counts = example(bin_edges = c(0L, 10L, 20L), alphas = c(0.25, 0.5))
  )
}

all_examples <- function() c(constructor_examples(), postprocessor_examples())

# An example built by its constructor; arguments in `...` replace those of the example.
built_by <- function(name, example = all_examples()[[name]], ...) {
  args <- utils::modifyList(c(unname(example$space), example$args), list(...), keep.null = TRUE)
  suppressWarnings(do.call(name, args, quote = TRUE), classes = "deprecatedWarning")
}
