# How measurements are released, see release_on().

# Adds the distance of neighbouring datasets, which a measurement does not know.
at_distance <- function(measurement, d_in) {
  structure(list(measurement = measurement, d_in = d_in), class = "dp_measured")
}

# Methods' names have dots.
# nolint start: object_name_linter.

#' @rdname release
#' @export
release.measurement <- function(x, ..., data = NULL, d_in = NULL, on = NULL, version = NULL,
                                reuse = NULL, promise = NULL, table = NULL) {
  check_names(..., hints = loss_is_known)
  call <- quote(release())
  account <- account_for(on, version, reuse, promise, table, call)
  if (!is.null(account) && is.null(d_in)) {
    stop_argument("the distance of neighbouring datasets", "NULL", "d_in", call)
  }
  release_on(at_distance(x, d_in), data, account, call = call)
}

#' @exportS3Method
release_unit.measurement <- function(x, d_in = NULL) measured_unit(x, d_in)

#' @exportS3Method
release_form.dp_measured <- function(x) x$measurement

#' @exportS3Method
release_unit.dp_measured <- function(x, d_in = x$d_in) measured_unit(x$measurement, d_in)

#' @exportS3Method
release_loss.dp_measured <- function(x) list(x$measurement, x$d_in)

#' @exportS3Method
release_open.dp_measured <- function(x, data) core_check_rows(x$measurement, data)

#' @exportS3Method
release_source.dp_measured <- function(x, data) identity_of_data(data)

#' @exportS3Method
release_run.dp_measured <- function(x, data, mark) {
  mark()
  list(value = x$measurement(arg = data), ran = list())
}

#' @exportS3Method
release_describe.dp_measured <- function(x, drawn) drawn$value

#' @exportS3Method
release_label.dp_measured <- function(x) list(subject = "this measurement", what = "measurement")

# nolint end

# The unit that a measurement protects at distance `d_in`, from its metric. NULL if it has none.
measured_unit <- function(measurement, d_in) {
  if (!is_number(d_in) || d_in != trunc(d_in) || d_in < 1 || d_in > .Machine$integer.max) {
    return(NULL)
  }
  # User-defined metrics can have any name.
  metric <- measurement("input_metric")("type")
  if (metric %in% c("SymmetricDistance", "InsertDeleteDistance")) {
    dp_unit(rows = d_in)
  } else if (metric %in% c("ChangeOneDistance", "HammingDistance")) {
    dp_unit(changes = d_in)
  }
}

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
