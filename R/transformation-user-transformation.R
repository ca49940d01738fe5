#' Make a transformation from functions of your own
#'
#' The package cannot verify the functions, so the guarantee rests on your word: enabling the
#' feature `"honest-but-curious"` gives it. Only the types of results are checked.
#'
#' @param input_domain,output_domain (`domain`) What goes in and what comes out. Public.
#' @param input_metric,output_metric (`metric`) How far apart two of them are. Public.
#' @param function_ (`function(x)`) Gets a member of `input_domain` as an ordinary R value; returns
#'   one of `output_domain`. It must look at nothing else, and must not fail depending on the data.
#'   It is sealed and runs as the section *An R function of your own* of [dpSampleAndAggregate()]
#'   says, and so does `stability_map`.
#' @param stability_map (`function(d_in)`) Gets an input distance and returns the largest distance
#'   that two outputs may then have.
#' @param lhs (`transformation` or `c(domain, metric)`) The left side of the pipe; its output space
#'   must equal the input space that is given.
#' @returns (`transformation`) That calls the two functions. To give it a `then_*` form, see
#'   [to_then()].
#' @section Stability: `d_out = stability_map(d_in)`, on the caller's word.
#' @section Errors: `dp_error_metric_space` if a domain and its metric do not belong together;
#'   `dp_error_invalid_argument` if the functions are not functions. Invocation and map:
#'   `dp_error_failed_function` if the function fails or returns another type,
#'   `dp_error_failed_map` if a distance is negative or NaN. Of an error raised by
#'   `function_` not even the message is shown, since it may hold data.
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

# As published: the input space is named again, and compared with what the pipe brings.
#' @rdname make_user_transformation
#' @export
then_user_transformation <- to_then_fixed(make_user_transformation)
