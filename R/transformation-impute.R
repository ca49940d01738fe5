#' Replace missing rows by a public constant
#'
#' Replaces each missing row, a null of an option domain or NaN, by a public constant.
#'
#' If rows can be null, a NaN that is not null is replaced as well. The published reference keeps
#' it, although its output domain promises that there is none.
#'
#' @inheritParams make_clamp
#' @param input_domain (`domain`) Vectors of options of any type, or of floats. Public.
#' @param constant (one element) Replacement, in the type and the unit of the rows, not missing.
#'   Public.
#' @returns (`transformation`) From vectors to vectors of the same length without missing rows.
#'   Bounds are lost, a known size is kept.
#' @section Stability: `d_out = d_in`, in rows: the constant does not depend on the rows.
#' @section Errors: Raises `dp_error_make_transformation` for a NaN constant, `dp_error_failed_cast`
#'   for a constant of a different type, and `dp_error_type` if no row can be missing, or for a
#'   metric that does not compare datasets.
#' @template ref-mcsherry-2009
#' @examples
#' enable_features("contrib")
#' imputed <- c(vector_domain(atom_domain(.T = "f64")), symmetric_distance()) |>
#'   then_impute_constant(0)
#' imputed(arg = c(1.5, NA, 3))
#' @export
make_impute_constant <- function(input_domain, input_metric, constant) {
  build("make_impute_constant", input_domain, input_metric, constant)
}

#' @rdname make_impute_constant
#' @export
then_impute_constant <- to_then(make_impute_constant)

#' Replace missing rows by uniform draws between public bounds
#'
#' Replaces each missing row (a null of an option domain, or NaN) by a separate draw from the secure
#' source. The draw is an integer between the bounds, a `bool` from 0 and 1, or a float from the
#' multiples of a public power of two between the bounds, about 51 bits fine. Other rows do not
#' change, even outside the bounds.
#'
#' [make_impute_uniform_float()] is the published form for floats.
#'
#' @inheritParams make_clamp
#' @param input_domain (`domain`) Vectors of floats, or of options of numbers or `bool`. Public.
#' @param bounds (`numeric(2)`, `c(lower, upper)`) Bounds of the draws, both included, in the unit
#'   of the rows. Public.
#' @returns (`transformation`) From vectors to vectors of the same length without missing rows. The
#'   output domain has no bounds, but keeps a known size.
#' @section Stability: `d_out = d_in`, in rows: a draw does not depend on the other rows. Imputing a
#'   mean or a median of the data would have a cost.
#' @section Errors: Raises `dp_error_make_transformation` unless the bounds are finite, ordered and
#'   have at least one point of the type between them. Raises `dp_error_failed_cast` if they are not
#'   two numbers. Raises `dp_error_type` if no row can be missing, if rows are strings, or for a
#'   metric that does not compare datasets.
#' @template ref-mcsherry-2009
#' @examples
#' enable_features("contrib")
#' imputed <- c(vector_domain(atom_domain(.T = "f64")), symmetric_distance()) |>
#'   then_impute_uniform(c(0, 10)) |>
#'   then_clamp(c(0, 10))
#' imputed(arg = c(1.5, NA, 3))
#' @export
make_impute_uniform <- function(input_domain, input_metric, bounds) {
  build("make_impute_uniform", input_domain, input_metric, whole_as_doubles(bounds))
}

whole_as_doubles <- function(x) if (is.integer(x) && !is.object(x)) as.double(x) else x

#' @rdname make_impute_uniform
#' @export
then_impute_uniform <- to_then(make_impute_uniform)

#' Replace NaN by uniform draws between public bounds
#'
#' Replaces each NaN by a separate draw from the secure source. Other rows do not change, even
#' outside the bounds. [make_impute_uniform()] also takes integers, `bool` and nulls.
#'
#' Draws are multiples of \eqn{2^{e - p}}{2^(e - p)}, where \eqn{2^e} is the least power of two that
#' neither bound exceeds in magnitude and `p` is 53, or 24 for `f32`. They are drawn as integers, so
#' no rounding occurs.
#'
#' @inheritParams make_clamp
#' @param input_domain (`domain`) Vectors of floats. Public.
#' @param bounds (two numbers, `c(lower, upper)`) Bounds of the draws, in the type and the unit of
#'   the rows. The lower bound is included, the upper bound is not. Public.
#' @returns (`transformation`) From vectors to vectors of the same length without NaN. The output
#'   domain has no bounds, but keeps a known size.
#' @section Stability: `d_out = d_in`, in rows: a draw does not depend on the other rows. Imputing a
#'   mean or a median of the data would have a cost.
#' @section Errors: Raises `dp_error_make_transformation` unless the bounds and their difference are
#'   finite and `lower < upper`. Raises `dp_error_failed_cast` for bounds of a different type, and
#'   `dp_error_type` unless rows are floats, or for a metric that does not compare datasets.
#' @template ref-mcsherry-2009
#' @examples
#' enable_features("contrib")
#' imputed <- c(vector_domain(atom_domain(.T = "f64")), symmetric_distance()) |>
#'   then_impute_uniform_float(c(0, 10)) |>
#'   then_clamp(c(0, 10))
#' imputed(arg = c(1.5, NA, 3))
#' @export
make_impute_uniform_float <- function(input_domain, input_metric, bounds) {
  build("make_impute_uniform_float", input_domain, input_metric, bounds)
}

#' @rdname make_impute_uniform_float
#' @export
then_impute_uniform_float <- to_then(make_impute_uniform_float)

#' Drop missing rows
#'
#' Drops missing rows: nulls of an option domain, or NaN. The other rows keep their order.
#'
#' The number of remaining rows is private, so the output domain has no size, even if the input size
#' is known. To keep a size, impute instead: [make_impute_constant()].
#'
#' @inheritParams make_clamp
#' @param input_domain (`domain`) Vectors of options of any type, or of floats. Public.
#' @param input_metric (`metric`) [symmetric_distance()] or [insert_delete_distance()]. Public.
#' @returns (`transformation`) From vectors to vectors without missing rows. Bounds and size are
#'   lost.
#' @section Stability: `d_out = d_in`, in rows: an added or removed row changes the output by at
#'   most one row.
#' @section Errors: Raises `dp_error_type` if no row can be missing, or for a metric that does not
#'   compare datasets, and `dp_error_metric_space` for a metric that needs a size.
#' @template ref-mcsherry-2009
#' @examples
#' enable_features("contrib")
#' present <- c(vector_domain(atom_domain(.T = "String")), symmetric_distance()) |>
#'   then_cast("i32") |>
#'   then_drop_null()
#' present(arg = c("3", "", "5"))
#' @export
make_drop_null <- function(input_domain, input_metric) {
  build("make_drop_null", input_domain, input_metric)
}

#' @rdname make_drop_null
#' @export
then_drop_null <- to_then(make_drop_null)

#' Find missing rows
#'
#' Finds missing rows: nulls of an option domain, or NaN (`NA` in R).
#'
#' @inheritParams make_clamp
#' @param input_domain (`domain`) Vectors of options of any type, or of floats. Public.
#' @returns (`transformation`) From vectors to logical vectors of the same length: `TRUE` for a
#'   null, and for NaN.
#' @section Stability: `d_out = d_in`, in rows.
#' @section Errors: Raises `dp_error_type` if no row can be missing, or for a metric that does not
#'   compare datasets.
#' @template ref-mcsherry-2009
#' @examples
#' enable_features("contrib")
#' missing <- c(vector_domain(atom_domain(.T = "f64")), symmetric_distance()) |>
#'   then_is_null()
#' missing(arg = c(1.5, NA, NaN))
#' @export
make_is_null <- function(input_domain, input_metric) {
  build("make_is_null", input_domain, input_metric)
}

#' @rdname make_is_null
#' @export
then_is_null <- to_then(make_is_null)
