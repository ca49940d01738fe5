#' Release the result of a query
#'
#' Computes the noise, charges the loss, reads the data and returns a data frame: in this order, so
#' that what is refused costs nothing and reads nothing, and what fails later stays charged.
#'
#' @param x (`dp_query` or `dp_plan`) See [dp_aggregates] and [dp_plan()].
#' @param epsilon,rho (`numeric(1)`) What this release may lose, in the currency of the session.
#'   Public.
#' @param delta (`numeric(1)`) With which probability it may lose more; needed for groups that are
#'   not public, see [dp_keys()]. Public.
#' @param alpha (`numeric(1)`) The intervals cover in a share `1 - alpha` of all releases.
#' @param reuse (`logical(1)`) In a session with a ledger, whether a stored release of the same
#'   query is returned, for nothing. A session without one draws anew each time, and pays.
#' @param nonnegative (`logical(1)`) Whether counts below 0 are set to 0, and so are the ends of
#'   their intervals. This is postprocessing, which the footer of the result states. Sums of such
#'   counts are too large on average.
#' @param digits (`"noise"` or `NULL`) With `"noise"`, each number is rounded to the first digit of
#'   half of its interval: 3585 with an interval from 3512 to 3657 becomes 3580 or 3590.
#' @param ... For methods.
#' @returns Of a query a tibble, or a data frame without package tibble, of class `dp_released`: the
#'   grouping columns and a column for each aggregate, a list for several quantiles and for cells of
#'   a histogram. It is ordinary data from here on: what is computed of it costs nothing more. See
#'   [dp_released]. Of a plan a list of these.
#' @section Privacy: What is charged is the map of the measurement that runs, [as_measurement()], at
#'   the unit of the table, rounded up to 15 digits. Additive noise is discrete, on a lattice; sums
#'   are exact.
#' @section Warnings: Before anything is spent: `dp_warning_noise`, if groups need more than about
#'   100 rows, or more rows than they can have, before their numbers say more than the noise. Only
#'   public facts enter: the warning does not depend on the data.
#' @section Errors: Before anything is spent: `dp_error_budget`, for more than is left or another
#'   currency; `dp_error_unbounded` if the rows of a person are not limited, see [dp_truncate()];
#'   `dp_error_keys` for groups that are not public, see [dp_keys()]; `dp_error_domain` for a column
#'   without bounds; `dp_error_source` for a table without data; `dp_error_stale_object` in another
#'   process. After the charge: `dp_error_backend`, if reading the data failed, without saying how.
#' @template ref-bun-steinke-2016
#' @examplesIf requireNamespace("dplyr", quietly = TRUE)
#' library(dplyr, warn.conflicts = FALSE)
#' session <- dp_session(dp_epsilon(1))
#' people <- dp_tbl(session, PUMS5extract10000,
#'   unit = dp_unit(rows = 1),
#'   domain = dp_domain(age = dp_int(18, 93), sex = dp_levels(0, 1))
#' )
#' released <- people |>
#'   group_by(sex) |>
#'   summarise(n = dp_count(), age = dp_mean(age)) |>
#'   release(epsilon = 0.2)
#' released
#' dp_remaining(session)
#' @export
release <- function(x, ...) UseMethod("release")

#' @export
release.default <- function(x, ...) {
  if (is_statistic(x)) {
    stop_argument("a query or a plan; a statistic has `$release()`", describe(x), "x",
      quote(release())
    )
  }
  stop_argument("a query or a plan", describe(x), "x", quote(release()))
}

#' @export
release.dp_tbl <- function(x, ...) check_query(x, quote(release()))

#' @rdname release
#' @export
release.dp_query <- function(x, ..., epsilon = NULL, rho = NULL, delta = NULL, alpha = 0.05,
                             reuse = TRUE, nonnegative = FALSE, digits = NULL) {
  call <- environment()
  check_names(...)
  check_changes(nonnegative, digits, call)
  check_flag(reuse)
  check_probability(alpha)
  asked <- asked_loss(session_of(x), epsilon, rho, delta, call)
  prepared <- prepared_release(x, asked, alpha, call)
  warn_of_query_noise(x, asked, alpha, call)
  check_paid()
  session <- session_of(x)
  check_protected(unit_of(x), session, call)
  released <- if (!is.null(session$ledger)) {
    release_on_ledger(session, prepared, asked, reuse, call)
  } else {
    paid_for({
      charge_session(session, prepared$loss, asked, describe_query(x), prepared$plan, unit_of(x),
        call
      )
      run_release(prepared, call)
    })
  }
  changed_released(released, nonnegative, digits)
}

# Everything that a release needs, and may be refused for, but the charge.
prepared_release <- function(query, asked, alpha, call) {
  table <- parts_of(query$table)
  if (is.null(table$rows)) {
    stop_query("source", "This table has no data: it was made to plan, with `data = NULL`.",
      "`dp_preview()` and `dp_solve()` need none.", call
    )
  }
  compiled <- compiled_query(query, asked, alpha, call)
  rows <- core_hide(engine_for_query(query, core_hidden(table$rows), call))
  list(
    query = query, rows = rows, measurement = measurement_of(compiled),
    loss = new_like(asked, list(compiled$loss[[1]], delta = compiled$loss$delta %||% 0)),
    preview = as_columns(compiled$preview), events = compiled$events,
    plan = hash_of_query(query, asked, alpha), alpha = alpha, version = table$version
  )
}

run_release <- function(prepared, call) new_released(raw_release(prepared, call), prepared)

# What the measurement releases, as it comes.
raw_release <- function(prepared, call) {
  forget_sent(engine_of_table(parts_of(prepared$query$table)))
  rows <- core_hidden(prepared$rows)
  or_else(
    while_waiting(
      if (inherits(rows, "dp_engine")) counting_engines(rows),
      suppressWarnings(suppressMessages(prepared$measurement(arg = rows)))
    ),
    function(error) stop_backend(error, call)
  )
}

# The names of those that count by themselves, NULL if all rows come here.
counting_engines <- function(engine) {
  counting <- Filter(is_pushed, places_of(engine))
  if (length(counting) > 0) unique(vapply(counting, `[[`, "", "engine"))
}

# What went wrong may say something of the data, but that the machine gives no randomness or memory.
stop_backend <- function(condition, call) {
  reason <- if (inherits(condition, "dp_error_entropy")) {
    " The operating system gave no randomness."
  } else if (inherits(condition, "dp_error_memory")) {
    " There was not enough memory."
  }
  stop_query("backend",
    paste0("The data could not be read, and nothing is released; the charge stays.", reason),
    "The reason is not shown, since it may depend on private rows.", call
  )
}

# A query with a loss, and what intervals cover: what it means, whatever the order in which columns
# stand.
planned_query <- function(query, loss, alpha) {
  structure(
    list(query = canonical_query(form_of_query(query)), loss = unclass(loss), alpha = alpha),
    class = "dp_planned_query"
  )
}

hash_of_query <- function(query, loss, alpha) planned_hash(planned_query(query, loss, alpha))

# "n, age by sex"
describe_query <- function(query) {
  outputs <- toString(vapply(query$outputs, `[[`, "", "name"))
  paste0(outputs, if (length(query$by) > 0) paste0(" by ", toString(query$by)))
}
