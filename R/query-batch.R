#' Release several queries for one loss
#'
#' A batch fixes queries and their shares of the loss before any release. [release()] charges the
#' batch once and releases all of its queries. A ledger stores a batch with one receipt, and
#' releasing it again is free. `dp_plan()` is the former name of `dp_batch()`.
#'
#' @param .session (`dp_session`) Session of all queries.
#' @param ... (`dp_query`) Two or more named queries.
#' @param weights (`numeric`) Relative share of the loss for each query: one number, or one per
#'   query. Public.
#' @param accountant (`character(1)`) `"additive"` adds the losses. `"pld"` composes privacy loss
#'   distributions, for sessions with epsilon and a delta. Each query then gets a larger loss, for
#'   the same total.
#' @param x (`dp_batch`) Batch to print or format.
#' @returns `dp_batch()` returns a `dp_batch`. [release()] takes the total loss of the batch and
#'   returns a [dp_released_batch]: a [dp_released] table for each query, by name. With `"pld"`,
#'   `delta` must be above 0.
#' @section Privacy: With `"additive"`, the sum of the losses is at most the loss that you ask for.
#'   With `"pld"`, [compose_pld()] of all measurements, at your `delta`, is at most your `epsilon`.
#'   The session charges the loss that you ask for.
#' @section Errors: `dp_error_invalid_argument` for invalid queries or weights, and for queries with
#'   different units. `dp_error_budget` for `"pld"` in a session without epsilon and delta.
#'   `dp_error_unsupported` for `"pld"` if the loss of a query has no known distribution. Releases
#'   raise the errors of [release()].
#' @seealso [dp_preview()] shows the accuracy of each query. [plan_hash()] identifies the batch. Use
#'   [dp_allocate()] to choose queries one after the other.
#' @examplesIf requireNamespace("dplyr", quietly = TRUE)
#' library(dplyr, warn.conflicts = FALSE)
#' session <- dp_session(dp_zcdp(0.5))
#' people <- dp_tbl(session, PUMS5extract10000,
#'   unit = dp_unit(rows = 1),
#'   domain = dp_domain(age = dp_int(18, 93), sex = dp_levels(0, 1), educ = dp_int(1, 16))
#' )
#' batch <- dp_batch(session,
#'   by_sex = count(people, sex), by_education = count(people, educ), weights = c(1, 2)
#' )
#' dp_preview(batch, rho = 0.1)
#' release(batch, rho = 0.1)
#' @order 1
#' @export
dp_batch <- function(.session, ..., weights = 1, accountant = c("additive", "pld")) {
  new_batch(.session, list(...), weights, accountant, environment())
}

# Members of a batch from a text can have any name, also of an argument of dp_batch().
new_batch <- function(session, queries, weights, accountant, call) {
  check_class(session, "dp_session", arg = ".session", call = call)
  accountant <- check_choice(accountant[[1]], c("additive", "pld"), arg = "accountant", call = call)
  check_members(queries, session, call)
  check_batch_weights(weights, length(queries), call)
  if (accountant == "pld" && (measure_name(session$loss) != "epsilon" || session$loss$delta == 0)) {
    stop_query("budget", "`accountant = \"pld\"` needs a session with epsilon and delta.",
      "Write `dp_session(dp_epsilon(epsilon, delta = ))`.", call
    )
  }
  structure(list(
    session = session, queries = queries, weights = rep_len(as.double(weights), length(queries)),
    accountant = accountant
  ), class = "dp_batch")
}

check_members <- function(queries, session, call) {
  names <- names(queries) %||% rep("", length(queries))
  if (length(queries) == 0 || !all(nzchar(names)) || anyDuplicated(names) > 0) {
    stop_argument("queries with distinct names", "others", "...", call)
  }
  for (name in names) check_member(queries[[name]], queries[[1]], session, name, call)
  versions <- lapply(queries, function(query) tbl_data(query$table)$version)
  if (length(unique(versions)) > 1) {
    stop_argument("queries with one version of the data", "queries with several", "...", call)
  }
}

check_member <- function(query, first, session, name, call) {
  if (!inherits(query, "dp_query")) stop_argument("a dp_query", describe(query), name, call)
  if (!is_same_budget(session_of(query), session)) {
    stop_argument("a query in this session", "a query in a different session", name, call)
  }
  if (!is_protected(unit_of(query), new_protection(unit_of(first)))) {
    stop_argument("a query with the unit of the first query", "a query with a different unit",
      name, call
    )
  }
}

check_batch_weights <- function(weights, count, call) {
  if (!is.numeric(weights) || !length(weights) %in% c(1L, count) || !isTRUE(all(weights > 0)) ||
    !is.finite(sum(rep_len(weights, count)))) {
    stop_argument("one number above 0, or one for each query", "others", "weights", call)
  }
}

#' @rdname dp_batch
#' @export
dp_plan <- dp_batch

#' @rdname release
#' @export
release.dp_batch <- function( # nolint: object_name_linter.
    x, ..., epsilon = NULL, rho = NULL, delta = NULL, alpha = 0.05, on = NULL, reuse = NULL,
    promise = NULL) {
  call <- environment()
  check_names(..., hints = has_its_data)
  check_probability(alpha)
  account <- account_of_queries(x$queries, on, reuse, promise, call)
  x$queries <- lapply(x$queries, moved_to, account$on, call)
  x$session <- session_of(x$queries[[1]])
  asked <- asked_loss(x$session, epsilon, rho, delta, call)
  prepared <- batch_with_cost(x, asked, alpha, call)
  prepared$members <- lapply(prepared$members, with_rows, call)
  for (member in prepared$members) warn_of_query_noise(member$query, member$asked, alpha, call)
  release_on(prepared, NULL, account, call = call)
}

# S3 method names contain dots.

# nolint start: object_name_linter.
#' @exportS3Method
release_form.dp_prepared_batch <- function(x) {
  structure(
    list(
      members = lapply(x$members, release_form), accountant = x$accountant,
      loss = unclass(x$asked), alpha = x$alpha
    ),
    class = "dp_planned_batch"
  )
}

#' @exportS3Method
release_unit.dp_prepared_batch <- function(x, d_in = NULL) release_unit(x$members[[1]])

#' @exportS3Method
release_loss.dp_prepared_batch <- function(x) x$loss

#' @exportS3Method
release_source.dp_prepared_batch <- function(x, data) {
  sources <- lapply(x$members, release_source)
  list(
    origin = paste(lapply(sources, `[[`, "origin"), collapse = "|"),
    rows = lapply(sources, `[[`, "rows")
  )
}

# The charge covers all members. If one fails, the error returns the others in its field `released`.
#' @exportS3Method
release_run.dp_prepared_batch <- function(x, data, mark) {
  done <- list()
  for (name in names(x$members)) {
    done[[name]] <- or_else(release_run(x$members[[name]], NULL, mark), function(error) {
      error$released <- described_members(x, lapply(done, `[[`, "value"))
      if (length(done) > 0) {
        error$message <- paste0(conditionMessage(error),
          "\ni The field `released` of this error has ", listed(names(done)), "."
        )
      }
      raise_again(error)
    })
  }
  list(value = lapply(done, `[[`, "value"), ran = facts_of_runs(lapply(done, `[[`, "ran")))
}

#' @exportS3Method
release_describe.dp_prepared_batch <- function(x, drawn) {
  with_payment_noted(described_members(x, drawn$value), drawn)
}

#' @exportS3Method
release_label.dp_prepared_batch <- function(x) {
  list(subject = "this batch", what = paste("batch of", length(x$members)))
}
# nolint end

described_members <- function(x, values) {
  tables <- Map(function(member, value) release_describe(member, list(value = value)),
    x$members[names(values)], values
  )
  new_released_batch(tables)
}

# Engine facts of all members, for the receipt.
facts_of_runs <- function(ran) {
  ran <- Filter(length, unname(ran))
  if (length(ran) == 0) {
    return(list())
  }
  part <- function(name) vapply(ran, `[[`, "", name)
  digest <- function(texts) if (all(texts == "")) "" else core_sha256(paste(texts, collapse = "\n"))
  list(
    engine = paste(unique(part("engine")), collapse = ", "), salt = digest(part("salt")),
    sql = digest(part("sql"))
  )
}
