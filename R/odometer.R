new_odometer <- function(handle) {
  force(handle)
  parts <- function() c(object_parts_of(self, odometer_parts), ptr = function() handle)
  self <- function(attr, arg, ...) {
    check_names(...)
    check_exactly_one(c(attr = !missing(attr), arg = !missing(arg)), environment())
    if (!missing(arg)) {
      check_uncharged()
      core_invoke(self, arg)
    } else {
      attribute(self, attr, parts(), environment())
    }
  }
  new_callable("odometer", self)
}

odometer_parts <- c("input_domain", "input_metric", "output_measure")

# Like wrap_queryable(), for queryables that report their loss.
wrap_odometer_queryable <- function(handle) {
  force(handle)
  self <- function(attr, query, d_in) {
    given <- c(attr = !missing(attr), query = !missing(query), d_in = !missing(d_in))
    check_exactly_one(given, environment())
    if (!missing(query)) {
      ask_queryable(handle, query)
    } else if (!missing(d_in)) {
      r_distance(core_odometer_queryable_loss(handle, d_in))
    } else {
      attribute(self, attr, list(ptr = function() handle), environment())
    }
  }
  new_callable("odometer_queryable", self)
}

#' Track the loss of adaptive queries
#'
#' Tracks the privacy loss of queries that you choose one after the other. A measurement promises
#' its loss in advance, but an odometer does not. It releases a [queryable][queryables] that answers
#' any number of measurements, and reports their total loss at any time. Make an odometer with
#' [make_fully_adaptive_composition()], and limit its loss with [make_privacy_filter()].
#'
#' Objects are functions:
#'
#' | call | gives |
#' |---|---|
#' | `odometer(arg = x)` | an odometer queryable about the data `x` |
#' | `odometer("input_domain")` | a part: also `input_metric`, `output_measure` |
#' | `queryable(query = m)` | the release of the measurement `m`, which is charged |
#' | `queryable(d_in = d)` | the loss of all releases so far, for inputs `d` apart |
#'
#' `odometer$invoke(x)`, `odometer$input_domain`, `queryable$invoke(m)` and
#' `queryable$privacy_loss(d)` do the same, and so do the functions below.
#'
#' @param this (`odometer` or `odometer_queryable`) An odometer, or its release for functions called
#'   `odometer_queryable_*`.
#' @param arg (data) Data of the carrier type of the input domain. Private.
#' @param queryable (`odometer_queryable`) Release of an odometer.
#' @param query (`measurement`) Measurement with the input domain, the input metric and the output
#'   measure of the odometer. Public.
#' @param ... Not used.
#' @param d_in (distance) Distance between inputs, in the type of the input metric. Public.
#' @returns `odometer_invoke()` returns an `odometer_queryable`, and `odometer_queryable_invoke()` a
#'   release. `odometer_queryable_privacy_loss()` returns a number, a list for a pair, or a [Renyi
#'   curve][renyi_curve]. The functions called `*_type` return a descriptor, `character(1)`. The
#'   others return the part that they are named after.
#' @section Errors: Raises the errors of [queryables].
#' @template ref-rogers-roth-ullman-vadhan-2016
#' @examples
#' enable_features("contrib")
#' space <- c(atom_domain(.T = "i32"), absolute_distance(.T = "i32"))
#' odometer <- space |> then_fully_adaptive_composition(max_divergence())
#' odometer
#' queryable <- odometer(arg = 100L)
#' queryable(query = space |> then_laplace(scale = 2))
#' queryable(query = space |> then_laplace(scale = 4))
#' queryable(d_in = 1L)
#' @name odometers
NULL

#' @rdname odometers
#' @export
odometer_invoke <- function(this, arg, ...) {
  check_names(...)
  check_class(this, "odometer")(arg = arg)
}

#' @rdname odometers
#' @export
odometer_input_domain <- function(this) check_class(this, "odometer")("input_domain")

#' @rdname odometers
#' @export
odometer_input_metric <- function(this) check_class(this, "odometer")("input_metric")

#' @rdname odometers
#' @export
odometer_output_measure <- function(this) check_class(this, "odometer")("output_measure")

#' @rdname odometers
#' @export
odometer_input_carrier_type <- function(this) domain_carrier_type(odometer_input_domain(this))

#' @rdname odometers
#' @export
odometer_queryable_invoke <- function(queryable, query) {
  check_class(queryable, "odometer_queryable")(query = query)
}

#' @rdname odometers
#' @export
odometer_queryable_privacy_loss <- function(queryable, d_in) {
  check_class(queryable, "odometer_queryable")(d_in = d_in)
}

#' @rdname odometers
#' @export
odometer_queryable_invoke_type <- function(this) {
  queryable_query_type(check_class(this, "odometer_queryable"))
}

#' @rdname odometers
#' @export
odometer_queryable_privacy_loss_type <- function(this) {
  core_odometer_queryable_loss_type(handle(this, "odometer_queryable"))
}

#' @export
toString.odometer <- function(x, ...) {
  describe_parts("Odometer", x, c("input_domain", "input_metric", "output_measure"))
}

#' @export
format.odometer <- function(x, ...) toString(x)

#' @export
print.odometer <- function(x, ...) print_callable(x)

#' @export
`$.odometer` <- function(x, name) {
  part_or_member(x, name, list(invoke = function(arg) x(arg = arg)), odometer_parts)
}

#' @export
toString.odometer_queryable <- function(x, ...) {
  paste0(
    "OdometerQueryable(\n  query_type=", odometer_queryable_invoke_type(x),
    ",\n  privacy_loss_type=", odometer_queryable_privacy_loss_type(x), "\n)"
  )
}

#' @export
format.odometer_queryable <- function(x, ...) toString(x)

#' @export
print.odometer_queryable <- function(x, ...) print_callable(x)

#' @export
`$.odometer_queryable` <- function(x, name) {
  member(list(
    invoke = function(query) x(query = query),
    privacy_loss = function(d_in) x(d_in = d_in)
  ), name, "odometer_queryable")
}
