#' Leaves that fit all nodes of a noisy tree
#'
#' A noisy [tree][make_b_ary_tree()] says more about a leaf than the leaf's own count: the counts
#' above it carry information too. This computes the leaves of least variance that agree with all
#' nodes, if the noise of all nodes is independent and of one variance. It works on what was
#' released, so it costs no privacy.
#'
#' From the leaves up, each node becomes the average of itself and of the sum of its children,
#' weighted by precision. Then, from the root down, what a node has more than its children is shared
#' among them in proportion to their variances. Leaves that are missing at the end count as exactly
#' 0 and are left out.
#'
#' @inheritParams make_b_ary_tree
#' @param .TIA (type descriptor) Type of the nodes, an integer type.
#' @param .TOA (type descriptor) Type of the leaves, `"f64"` or `"f32"`.
#' @param lhs (`measurement`) The left side of the pipe; releases the nodes.
#' @returns (`opendp_function`) From the nodes of a tree, root first, to its leaves, which need not
#'   be whole.
#' @section Errors: `dp_error_make_transformation` if `branching_factor` is below 2;
#'   `dp_error_type` unless `.TIA` is an integer and `.TOA` a float. Invoked on nodes of another
#'   type: `dp_error_failed_cast`; on none: `dp_error_failed_function`.
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
