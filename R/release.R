#' Release a statistic, a measurement, a query or a batch
#'
#' `release()` computes the privacy loss, charges it, reads the data and adds the noise, in this
#' order. A rejected release costs nothing and reads nothing. A release that fails later stays
#' charged. Before the charge, `release()` checks the types and names of `data`, and its number of
#' rows if that is public.
#'
#' You can release four kinds of objects: a statistic such as [dpMean()], a measurement of the
#' framework, a query ([dp_aggregates]), and a batch of queries ([dp_batch()]). All take the same
#' `on`, `reuse` and `promise`, and raise the same conditions. Statistics and measurements know
#' their loss, so `epsilon` and `rho` are only for queries and batches.
#'
#' @param x A statistic, a `measurement`, a `dp_query` or a `dp_batch`.
#' @param data Data for a statistic or a measurement. Private. Queries already have their data.
#' @param on A session ([dp_session()]) or a ledger ([dp_ledger()]) to charge. With `NULL`, a query
#'   is charged to the session of its table, and the release of a statistic or a measurement is not
#'   counted. Within [with_ledger()], `NULL` means the ledger given there.
#' @param epsilon,rho (`numeric(1)`) Budget to spend on this release, in the privacy measure of the
#'   session or ledger. Public.
#' @param delta (`numeric(1)`) Probability of a larger loss. Required if group keys are private, see
#'   [dp_keys()]. Public.
#' @param alpha (`numeric(1)`) Intervals cover with probability `1 - alpha`.
#' @param version (`character(1)`) Version of the data on a ledger. `NULL` means the newest. A query
#'   has the version of its table.
#' @param reuse (`logical(1)`) Whether to return a stored release of the same plan, free. `NULL`
#'   means `TRUE` on a ledger and `FALSE` in a session, which draws new noise each time.
#' @param promise (`character(1)`) See [with_ledger()].
#' @param table (`character(1)`) Name of the table in `data`, see [with_ledger()]. A query has the
#'   name of its table, see [dp_tbl()]. Public.
#' @param d_in For a measurement, the distance of neighbouring datasets.
#' @param nonnegative (`logical(1)`) Whether counts below 0, and such ends of their intervals, are
#'   set to 0. This is postprocessing, which the footer of the result states. Sums of such counts
#'   are too large on average.
#' @param digits (`"noise"` or `NULL`) With `"noise"`, each number is rounded to the first digit of
#'   half of its interval: 3585 with an interval from 3512 to 3657 becomes 3580 or 3590.
#' @param ... For methods.
#' @returns For a statistic a [dp_result], for a measurement its release. For a query a tibble, or a
#'   data frame without package tibble, of class [dp_released]: the grouping columns and a column
#'   for each aggregate. Several quantiles, and cells of a histogram, are a list column. It is
#'   ordinary data, and you can compute from it without further cost. For a batch a
#'   [dp_released_batch], a list of these.
#' @section Privacy: The charge is the privacy map of the measurement, [as_measurement()], at the
#'   unit of the release, rounded up. For a query the map has 15 digits. Additive noise is discrete,
#'   on a lattice, and sums are exact.
#' @section Warnings: Warnings come before anything is spent. `dp_warning_noise`: a group needs more
#'   than about 100 rows, or more rows than it can have, before its numbers exceed the noise. The
#'   warning follows from public facts, not from the data. `dp_warning_table`: a ledger returns a
#'   stored release that this R session made from other data, and the tables have no names.
#' @section Errors: Before anything is spent: `dp_error_budget` if the cost exceeds the remaining
#'   budget, or has a different privacy measure. `dp_error_unit` if `on` protects a different unit.
#'   `dp_error_unbounded` if the rows of a person are not limited, see [dp_truncate()].
#'   `dp_error_keys` for groups that are not public, see [dp_keys()]. `dp_error_domain` for a column
#'   without bounds. `dp_error_source` for a table without data. `dp_error_ledger` for an unknown
#'   version or a changed stored release. `dp_error_stale_object` in another process. After the
#'   charge: `dp_error_backend` if the engine cannot read the data of a query. It does not say how.
#' @template ref-bun-steinke-2016
#' @examples
#' session <- dp_session(dp_epsilon(1))
#' age <- dpMean(
#'   mechanism = "mechanismLaplace", varType = "numeric", variable = "age", n = 10000,
#'   rng = c(18, 93), epsilon = 0.1
#' )
#' release(age, data = PUMS5extract10000, on = session)
#' dp_remaining(session)
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
  stop_argument("a statistic, a measurement, a query or a batch", describe(x), "x",
    quote(release())
  )
}

# The public description of `x`. Its hash, its text and the facts of a receipt follow from it.
release_form <- function(x) UseMethod("release_form")

# The `dp_unit` that `x` protects. NULL if it does not say. A bare measurement needs a distance,
# `d_in`.
release_unit <- function(x, d_in = NULL) UseMethod("release_unit")

# The loss, for the core, see loss_from_r().
release_loss <- function(x) UseMethod("release_loss")

# Rejects all failures that do not depend on cells: classes, names, and a public number of rows. It
# evaluates `data`, and reads no cell. A stored release is returned only for data that pass.
release_open <- function(x, data) UseMethod("release_open")

#' @exportS3Method
release_open.default <- function(x, data) invisible() # nolint: object_name_linter.

# The identity of the data, from identity_of_data() or from a table: list(origin, rows).
release_source <- function(x, data) UseMethod("release_source")

# Rejects before a charge if the machine cannot draw the release now. Not for stored releases.
release_ready <- function(x) UseMethod("release_ready")

#' @exportS3Method
release_ready.default <- function(x) invisible() # nolint: object_name_linter.

# Draws the release, in its stored form: list(value, ran), where `ran` is the report of an engine.
# Only this function reads cells. It reads them first, calls `mark()`, then draws noise.
release_run <- function(x, data, mark) UseMethod("release_run")

# Makes the result from `drawn`, list(value, reused, receipt). It can be called twice.
release_describe <- function(x, drawn) UseMethod("release_describe")

# list(subject, what): "dpMean()" in errors, "mean of age" in the history.
release_label <- function(x) UseMethod("release_label")

# The only path of a release. `account` comes from new_account(). NULL counts nothing. `keep` is
# called with the draw, and once more with its description, before conditions can jump.
release_on <- function(x, data, account, keep = function(drawn, ...) NULL, call = NULL) {
  release_open(x, data)
  drawn <- if (is.null(account)) run_uncharged(x, data) else drawn_on(x, data, account, call)
  keep(drawn)
  described <- holding_conditions(release_describe(x, drawn))
  keep(drawn, described$value)
  signal_held(c(drawn$held, described$held), described$value)
  described$value
}

run_uncharged <- function(x, data) {
  release_ready(x)
  with_default_account(NULL, release_run(x, data, no_mark))["value"]
}

# list(value, reused, receipt, held).
drawn_on <- function(x, data, account, call) {
  budget <- account$budget
  claim <- claim_on(x, account, call, release_source(x, data))
  stored <- if (account$reuse) budget$stored(claim)
  if (!is.null(stored)) {
    say_reused(stored$reused)
    return(stored)
  }
  if (!claim$cost$fits) refuse_over_budget(budget, claim, call)
  release_ready(x)
  parts <- budget$receipt(claim)
  # If a stored release no longer exists, it is charged again.
  claim$reuse <- account$reuse && is.null(claim$cost$charge)
  drawn <- holding_conditions({
    charged <- budget$charge(claim) %||% refuse_over_budget(budget, claim, call)
    budget$run(charged, function(mark) {
      run <- with_default_account(NULL, release_run(x, data, mark))
      refuse_queryable(run$value)
      shown <- function(value) {
        suppressWarnings(released_value(release_describe(x, list(value = value))) %||% value)
      }
      receipt <- budget$keep(claim, charged, run$value, utils::modifyList(parts, run$ran), shown)
      list(value = run$value, receipt = receipt)
    })
  })
  c(drawn$value, list(held = drawn$held))
}

# Without a ledger, nothing records that noise follows.
no_mark <- function() NULL

# The charge to a budget, rejected in a different measure or for a different unit. Without data it
# has no `source`.
claim_on <- function(x, account, call = NULL, source = NULL) {
  budget <- account$budget
  form <- release_form(x)
  label <- release_label(x)
  plan <- plan_hash(form)
  if (is.null(plan)) {
    stop_argument("a release with a plan: a query itself, not its measurement",
      "a measurement that was not built from public arguments alone", "x", call
    )
  }
  claim <- list(
    form = form, plan = plan, loss = release_loss(x), d_in = distance_of(x, form),
    unit = release_unit(x), what = core_description(label$what), version = account$version,
    promise = account$promise, table = account$table, origin = source$origin, rows = source$rows
  )
  claim$cost <- budget$cost(claim)
  check_unit_of_release(budget$protection, claim$unit, label$subject, claim$promise, call)
  claim
}

distance_of <- function(x, form) x$d_in %||% release_unit(form)$count

say_reused <- function(record) {
  sentence <- paste0("Stored release of record ", record, ". Nothing spent.")
  rlang::inform(sentence, class = c("dp_message_reused", "dp_message"))
}

# Names the table of a release ---------------------------------------------------------------------

# A plan says how a table is declared, not which table it is, so a stored release is looked up by
# the curator's name of the table, too.

# Table names are public, and recorded. A line feed separates several names, so a name has none.
check_name_of_table <- function(name, arg = rlang::caller_arg(name), call = rlang::caller_env()) {
  force(arg)
  check_string(name, null = TRUE, arg = arg, call = call)
  if (is.null(name)) {
    return(NULL)
  }
  name <- enc2utf8(name)
  if (!grepl("[^[:space:]]", name) || nchar(name, "bytes") > most_bytes_of_name ||
    printable(name) != name) {
    stop_argument(
      paste("a name of at most", most_bytes_of_name, "bytes without control characters"),
      "another string", arg, call
    )
  }
  name
}

most_bytes_of_name <- 200

# The names of the tables of queries: one name if all are equal, otherwise one for each query. NULL
# if no table has a name.
name_of_tables <- function(tables) {
  names <- vapply(tables, function(table) table$name %||% "", "")
  if (length(unique(names)) == 1) names <- names[[1]]
  if (any(nzchar(names))) paste(names, collapse = "\n")
}

in_one_line <- function(names) printable(gsub("\n", ", ", names, fixed = TRUE))

# Origins of tables whose releases this process made or returned, by ledger and record.
origins_of_records <- new.env(parent = emptyenv())

# The origin of a record: the first one that was noted.
noted_origin <- function(ledger, record, claim) {
  if (is.null(claim$origin)) {
    return(NULL)
  }
  key <- paste0(ledger, ":", record)
  if (is.null(origins_of_records[[key]])) origins_of_records[[key]] <- claim$origin
  origins_of_records[[key]]
}

# Without a name, a ledger cannot distinguish two tables of one declaration and version.
warn_of_other_table <- function(ledger, record, claim) {
  origin <- noted_origin(ledger, record, claim)
  if (!is.null(claim$table) || identical(origin, claim$origin)) {
    return(invisible())
  }
  warn_as_is(
    paste0(
      "Record ", record, " was released from other data. Tables without a name share the stored ",
      "releases of their declaration and version. If this is another table, give both tables a ",
      "name: `dp_tbl(name = )` for a query, `release(table = )` for a statistic or a measurement."
    ),
    "table", NULL
  )
}

# Identifies data by addresses, without reading a cell ---------------------------------------------

# The same objects are the same data. Copies with equal values are different data.

# list(origin, rows) of data of a statistic or a measurement. `columns` are the columns that it
# reads, or NULL for all. While `rows` is held, no other data can get these addresses.
identity_of_data <- function(data, columns = NULL) {
  list(origin = addresses_of(data, columns), rows = core_hide(data))
}

# Addresses of columns, or of data without columns, as text.
addresses_of <- function(data, columns) {
  parts <- if (is.data.frame(data)) unclass(data) else list(data)
  # Equal plans can list their columns in different orders.
  if (is.data.frame(data) && !is.null(columns)) parts <- parts[sort(columns, method = "radix")]
  paste(vapply(parts, rlang::obj_address, ""), collapse = ",")
}
