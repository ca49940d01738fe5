#' Find each row in a public list of categories
#'
#' Gives the place of each row in `categories`, counted from 0, and a null for rows that are not
#' among them. [make_impute_constant()] gives these a place of their own, [make_index()] goes back.
#'
#' @inheritParams make_clamp
#' @param input_domain (`domain`) Vectors of integers, `bool` or texts, without nulls. Public.
#' @param categories (vector) In the type of the rows, each once. Public: they must not be read off
#'   the data. Those of a factor are its `levels()`. None at all makes every row a null.
#' @returns (`transformation`) From vectors to vectors of the same length, of options of `usize`. R
#'   sees them as doubles, nulls as `NA`.
#' @section Stability: `d_out = d_in`, in rows: each row is treated by itself.
#' @section Errors: `dp_error_make_transformation` if a category comes twice;
#'   `dp_error_failed_cast` if one has another type than the rows, or if rows may be null;
#'   `dp_error_type` for rows of floats, or for a metric that does not compare datasets.
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
