#' Cast rows to a different type
#'
#' Casts each row to a different carrier type. A row that cannot be cast becomes missing (`NA` in
#' R), and so does NaN. Impute missing rows before you aggregate.
#'
#' Casting rounds. Between integers, a number out of range becomes missing. A float becomes an
#' integer by dropping its fraction, and a number becomes `bool` by comparison with 0. Strings are
#' read as decimal numbers, without surrounding blanks. As `bool`, any string except the empty one
#' is `TRUE`. A float is written with the fewest digits that identify it, never with an exponent.
#'
#' @inheritParams make_clamp
#' @param input_domain (`domain`) Vectors of any type. Public.
#' @param .TOA (type descriptor) Type to cast to, any atomic type. Public.
#' @returns (`transformation`) From vectors to vectors of the same length, whose rows can be
#'   missing. Bounds are lost, because a bound of the old type means nothing in the new type.
#' @section Stability: `d_out = d_in`, in rows.
#' @section Errors: Raises `dp_error_type_parse` for an unknown type, `dp_error_failed_cast` for a
#'   domain that is not a vector of atoms, and `dp_error_type` for a metric that does not compare
#'   datasets. The cast never fails.
#' @template ref-mcsherry-2009
#' @seealso [make_cast_default()] and [make_cast_inherent()], which need no option domain,
#'   [make_impute_constant()].
#' @examples
#' enable_features("contrib")
#' cast <- c(vector_domain(atom_domain(.T = "String")), symmetric_distance()) |>
#'   then_cast(.TOA = "i32")
#' cast(arg = c("12", "twelve", "1e3"))
#' @export
make_cast <- function(input_domain, input_metric, .TOA) {
  build("make_cast", input_domain, input_metric, .TOA)
}

#' @rdname make_cast
#' @export
then_cast <- to_then(make_cast)

#' Cast rows to another type, with a default for what does not fit
#'
#' Casts like [make_cast()], but a row that cannot be cast becomes the default of the type: `0`,
#' `0.0`, `FALSE` or `""`. NaN counts as a number, so a float stays NaN, and so does the string
#' `"nan"`.
#'
#' @inheritParams make_cast
#' @returns (`transformation`) From vectors to vectors of the same length. Rows of a float type can
#'   be NaN, so impute before you clamp. Bounds are lost.
#' @section Stability: `d_out = d_in`, in rows.
#' @section Errors: Raises the errors of [make_cast()].
#' @template ref-mcsherry-2009
#' @examples
#' enable_features("contrib")
#' numbers <- c(vector_domain(atom_domain(.T = "String")), symmetric_distance()) |>
#'   then_cast_default(.TOA = "i32") |>
#'   then_clamp(c(0L, 10L)) |>
#'   then_sum()
#' numbers(arg = c("2", "a", "400"))
#' @export
make_cast_default <- function(input_domain, input_metric, .TOA) {
  build("make_cast_default", input_domain, input_metric, .TOA)
}

#' @rdname make_cast_default
#' @export
then_cast_default <- to_then(make_cast_default)

#' Cast rows to a float type, with NaN for what does not fit
#'
#' Casts like [make_cast()], but a row that cannot be cast becomes NaN, the missing value of floats.
#'
#' @inheritParams make_cast
#' @param .TOA (type descriptor) Float type, `"f64"` or `"f32"`. Public.
#' @returns (`transformation`) From vectors to vectors of the same length, whose rows can be NaN.
#'   Bounds are lost.
#' @section Stability: `d_out = d_in`, in rows.
#' @section Errors: Raises the errors of [make_cast()], and `dp_error_type` if `.TOA` is not a float
#'   type.
#' @template ref-mcsherry-2009
#' @examples
#' enable_features("contrib")
#' cast <- c(vector_domain(atom_domain(.T = "String")), symmetric_distance()) |>
#'   then_cast_inherent(.TOA = "f64") |>
#'   then_impute_constant(0)
#' cast(arg = c("1.5", "n/a"))
#' @export
make_cast_inherent <- function(input_domain, input_metric, .TOA) {
  build("make_cast_inherent", input_domain, input_metric, .TOA)
}

#' @rdname make_cast_inherent
#' @export
then_cast_inherent <- to_then(make_cast_inherent)

#' Cast one column of a data frame
#'
#' Casts a column with [make_cast_default()]: a value that cannot be cast becomes `0`, `FALSE` or
#' `""`. Other columns do not change.
#'
#' @param input_domain (`domain`) Data frames: the output domain of [make_split_dataframe()] or of
#'   another step on data frames. Public.
#' @param input_metric (`metric`) [symmetric_distance()] or [insert_delete_distance()]. Public.
#' @param column_name (one element) Name of the column, in the type of the column names. Public.
#' @param .TIA,.TOA (type descriptors) Types of the column before and after the cast.
#' @param lhs (`transformation` or `c(domain, metric)`) The left side of the pipe.
#' @returns (`transformation`) From data frames to data frames with the same number of rows.
#' @section Stability: `d_out = d_in`, in rows: each row is processed separately.
#' @section Errors: Raises `dp_error_failed_cast` if the domain is not a domain of data frames, or
#'   if the column name has a different type. Raises `dp_error_type` for a different metric, or for
#'   types that rows cannot have. The function raises `dp_error_failed_function` without such a
#'   column, and `dp_error_failed_cast` if the column has a different type.
#' @template ref-opendp
#' @seealso [data_frames]
#' @examples
#' enable_features("contrib")
#' frame <- make_split_dataframe(separator = ",", col_names = c("name", "age")) |>
#'   then_df_cast_default("age", .TIA = "String", .TOA = "i32")
#' frame(arg = "ann, 30\nbob, many")
#' @export
make_df_cast_default <- function(input_domain, input_metric, column_name, .TIA, .TOA) {
  build("make_df_cast_default", input_domain, input_metric, column_name, .TIA, .TOA)
}

#' @rdname make_df_cast_default
#' @export
then_df_cast_default <- to_then(make_df_cast_default)

#' Convert between adding or removing rows and replacing them
#'
#' Converts between distances that count rows added or removed, and distances that count rows
#' replaced in a dataset of public size. The data do not change.
#'
#' * `make_metric_bounded()`: [symmetric_distance()] to [change_one_distance()],
#'   [insert_delete_distance()] to [hamming_distance()].
#' * `make_metric_unbounded()`: the inverse.
#'
#' @inheritParams make_clamp
#' @param input_domain (`domain`) Vectors of any type, of a known size. Public.
#' @param input_metric (`metric`) One of the metrics above. Public.
#' @returns (`transformation`) From vectors to the same vectors, in the same domain.
#' @section Stability: In rows.
#'   * Symmetric to change-one: `d_out = floor(d_in / 2)`, because each replacement is one removal
#'     and one addition, and datasets of the same size are an even distance apart.
#'   * Insert-delete to Hamming: `d_out = size` if `d_in >= 2`, else 0. A row that moves from the
#'     first position to the last is one removal and one addition, but all rows are replaced. The
#'     published reference halves here too, which is too small.
#'   * `make_metric_unbounded()`: `d_out = 2 * d_in`.
#' @section Errors: Raises `dp_error_failed_function` if the size is not known, `dp_error_type` for
#'   other metrics, and `dp_error_failed_cast` for a domain that is not a vector. The map of
#'   `make_metric_unbounded()` raises `dp_error_overflow` from 2^31 rows on.
#' @template ref-dwork-roth-2014
#' @examples
#' enable_features("contrib")
#' sized <- vector_domain(atom_domain(bounds = c(0L, 10L)), size = 5)
#' total <- c(sized, change_one_distance()) |>
#'   then_metric_unbounded() |>
#'   then_sum()
#' total(d_in = 1L)
#' @export
make_metric_bounded <- function(input_domain, input_metric) {
  build("make_metric_bounded", input_domain, input_metric)
}

#' @rdname make_metric_bounded
#' @export
then_metric_bounded <- to_then(make_metric_bounded)

#' @rdname make_metric_bounded
#' @export
make_metric_unbounded <- function(input_domain, input_metric) {
  build("make_metric_unbounded", input_domain, input_metric)
}

#' @rdname make_metric_bounded
#' @export
then_metric_unbounded <- to_then(make_metric_unbounded)

#' Convert between ordered and unordered datasets
#'
#' Converts between metrics with and without row order.
#'
#' * `make_ordered_random()`: puts the rows in uniformly random order, from the secure source. Later
#'   steps can then depend on their order.
#' * `make_unordered()`: does not change the rows, and drops the guarantee that their order is
#'   public.
#'
#' @inheritParams make_clamp
#' @param input_domain (`domain`) Vectors of any type. Public.
#' @param input_metric (`metric`) For `make_ordered_random()`: [symmetric_distance()] or
#'   [change_one_distance()]. For `make_unordered()`: [insert_delete_distance()] or
#'   [hamming_distance()]. Public.
#' @returns (`transformation`) From vectors to vectors of the same rows, in the same domain. The
#'   output metric is [insert_delete_distance()] from symmetric, [hamming_distance()] from
#'   change-one, and the inverse for `make_unordered()`.
#' @section Stability: `d_out = d_in`, in rows. A random order of a dataset, with one row removed,
#'   is a random order of the dataset without it.
#' @section Errors: Raises `dp_error_type` for other metrics, and `dp_error_failed_cast` for a
#'   domain that is not a vector. The function raises `dp_error_entropy` if the operating system
#'   provides no random bits.
#' @template ref-casacuberta-2022
#' @examples
#' enable_features("contrib")
#' shuffled <- c(vector_domain(atom_domain(.T = "i32")), symmetric_distance()) |>
#'   then_ordered_random()
#' shuffled(arg = 1:5)
#' shuffled("output_metric")
#' @export
make_ordered_random <- function(input_domain, input_metric) {
  build("make_ordered_random", input_domain, input_metric)
}

#' @rdname make_ordered_random
#' @export
then_ordered_random <- to_then(make_ordered_random)

#' @rdname make_ordered_random
#' @export
make_unordered <- function(input_domain, input_metric) {
  build("make_unordered", input_domain, input_metric)
}

#' @rdname make_ordered_random
#' @export
then_unordered <- to_then(make_unordered)
