#' Make a measurement from functions of your own
#'
#' The package cannot verify the functions, so the guarantee rests on your word: enabling the
#' feature `"honest-but-curious"` gives it. Only the types of losses, and of releases of a declared
#' type, are checked.
#'
#' @param input_domain (`domain`) What goes in. Public.
#' @param input_metric (`metric`) How far apart two of them are. Public.
#' @param output_measure (`measure`) What a loss is measured in. Public.
#' @param function_ (`function(x)`) Gets a member of `input_domain` as an ordinary R value and
#'   releases something random. It must look at nothing else, and must not fail depending on the
#'   data. R's own generators are not fit for it: who knows or guesses their state knows the noise.
#'   Call measurements of the framework inside. It is sealed and runs as the section *An R function
#'   of your own* of [dpSampleAndAggregate()] says, and so does `privacy_map`.
#' @param privacy_map (`function(d_in)`) Gets an input distance and returns the largest loss that
#'   two inputs so far apart may have, in the distance type of `output_measure`.
#' @param .TO (type descriptor) Type of the release: `"i32"`, `"Vec<f64>"`, ... or
#'   `"ExtrinsicObject"`, any R object at all.
#' @param lhs (`transformation` or `c(domain, metric)`) The left side of the pipe.
#' @returns (`measurement`) That calls the two functions.
#' @section Privacy: `d_out = privacy_map(d_in)`, on the caller's word.
#' @section Errors: `dp_error_metric_space` if the domain and the metric do not belong together;
#'   `dp_error_invalid_argument` if the functions are not functions; `dp_error_type_parse` if `.TO`
#'   is no type. Invocation and map: `dp_error_failed_function` if the function fails or returns
#'   another type, `dp_error_failed_map` if a loss is negative or NaN in any part. Of an error
#'   raised by `function_` not even the message is shown, since it may hold data.
#' @template ref-opendp
#' @examples
#' enable_features("contrib", "honest-but-curious")
#' ints <- vector_domain(atom_domain(.T = "i32"))
#' constant <- make_user_measurement(
#'   ints, symmetric_distance(), max_divergence(),
#'   function_ = \(x) "nothing about the data",
#'   privacy_map = \(d_in) 0
#' )
#' constant(arg = 1:3)
#' constant(d_in = 1L)
#' @export
make_user_measurement <- function(input_domain, input_metric, output_measure, function_,
                                  privacy_map, .TO = "ExtrinsicObject") {
  build(
    "make_user_measurement", input_domain, input_metric, output_measure, function_, privacy_map,
    .TO
  )
}

#' @rdname make_user_measurement
#' @export
then_user_measurement <- to_then(make_user_measurement)
