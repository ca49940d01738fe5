#' Bound the change of counts by group
#'
#' Bounds how far grouped counts change, as a vector, when rows are added or removed in some of the
#' groups. A grouped query gives one count per group.
#'
#' A *partition distance* is a triple. `l0` is the number of groups that change, `l1` the number of
#' rows added or removed in all of them, and `linf` the largest number in one group. A person with
#' at most 36 rows in 12 groups, at most 4 in each, is `partition_distance(12, 36, 4)`.
#'
#' @param public_info (`"Keys"`, `"Lengths"` or `NULL`) Facts that all possible datasets are known
#'   to share. Public keys change nothing. With public lengths, the number of rows of each group
#'   cannot change.
#' @param p (1 or 2) Norm: L1 for Laplace, L2 for Gaussian noise.
#' @param counted (`"all"` or `"some"`) Whether the query counts every row of a group, or only some:
#'   rows that are not missing, distinct values, rows that pass a filter. It matters only for public
#'   lengths: counts of all rows are then constant, the others are not.
#' @param norm (`"published"` or `"packed"`) Bound to use. The packed bound is tight, and never
#'   larger.
#' @param l0,l1,linf (whole numbers, at least 0) Parts of the partition distance, described above.
#'   Public.
#' @returns
#' * `counting_query_stability_map()` returns a `stability_map`. `map(d_in = d)` is the distance of
#'   the counts, a double. `map(d_in = d, d_out = e)` is whether this distance is at most `e`. `d`
#'   is a partition distance, or any list or vector of its three parts: a distance in
#'   `l01inf_distance(symmetric_distance())`.
#' * `partition_distance()` returns a named list of the three parts.
#' @section Stability: Counts change by a vector with at most `l0` entries other than 0, each at
#'   most `linf` and together at most `l1`. So its p-norm is
#'   * published: at most `min(l1, l0^(1/p) * linf)`, by the inequalities between norms.
#'   * packed: largest if all entries but one are `linf` or 0, and one holds the rest. For `p = 1`
#'     this is `min(l1, l0 * linf)`. For `p = 2` it is `sqrt(q * linf^2 + r^2)`, with
#'     `q` full entries, where `q` is `min(l0, floor(l1 / linf))`. The rest `r` is
#'     `min(l1 - q * linf, linf)`, or 0 if no group is left for it.
#'
#'   Everything is rounded up. With public lengths, counts of all rows have distance 0. For counts
#'   of some rows, each group gains the same number of rows as it loses, so the packed norm is the
#'   norm of `(l0, floor(l1 / 2), floor(linf / 2))`. The published norm does not use this.
#' @section Errors: Raises `dp_error_invalid_argument` for any other argument. The map raises
#'   `dp_error_failed_cast` for a distance that is not such a triple. It raises
#'   `dp_error_make_transformation` if `p` is neither 1 nor 2, except for constant counts, whose
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
