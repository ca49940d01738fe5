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
