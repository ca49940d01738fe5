#' Estimate leaves from all nodes of a noisy tree
#'
#' Computes the leaves of least variance that agree with all nodes of a noisy
#' [tree][make_b_ary_tree()], if the noise of all nodes is independent and has the same variance.
#' The counts above a leaf carry information about it too. This function reads only the release, so
#' it costs no privacy.
#'
#' From the leaves up, each node becomes the average of itself and of the sum of its children,
#' weighted by precision. Then, from the root down, the difference between a node and the sum of its
#' children is shared among the children in proportion to their variances. Missing leaves at the end
#' count as exactly 0 and are dropped.
#'
#' @inheritParams make_b_ary_tree
#' @param .TIA (type descriptor) Type of the nodes, an integer type.
#' @param .TOA (type descriptor) Type of the leaves, `"f64"` or `"f32"`.
#' @param lhs (`measurement`) The left side of the pipe, which releases the nodes.
#' @returns (`opendp_function`) From the nodes of a tree, root first, to its leaves, which need not
#'   be whole.
#' @section Errors: Raises `dp_error_make_transformation` if `branching_factor` is below 2, and
#'   `dp_error_type` unless `.TIA` is an integer type and `.TOA` a float type. The function raises
#'   `dp_error_failed_cast` for nodes of a different type, and `dp_error_failed_function` without
#'   nodes.
#' @template ref-hay-2010
#' @references Honaker (2015), *Efficient Use of Differentially Private Binary Trees*.
#' @examples
#' enable_features("contrib")
#' leaves <- make_consistent_b_ary_tree(branching_factor = 2)
#' leaves(arg = c(10L, 6L, 3L, 2L, 4L, 1L, 1L))
#' @export
make_consistent_b_ary_tree <- function(branching_factor, .TIA = "int", .TOA = "float") {
  build("make_consistent_b_ary_tree", branching_factor, .TIA, .TOA)
}

#' @rdname make_consistent_b_ary_tree
#' @export
then_consistent_b_ary_tree <- to_then_fixed(make_consistent_b_ary_tree)
