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
