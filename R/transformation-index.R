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
