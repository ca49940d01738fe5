#' Clamp rows to public bounds
#'
#' Moves values below the lower bound to the lower bound, and values above the upper bound to the
#' upper bound. Aggregates need bounded rows, because an unbounded row could change a sum by any
#' amount.
#'
#' The new bounds replace any bounds of the domain, even tighter ones. A known size is kept.
#' Infinite rows are clamped too.
#'
#' @param input_domain (`domain`) Vectors of any number type without NaN. Public.
#' @param input_metric (`metric`) Any distance between datasets. Public.
#' @param bounds (two numbers, `c(lower, upper)`) Bounds in the type and the unit of the rows:
#'   integers for `i32`, doubles for `f64`. Public: do not take them from the data.
#' @param lhs (`transformation` or `c(domain, metric)`) The left side of the pipe.
#' @returns (`transformation`) From vectors to vectors of the same length, within `bounds`.
#' @section Stability: `d_out = d_in`, in rows: each row is processed separately.
#' @section Errors: Raises `dp_error_failed_function` if rows can be NaN, or for a NaN bound, and
#'   `dp_error_make_domain` if `lower > upper`. Raises `dp_error_failed_cast` for bounds of a
#'   different type, and `dp_error_type` for a metric that does not compare datasets.
#' @template ref-mcsherry-2009
#' @examples
#' enable_features("contrib")
#' ages <- c(vector_domain(atom_domain(.T = "i32")), symmetric_distance()) |>
#'   then_clamp(bounds = c(0L, 120L))
#' ages(arg = c(-3L, 44L, 999L))
#' ages(d_in = 1L)
#' @export
make_clamp <- function(input_domain, input_metric, bounds) {
  build("make_clamp", input_domain, input_metric, bounds)
}

#' @rdname make_clamp
#' @export
then_clamp <- to_then(make_clamp)

#' Find each row in a public list of categories
#'
#' Finds the position of each row in `categories`, counted from 0, or a null for rows that are not
#' categories. [make_impute_constant()] replaces the nulls by a position, and [make_index()] does
#' the inverse.
#'
#' @inheritParams make_clamp
#' @param input_domain (`domain`) Vectors of integers, `bool` or strings, without nulls. Public.
#' @param categories (vector) Distinct categories, in the type of the rows. Public: do not take them
#'   from the data. For a factor, use its `levels()`. If empty, every row becomes a null.
#' @returns (`transformation`) From vectors to vectors of the same length, of options of `usize`. R
#'   sees them as doubles, nulls as `NA`.
#' @section Stability: `d_out = d_in`, in rows: each row is processed separately.
#' @section Errors: Raises `dp_error_make_transformation` if a category is repeated. Raises
#'   `dp_error_failed_cast` if a category has a different type than the rows, or if rows can be
#'   null. Raises `dp_error_type` for rows of floats, or for a metric that does not compare
#'   datasets.
#' @template ref-mcsherry-2009
#' @examples
#' enable_features("contrib")
#' places <- c(vector_domain(atom_domain(.T = "String")), symmetric_distance()) |>
#'   then_find(categories = c("A", "B", "C")) |>
#'   then_impute_constant(3L)
#' places(arg = c("A", "B", "C", "A", "D"))
#' @export
make_find <- function(input_domain, input_metric, categories) {
  build("make_find", input_domain, input_metric, categories)
}

#' @rdname make_find
#' @export
then_find <- to_then(make_find)

#' Find the bin of each row between public edges
#'
#' Counts the edges at or below each row. With `n` edges there are `n + 1` bins: bin 0 is below the
#' first edge, bin `n` is at or above the last, and a row that equals an edge belongs to the bin
#' above. [make_index()] names the bins.
#'
#' A NaN, if the domain allows it, is in the last bin.
#'
#' @inheritParams make_clamp
#' @param input_domain (`domain`) Vectors of any number type, without nulls. Public.
#' @param edges (numbers) Strictly increasing edges, in the type and the unit of the rows. Public:
#'   do not use quantiles of the data. If empty, every row is in bin 0.
#' @returns (`transformation`) From vectors to vectors of the same length, of `usize`. R sees them
#'   as doubles.
#' @section Stability: `d_out = d_in`, in rows: each row is processed separately.
#' @section Errors: Raises `dp_error_make_transformation` unless the edges are strictly increasing,
#'   so NaN is not allowed. Raises `dp_error_failed_cast` if an edge has a different type than the
#'   rows, or if rows can be null. Raises `dp_error_type` unless rows are numbers, or for a metric
#'   that does not compare datasets.
#' @template ref-mcsherry-2009
#' @examples
#' enable_features("contrib")
#' bins <- c(vector_domain(atom_domain(.T = "f64")), symmetric_distance()) |>
#'   then_find_bin(edges = c(1, 2, 10))
#' bins(arg = c(0, 1, 3, 15))
#' @export
make_find_bin <- function(input_domain, input_metric, edges) {
  build("make_find_bin", input_domain, input_metric, edges)
}

#' @rdname make_find_bin
#' @export
then_find_bin <- to_then(make_find_bin)

#' Pass data through unchanged
#'
#' Returns data unchanged. It takes any domain with any metric, even if they do not form a metric
#' space. You promise that the metric is meaningful on the domain when you enable the feature
#' `"honest-but-curious"`.
#'
#' @param domain (`domain`) Any domain. Public.
#' @param metric (`metric`) Any metric. Public.
#' @param lhs (`transformation` or `c(domain, metric)`) The left side of the pipe.
#' @returns (`transformation`) From the space to itself.
#' @section Stability: `d_out = d_in`, in any distance type.
#' @section Errors: Raises `dp_error_missing_feature` without both features, and
#'   `dp_error_invalid_argument` unless the arguments are a domain and a metric.
#' @template ref-opendp
#' @examples
#' enable_features("contrib", "honest-but-curious")
#' same <- make_identity(vector_domain(atom_domain(.T = "i32")), symmetric_distance())
#' same(arg = 1:3)
#' same(d_in = 4L)
#' @export
make_identity <- function(domain, metric) build("make_identity", domain, metric)

# The pipe supplies its arguments, although they are not called input_domain and input_metric.
#' @rdname make_identity
#' @export
then_identity <- then_from(make_identity, takes_space = TRUE)

#' Replace positions by public categories
#'
#' Replaces each row, a position counted from 0, by the category at that position. It undoes
#' [make_find()] and names the bins of [make_find_bin()].
#'
#' @inheritParams make_clamp
#' @param input_domain (`domain`) Vectors of `usize`, without nulls. Public.
#' @param categories (vector) Categories at the positions 0, 1, ..., which can repeat. Public.
#' @param null (one element) Value for rows past the end of `categories`, in their type. Public.
#' @param .TOA (type descriptor or `NULL`) Type of the categories. `NULL` infers it from
#'   `categories`, or from `null` if there are none.
#' @returns (`transformation`) From vectors to vectors of the same length, of type `.TOA`.
#' @section Stability: `d_out = d_in`, in rows: each row is processed separately.
#' @section Errors: Raises `dp_error_type` unless rows are `usize`, or for a metric that does not
#'   compare datasets. Raises `dp_error_failed_cast` if a category or `null` is not of type `.TOA`,
#'   or if rows can be null.
#' @template ref-mcsherry-2009
#' @examples
#' enable_features("contrib")
#' names <- c(vector_domain(atom_domain(.T = "usize")), symmetric_distance()) |>
#'   then_index(categories = c("A", "B", "C"), null = "D")
#' names(arg = c(0L, 1L, 2L, 3L, 2342L))
#' @export
make_index <- function(input_domain, input_metric, categories, null, .TOA = NULL) {
  build("make_index", input_domain, input_metric, categories, null, .TOA)
}

#' @rdname make_index
#' @export
then_index <- to_then(make_index)

#' Compare rows with a public value
#'
#' Compares each row with `value`. To count equal rows, cast the result to a number type and sum it.
#'
#' @inheritParams make_cast
#' @param value (one element) Value to compare with, in the type of the rows. Public.
#' @returns (`transformation`) From vectors to logical vectors of the same length. NaN equals no
#'   value, and -0 equals 0.
#' @section Stability: `d_out = d_in`, in rows.
#' @section Errors: Raises `dp_error_failed_cast` for a value of a different type, or a domain that
#'   is not a vector of atoms, and `dp_error_type` for a metric that does not compare datasets.
#' @template ref-mcsherry-2009
#' @examples
#' enable_features("contrib")
#' is_three <- c(vector_domain(atom_domain(.T = "i32")), symmetric_distance()) |>
#'   then_is_equal(3L)
#' is_three(arg = 1:4)
#' @export
make_is_equal <- function(input_domain, input_metric, value) {
  build("make_is_equal", input_domain, input_metric, value)
}

#' @rdname make_is_equal
#' @export
then_is_equal <- to_then(make_is_equal)

#' Multiply a float by a public constant
#'
#' Clamps one number to `bounds`, multiplies it by `constant`, rounds to nearest and keeps within
#' the finite range. The bounds are on the number, not on the product.
#'
#' @inheritParams make_clamp
#' @param input_domain (`domain`) Single floats without NaN. Public.
#' @param input_metric (`metric`) [absolute_distance()] of the same type. Public.
#' @param constant (one number) Factor, in the type of the domain. Public.
#' @param bounds (two numbers, `c(lower, upper)`) Bounds in the type of the domain and the unit of
#'   the number, which limit the rounding. Public.
#' @returns (`transformation`) From one number to one number, in the product of the units of the
#'   number and the constant.
#' @section Stability: `d_out = |constant| * d_in + ulp(w)`, rounded up, where `ulp(w)` is the
#'   spacing of floats at `w = max(|lower|, upper) * |constant|`. Rounding adds half of it on either
#'   side, even at `d_in = 0`.
#' @section Errors: Raises `dp_error_make_transformation` if the number can be NaN,
#'   `dp_error_failed_function` for a NaN bound, and `dp_error_overflow` if `constant` is NaN or `w`
#'   is not finite. Raises `dp_error_failed_cast` for a different type, and `dp_error_type` for a
#'   different metric, or if the domain is not of floats. With bounds in the wrong order every call
#'   fails, as in the published reference.
#' @template ref-casacuberta-2022
#' @examples
#' enable_features("contrib")
#' tenth <- c(atom_domain(.T = "f64", nan = FALSE), absolute_distance(.T = "f64")) |>
#'   then_lipschitz_float_mul(constant = 0.1, bounds = c(0, 100))
#' tenth(arg = 20)
#' tenth(d_in = 10)
#' @export
make_lipschitz_float_mul <- function(input_domain, input_metric, constant, bounds) {
  build("make_lipschitz_float_mul", input_domain, input_metric, constant, bounds)
}

#' @rdname make_lipschitz_float_mul
#' @export
then_lipschitz_float_mul <- to_then(make_lipschitz_float_mul)

#' Bring datasets to a public number of rows
#'
#' Resizes datasets to a public number of rows. If there are too few rows, copies of a constant are
#' added at the end. If there are too many, a uniformly random choice is kept, or the first rows if
#' the order of the rows is public. A known size halves the sensitivity of a sum, see [make_sum()].
#'
#' From the symmetric to an ordered distance, the result is put in random order. Rows whose order is
#' public are never shuffled. The published reference shuffles them if there are few enough, so
#' neighbouring datasets can move further apart than its map says.
#'
#' @inheritParams make_clamp
#' @param input_domain (`domain`) Vectors of any type and of any size. Public.
#' @param input_metric (`metric`) [symmetric_distance()] or [insert_delete_distance()], or
#'   [change_one_distance()] or [hamming_distance()] if `.MO` is the same. Public.
#' @param size (whole number, at least 1) Number of rows of the output. Public.
#' @param constant (one element) Member of the row domain, in its type and unit. `NULL` pads rows
#'   that can be null with nulls. Public.
#' @param .MO (type descriptor) Output metric: `"SymmetricDistance"` or `"InsertDeleteDistance"`, or
#'   the same as `input_metric`.
#' @returns (`transformation`) From vectors to vectors of length `size`.
#' @section Stability: `d_out = 2 * d_in`, in rows, because an added row can displace a different
#'   one. Between change-one, or between Hamming distances: `d_out = d_in`.
#' @section Errors: Raises `dp_error_make_transformation` if `size` is 0, or `constant` is not a
#'   member. Raises `dp_error_failed_function` if `constant` is NaN between bounds,
#'   `dp_error_failed_cast` if it has a different type, `dp_error_invalid_argument` if `size` is not
#'   a whole number, and `dp_error_type` for other metrics. The map raises `dp_error_overflow` from
#'   2^31 rows on.
#' @template ref-casacuberta-2022
#' @examples
#' enable_features("contrib")
#' space <- c(vector_domain(atom_domain(bounds = c(0L, 10L))), symmetric_distance())
#' three <- space |> then_resize(size = 3, constant = 5L)
#' three(arg = c(1L, 2L))
#' total <- three |> then_sum()
#' total(d_in = 1L)
#' @export
make_resize <- function(input_domain, input_metric, size, constant, .MO = "SymmetricDistance") {
  build("make_resize", input_domain, input_metric, check_whole(size, min = 0), constant, .MO)
}

#' @rdname make_resize
#' @export
then_resize <- to_then(make_resize)
