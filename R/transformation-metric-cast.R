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
