# The time and the kind of the error for each mistake with a transformation: the table of the
# specification, row by row. `error` is an expression for the object, the result or the distance.
sym <- symmetric_distance()
option <- function(type) c(vector_domain(option_domain(atom_domain(.T = type))), sym)
no_nan <- c(vector_domain(atom_domain(.T = "f64", nan = FALSE)), sym)
sized <- function(bounds, size) bounded_rows(bounds, size = size)

expect_kinds <- function(kinds, env = parent.frame()) {
  for (i in seq_along(kinds)) {
    row <- kinds[[i]]
    for (wrong in row[-1]) {
      expect_error(
        eval(wrong, env),
        class = paste0("dp_error_", as.character(row[[1]])),
        info = paste(deparse(wrong), collapse = " ")
      )
    }
  }
}

test_that("types, spaces and features are checked first", {
  expect_kinds(list(
    expression(
      "type",
      rows_of("String") |> then_clamp(c("a", "b")),
      rows_of("i32", l1_distance("i32")) |> then_clamp(c(0L, 1L)),
      rows_of("f64") |> then_find(1),
      rows_of("f64") |> then_count_by(),
      rows_of("i32") |> then_count_by("f64"),
      rows_of("i32") |> then_cast_inherent("i32"),
      rows_of("i32") |> then_index("a", "b"),
      rows_of("i32", insert_delete_distance()) |> then_count_distinct()
    ),
    expression(
      "type_parse",
      rows_of("i32") |> then_cast("Vec<"),
      rows_of("i32") |> then_resize(2, 0L, .MO = "Distance<i32>")
    ),
    expression(
      "failed_cast",
      c(atom_domain(.T = "i32"), sym) |> then_clamp(c(0L, 1L)),
      option("i32") |> then_clamp(c(0L, 1L)),
      option("i32") |> then_find_bin(1L)
    ),
    expression(
      "metric_space",
      rows_of("f64", change_one_distance(), size = 3) |> then_drop_null()
    )
  ))
  withr::local_options(opendp_features = NULL)
  expect_error(rows_of("i32") |> then_count(), class = "dp_error_missing_feature")
})

test_that("data and distances of the wrong type raise errors on arrival", {
  count <- rows_of("i32") |> then_count()
  expect_kinds(list(expression(
    "failed_cast",
    count(arg = c(1, 2)), count(arg = "a"), count(arg = list(1L)),
    count(d_in = -1L), count(d_in = 0.5), count(d_in = NA), count(d_in = 2^32), count(d_in = "1")
  )))
})

test_that("a mismatch names the sides and both domains", {
  clamped <- rows_of("i32") |> then_clamp(c(0L, 10L))
  domains <- condition_of(clamped |> then_bounded_int_split_sum(c(0L, 11L)))
  expect_s3_class(domains, "dp_error_domain_mismatch")
  expect_match(conditionMessage(domains), "bounds=[0, 10]", fixed = TRUE)
  expect_match(conditionMessage(domains), "bounds=[0, 11]", fixed = TRUE)
  metrics <- condition_of(clamped |> then_bounded_int_ordered_sum(c(0L, 10L)))
  expect_s3_class(metrics, "dp_error_metric_mismatch")
  expect_match(conditionMessage(metrics), "SymmetricDistance()", fixed = TRUE)
  expect_match(conditionMessage(metrics), "InsertDeleteDistance()", fixed = TRUE)
})

test_that("preprocessing rejects invalid arguments, and data outside its domain", {
  clamp <- no_nan |> then_clamp(c(0, 1))
  resize <- rows_of("i32") |> then_resize(4, 0L)
  unbounded <- rows_of("i32", change_one_distance(), size = 3) |> then_metric_unbounded()
  expect_kinds(list(
    expression(
      "make_transformation",
      rows_of("f64") |> then_impute_constant(NaN),
      rows_of("f64") |> then_impute_uniform_float(c(NaN, 1)),
      rows_of("f64") |> then_impute_uniform_float(c(1, 1)),
      rows_of("f64") |> then_impute_uniform_float(c(0, Inf)),
      rows_of("String") |> then_find(c("A", "A")),
      rows_of("String") |> then_count_by_categories(c("A", "A")),
      no_nan |> then_find_bin(c(2, 1)),
      bounded_rows(c(0L, 10L)) |> then_resize(4, 11L),
      rows_of("i32") |> then_resize(0, 0L)
    ),
    expression(
      "failed_function",
      rows_of("f64") |> then_clamp(c(0, 1)),
      no_nan |> then_clamp(c(NaN, 1)),
      clamp(arg = NaN),
      rows_of("i32") |> then_metric_bounded(),
      rows_of("i32", insert_delete_distance()) |> then_metric_bounded()
    ),
    expression("make_domain", no_nan |> then_clamp(c(3, 2))),
    expression("overflow", unbounded(d_in = 2^31), resize(d_in = 2^31))
  ))
})

test_that("counts and sums reject invalid output types and domains", {
  split <- make_bounded_int_split_sum(c(1L, 127L), .T = "i8")
  expect_kinds(list(
    expression(
      "failed_cast",
      (rows_of("i32") |> then_count("i8"))(d_in = 200L),
      (rows_of("i32") |> then_count_distinct("i8"))(d_in = 200L),
      (rows_of("i32") |> then_count_by("i8"))(d_in = 200L),
      (rows_of("i32") |> then_count_by_categories(1L, .MO = "L1Distance<i8>"))(d_in = 200L),
      split(d_in = 200L),
      make_sized_bounded_float_checked_sum(2^24 + 1, c(0, 1), "Pairwise<f32>")
    ),
    expression(
      "make_transformation",
      rows_of("i32") |> then_sum(),
      make_sized_bounded_int_checked_sum(300, c(-1L, 1L), .T = "i8"),
      make_bounded_int_monotonic_sum(c(-1L, 1L)),
      make_bounded_float_checked_sum(1e6, c(0, 1e305), .S = "Sequential<f64>")
    ),
    expression(
      "overflow",
      make_sized_bounded_int_ordered_sum(4, c(-100L, 100L), .T = "i8"),
      make_bounded_int_ordered_sum(c(-128L, 127L), .T = "i8"),
      split(d_in = 2L),
      sized(c(0, 1.7e308), 10) |> then_sum(),
      make_bounded_float_checked_sum(0, c(0, 1)),
      make_bounded_float_ordered_sum(10, c(-1e308, 1e308))
    ),
    expression(
      "make_domain",
      make_bounded_int_split_sum(c(3L, -3L)),
      make_bounded_float_checked_sum(10, c(10, 0))
    ),
    expression("failed_function", make_bounded_float_checked_sum(10, c(NaN, 1)))
  ))
})

test_that("moments reject domains without the bounds they need", {
  multiply <- number_of("f64")
  expect_kinds(list(
    expression(
      "make_transformation",
      bounded_rows(c(0, 1)) |> then_mean(),
      bounded_rows(c(0, 1)) |> then_variance(),
      bounded_rows(c(0, 1)) |> then_sum_of_squared_deviations(),
      sized(c(0, 1), 0) |> then_mean(),
      sized(c(0, 1), 0) |> then_sum_of_squared_deviations(),
      sized(c(0, 1), 3) |> then_variance(ddof = 3),
      make_sized_bounded_covariance(3, c(0, 1), c(0, 1), ddof = 3),
      make_lipschitz_float_mul(atom_domain(.T = "f64"), absolute_distance("f64"), 2, c(0, 1))
    ),
    expression(
      "overflow",
      sized(c(0, 1e308), 10) |> then_mean(),
      sized(c(0, 1e200), 10) |> then_variance(),
      sized(c(0, 1e200), 10) |> then_sum_of_squared_deviations(),
      make_sized_bounded_covariance(10, c(0, 1e200), c(0, 1e200)),
      multiply |> then_lipschitz_float_mul(NaN, c(0, 1)),
      multiply |> then_lipschitz_float_mul(1e308, c(0, 1000))
    ),
    expression(
      "failed_function",
      multiply |> then_lipschitz_float_mul(2, c(NaN, 1)),
      (multiply |> then_lipschitz_float_mul(2, c(0, 1)))(arg = NaN)
    )
  ))
})

test_that("trees and quantiles reject invalid shapes, levels and counts", {
  counts <- rows_of("i32", l1_distance("i32"))
  quantiles <- function(edges = c(0, 1), alphas = 0.5, ...) {
    make_quantiles_from_counts(edges, alphas, ...)
  }
  scores <- function(candidates, alpha = 0.5, space = rows_of("i32")) {
    space |> then_quantile_score_candidates(candidates, alpha)
  }
  exact <- rows_of("i32", size = 100) |> then_quantile_score_candidates(1L, 0.1)
  expect_kinds(list(
    expression(
      "make_transformation",
      counts |> then_b_ary_tree(0, 2), counts |> then_b_ary_tree(7, 1),
      make_consistent_b_ary_tree(1),
      quantiles(numeric()), quantiles(c(1, 1)), quantiles(alphas = c(0.5, 0.2)),
      quantiles(alphas = 1.5), quantiles(alphas = -0.5),
      scores(c(1, 2), space = rows_of("f64")), scores(integer()), scores(c(2L, 1L)),
      scores(c(1, NaN), space = no_nan), scores(1L, -1),
      counting_query_stability_map(p = 3)(d_in = c(1, 1, 1))
    ),
    expression(
      "overflow",
      (counts |> then_b_ary_tree(8, 2))(d_in = 2^29),
      scores(1L, space = rows_of("i32", size = 0)),
      exact(d_in = 2^32 - 1)
    ),
    expression("ffi", quantiles(interpolation = "cubic")),
    expression(
      "failed_function",
      make_consistent_b_ary_tree(2)(arg = integer()),
      make_cdf()(arg = numeric()),
      quantiles()(arg = c(1, 2, 3, 4))
    ),
    expression("failed_cast", quantiles(c(0L, 1L), 0.5)(arg = 0L))
  ))
})

test_that("errors of user functions say nothing about the data", {
  space <- rows_of("i32")
  own <- function(f, map) {
    make_user_transformation(space[[1]], space[[2]], space[[1]], space[[2]], f, map)
  }
  wrong <- own(\(x) "a", \(d_in) "b")
  fails <- own(\(x) stop("saw ", x), \(d_in) stop("no"))
  expect_kinds(list(expression(
    "failed_function",
    wrong(arg = 1L), wrong(d_in = 1L), fails(arg = 1L), fails(d_in = 1L)
  )))
})
