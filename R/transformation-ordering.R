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
