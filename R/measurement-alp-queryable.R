#' Answer for any key how large its count is
#'
#' For counts by keys of which there are too many to noise and release each: releases a small table
#' of noisy bits, from which the count of any key, present or not, can be estimated (approximate
#' Laplace projection). Answers are postprocessing, so there is no limit to their number.
#'
#' A value is rounded at random to a multiple of `alpha / scale`, and sets as many bits of the table
#' as it is multiples, at places which random hash functions give to its key; then every bit is
#' flipped with probability `1 / (alpha + 2)`. Only this table is kept.
#'
#' @param input_domain (`domain`) [map_domain()] from integers, bools or texts to integers. Values
#'   below 0 count as 0. Public.
#' @param input_metric (`metric`) [l01inf_distance()] of the [absolute_distance()] in the type of
#'   the values. Public.
#' @param scale (`numeric(1)`) The loss for one unit of the L1 distance, above 0: the **larger**,
#'   the less noise. Public.
#' @param total_limit (whole number) About the sum of all values; from it follows the size of the
#'   table. A larger sum costs accuracy, not privacy. Public.
#' @param value_limit (whole number or `NULL`) The largest value that can be distinguished. `NULL`
#'   takes the upper bound of the values. Public.
#' @param size_factor (whole number) How many bits there are for each bit that is set. Public.
#' @param alpha (whole number) Coarser and less noisy bits for a larger one. Public.
#' @param lhs (`transformation` or `c(domain, metric)`) The left side of the pipe.
#' @returns (`measurement`) From a hash table ([new_hashtab()]) to a queryable: called with a key,
#'   it answers an estimate of its value, `numeric(1)`.
#' @section Privacy: `epsilon = scale * d1`, rounded up, at `d_in = c(d0, d1, dinf)`.
#' @section Errors: `dp_error_make_measurement` if neither `value_limit` nor an upper bound is
#'   there, `scale` or `alpha` is not positive, or the table would be empty or larger than 2^32
#'   bits; `dp_error_type` for another domain or metric; `dp_error_failed_cast` for arguments that
#'   are not numbers. The map: `dp_error_failed_map` for negative distances.
#' @template ref-aumueller-lebeda-pagh-2021
#' @examples
#' enable_features("contrib")
#' counts <- c(
#'   map_domain(atom_domain(.T = "String"), atom_domain(.T = "i32")),
#'   l01inf_distance(absolute_distance(.T = "i32"))
#' )
#' sketch <- counts |> then_alp_queryable(scale = 1, total_limit = 24L, value_limit = 24L)
#' sketch(d_in = c(1L, 1L, 1L))
#' estimate <- sketch(arg = new_hashtab(c("often", "once"), c(20L, 1L)))
#' estimate(query = "often")
#' @export
make_alp_queryable <- function(input_domain, input_metric, scale, total_limit, value_limit = NULL,
                               size_factor = 50L, alpha = 4L) {
  build(
    "make_alp_queryable", input_domain, input_metric, scale, total_limit, value_limit,
    size_factor, alpha
  )
}

#' @rdname make_alp_queryable
#' @export
then_alp_queryable <- to_then(make_alp_queryable)
