# `input_type` describes what the function takes, for those that distinguish types: without
# it, a vector of one element would be taken for the element.
# The function of a measurement `releases`: it takes data.
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

#' Postprocessors
#'
#' A postprocessor works on what was released, never on data, so it costs no privacy.
#'
#' @param function_ (`function(x)`) Any R function of a release. It must not look at private data by
#'   another way; that is the user's promise, hence the feature `"honest-but-curious"`. It is sealed
#'   and runs as the section *An R function of your own* of [dpSampleAndAggregate()] says.
#' @param .TO (type descriptor) Type of what it returns; `"ExtrinsicObject"` for any R object.
#' @param lhs (`measurement`) The left side of the pipe.
#' @param f (`function(x)`) As `function_`.
#' @param this (`opendp_function`)
#' @param arg A release.
#' @param ... Not used.
#' @param TI (type descriptor or `NULL`) Type of `arg`. `NULL` is the type that the function asks
#'   for, or that of `arg`.
#' @returns `new_function()`: an `opendp_function`, called as `f(arg = x)`. `then_postprocess()`:
#'   the measurement with `f` applied to each release. `function_eval()`: what the function returns.
#' @section Errors: `dp_error_failed_function` if the function fails, with the message of its error.
#'   That message can quote the release, which is public.
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
