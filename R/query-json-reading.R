# Reads queries from JSON, and binds them to tables.

#' @exportS3Method
plan_in_json.dp_query_json <- function(text) { # nolint: object_name_linter.
  query_in_json(unclass(text))
}

# `limits`: one of core_query_json_limits().
query_in_json <- function(text, limits = core_query_json_limits()$local) {
  parts <- in_json(core_query_from_json(text, limits))
  if (is.null(parts$members)) new_written_query(parts) else batch_in_parts(parts)
}

# A query without a table: list(declaration, query, loss, alpha). `query` is the form for the core.
# It has a source only in a receipt. `loss` and `alpha` are NULL if the text has none.
new_written_query <- function(parts) {
  source <- parts$query$source
  declaration <- if (is.null(source)) parts$declaration else declaration_hash(source)
  structure(
    list(declaration = declaration, query = parts$query, loss = parts$loss, alpha = parts$alpha),
    class = "dp_written_query"
  )
}

written_query <- function(query) {
  form <- form_of_query(query)
  declaration <- declaration_hash(form$source)
  form["source"] <- NULL
  new_written_query(list(declaration = declaration, query = form))
}

# The plan of a receipt must determine its hash and its loss, so it needs a source and a loss.
#' @exportS3Method
planned_in.dp_written_query <- function(x) { # nolint: object_name_linter.
  if (is.null(x$query$source) || is.null(x$loss)) {
    stop_dp("a planned query must have a source and a loss.", "serialization", call = NULL)
  }
  structure(list(query = x$query, loss = x$loss, alpha = x$alpha), class = "dp_planned_query")
}

#' @export
format.dp_written_query <- function(x, ...) {
  c(
    paste0("<dp_written_query> ", describe_query(x$query), ". Bind it to a table with on_table()"),
    query_body(x)
  )
}

query_body <- function(x) {
  query <- x$query
  loss <- x$loss
  c(
    paste0("  declaration: ", substr(x$declaration, 1, 16)),
    query_lines(query$steps, query$by, query$keys, query$aggregates, query$outputs),
    if (!is.null(loss)) {
      paste0("  asked: ", format(new_loss(names(loss)[[1]], loss[[1]], loss$delta)), ", alpha ",
        show_number(x$alpha, 7)
      )
    }
  )
}

#' @export
print.dp_written_query <- function(x, ...) {
  cat(format(x), sep = "\n")
  invisible(x)
}

#' @export
release.dp_written_query <- function(x, ...) { # nolint: object_name_linter.
  refuse_without_table(x, ...)
}

refuse_without_table <- function(x, ...) {
  check_names(..., hints = stats::setNames(
    rep("Bind it to a table with `on_table()`.", 4), c("epsilon", "rho", "delta", "alpha")
  ))
  check_query(x, quote(release()))
}

#' Bind a query from JSON to a table
#'
#' `on_table()` binds a query or batch that [from_json()] read to a table. The table must have the
#' declarations of the table that the query was written for.
#'
#' The JSON text contains steps, groups, keys and aggregates. Columns, bounds, levels and the unit
#' of privacy come from `table`, so a text cannot weaken them. The text contains only their SHA-256
#' hash, `declaration`.
#' @param query (`dp_written_query`, `dp_written_batch`, `dp_query` or `dp_batch`) A query or batch
#'   from [from_json()], or from a table with the same declarations. Public.
#' @param table (`dp_tbl`) A private table without verbs, see [dp_tbl()]. For a batch, it can be a
#'   list of such tables, one for each query, by name.
#' @param promises (`logical(1)`) Whether to accept the promises of [dp_margin()] in the query. The
#'   loss depends on them, and nothing checks them. Use `TRUE` only if you wrote the text, or if you
#'   know that its promises hold. With `FALSE`, such a query raises an error.
#' @returns (`dp_query` or `dp_batch`) For [dp_preview()] and [release()]. It has the plan of the
#'   original query, so a ledger returns a stored release free.
#' @section Privacy: No rows are read, and no budget is spent. The core checks steps, bounds and
#'   caps again, as it does for a query that you write.
#' @section Errors: `dp_error_domain` if columns or unit are declared differently.
#'   `dp_error_invalid_argument` if `table` has verbs. `dp_error_unsupported` for a query with the
#'   rules of a different version, for promises that you do not accept, and for steps that a verb
#'   would not accept. `dp_error_keys` if keys are private and the session has no delta.
#' @seealso [to_json()] and [from_json()]
#' @examplesIf requireNamespace("dplyr", quietly = TRUE)
#' library(dplyr, warn.conflicts = FALSE)
#' people <- dp_tbl(dp_session(dp_epsilon(1)), PUMS5extract10000,
#'   unit = dp_unit(rows = 1),
#'   domain = dp_domain(age = dp_int(18, 93), sex = dp_levels(0, 1))
#' )
#' text <- people |>
#'   group_by(sex) |>
#'   summarise(n = dp_count(), age = dp_mean(age)) |>
#'   to_json()
#' query <- from_json(text)
#' query
#' release(on_table(query, people), epsilon = 0.2)
#' @export
on_table <- function(query, table, promises = FALSE) {
  call <- environment()
  check_flag(promises)
  if (inherits(query, c("dp_batch", "dp_written_batch"))) {
    return(batch_on_tables(query, table, promises, call))
  }
  query_on_table(query, table, promises, call)
}

query_on_table <- function(query, table, promises, call) {
  if (inherits(query, "dp_query")) query <- written_query(query)
  if (!inherits(query, "dp_written_query")) {
    stop_argument("a query that from_json() read", describe(query), "query", call)
  }
  if (!inherits(table, "dp_tbl")) stop_argument("a dp_tbl", describe(table), "table", call)
  parts <- tbl_data(table)
  if (length(parts$steps) > 0) {
    stop_argument("a table without verbs, as `dp_tbl()` returns it", "one with verbs", "table",
      call
    )
  }
  form <- query$query
  if (!identical(query$declaration, declaration_hash(source_form(parts)))) {
    stop_query("domain", "The query was written for different columns or a different unit.",
      "Use the declarations that the query was written for.", call
    )
  }
  if (!promises && any(vapply(form$steps, is_promise, NA))) {
    stop_query("unsupported", "The query depends on promises of `dp_margin()`.",
      "If you know that they hold, write `on_table(query, table, promises = TRUE)`.", call
    )
  }
  if (!identical(form$rules, newest_rules)) {
    stop_query("unsupported", "The query has the rules of a different version of the package.",
      "Write it again with this version.", call
    )
  }
  bound_query(form, table, call)
}

# Steps that nothing checks but that the loss depends on.
is_promise <- function(step) step$step == "margin"

# Rebuilds the query on a bare table, as verbs would have built it.
bound_query <- function(form, table, call) {
  session <- tbl_data(table)$session
  is_default <- form$keys$kind == "declared" && !weighs_keys(form$keys)
  keys <- if (!is_default) form$keys
  if (pays_for_keys(keys) && session$loss$delta == 0) stop_without_delta(keys$kind, session, call)
  names <- c(form$by, names_of_outputs(form))
  if (anyDuplicated(names) > 0 || !all(nzchar(names)) || length(form$outputs) == 0) {
    stop_query("unsupported", "A result must have columns with distinct names.", call = call)
  }
  labels <- vapply(form$aggregates, `[[`, "", "name")
  if (anyDuplicated(labels) > 0 || !all(nzchar(labels))) {
    stop_query("unsupported", "Aggregates must have distinct names.", call = call)
  }
  table <- with_tbl_data(table, steps = form$steps, groups = form$by, keys = keys)
  table <- checked_table(table, call)
  table <- with_tbl_data(table, columns = names(tbl_data(table)$fields))
  query <- list(table = table, by = form$by, outputs = form$outputs, keys = keys,
    aggregates = stats::setNames(form$aggregates, labels)
  )
  query <- structure(query[c("table", "by", "aggregates", "outputs", "keys")],
    class = c("dp_query", "dp_private")
  )
  if (measures_tables(query)) query <- as_tables_query(query, call)
  checked_query(query, call)
}
