#' Count rows
#'
#' Counts all rows, including missing ones.
#'
#' @inheritParams make_clamp
#' @param input_domain (`domain`) Vectors of any type. The rows are not read. Public.
#' @param input_metric (`metric`) [symmetric_distance()]. Public.
#' @param .TO (type descriptor) Number type of the count. If the count does not fit, it is the
#'   largest consecutive whole number of the type: 127 for `"i8"`, 2^24 for `"f32"`.
#' @returns (`transformation`) From a vector to one whole number of type `.TO`, in rows.
#' @section Stability: `d_out = d_in`: an added or removed row changes the count by 1. A known size
#'   is not used.
#' @section Errors: Raises `dp_error_type` for a different metric, or if `.TO` is not a number type.
#'   The map raises `dp_error_failed_cast` if `d_in` does not fit in an integer `.TO`.
#' @template ref-dwork-roth-2014
#' @examples
#' enable_features("contrib")
#' count <- c(vector_domain(atom_domain(.T = "String")), symmetric_distance()) |>
#'   then_count()
#' count(arg = c("a", "b"))
#' @export
make_count <- function(input_domain, input_metric, .TO = "int") {
  build("make_count", input_domain, input_metric, .TO)
}

#' @rdname make_count
#' @export
then_count <- to_then(make_count)

#' Count the rows of each value that occurs
#'
#' Counts the rows of each distinct value, and returns a map from values to counts. Keys are in
#' increasing order, whatever the order of the data.
#'
#' The set of keys depends on the data, so noise on the counts is not sufficient: one person can
#' have a key that no other person has. If you know all possible values, use
#' [make_count_by_categories()] instead.
#'
#' @inheritParams make_clamp
#' @param input_domain (`domain`) Vectors of integers, `bool` or strings, without nulls. Public.
#' @param input_metric (`metric`) [symmetric_distance()]. Public.
#' @param .TV (type descriptor) Integer type of the counts. Counts stop at its largest number.
#' @returns (`transformation`) From a vector to a map, in R a [dp_map], under
#'   `l01inf_distance(absolute_distance(.TV))`.
#' @section Stability: `d_out = (d_in, d_in, d_in)`: at most `d_in` counts change, by at most `d_in`
#'   in total and by at most `d_in` each.
#' @section Errors: Raises `dp_error_type` for rows of floats, for a different metric, or if `.TV`
#'   is not an integer type of at most 64 bits. Raises `dp_error_failed_cast` if rows can be null.
#'   The map raises `dp_error_failed_cast` if `d_in` does not fit in `.TV`.
#' @template ref-dwork-roth-2014
#' @examples
#' enable_features("contrib")
#' counts <- c(vector_domain(atom_domain(.T = "bool")), symmetric_distance()) |>
#'   then_count_by()
#' counts(arg = c(TRUE, TRUE, FALSE))[[TRUE]]
#' counts(d_in = 6L)
#' @export
make_count_by <- function(input_domain, input_metric, .TV = "int") {
  build("make_count_by", input_domain, input_metric, .TV)
}

#' @rdname make_count_by
#' @export
then_count_by <- to_then(make_count_by)

#' Count the rows of each public category
#'
#' Counts the rows in each category, in the order of the categories. With `null_category`, one more
#' count covers all other rows.
#'
#' @inheritParams make_clamp
#' @param input_domain (`domain`) Vectors of integers, `bool` or strings, without nulls. Public.
#' @param input_metric (`metric`) [symmetric_distance()]. Public.
#' @param categories (vector) Distinct categories, in the type of the rows. Public: do not take them
#'   from the data. For a factor, use its `levels()`.
#' @param null_category (`logical(1)`) Whether to count the rows in no category as the last count.
#'   If `FALSE`, they are not counted.
#' @param .MO (type descriptor) Output metric, `"L1Distance<Q>"` for Laplace or `"L2Distance<Q>"`
#'   for Gaussian noise. `Q` is usually the type of the counts.
#' @param .TOA (type descriptor) Number type of the counts. If a count does not fit, it stops at the
#'   largest consecutive whole number of the type.
#' @returns (`transformation`) From a vector to one count per category, in rows. The output domain
#'   has no size.
#' @section Stability: `d_out = d_in`, in the type `Q`: an added or removed row changes one count by
#'   1, so `d_in` rows move the counts by at most `d_in` in L1 and in L2.
#' @section Errors: Raises `dp_error_make_transformation` if a category is repeated. Raises
#'   `dp_error_failed_cast` if a category has a different type than the rows, or if rows can be
#'   null. Raises `dp_error_type` for rows of floats, for a different metric, or if `.TOA` is not a
#'   number type. The map raises `dp_error_failed_cast` if `d_in` does not fit in an integer `Q`.
#' @template ref-dwork-mcsherry-nissim-smith-2006
#' @examples
#' enable_features("contrib")
#' histogram <- c(vector_domain(atom_domain(.T = "String")), symmetric_distance()) |>
#'   then_count_by_categories(c("yes", "no"))
#' histogram(arg = c("no", "yes", "no", "?"))
#' noisy <- histogram |> then_laplace(scale = 2)
#' noisy(d_in = 1L)
#' @export
make_count_by_categories <- function(input_domain, input_metric, categories,
                                     null_category = TRUE, .MO = "L1Distance<int>",
                                     .TOA = "int") {
  build(
    "make_count_by_categories", input_domain, input_metric, categories, null_category, .MO, .TOA
  )
}

#' @rdname make_count_by_categories
#' @export
then_count_by_categories <- to_then(make_count_by_categories)

#' Count distinct rows
#'
#' Counts the distinct values among the rows.
#'
#' @inheritParams make_count
#' @param input_domain (`domain`) Vectors of integers, `bool` or strings, without nulls. Public.
#' @returns (`transformation`) From a vector to one whole number of type `.TO`.
#' @section Stability: `d_out = d_in`: an added or removed row makes at most one value appear or
#'   disappear.
#' @section Errors: Raises `dp_error_type` for rows of floats, for a different metric, or if `.TO`
#'   is not a number type, and `dp_error_failed_cast` if rows can be null. The map raises
#'   `dp_error_failed_cast` if `d_in` does not fit in an integer `.TO`.
#' @template ref-dwork-roth-2014
#' @examples
#' enable_features("contrib")
#' distinct <- c(vector_domain(atom_domain(.T = "String")), symmetric_distance()) |>
#'   then_count_distinct()
#' distinct(arg = c("a", "b", "a"))
#' @export
make_count_distinct <- function(input_domain, input_metric, .TO = "int") {
  build("make_count_distinct", input_domain, input_metric, .TO)
}

#' @rdname make_count_distinct
#' @export
then_count_distinct <- to_then(make_count_distinct)

#' Turn counts into a tree of counts
#'
#' Sums counts into a tree, whose every node is the sum of its children. Noise on all nodes costs
#' more than noise on only the leaves, but a range of many leaves then needs only a few nodes, with
#' little noise in total. [make_consistent_b_ary_tree()] goes back to the leaves.
#'
#' The tree is the smallest one with `leaf_count` leaves. Its nodes are in order from the root down,
#' each layer from left to right, without leaves beyond `leaf_count`. Additional counts are ignored.
#' Missing counts are 0 and are omitted too.
#'
#' A sum beyond the limits of its type saturates at the limit. The published bindings wrap around
#' instead, and a sum that wraps changes by more than the stability map allows.
#'
#' @inheritParams make_clamp
#' @param input_domain (`domain`) Vectors of integers, such as counts. Public.
#' @param input_metric (`metric`) [l1_distance()] or [l2_distance()]. Public.
#' @param leaf_count (whole number, at least 1) Number of leaves, at most 2^26. Public.
#' @param branching_factor (whole number, at least 2) Number of children of each inner node. Public.
#' @param size_guess (whole number) Approximate number of leaves. Public.
#' @returns `make_b_ary_tree()` returns a `transformation` from a vector to the nodes of the tree,
#'   in the same type and under the same metric. Bounds and size are lost.
#'
#'   `choose_branching_factor()` returns the branching factor, `integer(1)`, that gives a range over
#'   `size_guess` leaves the least variance. With `h = log(size_guess) / log(b)` it is the first
#'   `b` that minimises `(b - 1) h^3 - 2 (b + 1) h^2 / 3`.
#' @section Stability: With `k` layers, `d_out = k * d_in`, because a change in the leaves changes
#'   every layer by at most the same amount. In L2, a node can change by the square root of the
#'   number of its leaves times the change of the leaves. For more than a few leaves,
#'   `d_out = c * d_in` with
#'   `c = ceil(sqrt(sum of min(leaves below a node, leaf_count) over the layers))`. The published
#'   map keeps `k`, which is too small.
#' @section Errors: Raises `dp_error_make_transformation` if `leaf_count` is 0, if
#'   `branching_factor` is below 2, or for a tree of more than 2^40 nodes. Raises
#'   `dp_error_failed_cast` if rows can be null, and `dp_error_type` unless rows are integers and
#'   the metric is one of the two above. The map raises `dp_error_overflow`, and
#'   `dp_error_failed_map` for a negative distance.
#' @template ref-hay-2010
#' @template ref-qardaji-2013
#' @examples
#' enable_features("contrib")
#' tree <- c(vector_domain(atom_domain(.T = "String")), symmetric_distance()) |>
#'   then_count_by_categories(c("a", "b", "c"), null_category = FALSE) |>
#'   then_b_ary_tree(leaf_count = 3, branching_factor = 2)
#' tree(arg = c("a", "c", "c"))
#' tree(d_in = 1L)
#' choose_branching_factor(1000)
#' @export
make_b_ary_tree <- function(input_domain, input_metric, leaf_count, branching_factor) {
  build("make_b_ary_tree", input_domain, input_metric, leaf_count, branching_factor)
}

#' @rdname make_b_ary_tree
#' @export
then_b_ary_tree <- to_then(make_b_ary_tree)

#' @rdname make_b_ary_tree
#' @export
choose_branching_factor <- function(size_guess) {
  assert_features("contrib")
  core_choose_branching_factor(size_guess)
}

#' Score public candidates for a quantile
#'
#' Scores each candidate by its distance from splitting the rows as `alpha` requires. Lower is
#' better. The scores are private, so choose among them with noise.
#'
#' With `alpha = num / den` the score of a candidate is
#' \deqn{|(den - num) \min(\#\{rows < c\}, l) - num \min(\#\{rows > c\}, l)|}{
#'   |(den - num) min(#(rows < c), l) - num min(#(rows > c), l)|}
#' in whole numbers. Rows that equal the candidate count on neither side. The limit `l` is the known
#' size, or the largest number of rows without overflow. `alpha` is used exactly if its denominator
#' is small (below 10000, or below 2^64 / `size` for a known size). Otherwise it is rounded down to
#' a multiple of one over that.
#'
#' @inheritParams make_clamp
#' @param input_domain (`domain`) Vectors of any number type, without NaN or nulls. Public.
#' @param input_metric (`metric`) [symmetric_distance()] or [insert_delete_distance()]. Public.
#' @param candidates (numbers) Strictly increasing candidates, in the type and the unit of the rows.
#'   Public.
#' @param alpha (`numeric(1)`, 0 to 1) Quantile level: 0.5 is the median. Public.
#' @returns (`transformation`) From a vector to one score of type `u64` per candidate, under
#'   `linf_distance("u64")`. R sees doubles, exact up to 2^53.
#' @section Stability: The largest change of any score is `d_in * max(num, den - num)`, or
#'   `floor(d_in / 2) * den` for a known size.
#' @section Errors: Raises `dp_error_make_transformation` if rows can be NaN, unless there are
#'   candidates and they are strictly increasing, or for an `alpha` out of its range. Raises
#'   `dp_error_overflow` if the size is 0, and `dp_error_failed_cast` for candidates of a different
#'   type, or if rows can be null. Raises `dp_error_type` unless rows are numbers, or for a
#'   different metric. The map raises `dp_error_overflow`.
#' @template ref-smith-2011
#' @examples
#' enable_features("contrib")
#' scores <- c(vector_domain(atom_domain(.T = "i32")), symmetric_distance()) |>
#'   then_quantile_score_candidates(candidates = c(0L, 25L, 50L, 75L, 100L), alpha = 0.5)
#' scores(arg = 0:100)
#' scores(d_in = 1L)
#' @export
make_quantile_score_candidates <- function(input_domain, input_metric, candidates, alpha) {
  build("make_quantile_score_candidates", input_domain, input_metric, candidates, alpha)
}

#' @rdname make_quantile_score_candidates
#' @export
then_quantile_score_candidates <- to_then(make_quantile_score_candidates)

# Distances between R and the core -----------------------------------------------------------------

# Distances that are objects (privacy profiles, Renyi curves) are passed to the core as handles.
r_distance <- function(distance) {
  if (is.list(distance)) {
    lapply(distance, r_distance)
  } else if (typeof(distance) != "externalptr") {
    distance
  } else if (core_is_curve(distance)) {
    new_renyi_curve(distance)
  } else {
    new_profile(distance)
  }
}

# Wraps a user's curve of losses over alpha for the core.
curve_callback <- function(curve) new_callback(curve, "curve", NULL)

core_distance <- function(distance) {
  if (is.list(distance)) {
    lapply(distance, core_distance)
  } else if (inherits(distance, "privacy_profile")) {
    handle(distance, "privacy_profile")
  } else if (inherits(distance, "opendp_function")) {
    handle(distance, "opendp_function")
  } else {
    distance
  }
}

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
