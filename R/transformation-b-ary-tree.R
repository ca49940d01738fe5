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
