#' How far counts by group move
#'
#' A grouped query gives one count per group. `counting_query_stability_map()` bounds how far these
#' counts move, as a vector, when rows come and go in some of the groups.
#'
#' A *partition distance* is the triple of `l0`, the number of groups that change; `l1`, the number
#' of rows added or removed in all of them; and `linf`, the same in the group where it is largest. A
#' person with at most 36 rows in 12 groups, at most 4 in each, is `partition_distance(12, 36, 4)`.
#'
#' @param public_info (`"Keys"`, `"Lengths"` or `NULL`) What all possible datasets are known to have
#'   in common. Public keys change nothing. With public lengths, the number of rows of each group
#'   cannot change.
#' @param p (1 or 2) Which norm: L1 for Laplace, L2 for Gaussian noise.
#' @param counted (`"all"` or `"some"`) Whether the query counts every row of a group, or only some:
#'   rows that are not missing, distinct values, rows that pass a filter. It matters for public
#'   lengths only: counts of all rows are then constant, the others are not.
#' @param norm (`"published"` or `"packed"`) Which bound. The packed one is tight, and never larger.
#' @param l0,l1,linf (whole numbers, at least 0) See above. Public.
#' @returns
#' * `counting_query_stability_map()`: a `stability_map`, called as `map(d_in = d)` for the distance
#'   of the counts, a double, or as `map(d_in = d, d_out = e)` for whether it is at most `e`. `d` is
#'   a partition distance or any other list or vector of its three parts, a distance in
#'   `l01inf_distance(symmetric_distance())`.
#' * `partition_distance()`: a list of the three parts by name.
#' @section Stability: Counts move by a vector with at most `l0` entries other than 0, each at most
#'   `linf` and together at most `l1`. So its p-norm is
#'   * published: at most `min(l1, l0^(1/p) * linf)`, by the inequalities between norms;
#'   * packed: largest where as many entries as possible are `linf` and one holds the rest. For
#'     `p = 1` this is `min(l1, l0 * linf)`; for `p = 2` it is `sqrt(q * linf^2 + r^2)` with
#'     `q` full entries, which is `min(l0, floor(l1 / linf))`, and the rest `r`, which is
#'     `min(l1 - q * linf, linf)`, or 0 if no group is left for it.
#'
#'   Everything is rounded up. With public lengths, counts of all rows are 0 apart. Counts of some
#'   rows are not: each group gains as many rows as it loses, so that the packed norm is that of
#'   `(l0, floor(l1 / 2), floor(linf / 2))`; the published one makes no use of it.
#' @section Errors: `dp_error_invalid_argument` for any other argument. The map:
#'   `dp_error_failed_cast` for a distance that is not such a triple, and
#'   `dp_error_make_transformation` if `p` is neither 1 nor 2, but for constant counts, whose
#'   distance is 0 in every norm.
#' @template ref-opendp
#' @examples
#' enable_features("contrib")
#' map <- counting_query_stability_map(p = 2)
#' map(d_in = partition_distance(l0 = 10, l1 = 10, linf = 1))
#'
#' tight <- counting_query_stability_map(p = 2, norm = "packed")
#' person <- partition_distance(l0 = 12, l1 = 36, linf = 4)
#' c(published = map(d_in = person), packed = tight(d_in = person))
#' @export
counting_query_stability_map <- function(public_info = NULL, p = 1L, counted = "all",
                                         norm = "published") {
  assert_features("contrib")
  check_choice(public_info, c("Keys", "Lengths"), null = TRUE)
  check_whole(p, min = 0, max = 2^32 - 1)
  all_rows <- check_choice(counted, c("all", "some")) == "all"
  packed <- check_choice(norm, c("published", "packed")) == "packed"
  map <- function(d_in) core_counting_query_map(public_info, p, all_rows, packed, d_in)
  self <- function(d_in, d_out) {
    if (missing(d_out)) map(d_in) else map(d_in) <= check_number(d_out, finite = FALSE)
  }
  new_callable("stability_map", self)
}

#' @rdname counting_query_stability_map
#' @export
partition_distance <- function(l0, l1, linf) {
  parts <- list(l0 = l0, l1 = l1, linf = linf)
  for (name in names(parts)) check_whole(parts[[name]], min = 0, max = 2^32 - 1, arg = name)
  parts
}

#' @export
toString.stability_map <- function(x, ...) {
  of <- environment(x)
  paste0(
    "StabilityMap(public_info=", of$public_info %||% "NULL", ", p=", of$p, ", counted=", of$counted,
    ", norm=", of$norm, ")"
  )
}

#' @export
format.stability_map <- function(x, ...) toString(x)

#' @export
print.stability_map <- function(x, ...) print_callable(x)
