# The R object around a queryable's handle. The core calls this function by name if a release can
# hold a queryable.
wrap_queryable <- function(handle) {
  force(handle)
  self <- function(attr, query) {
    if (missing(attr) && !missing(query)) {
      return(ask_queryable(handle, query))
    }
    check_exactly_one(c(attr = !missing(attr), query = !missing(query)), environment())
    attribute(self, attr, list(ptr = function() handle), environment())
  }
  new_callable("queryable", self)
}

# Lets the core choose between the object and its handle.
ask_queryable <- function(queryable, query) {
  measurement <- if (inherits(query, "measurement")) handle(query, "measurement")
  core_queryable_eval(queryable, query, measurement)
}

# A measurement crosses the boundary as its handle if the queryable asks for one, otherwise as an R
# object.
core_query <- function(query, type) {
  if (type == "AnyMeasurement" && inherits(query, "measurement")) {
    handle(query, "measurement")
  } else {
    query
  }
}

#' Queryables: releases that answer queries
#'
#' A queryable holds a state, such as private data, and answers queries one after the other. It
#' remembers its answers. Compositors release a queryable whose queries are measurements, see
#' [make_adaptive_composition()]. `new_queryable()` makes a queryable from your function. Use it,
#' for example, to put a different interface in front of a released queryable.
#'
#' A queryable lives in the process that made it. After you save and load it, or fork the process,
#' the copy is stale and answers nothing: otherwise two copies could spend the same budget.
#' Assigning it to another name copies nothing. There is one state.
#'
#' Printing shows the types of queries and answers, never the state.
#'
#' @param transition (`function(query)` or `function(query, is_internal)`) Gives the answer. It
#'   keeps its state in its enclosing environment. `is_internal` is always `FALSE`. It exists
#'   because OpenDP's interface has it.
#' @param .Q,.A (type descriptor) Types of queries and of answers, `"ExtrinsicObject"` for any R
#'   object, `"AnyMeasurement"` for queries that are measurements.
#' @param this,queryable (`queryable`) Asked queryable. For the functions `odometer_*`, see
#'   [odometers].
#' @param query Query, of the queryable's type. Public.
#' @returns `new_queryable()` returns a `queryable`, called as `queryable(query = q)` or
#'   `queryable$eval(q)`. `queryable_eval()` returns the answer. `queryable_query_type()` returns
#'   `character(1)`.
#' @section Errors: Raises `dp_error_failed_function` if the queryable cannot answer: it is busy
#'   with a query, is locked because its compositor received another query, has no budget left, or
#'   `transition` fails. Messages of errors in `transition` are hidden unless this package raised
#'   them, because they may hold data. Raises `dp_error_failed_cast` for a query of a different
#'   type, and `dp_error_stale_object` outside the process or session that made the queryable.
#' @template ref-haney-2023
#' @examples
#' enable_features("contrib")
#' counter <- local({
#'   asked <- 0L
#'   new_queryable(function(query) {
#'     asked <<- asked + query
#'     asked
#'   }, .Q = "i32", .A = "i32")
#' })
#' counter(query = 2L)
#' counter(query = 3L)
#' @name queryables
NULL

#' @rdname queryables
#' @export
new_queryable <- function(transition, .Q = "ExtrinsicObject", .A = "ExtrinsicObject") {
  assert_features("contrib")
  answer_type <- rt_to_string(rt_parse(.A))
  answer <- answer_by(check_function(transition), answer_type)
  core_new_queryable(
    new_callback(answer, isolation = "none"), rt_to_string(rt_parse(.Q)), answer_type
  )
}

# `transition` in the form that the core calls. Its state can be private, and so can its error
# messages. Errors of this package reveal nothing private.
answer_by <- function(transition, answer_type) {
  answer <- if (length(formals(transition)) > 1) {
    function(query) transition(query, FALSE)
  } else {
    function(query) transition(query)
  }
  function(query) {
    or_else(core_query(answer(query), answer_type), function(error) {
      public <- inherits(error, "dp_error")
      stop(if (public) conditionMessage(error) else "the transition failed", call. = FALSE)
    })
  }
}

#' @rdname queryables
#' @export
queryable_eval <- function(queryable, query) check_class(queryable, "queryable")(query = query)

#' @rdname queryables
#' @export
queryable_query_type <- function(this) {
  class <- if (inherits(this, "odometer_queryable")) "odometer_queryable" else "queryable"
  core_queryable_query_type(handle(this, class))
}

#' @export
toString.queryable <- function(x, ...) {
  paste0("Queryable(\n  query_type=", queryable_query_type(x), "\n)")
}

#' @export
format.queryable <- function(x, ...) toString(x)

#' @export
print.queryable <- function(x, ...) print_callable(x)

#' @export
`$.queryable` <- function(x, name) {
  member(list(eval = function(query) x(query = query)), name, "queryable")
}

# Odometers ----------------------------------------------------------------------------------------

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
