# The R object around a queryable's handle. The core asks for it by this name, wherever a release
# may hold one.
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

# The core knows whether it wants the object or its handle.
ask_queryable <- function(queryable, query) {
  measurement <- if (inherits(query, "measurement")) handle(query, "measurement")
  core_queryable_eval(queryable, query, measurement)
}

# Where a measurement is wanted it crosses the boundary as its handle, elsewhere as the object that
# it is in R.
core_query <- function(query, type) {
  if (type == "AnyMeasurement" && inherits(query, "measurement")) {
    handle(query, "measurement")
  } else {
    query
  }
}

#' Queryables: releases that answer questions
#'
#' A queryable keeps the data, or whatever else it is made of, answers one query after the other,
#' and remembers what it has answered. Compositors release one, see [make_adaptive_composition()];
#' its queries are measurements. `new_queryable()` makes one from a function of yours, to put
#' another interface in front of one that a measurement released, say.
#'
#' A queryable lives in the process that made it. One that is saved and loaded, or copied to another
#' process by a fork, is stale and answers nothing: a budget that two copies spend would be spent
#' twice. Assigning it to another name copies nothing; there is one state.
#'
#' Printing shows what it may be asked, never what it holds.
#'
#' @param transition (`function(query)` or `function(query, is_internal)`) Gives the answer. What it
#'   must remember it keeps in its enclosing environment. `is_internal` is always `FALSE`; it is
#'   there because the framework publishes it.
#' @param .Q,.A (type descriptor) Types of queries and of answers, `"ExtrinsicObject"` for any R
#'   object, `"AnyMeasurement"` for queries that are measurements.
#' @param this,queryable (`queryable`) For the functions called `odometer_*`, see [odometers].
#' @param query What is asked, of the queryable's type. Public.
#' @returns `new_queryable()`: a `queryable`, called as `queryable(query = q)` or
#'   `queryable$eval(q)`. `queryable_eval()`: the answer. `queryable_query_type()`: `character(1)`.
#' @section Errors: `dp_error_failed_function` if the queryable refuses: asked while it is
#'   answering, locked because its compositor has received another query, out of budget, or if
#'   `transition` fails. Of errors in `transition` only those of this package show their message,
#'   since others may hold data. `dp_error_failed_cast` for a query of another type.
#'   `dp_error_stale_object` in another process or session than that which made it.
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

# `transition` as the core calls it. Its state may be private, and so may be what it says when it
# fails; errors of the package say nothing private.
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
