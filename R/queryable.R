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
