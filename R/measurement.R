new_measurement <- function(handle) {
  force(handle)
  parts <- function() {
    parts <- c(object_parts_of(self, measurement_parts), ptr = function() handle)
    parts[["function"]] <- function() releasing_function(self)
    parts
  }
  self <- function(attr, arg, d_in, d_out, ...) {
    check_names(...)
    if (!missing(d_out) && missing(d_in)) {
      stop_dp("expected d_in when d_out is specified", "invalid_argument", argument = "d_in")
    }
    given <- c(attr = !missing(attr), arg = !missing(arg), d_in = !missing(d_in))
    check_exactly_one(given, environment())
    if (!missing(arg)) {
      check_uncharged()
      core_invoke(self, arg)
    } else if (!missing(d_out)) {
      core_check(self, d_in, core_distance(d_out))
    } else if (!missing(d_in)) {
      r_distance(core_map(self, d_in))
    } else {
      attribute(self, attr, parts(), environment())
    }
  }
  new_callable("measurement", self)
}

releasing_function <- function(measurement) {
  made <- core_part(measurement, "function")
  new_postprocessor(made[[1]], made$takes, releases = TRUE)
}

measurement_parts <- c("input_domain", "input_metric", "output_measure", "function")

#' @rdname framework_objects
#' @export
measurement_invoke <- function(this, arg, ...) {
  check_names(...)
  check_class(this, "measurement")(arg = arg)
}

#' @rdname framework_objects
#' @export
measurement_map <- function(measurement, distance_in) {
  check_class(measurement, "measurement")(d_in = distance_in)
}

#' @rdname framework_objects
#' @export
measurement_check <- function(measurement, distance_in, distance_out) {
  check_class(measurement, "measurement")(d_in = distance_in, d_out = distance_out)
}

#' @rdname framework_objects
#' @export
measurement_input_domain <- function(this) check_class(this, "measurement")("input_domain")

#' @rdname framework_objects
#' @export
measurement_input_metric <- function(this) check_class(this, "measurement")("input_metric")

#' @rdname framework_objects
#' @export
measurement_output_measure <- function(this) check_class(this, "measurement")("output_measure")

#' @rdname framework_objects
#' @export
measurement_function <- function(this) check_class(this, "measurement")("function")

#' @rdname framework_objects
#' @export
measurement_input_carrier_type <- function(this) {
  domain_carrier_type(measurement_input_domain(this))
}

#' @rdname framework_objects
#' @export
measurement_input_distance_type <- function(this) {
  metric_distance_type(measurement_input_metric(this))
}

#' @rdname framework_objects
#' @export
measurement_output_distance_type <- function(this) {
  measure_distance_type(measurement_output_measure(this))
}

#' @export
toString.measurement <- function(x, ...) {
  describe_parts("Measurement", x, c("input_domain", "input_metric", "output_measure"))
}

#' @export
format.measurement <- function(x, ...) toString(x)

#' @export
print.measurement <- function(x, ...) print_callable(x)

#' @export
`$.measurement` <- function(x, name) {
  part_or_member(x, name, object_methods(x), measurement_parts)
}

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

# The account that a release charges if its call does not set `on` ---------------------------------

# Only with_ledger() sets it.

default_account <- new.env(parent = emptyenv())

# With NULL, direct calls of measurements are allowed, because their releases were charged.
with_default_account <- function(account, code) {
  former <- default_account$account
  on.exit(default_account$account <- former)
  default_account$account <- account
  code
}

# Called before a directly called measurement reads data.
check_uncharged <- function() {
  if (!is.null(default_account$account)) {
    stop_dp(
      paste(
        "a measurement that is called within `with_ledger()` must be charged: make a function of",
        "it with `charge(measurement, ledger, d_in)`."
      ),
      "ledger",
      call = NULL
    )
  }
}
