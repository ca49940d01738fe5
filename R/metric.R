new_metric <- function(handle) {
  force(handle)
  self <- function(attr) {
    description <- describe_as_functions(core_describe(self))
    attribute(self, attr, c(description, ptr = function() handle), environment())
  }
  new_callable("metric", self)
}

#' Measure distances between datasets or results
#'
#' Defines the distance between members of a domain. Every guarantee depends on the records that
#' make two datasets neighbours, so the metric is an explicit object, never a convention:
#' * `symmetric_distance()`: number of rows added plus rows removed. Order does not matter.
#' * `insert_delete_distance()`: like `symmetric_distance()`, for ordered rows.
#' * `change_one_distance()`: number of rows replaced, for a public number of rows. Order does not
#'   matter. A replacement is one removal and one addition.
#' * `hamming_distance()`: number of positions that differ, for a public number of ordered rows.
#' * `absolute_distance()`, `l1_distance()`, `l2_distance()`, `linf_distance()`: distances between
#'   results, in the unit of the data. With `monotonic = TRUE`, `linf_distance()` is infinite
#'   between vectors if some components rise and others fall.
#' * `l01inf_distance()`, `l02inf_distance()`: triples (partitions changed, L1 or L2 norm of the
#'   changes, largest change) of the distances per partition under `metric`.
#' * `discrete_distance()`: 0 if equal, else 1.
#' * `user_distance()`: your own distance (needs the feature `"honest-but-curious"`).
#'
#' The first four count rows.
#'
#' @param .T (type descriptor) Type of the distance, such as `"i32"` or `f64`.
#' @param monotonic (`logical(1)`) Whether components must all rise or all fall, see above.
#' @param metric (`metric`) Distance within one partition.
#' @param identifier (`character(1)`) Name of the metric. Equality compares only the name.
#' @param descriptor (any R object) Object to keep with the metric.
#' @returns (`metric`) A function of one argument, the name of a part: `"debug"`, `"type"`,
#'   `"distance_type"`, `"descriptor"`. `$` reaches the same parts.
#' @section Errors: Raises `dp_error_type` if `.T` is not a number type.
#' @template ref-opendp
#' @examples
#' symmetric_distance()
#' l1_distance(.T = "f64")
#' metric_distance_type(l01inf_distance(absolute_distance(.T = i32)))
#' @name metrics
NULL

#' @rdname metrics
#' @export
symmetric_distance <- function() build("symmetric_distance")

#' @rdname metrics
#' @export
insert_delete_distance <- function() build("insert_delete_distance")

#' @rdname metrics
#' @export
change_one_distance <- function() build("change_one_distance")

#' @rdname metrics
#' @export
hamming_distance <- function() build("hamming_distance")

#' @rdname metrics
#' @export
discrete_distance <- function() build("discrete_distance")

#' @rdname metrics
#' @export
absolute_distance <- function(.T) build("absolute_distance", .T)

#' @rdname metrics
#' @export
l1_distance <- function(.T) build("l1_distance", .T)

#' @rdname metrics
#' @export
l2_distance <- function(.T) build("l2_distance", .T)

#' @rdname metrics
#' @export
linf_distance <- function(.T, monotonic = FALSE) build("linf_distance", .T, check_flag(monotonic))

#' @rdname metrics
#' @export
l01inf_distance <- function(metric) build("l01inf_distance", metric)

#' @rdname metrics
#' @export
l02inf_distance <- function(metric) build("l02inf_distance", metric)

#' @rdname metrics
#' @export
user_distance <- function(identifier, descriptor = NULL) {
  build("user_distance", check_string(identifier), descriptor)
}

#' @rdname space_parts
#' @export
metric_debug <- function(this) check_class(this, "metric")("debug")

#' @rdname space_parts
#' @export
metric_type <- function(this) check_class(this, "metric")("type")

#' @rdname space_parts
#' @export
metric_distance_type <- function(this) check_class(this, "metric")("distance_type")

#' @export
toString.metric <- function(x, ...) x("debug")

#' @export
format.metric <- function(x, ...) x("debug")

#' @export
print.metric <- function(x, ...) print_callable(x)

#' @export
`$.metric` <- function(x, name) {
  part_or_member(x, name, core_describe(check_class(x, "metric")))
}
