new_transformation <- function(handle) {
  force(handle)
  parts <- function() c(object_parts_of(self, transformation_parts), ptr = function() handle)
  self <- function(attr, arg, d_in, d_out, ...) {
    check_names(...)
    if (!missing(d_out) && missing(d_in)) {
      stop_dp("expected d_in when d_out is specified", "invalid_argument", argument = "d_in")
    }
    given <- c(attr = !missing(attr), arg = !missing(arg), d_in = !missing(d_in))
    check_exactly_one(given, environment())
    if (!missing(arg)) {
      core_invoke(self, arg)
    } else if (!missing(d_out)) {
      core_check(self, d_in, core_distance(d_out))
    } else if (!missing(d_in)) {
      r_distance(core_map(self, d_in))
    } else {
      attribute(self, attr, parts(), environment())
    }
  }
  new_callable("transformation", self)
}

transformation_parts <- c(
  "input_domain", "input_metric", "output_domain", "output_metric", "function"
)

#' Use transformations and measurements
#'
#' Runs transformations and measurements and evaluates their maps. A transformation converts data
#' and bounds how far apart neighbouring datasets can move: its *stability map* takes an input
#' distance to an output distance. A measurement releases something random about the data and bounds
#' the privacy loss: its *privacy map* takes an input distance to a privacy loss. Build both with
#' `make_*` and `then_*` functions, and join them with `|>`. They are checked when you build them,
#' before any data are read.
#'
#' Objects are functions:
#'
#' | call | gives |
#' |---|---|
#' | `object(arg = x)` | the function applied to data `x`. For a measurement, one release |
#' | `object(d_in = d)` | the map: the largest distance or loss that inputs `d` apart can cause |
#' | `object(d_in = d, d_out = e)` | whether the map at `d` is at most `e` |
#' | `object("input_domain")` | a part, by its name |
#'
#' The parts are `input_domain`, `input_metric` and `function`. A transformation also has
#' `output_domain` and `output_metric`, and a measurement has `output_measure`. The parts `json` and
#' `log` describe how the object was built, see [to_json()].
#'
#' Objects survive `saveRDS()` and `readRDS()`, and work in other processes. So do statistics such
#' as [dpMean()], whose measurements are ordinary objects. A measurement holds no budget: each
#' release costs, whichever copy makes it.
#'
#' `object$invoke(x)`, `object$map(d)`, `object$check(d, e)` and `object$input_domain` do the same,
#' and so do the functions below.
#'
#' `arg` is private. It must have the carrier type of the input domain and be a member: the number
#' of rows equals the declared one, and all numbers are within their bounds. Only the test of a
#' [user_domain()] is not run. Any other data raise an error before noise is drawn, because the
#' guarantee holds only for members. Missing values are nulls in option domains and NaN in float
#' domains. In other domains they raise an error. Except for type errors, the message is the same
#' for all data. Everything else is public.
#'
#' Whole numbers of 8, 16 and 32 bits are returned as `integer`. Wider numbers and `u32` are
#' returned as `double`, exact up to 2^53, and distances beyond that are rounded up. A vector of
#' `i32` with -2^31, which R's `integer` cannot hold, is returned as `double`.
#'
#' @param transformation,measurement,this (`transformation` or `measurement`) Object to use.
#' @param arg (data) A vector or a single element of the carrier type of the input domain. Private.
#' @param ... Not used.
#' @param distance_in,distance_out (distances) Distances in the type of the input metric, and of the
#'   output metric or measure. Whole doubles pass for integers.
#' @returns `*_invoke()` returns the result, an ordinary vector or list. `*_map()` returns the
#'   distance: a number, a list for a tuple, a [privacy profile][new_privacy_profile()], or a [Renyi
#'   curve][renyi_curve]. `*_check()` returns `logical(1)`. The others return the part that they are
#'   named after.
#' @section Errors: Raises `dp_error_failed_cast` if data or distance have a different type. Raises
#'   `dp_error_failed_function` if data of the right type are outside of the domain, or if the
#'   function fails. Raises `dp_error_overflow` if a map leaves the range of its type. No message
#'   holds data.
#' @template ref-opendp
#' @examples
#' enable_features("contrib")
#' space <- c(vector_domain(atom_domain(bounds = c(0L, 10L))), symmetric_distance())
#' total <- space |> then_sum()
#' total
#' total(arg = c(1L, 2L, 4L))
#' total(d_in = 1L)
#' total$check(d_in = 1L, d_out = 10L)
#' noisy <- total |> then_laplace(scale = 20)
#' noisy(d_in = 1L)
#' noisy(arg = c(1L, 2L, 4L))
#' @name framework_objects
NULL

#' @rdname framework_objects
#' @export
transformation_invoke <- function(this, arg, ...) {
  check_names(...)
  check_class(this, "transformation")(arg = arg)
}

#' @rdname framework_objects
#' @export
transformation_map <- function(transformation, distance_in) {
  check_class(transformation, "transformation")(d_in = distance_in)
}

#' @rdname framework_objects
#' @export
transformation_check <- function(transformation, distance_in, distance_out) {
  check_class(transformation, "transformation")(d_in = distance_in, d_out = distance_out)
}

#' @rdname framework_objects
#' @export
transformation_input_domain <- function(this) check_class(this, "transformation")("input_domain")

#' @rdname framework_objects
#' @export
transformation_input_metric <- function(this) check_class(this, "transformation")("input_metric")

#' @rdname framework_objects
#' @export
transformation_output_domain <- function(this) check_class(this, "transformation")("output_domain")

#' @rdname framework_objects
#' @export
transformation_output_metric <- function(this) check_class(this, "transformation")("output_metric")

#' @rdname framework_objects
#' @export
transformation_function <- function(this) check_class(this, "transformation")("function")

#' @rdname framework_objects
#' @export
transformation_input_carrier_type <- function(this) {
  domain_carrier_type(transformation_input_domain(this))
}

#' @rdname framework_objects
#' @export
transformation_input_distance_type <- function(this) {
  metric_distance_type(transformation_input_metric(this))
}

#' @rdname framework_objects
#' @export
transformation_output_distance_type <- function(this) {
  metric_distance_type(transformation_output_metric(this))
}

#' @export
toString.transformation <- function(x, ...) {
  describe_parts(
    "Transformation", x, c("input_domain", "input_metric", "output_domain", "output_metric")
  )
}

#' @export
format.transformation <- function(x, ...) toString(x)

#' @export
print.transformation <- function(x, ...) print_callable(x)

#' @export
`$.transformation` <- function(x, name) {
  part_or_member(x, name, object_methods(x), transformation_parts)
}

# The calls of an object by name.
object_methods <- function(x) {
  list(
    invoke = function(arg) x(arg = arg),
    map = function(d_in) x(d_in = d_in),
    check = function(d_in, d_out) x(d_in = d_in, d_out = d_out)
  )
}

#' Make a transformation from your own functions
#'
#' Makes a transformation from your R functions. The package cannot verify them, so you promise the
#' guarantee when you enable the feature `"honest-but-curious"`. Only the types of results are
#' checked.
#'
#' @param input_domain,output_domain (`domain`) Domains of the input and the output. Public.
#' @param input_metric,output_metric (`metric`) Distances between inputs and between outputs.
#'   Public.
#' @param function_ (`function(x)`) Function of a member of `input_domain`, an ordinary R value,
#'   that returns a member of `output_domain`. It must not read anything else, and its failures must
#'   not depend on the data. It is isolated, and runs as the section *An R function of your own* of
#'   [dpSampleAndAggregate()] describes. The same applies to `stability_map`.
#' @param stability_map (`function(d_in)`) Function of an input distance that returns the largest
#'   distance between two outputs.
#' @param lhs (`transformation` or `c(domain, metric)`) The left side of the pipe. Its output space
#'   must equal the input space in the arguments.
#' @returns (`transformation`) A transformation that calls the two functions. To give it a `then_*`
#'   form, see [to_then()].
#' @section Stability: `d_out = stability_map(d_in)`, as you promise.
#' @section Errors: Raises `dp_error_metric_space` if a domain and its metric do not belong
#'   together, and `dp_error_invalid_argument` if the functions are not functions. The function and
#'   the map raise `dp_error_failed_function` if your function fails or returns a different type,
#'   and `dp_error_failed_map` if a distance is negative or NaN. If `function_` raises an error, its
#'   message is not shown, because it can hold data.
#' @template ref-opendp
#' @examples
#' enable_features("contrib", "honest-but-curious")
#' ints <- vector_domain(atom_domain(.T = "i32"))
#' twice <- make_user_transformation(
#'   ints, symmetric_distance(), ints, symmetric_distance(),
#'   function_ = \(x) rep(x, each = 2L),
#'   stability_map = \(d_in) 2 * d_in
#' )
#' twice(arg = 1:3)
#' twice(d_in = 1L)
#' @export
make_user_transformation <- function(input_domain, input_metric, output_domain, output_metric,
                                     function_, stability_map) {
  build(
    "make_user_transformation", input_domain, input_metric, output_domain, output_metric,
    function_, stability_map
  )
}

# As published, the input space is an argument too, and must equal the space of the pipe.
#' @rdname make_user_transformation
#' @export
then_user_transformation <- to_then_fixed(make_user_transformation)
