#' Sum bounded rows
#'
#' Sums bounded rows with the [integer sum][int_sums] or the [floating-point sum][float_sums] that
#' fits them:
#'
#' * Integers: the checked sum if the size is known and no sum can overflow. Otherwise, the
#'   monotonic sum if the bounds share a sign, else the split sum. Under [insert_delete_distance()],
#'   the ordered sum replaces the last two.
#' * Floats: the checked sum in pairwise order unless a sum could overflow, else the ordered one. If
#'   the size is not known, at most 2^20 rows are added.
#'
#' If the sum needs it, a conversion between ordered and unordered datasets comes first, so the
#' input metric is always the one that you give.
#'
#' Avoid `f32`: with an unknown size, the rounding of single precision adds about 5 times the larger
#' bound to the sensitivity.
#'
#' A float domain with bounds holds no NaN, and the input domain of the result declares this even if
#' the given domain did not. The published reference then fails for some metrics and not for others.
#'
#' @inheritParams make_clamp
#' @param input_domain (`domain`) Vectors of any number type with bounds, with or without a size.
#'   Public.
#' @param input_metric (`metric`) [symmetric_distance()] or [insert_delete_distance()]. Public.
#' @returns (`transformation`) From a vector to one number of the type of the rows, in their unit.
#' @section Stability: With `mag = max(|lower|, upper)` and a small `relaxation` for rounding, which
#'   integers do not need:
#'   * known size: `d_out = floor(d_in / 2) * (upper - lower) + relaxation`.
#'   * unknown size: `d_out = d_in * mag` for integers, and
#'     `d_in * max(upper - lower, mag) + relaxation` for floats.
#'
#'   `d_in` counts rows added or removed, and `d_out` is in the unit of the rows.
#' @section Errors: Raises `dp_error_make_transformation` without bounds, `dp_error_type` for rows
#'   that are not numbers, or for a different metric, and `dp_error_failed_cast` for rows that can
#'   be null. Also raises the errors of the chosen sum.
#' @template ref-dwork-roth-2014
#' @template ref-casacuberta-2022
#' @seealso [make_lattice_sum()], which is exact even for floats.
#' @examples
#' enable_features("contrib")
#' space <- c(vector_domain(atom_domain(bounds = c(0L, 10L))), symmetric_distance())
#' total <- space |> then_sum()
#' total(arg = c(1L, 2L, 4L))
#' total(d_in = 1L)
#' @export
make_sum <- function(input_domain, input_metric) build("make_sum", input_domain, input_metric)

#' @rdname make_sum
#' @export
then_sum <- to_then(make_sum)
