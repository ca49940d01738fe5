#' Make a measurement from your own functions
#'
#' Makes a measurement from your R functions. The package cannot verify them, so you promise the
#' guarantee when you enable the feature `"honest-but-curious"`. Only the types of losses, and of
#' releases of a declared type, are checked.
#'
#' @param input_domain (`domain`) Domain of the data. Public.
#' @param input_metric (`metric`) Distance between datasets. Public.
#' @param output_measure (`measure`) Privacy measure of the loss. Public.
#' @param function_ (`function(x)`) Function of a member of `input_domain`, an ordinary R value,
#'   that releases something random. It must not read anything else, and its failures must not
#'   depend on the data. Do not use R's own generators: anyone who knows or guesses their state
#'   knows the noise. Call measurements of the framework inside. It is isolated, and runs as the
#'   section *An R function of your own* of [dpSampleAndAggregate()] describes. The same applies to
#'   `privacy_map`.
#' @param privacy_map (`function(d_in)`) Function of an input distance that returns the largest loss
#'   between two inputs at that distance, in the distance type of `output_measure`.
#' @param .TO (type descriptor) Type of the release: `"i32"`, `"Vec<f64>"`, ... or
#'   `"ExtrinsicObject"` for any R object.
#' @param lhs (`transformation` or `c(domain, metric)`) The left side of the pipe.
#' @returns (`measurement`) A measurement that calls the two functions.
#' @section Privacy: `d_out = privacy_map(d_in)`, as you promise.
#' @section Errors: Raises `dp_error_metric_space` if the domain and the metric do not belong
#'   together, `dp_error_invalid_argument` if the functions are not functions, and
#'   `dp_error_type_parse` if `.TO` is not a type. The function and the map raise
#'   `dp_error_failed_function` if your function fails or returns a different type, and
#'   `dp_error_failed_map` if a loss is negative or NaN in any part. If `function_` raises an error,
#'   its message is not shown, because it can hold data.
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
