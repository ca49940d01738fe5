#' Make a transformation from your own functions
#'
#' Makes a transformation from your R functions. The package cannot verify them, so you promise the
#' guarantee when you enable the feature `"honest-but-curious"`. Only the types of results are
#' checked.
#'
#' @param input_domain,output_domain (`domain`) Domains of the input and the output. Public.
#' @param input_metric,output_metric (`metric`) Distances between inputs and between outputs.
#'   Public.
#' @param function_ (`function(x)`) Function of a member of `input_domain`, an ordinary R value,
#'   that returns a member of `output_domain`. It must not read anything else, and its failures must
#'   not depend on the data. It is isolated, and runs as the section *An R function of your own* of
#'   [dpSampleAndAggregate()] describes. The same applies to `stability_map`.
#' @param stability_map (`function(d_in)`) Function of an input distance that returns the largest
#'   distance between two outputs.
#' @param lhs (`transformation` or `c(domain, metric)`) The left side of the pipe. Its output space
#'   must equal the input space in the arguments.
#' @returns (`transformation`) A transformation that calls the two functions. To give it a `then_*`
#'   form, see [to_then()].
#' @section Stability: `d_out = stability_map(d_in)`, as you promise.
#' @section Errors: Raises `dp_error_metric_space` if a domain and its metric do not belong
#'   together, and `dp_error_invalid_argument` if the functions are not functions. The function and
#'   the map raise `dp_error_failed_function` if your function fails or returns a different type,
#'   and `dp_error_failed_map` if a distance is negative or NaN. If `function_` raises an error, its
#'   message is not shown, because it can hold data.
#' @template ref-opendp
#' @examples
#' enable_features("contrib", "honest-but-curious")
#' ints <- vector_domain(atom_domain(.T = "i32"))
#' twice <- make_user_transformation(
#'   ints, symmetric_distance(), ints, symmetric_distance(),
#'   function_ = \(x) rep(x, each = 2L),
#'   stability_map = \(d_in) 2 * d_in
#' )
#' twice(arg = 1:3)
#' twice(d_in = 1L)
#' @export
make_user_transformation <- function(input_domain, input_metric, output_domain, output_metric,
                                     function_, stability_map) {
  build(
    "make_user_transformation", input_domain, input_metric, output_domain, output_metric,
    function_, stability_map
  )
}

# As published, the input space is an argument too, and must equal the space of the pipe.
#' @rdname make_user_transformation
#' @export
then_user_transformation <- to_then_fixed(make_user_transformation)
