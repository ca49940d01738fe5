# `input_type` describes the function's input, for functions that distinguish types: without it, a
# vector of one element would pass for the element. The function of a measurement `releases`,
# because it takes data.
new_postprocessor <- function(handle, input_type = NULL, releases = FALSE) {
  force(handle)
  force(input_type)
  force(releases)
  self <- function(attr, arg, ...) {
    check_names(...)
    check_exactly_one(c(attr = !missing(attr), arg = !missing(arg)), environment())
    if (!missing(arg)) {
      if (releases) check_uncharged()
      core_function_eval(handle, arg, input_type)
    } else {
      attribute(self, attr, list(ptr = function() handle), environment())
    }
  }
  new_callable("opendp_function", self)
}

#' Apply functions to releases
#'
#' A postprocessor is a function of a release, never of data, so it costs no privacy.
#'
#' @param function_ (`function(x)`) Any R function of a release. It must not reach private data in
#'   any way. You promise this, hence the feature `"honest-but-curious"`. It is isolated, and runs
#'   as the section *An R function of your own* of [dpSampleAndAggregate()] describes.
#' @param .TO (type descriptor) Type of the result. `"ExtrinsicObject"` for any R object.
#' @param lhs (`measurement`) The left side of the pipe.
#' @param f (`function(x)`) The postprocessor, see `function_`.
#' @param this (`opendp_function`) The postprocessor to call.
#' @param arg (any object) A release.
#' @param ... Not used.
#' @param TI (type descriptor or `NULL`) Type of `arg`. `NULL` uses the input type of the function,
#'   or else infers it from `arg`.
#' @returns `new_function()` returns an `opendp_function`, called as `f(arg = x)`.
#'   `then_postprocess()` returns the measurement with `f` applied to each release.
#'   `function_eval()` returns the result of the function.
#' @section Errors: Raises `dp_error_failed_function` if the function fails, with the message of its
#'   error. That message can quote the release, which is public.
#' @references Dwork and Roth (2014), *The Algorithmic Foundations of Differential Privacy*,
#'   Proposition 2.1.
#' @examples
#' enable_features("contrib", "honest-but-curious")
#' noisy <- c(atom_domain(.T = "i32"), absolute_distance(.T = "i32")) |>
#'   then_laplace(scale = 2) |>
#'   then_postprocess(\(x) max(x, 0L))
#' noisy(arg = 3L)
#' @export
new_function <- function(function_, .TO) build("new_function", function_, .TO)

#' @rdname new_function
#' @export
then_postprocess <- function(lhs, f, .TO = "ExtrinsicObject") {
  chain(lhs, new_function(f, .TO))
}

#' @rdname new_function
#' @export
function_eval <- function(this, arg, TI = NULL, ...) {
  check_names(...)
  check_class(this, "opendp_function")
  if (is.null(TI)) {
    return(this(arg = arg))
  }
  core_function_eval(handle(this, "opendp_function"), arg, rt_to_string(rt_parse(TI)))
}

#' @export
toString.opendp_function <- function(x, ...) "Function"

#' @export
format.opendp_function <- function(x, ...) "Function"

#' @export
print.opendp_function <- function(x, ...) print_callable(x)

#' @export
`$.opendp_function` <- function(x, name) {
  part_or_member(x, name, list(eval = function(arg) x(arg = arg)))
}
