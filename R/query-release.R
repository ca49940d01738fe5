# Releases of queries, see release_on().

# S3 method names contain dots.
# nolint start: object_name_linter.

#' @export
release.dp_tbl <- function(x, ...) check_query(x, quote(release()))

#' @rdname release
#' @export
release.dp_query <- function(x, ..., epsilon = NULL, rho = NULL, delta = NULL, alpha = 0.05,
                             on = NULL, reuse = NULL, promise = NULL, nonnegative = FALSE,
                             digits = NULL) {
  call <- environment()
  check_names(..., hints = c(has_its_data, loss = loss_hint))
  check_changes(x, nonnegative, digits, call)
  check_probability(alpha)
  account <- account_of_queries(list(x), on, reuse, promise, call)
  x <- moved_to(x, account$on, call)
  asked <- asked_loss(session_of(x), epsilon, rho, delta, call)
  prepared <- prepared_release(x, asked, alpha, call)
  if (!inherits(x, "dp_tables_query")) warn_of_query_noise(x, asked, alpha, call)
  changed_released(release_on(prepared, NULL, account, call = call), nonnegative, digits)
}

# nolint end

has_its_data <- c(
  data = "The query already has data, from its table.",
  version = "The query already has a version, from its table.",
  table = "The query already has a table name: `dp_tbl(name = )`."
)

# The account to charge: `on`, the default of with_ledger(), or the session of the tables. Adds the
# version and the name of the tables.
account_of_queries <- function(queries, on, reuse, promise, call) {
  if (is.null(on) && is.null(default_account$account)) on <- session_of(queries[[1]])
  account <- account_for(on, NULL, reuse, promise, NULL, call)
  tables <- lapply(queries, function(query) tbl_data(query$table))
  account$table <- name_of_tables(tables) %||% account$table
  version <- tables[[1]]$version
  if (!is.null(version) && !is.null(account$version)) {
    account$version <- account$budget$version(version, call)
  }
  account
}

# Moves the query to a different session.
moved_to <- function(query, on, call) {
  session <- if (inherits(on, "dp_ledger")) dp_session(ledger = on) else on
  check_unit_of_table(unit_of(query), session, call)
  query$table <- with_tbl_data(query$table, session = session)
  query
}

# A compiled and checked query with its loss, ready for release_on().
prepared_release <- function(query, asked, alpha, call) {
  check_has_data(query, call)
  with_rows(query_with_cost(query, asked, alpha, call), call)
}

# The same without rows, for previews and hashes.
query_with_cost <- function(query, asked, alpha, call) {
  compiled <- compiled_query(query, asked, alpha, call)
  structure(list(
    query = query, measurement = measurement_of(compiled),
    loss = new_like(asked, list(compiled$loss[[1]], delta = compiled$loss$delta %||% 0)),
    asked = asked, preview = as_columns(compiled$preview), events = compiled$events,
    plan = hash_of_query(query, asked, alpha), alpha = alpha
  ), class = "dp_prepared_query")
}

check_has_data <- function(query, call) {
  if (is.null(tbl_data(query$table)$rows)) {
    stop_query("source", "This table has no data, because it was made with `data = NULL`.",
      "Use `dp_preview()` or `dp_solve()`, which need no data.", call
    )
  }
}

with_rows <- function(prepared, call) {
  check_has_data(prepared$query, call)
  rows <- core_hidden(tbl_data(prepared$query$table)$rows)
  prepared$rows <- core_hide(engine_for_query(prepared$query, rows, call))
  prepared
}

# The raw result of the measurement.
raw_release <- function(prepared, call) {
  forget_sent(engine_of_table(tbl_data(prepared$query$table)))
  rows <- core_hidden(prepared$rows)
  or_else(
    while_waiting(
      if (inherits(rows, "dp_engine")) counting_engines(rows),
      suppressWarnings(suppressMessages(prepared$measurement(arg = rows)))
    ),
    function(error) stop_backend(error, call)
  )
}

# Names of engines that count. NULL if R reads all rows.
counting_engines <- function(engine) {
  counting <- Filter(is_pushed, places_of(engine))
  if (length(counting) > 0) unique(vapply(counting, `[[`, "", "engine"))
}

# The error can depend on the data, so its reason is hidden. Failures of randomness or memory are
# safe to name.
stop_backend <- function(condition, call) {
  reason <- if (inherits(condition, "dp_error_entropy")) {
    " The operating system gave no randomness."
  } else if (inherits(condition, "dp_error_memory")) {
    " There was not enough memory."
  }
  stop_query("backend",
    paste0("Cannot read the data. Nothing was released, but the budget was spent.", reason),
    "The reason is not shown, because it can depend on private rows.", call
  )
}

# S3 method names contain dots.
# nolint start: object_name_linter.

#' @exportS3Method
release_form.dp_prepared_query <- function(x) planned_query(x$query, x$asked, x$alpha)

#' @exportS3Method
release_unit.dp_prepared_query <- function(x, d_in = NULL) unit_of(x$query)

#' @exportS3Method
release_loss.dp_prepared_query <- function(x) loss_for_core(x$loss, x$asked)

#' @exportS3Method
release_source.dp_prepared_query <- function(x, data) tbl_data(x$query$table)[c("origin", "rows")]

#' @exportS3Method
release_run.dp_prepared_query <- function(x, data, mark) {
  value <- marked_by_core(mark, stored_raw(raw_release(x, NULL), x$query))
  engine <- engine_of_table(tbl_data(x$query$table))
  list(value = value, ran = if (is.null(engine)) list() else engine_facts(engine))
}

#' @exportS3Method
release_describe.dp_prepared_query <- function(x, drawn) {
  released <- new_released(raw_of_stored(drawn$value, x$query), x)
  with_payment_noted(described_release(x$query, released), drawn)
}

#' @exportS3Method
release_label.dp_prepared_query <- function(x) {
  list(subject = "this query", what = describe_query(x$query))
}

# nolint end

# Form of the released numbers of a query that users see.
described_release <- function(query, released) UseMethod("described_release")

described_release.default <- function(query, released) released # nolint: object_name_linter.

# "n, age by sex"
describe_query <- function(query) {
  if (inherits(query, "dp_model_query")) {
    return(describe_model(query))
  }
  if (inherits(query, "dp_tables_query")) {
    return(describe_tables(query))
  }
  outputs <- toString(vapply(query$outputs, `[[`, "", "name"))
  printable(paste0(outputs, if (length(query$by) > 0) paste0(" by ", toString(query$by))))
}
