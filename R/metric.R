new_metric <- function(handle) {
  force(handle)
  self <- function(attr) {
    description <- describe_as_functions(core_describe(self))
    attribute(self, attr, c(description, ptr = function() handle), environment())
  }
  new_callable("metric", self)
}

#' Metrics: how far apart two datasets or results are
#'
#' A distance between members of a domain. Which records make two datasets neighbours is part of
#' every guarantee, so it is an object and never a convention:
#'
#' * `symmetric_distance()`: number of rows added plus rows removed; order does not matter.
#' * `insert_delete_distance()`: the same for ordered rows.
#' * `change_one_distance()`: number of rows replaced, for a public number of rows; order does not
#'   matter. A replacement is one removal and one addition.
#' * `hamming_distance()`: number of positions that differ, for a public number of ordered rows.
#' * `absolute_distance()`, `l1_distance()`, `l2_distance()`, `linf_distance()`: distances between
#'   results, in the unit of the data. With `monotonic = TRUE`, `linf_distance()` is infinite
#'   between vectors of which some components rise and others fall.
#' * `l01inf_distance()`, `l02inf_distance()`: triples (partitions changed, L1 or L2 norm of the
#'   changes, largest change) of the distances per partition under `metric`.
#' * `discrete_distance()`: 0 if equal, else 1.
#' * `user_distance()`: the user's own (needs the feature `"honest-but-curious"`).
#'
#' The first four are counted in rows.
#'
#' @param .T (type descriptor) Type of the distance, such as `"i32"` or `f64`.
#' @param monotonic (`logical(1)`) See below.
#' @param metric (`metric`) Distance within one partition.
#' @param identifier (`character(1)`) Name of the metric; equality compares it alone.
#' @param descriptor Any R object to keep with the metric.
#' @returns (`metric`) A function of one argument, the name of a part: `"debug"`, `"type"`,
#'   `"distance_type"`, `"descriptor"`. `$` reaches the same.
#' @section Errors: `dp_error_type` if `.T` is not a number type.
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
