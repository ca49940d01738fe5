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
