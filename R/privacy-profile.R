new_profile <- function(handle) {
  force(handle)
  self <- function(attr, epsilon, delta) {
    given <- c(attr = !missing(attr), epsilon = !missing(epsilon), delta = !missing(delta))
    check_exactly_one(given, environment())
    if (!missing(epsilon)) {
      core_profile_at(self, epsilon, NULL)
    } else if (!missing(delta)) {
      core_profile_at(self, NULL, delta)
    } else {
      attribute(self, attr, list(ptr = function() handle), environment())
    }
  }
  new_callable("privacy_profile", self)
}

#' Make a privacy profile
#'
#' Makes a privacy profile from a function. A privacy profile gives the smallest delta that a
#' release can claim for each epsilon. It is the distance of [smoothed_max_divergence()]. Evaluate
#' it with `profile(epsilon = )` or `profile(delta = )`.
#'
#' @param curve (`function(epsilon)`) Function from numbers of at least 0 to numbers in `[0, 1]`.
#'   You promise that it does not increase, hence the feature `"honest-but-curious"`.
#' @returns (`privacy_profile`) A function: `profile(epsilon = e)` is delta at `e`.
#'   `profile(delta = d)` is the smallest epsilon whose delta is at most `d`, or `Inf` if there is
#'   none.
#' @section Errors: Raises `dp_error_failed_map` if delta is not in `[0, 1]`, and
#'   `dp_error_failed_function` if the curve fails.
#' @references Balle, Barthe and Gaboardi (2018), *Privacy Amplification by Subsampling: Tight
#'   Analyses via Couplings and Divergences*, section 2.
#' @examples
#' enable_features("contrib", "honest-but-curious")
#' profile <- new_privacy_profile(\(epsilon) exp(-epsilon))
#' profile(epsilon = 1)
#' profile(delta = 1e-7)
#' @export
new_privacy_profile <- function(curve) build("new_privacy_profile", curve)

#' @export
toString.privacy_profile <- function(x, ...) "PrivacyProfile"

#' @export
format.privacy_profile <- function(x, ...) {
  deltas <- c(1e-3, 1e-6, 1e-9)
  epsilons <- or_else(
    vapply(deltas, function(delta) as.double(x(delta = delta)), 0),
    function(error) NULL
  )
  c("PrivacyProfile", paste0(
    "  delta ", format(deltas[seq_along(epsilons)]), ": epsilon ", show_number(epsilons, 4),
    recycle0 = TRUE
  ))
}

#' @export
print.privacy_profile <- function(x, ...) {
  cat(format(x), sep = "\n")
  invisible(x)
}

#' @export
`$.privacy_profile` <- function(x, name) {
  member(list(
    epsilon = function(delta) x(delta = delta),
    delta = function(epsilon) x(epsilon = epsilon)
  ), name, "privacy_profile")
}
