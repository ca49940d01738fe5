# `input_type` describes the function's input, for functions that distinguish types: without it, a
# vector of one element would pass for the element. The function of a measurement `releases`,
# because it takes data.
new_postprocessor <- function(handle, input_type = NULL, releases = FALSE) {
  force(handle)
  force(input_type)
  force(releases)
  self <- function(attr, arg, ...) {
    check_names(...)
    check_exactly_one(c(attr = !missing(attr), arg = !missing(arg)), environment())
    if (!missing(arg)) {
      if (releases) check_uncharged()
      core_function_eval(handle, arg, input_type)
    } else {
      attribute(self, attr, list(ptr = function() handle), environment())
    }
  }
  new_callable("opendp_function", self)
}

#' Apply functions to releases
#'
#' A postprocessor is a function of a release, never of data, so it costs no privacy.
#'
#' @param function_ (`function(x)`) Any R function of a release. It must not reach private data in
#'   any way. You promise this, hence the feature `"honest-but-curious"`. It is isolated, and runs
#'   as the section *An R function of your own* of [dpSampleAndAggregate()] describes.
#' @param .TO (type descriptor) Type of the result. `"ExtrinsicObject"` for any R object.
#' @param lhs (`measurement`) The left side of the pipe.
#' @param f (`function(x)`) The postprocessor, see `function_`.
#' @param this (`opendp_function`) The postprocessor to call.
#' @param arg (any object) A release.
#' @param ... Not used.
#' @param TI (type descriptor or `NULL`) Type of `arg`. `NULL` uses the input type of the function,
#'   or else infers it from `arg`.
#' @returns `new_function()` returns an `opendp_function`, called as `f(arg = x)`.
#'   `then_postprocess()` returns the measurement with `f` applied to each release.
#'   `function_eval()` returns the result of the function.
#' @section Errors: Raises `dp_error_failed_function` if the function fails, with the message of its
#'   error. That message can quote the release, which is public.
#' @references Dwork and Roth (2014), *The Algorithmic Foundations of Differential Privacy*,
#'   Proposition 2.1.
#' @examples
#' enable_features("contrib", "honest-but-curious")
#' noisy <- c(atom_domain(.T = "i32"), absolute_distance(.T = "i32")) |>
#'   then_laplace(scale = 2) |>
#'   then_postprocess(\(x) max(x, 0L))
#' noisy(arg = 3L)
#' @export
new_function <- function(function_, .TO) build("new_function", function_, .TO)

#' @rdname new_function
#' @export
then_postprocess <- function(lhs, f, .TO = "ExtrinsicObject") {
  chain(lhs, new_function(f, .TO))
}

#' @rdname new_function
#' @export
function_eval <- function(this, arg, TI = NULL, ...) {
  check_names(...)
  check_class(this, "opendp_function")
  if (is.null(TI)) {
    return(this(arg = arg))
  }
  core_function_eval(handle(this, "opendp_function"), arg, rt_to_string(rt_parse(TI)))
}

#' @export
toString.opendp_function <- function(x, ...) "Function"

#' @export
format.opendp_function <- function(x, ...) "Function"

#' @export
print.opendp_function <- function(x, ...) print_callable(x)

#' @export
`$.opendp_function` <- function(x, name) {
  part_or_member(x, name, list(eval = function(arg) x(arg = arg)))
}

#' Compute a distribution function from noisy counts
#'
#' Divides the running sums of the counts by their total. Noise can make a count negative, and the
#' result then decreases there. With a total of 0, it is NaN or infinite. It reads only the release,
#' so it costs no privacy.
#'
#' @param .TA (type descriptor) Type of the counts and of the result, `"f64"` or `"f32"`.
#' @param lhs (`measurement`) The left side of the pipe, which releases the counts.
#' @returns (`opendp_function`) From counts to a vector of the same length, whose last element is 1.
#' @section Errors: Raises `dp_error_type` unless `.TA` is a float type. The function raises
#'   `dp_error_failed_cast` for counts of a different type, and `dp_error_failed_function` without
#'   counts.
#' @template ref-dwork-roth-2014
#' @examples
#' enable_features("contrib")
#' make_cdf()(arg = c(2, 3, 5))
#' @export
make_cdf <- function(.TA = "float") build("make_cdf", .TA)

#' @rdname make_cdf
#' @export
then_cdf <- to_then_fixed(make_cdf)

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

#' Compute quantiles from noisy counts in bins
#'
#' Computes quantiles from a histogram. It is a function of the release, so it costs no privacy,
#' however many quantiles you ask for.
#'
#' For each `alpha`, finds the first bin at whose upper edge the share of rows is at least `alpha`,
#' and returns
#' * `"linear"`: the point between the edges of the bin where the share reaches `alpha`, if rows are
#'   spread evenly within bins. An empty bin gives its lower edge. Integer types drop the fraction.
#' * `"nearest"`: the edge whose share is nearer to `alpha`, the lower edge in a tie.
#'
#' Noise can make counts negative, so the share can decrease in places. The bin is then found by
#' bisection, and need not be the first. If the total is 0, there are no quantiles: the result is
#' NaN, or the first edge for `"nearest"`.
#'
#' @param bin_edges (numbers) Strictly increasing edges of the bins, in the unit of the rows and in
#'   the type of the counts.
#' @param alphas (`numeric`) Strictly increasing quantile levels, from 0 to 1.
#' @param interpolation (`character(1)`) Method, `"linear"` or `"nearest"`.
#' @param .TA (type descriptor or `NULL`) Number type of counts, edges and quantiles. `NULL` infers
#'   it from `bin_edges`.
#' @param .F (type descriptor) Float type of `alphas` and of the computation, `"f64"` or `"f32"`.
#' @param lhs (`measurement`) The left side of the pipe, which releases the counts.
#' @returns (`opendp_function`) From counts to one quantile for each `alpha`, in the unit of
#'   `bin_edges`. Give one count per bin, one less than the number of edges. You can also give two
#'   more counts, for rows below the first edge and from the last edge on, which are ignored.
#' @section Errors: Raises `dp_error_make_transformation` unless there are edges, edges and `alphas`
#'   are strictly increasing, and `alphas` are between 0 and 1. Raises `dp_error_ffi` for a
#'   different interpolation, `dp_error_failed_cast` for edges or `alphas` of a different type, and
#'   `dp_error_type` unless `.TA` is a number type and `.F` a float type. The function raises
#'   `dp_error_failed_cast` for counts of a different type, or if a quantile does not fit an integer
#'   type. It raises `dp_error_failed_function` for a wrong number of counts.
#' @template ref-dwork-roth-2014
#' @examples
#' enable_features("contrib")
#' quartiles <- make_quantiles_from_counts(c(0, 10, 20, 30), alphas = c(0.25, 0.5, 0.75))
#' quartiles(arg = c(2.23, 3.4, 5))
#' @export
make_quantiles_from_counts <- function(bin_edges, alphas, interpolation = "linear", .TA = NULL,
                                       .F = "float") {
  build(
    "make_quantiles_from_counts", bin_edges, alphas, check_string(interpolation), .TA, .F
  )
}

#' @rdname make_quantiles_from_counts
#' @export
then_quantiles_from_counts <- to_then_fixed(make_quantiles_from_counts)
