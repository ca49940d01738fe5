new_measure <- function(handle) {
  force(handle)
  self <- function(attr) {
    description <- describe_as_functions(core_describe(self))
    attribute(self, attr, c(description, ptr = function() handle), environment())
  }
  new_callable("measure", self)
}

#' Measure privacy loss
#'
#' Defines how a privacy loss is measured: how far apart the distributions of a release on
#' neighbouring datasets can be.
#'
#' * `max_divergence()`: epsilon. Pure differential privacy.
#' * `zero_concentrated_divergence()`: rho. Zero-concentrated differential privacy.
#' * `renyi_divergence()`: a [curve][renyi_curve] from alpha to epsilon. Renyi differential privacy.
#' * `smoothed_max_divergence()`: a privacy profile, delta as a function of epsilon.
#' * `approximate(measure)`: the loss of `measure`, and a probability delta that it does not hold.
#' * `fixed_smoothed_max_divergence()`: a different spelling of `approximate(max_divergence())`.
#' * `user_divergence()`: your own divergence (needs the feature `"honest-but-curious"`).
#'
#' @param measure (`measure`) Measure to approximate or to read.
#' @param identifier (`character(1)`) Name of the divergence.
#' @param descriptor (any R object) Object to keep. Two user divergences are equal if their
#'   descriptors are identical.
#' @returns (`measure`) A function of one argument, the name of a part: `"debug"`, `"type"`,
#'   `"distance_type"`, `"descriptor"`. `$` reaches the same parts.
#' @section Errors: Raises `dp_error_type` for an approximate Renyi divergence, or for a measure
#'   that is already approximate.
#' @references Dwork and Roth (2014), *The Algorithmic Foundations of Differential Privacy*,
#'   section 2.3. Bun and Steinke (2016), *Concentrated Differential Privacy: Simplifications,
#'   Extensions, and Lower Bounds*.
#' @template ref-mironov-2017
#' @examples
#' max_divergence()
#' approximate(zero_concentrated_divergence())
#' measure_distance_type(approximate(max_divergence()))
#' @name measures
NULL

#' @rdname measures
#' @export
max_divergence <- function() build("max_divergence")

#' @rdname measures
#' @export
zero_concentrated_divergence <- function() build("zero_concentrated_divergence")

#' @rdname measures
#' @export
renyi_divergence <- function() build("renyi_divergence")

#' @rdname measures
#' @export
smoothed_max_divergence <- function() build("smoothed_max_divergence")

#' @rdname measures
#' @export
approximate <- function(measure) build("approximate", measure)

#' @rdname measures
#' @export
fixed_smoothed_max_divergence <- function() approximate(max_divergence())

#' @rdname measures
#' @export
user_divergence <- function(identifier, descriptor = NULL) {
  build("user_divergence", check_string(identifier), descriptor)
}

#' @rdname space_parts
#' @export
measure_debug <- function(this) check_class(this, "measure")("debug")

#' @rdname space_parts
#' @export
measure_type <- function(this) check_class(this, "measure")("type")

#' @rdname space_parts
#' @export
measure_distance_type <- function(this) check_class(this, "measure")("distance_type")

#' @export
toString.measure <- function(x, ...) x("debug")

#' @export
format.measure <- function(x, ...) x("debug")

#' @export
print.measure <- function(x, ...) print_callable(x)

#' @export
`$.measure` <- function(x, name) {
  part_or_member(x, name, core_describe(check_class(x, "measure")))
}
