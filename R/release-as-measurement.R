#' Convert a release to a measurement
#'
#' `as_measurement()` returns the framework object that [release()] runs. `m(d_in = 2L)` is the loss
#' for two units, and `plot(m)` draws it. Invoked on data it releases without a charge, as every
#' measurement does. For a batch it is the composition of its queries, if they are about one table.
#'
#' @param x A measurement, a statistic, a `dp_query` or a `dp_batch`.
#' @param loss (`dp_loss`) Budget for a query or a batch.
#' @param ... Not used.
#' @returns A `measurement`.
#' @section Privacy: [release()] charges its map at the unit's count.
#' @section Errors: `dp_error_invalid_argument` for other objects. For queries and batches the
#'   errors of [release()], except `dp_error_budget`.
#' @examplesIf requireNamespace("dplyr", quietly = TRUE)
#' library(dplyr, warn.conflicts = FALSE)
#' people <- dp_tbl(dp_session(dp_epsilon(1)), NULL,
#'   unit = dp_unit(rows = 1), domain = dp_domain(sex = dp_levels(0, 1))
#' )
#' m <- as_measurement(count(people, sex), dp_epsilon(0.5))
#' m(d_in = 1L)
#' @export
as_measurement <- function(x, ...) UseMethod("as_measurement")

#' @export
as_measurement.default <- function(x, ...) { # nolint: object_name_linter.
  check_names(..., hints = loss_is_known)
  if (is_statistic(x)) {
    return(x$measurement)
  }
  if (!inherits(x, "measurement")) {
    stop_argument("a measurement, a statistic, a query or a batch", describe(x), "x",
      quote(as_measurement())
    )
  }
  x
}

# Arguments of a loss that releases with a known loss reject.
loss_is_known <- c(
  epsilon = "It has its loss already.", rho = "It has its loss already.",
  delta = "It has its loss already."
)

# A queryable answers later, when the lock on the order of answers is no longer known.
refuse_queryable <- function(release) {
  if (inherits(release, c("queryable", "odometer_queryable"))) {
    stop_dp("a ledger charges for releases, not for queryables that answer later.", "ledger",
      call = NULL
    )
  }
  release
}
