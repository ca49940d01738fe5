#' Answer queries for the count of any key
#'
#' Releases a small table of noisy bits, and you can estimate the count of any key from it, whether
#' it occurs or not (approximate Laplace projection). Use it if there are too many keys to release a
#' noisy count for each. Answers are postprocessing, so their number is not limited.
#'
#' Each value is rounded at random to a multiple of `alpha / scale`, and sets that number of bits of
#' the table. Random hash functions choose their places by key. Then every bit is flipped with
#' probability `1 / (alpha + 2)`. Only this table is kept.
#'
#' @param input_domain (`domain`) [map_domain()] from integers, bools or strings to integers. Values
#'   below 0 count as 0. Public.
#' @param input_metric (`metric`) [l01inf_distance()] of the [absolute_distance()] in the type of
#'   the values. Public.
#' @param scale (`numeric(1)`) Loss per unit of the L1 distance, above 0: the **larger**, the less
#'   noise. Public.
#' @param total_limit (whole number) Approximate sum of all values, which determines the table size.
#'   A larger sum costs accuracy, not privacy. Public.
#' @param value_limit (whole number or `NULL`) Largest value that can be distinguished. `NULL` uses
#'   the upper bound of the values. Public.
#' @param size_factor (whole number) Number of bits in the table for each bit that is set. Public.
#' @param alpha (whole number) Coarseness: larger values give coarser and less noisy bits. Public.
#' @param lhs (`transformation` or `c(domain, metric)`) The left side of the pipe.
#' @returns (`measurement`) From a hash table ([new_hashtab()]) to a queryable. Call it with a key
#'   to get an estimate of its value, `numeric(1)`.
#' @section Privacy: `epsilon = scale * d1`, rounded up, at `d_in = c(d0, d1, dinf)`.
#' @section Errors: Raises `dp_error_make_measurement` if both `value_limit` and an upper bound are
#'   missing, if `scale` or `alpha` is not positive, or if the table would be empty or larger than
#'   2^32 bits. Raises `dp_error_type` for a different domain or metric, and `dp_error_failed_cast`
#'   for arguments that are not numbers. The map raises `dp_error_failed_map` for negative
#'   distances.
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
