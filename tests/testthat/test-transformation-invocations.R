# Published examples of invocations, as a table of inputs and results. Examples with data frames are
# in test-transformation-split-dataframe.R.

sym <- symmetric_distance()
optional <- function(type) c(vector_domain(option_domain(atom_domain(.T = type))), sym)
no_nan <- function(type) c(vector_domain(atom_domain(.T = type, nan = FALSE)), sym)
counts_of <- function(type) rows_of(type, l1_distance(type))
case <- function(object, arg, expected) list(object = object, arg = arg, expected = expected)

check_cases <- function(cases, compare = expect_identical, ...) {
  for (name in names(cases)) {
    case <- cases[[name]]
    compare(case$object(arg = case$arg), case$expected, info = name, ...)
  }
}

test_that("published examples of casts and tests give the published results", {
  check_cases(list(
    `split lines` = case(make_split_lines(), "ant\nbat\ncat\n", c("ant", "bat", "cat")),
    `split records` = case(
      make_split_records(NULL), c("ant, foo", "bat, bar"), list(c("ant", "foo"), c("bat", "bar"))
    ),
    `f64 to i64` = case(
      rows_of("f64") |> then_cast("i64"), c(1, 1e10, 0.5, NaN, -Inf, Inf),
      integer64_of(c("1", "10000000000", "0", NA, NA, NA))
    ),
    `f64 to u8` = case(
      rows_of("f64") |> then_cast("u8"), c(-1, NaN, -Inf, Inf), rep(NA_integer_, 4)
    ),
    `f64 to i32, imputed` = case(
      rows_of("f64") |> then_cast("i32") |> then_impute_constant(-1L), c(NaN, 2), c(-1L, 2L)
    ),
    `String to u8` = case(
      rows_of("String") |> then_cast_default("u8"), c("2", "3", "a", ""), c(2L, 3L, 0L, 0L)
    ),
    `String to bool` = case(
      rows_of("String") |> then_cast_default("bool"), c("1", "", "1"), c(TRUE, FALSE, TRUE)
    ),
    `f64 to String` = case(
      rows_of("f64") |> then_cast_default("String"), c(NaN, -Inf, Inf), c("NaN", "-inf", "inf")
    ),
    `String to f64` = case(
      rows_of("String") |> then_cast_default("f64"),
      c("1e+2", "1.e+02", "1.0E+00002", "01.E+02"), rep(100, 4)
    ),
    `inherent` = case(
      rows_of("String") |> then_cast_inherent("f64"), c("abc", "1", "1."), c(NaN, 1, 1)
    ),
    `is null, by NaN` = case(
      make_split_lines() |> then_cast_inherent("f64") |> then_is_null(), "nan\n1.\ninf",
      c(TRUE, FALSE, FALSE)
    ),
    `is null, by option` = case(
      make_split_lines() |> then_cast("f64") |> then_is_null(), "nan\n1.\ninf",
      c(TRUE, FALSE, FALSE)
    ),
    `is equal` = case(rows_of("i32") |> then_is_equal(3L), 1:3, c(FALSE, FALSE, TRUE)),
    `drop null` = case(optional("f64") |> then_drop_null(), c(NaN, 23, NA), 23)
  ))
})

test_that("published examples of positions, bounds and sizes give the published results", {
  check_cases(list(
    `find, imputed` = case(
      rows_of("String") |> then_find(c("1", "3", "4")) |> then_impute_constant(3L),
      as.character(1:9), c(0, 3, 1, 2, 3, 3, 3, 3, 3)
    ),
    `find A, B, C` = case(
      rows_of("String") |> then_find(c("A", "B", "C")) |> then_impute_constant(3L),
      c("A", "B", "C", "A", "D"), c(0, 1, 2, 0, 3)
    ),
    `find bin of integers` = case(
      rows_of("i32") |> then_find_bin(c(2L, 3L, 5L)), 1:9, c(0, 1, 2, 2, 3, 3, 3, 3, 3)
    ),
    `find bin of floats` = case(
      rows_of("f64") |> then_find_bin(c(1, 2, 10)), c(0, 1, 3, 15), c(0, 1, 2, 3)
    ),
    `index` = case(
      rows_of("usize") |> then_index(c("A", "B", "C"), "D"), c(0:3, 2342L),
      c("A", "B", "C", "D", "D")
    ),
    `clamp` = case(rows_of("i32") |> then_clamp(c(-1L, 1L)), c(-10L, 0L, 10L), -1:1),
    `resize, too many` = case(rows_of("String") |> then_resize(3, "x"), rep("A", 4), rep("A", 3))
  ))
  padded <- rows_of("String") |> then_resize(3, "x")
  expect_setequal(padded(arg = c("A", "A")), c("A", "A", "x"))
})

test_that("published examples of counts and sums give the published results", {
  tenths <- rep(0.1, 10)
  sized_sum <- function(order) make_sized_bounded_float_checked_sum(10, c(0, 1), order)
  check_cases(list(
    `count` = case(rows_of("i32") |> then_count(), 1:3, 3L),
    `count distinct` = case(rows_of("i32") |> then_count_distinct(), c(1L, 1L, 3L, 4L, 4L), 3L),
    `count by categories` = case(
      rows_of("i32") |> then_count_by_categories(c(2L, 1L, 3L)),
      c(1L, 2L, 3L, 4L, 5L, 1L, 1L, 1L, 2L), c(2L, 4L, 1L, 2L)
    ),
    `sum` = case(bounded_rows(c(0L, 10L)) |> then_sum(), c(1L, 2L, 4L), 7L),
    `split sum` = case(
      make_bounded_int_split_sum(c(-127L, 127L), .T = "i8"), c(-127L, 127L, 127L), 0L
    ),
    `ordered sum` = case(
      make_bounded_int_ordered_sum(c(-127L, 127L), .T = "i8"),
      c(-127L, -127L, 127L, 127L, 127L), 127L
    ),
    `pairwise sum` = case(sized_sum("Pairwise<f64>"), tenths, 1),
    `sequential sum` = case(sized_sum("Sequential<f64>"), tenths, 0.9999999999999999)
  ))
})

test_that("published examples of moments give the published results", {
  sized <- function(n) bounded_rows(c(0, 10), size = n)
  pairs <- data.frame(x = c(1, 2, 3, 4, 5), y = c(3, 4, 5, 6, 7))
  covariance <- function(ddof) make_sized_bounded_covariance(5, c(0, 10), c(0, 10), ddof)
  check_cases(list(
    `mean` = case(sized(10) |> then_mean(), rep(5, 10), 5),
    `squared deviations` = case(sized(5) |> then_sum_of_squared_deviations(), c(1, 2, 3, 4, 5), 10),
    `variance` = case(sized(5) |> then_variance(), c(1, 2, 3, 4, 5), 2.5),
    `variance of a population` = case(sized(5) |> then_variance(ddof = 0L), c(1, 2, 3, 4, 5), 2),
    `variance of nine` = case(sized(9) |> then_variance(), as.double(1:9), 7.5),
    `covariance` = case(covariance(1L), pairs, 2.5),
    `covariance of a population` = case(covariance(0L), pairs, 2),
    `multiplication` = case(
      number_of("f64") |> then_lipschitz_float_mul(2, c(0, 10)), 1.3, 2.6
    )
  ))
  shrunk <- make_sized_bounded_float_ordered_sum(10, c(0, 10)) |>
    then_lipschitz_float_mul(1 / 10, c(-3, 4))
  expect_identical(shrunk(arg = rep(3, 10)), 0.4)
})

test_that("published examples of trees give the published results", {
  tree <- function(leaves, b) counts_of("i32") |> then_b_ary_tree(leaves, b)
  ones <- function(n) rep(1L, n)
  check_cases(list(
    `seven ones` = case(tree(7, 2), ones(7), c(7L, 4L, 3L, 2L, 2L, 2L, 1L, ones(7))),
    `ten ones` = case(
      tree(10, 2), ones(10),
      c(10L, 8L, 2L, 4L, 4L, 2L, 0L, 2L, 2L, 2L, 2L, 2L, 0L, 0L, 0L, ones(10))
    ),
    `too few` = case(tree(7, 2), c(5L, 3L, 2L), c(10L, 10L, 0L, 8L, 2L, 0L, 0L, 5L, 3L, 2L)),
    `too many` = case(tree(7, 2), 1:9, c(28L, 10L, 18L, 3L, 7L, 11L, 7L, 1:7)),
    `three children` = case(tree(4, 3), 1:4, c(10L, 6L, 4L, 0L, 1:4)),
    `one leaf` = case(tree(1, 2), 4L, 4L),
    `no counts` = case(tree(3, 2), integer(), c(0L, 0L, 0L))
  ))
  leaves <- make_consistent_b_ary_tree
  check_cases(list(
    `consistent already` = case(leaves(2), c(7L, 4L, 3L, 2L, 2L, 2L, 1L, ones(7)), rep(1, 7)),
    `noisy` = case(
      leaves(2), c(10L, 6L, 3L, 2L, 4L, 1L, 1L),
      c(2.1904761904761902, 4.19047619047619, 1.5238095238095237, 1.5238095238095237)
    ),
    `a leaf missing` = case(
      leaves(2), c(10L, 5L, 4L, 2L, 3L, 5L),
      c(2.076923076923077, 3.076923076923077, 4.615384615384616)
    ),
    `three children` = case(
      leaves(3), c(20L, 9L, 8L, 5L, 3L, 2L, 4L, 1L, 3L),
      c(
        3.4482758620689657, 2.4482758620689657, 4.448275862068965, 2.931034482758621,
        4.931034482758621
      )
    )
  ), compare = expect_equal, tolerance = 1e-12)
})

test_that("published examples of quantiles give the published results", {
  alphas <- c(0, 0.1, 0.24, 0.51, 0.74, 0.75, 0.76, 0.99, 1)
  edges <- c(0L, 25L, 50L, 75L, 100L)
  hundreds <- rep(100L, 4)
  check_cases(list(
    `nearest` = case(
      make_quantiles_from_counts(edges, alphas, "nearest"), hundreds,
      c(0L, 0L, 25L, 50L, 75L, 75L, 75L, 100L, 100L)
    ),
    `linear` = case(
      make_quantiles_from_counts(edges, alphas), hundreds,
      c(0L, 10L, 24L, 51L, 74L, 75L, 76L, 99L, 100L)
    ),
    `outer bins` = case(
      make_quantiles_from_counts(edges, alphas, "nearest"), c(210L, hundreds, 234L),
      c(0L, 0L, 25L, 50L, 75L, 75L, 75L, 100L, 100L)
    ),
    `nearest of floats` = case(
      make_quantiles_from_counts(c(0, 10, 20, 30), c(0.2, 0.4, 0.7), "nearest"), c(2.23, 3.4, 5),
      c(10, 20, 20)
    ),
    `nearest of integers` = case(
      make_quantiles_from_counts(c(0L, 10L, 50L, 100L), c(0.2, 0.4, 0.7), "nearest"), c(2L, 3L, 5L),
      c(10L, 50L, 50L)
    ),
    `linear of integers` = case(
      make_quantiles_from_counts(c(0L, 10L, 50L, 100L), c(0.2, 0.4, 0.7)), c(2L, 3L, 5L),
      c(10L, 36L, 70L)
    )
  ))
  check_cases(list(
    `linear of floats` = case(
      make_quantiles_from_counts(c(0, 10, 20, 30), c(0.2, 0.4, 0.7)), c(2.23, 3.4, 5),
      c(9.533632286995514, 15.94705882352941, 23.622)
    ),
    `distribution function` = case(
      make_cdf(), c(2.23, 3.4, 5, 2.7),
      c(0.16729182295573897, 0.42235558889722435, 0.7974493623405852, 1)
    )
  ), compare = expect_equal, tolerance = 1e-15)
})

test_that("published examples of scores give the published results", {
  scores <- function(candidates, alpha, ...) {
    rows_of("i32", ...) |> then_quantile_score_candidates(as.integer(candidates), alpha)
  }
  check_cases(list(
    `a hundred` = case(
      scores(c(20, 33, 40, 50, 72, 100), 0.5), 0:99, integer64_of(c(59, 33, 19, 1, 45, 100))
    ),
    `a hundred and one` = case(
      scores(c(0, 25, 50, 75, 100), 0.5), 0:100, integer64_of(c(100, 50, 0, 50, 100))
    ),
    `three quarters` = case(
      scores(c(7, 12, 14, 72, 76), 0.75), 0:99, integer64_of(c(269, 249, 241, 9, 7))
    )
  ))
  # The published example has one row more than its domain declares.
  expect_error(
    scores(c(-1, 2, 4, 7, 12, 22), 0.5, size = 7)(arg = c(0L, 2L, 2L, 3L, 5L, 7L, 7L, 7L)),
    class = "dp_error_failed_function"
  )
})

test_that("rows that a user function repeats count twice in a release", {
  space <- rows_of("String") |> then_cast_default("int")
  make_repeat <- function(input_domain, input_metric, times) {
    make_user_transformation(
      input_domain, input_metric, input_domain, input_metric,
      \(rows) rep(rows, times), \(d_in) d_in * times
    )
  }
  then_repeat <- to_then(make_repeat)
  total <- space |> then_repeat(2L) |> then_clamp(c(1L, 2L)) |> then_sum()
  expect_identical(total(arg = c("0", "1", "2", "3")), 12L)
  expect_identical(total(d_in = 1L), 4L)
  noisy <- total |> then_laplace(1)
  expect_identical(noisy(d_in = 1L), 4)
})
