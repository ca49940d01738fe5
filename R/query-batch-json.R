# Batches as JSON: one object with closed keys that holds the texts of the queries (query-json.R).

# S3 method names contain dots.
# nolint start: object_name_linter.

#' @exportS3Method
plan_json.dp_batch <- function(x, pretty) json_of_batch(written_batch(x), pretty)

#' @exportS3Method
plan_json.dp_written_batch <- function(x, pretty) json_of_batch(x, pretty)

# The plan of a receipt. Its members have losses.
#' @exportS3Method
planned_in.dp_written_batch <- function(x) {
  if (is.null(x$loss)) {
    stop_dp("a planned batch must have a loss.", "serialization", call = NULL)
  }
  structure(
    list(
      members = lapply(x$members, planned_in), accountant = x$accountant, loss = x$loss,
      alpha = x$alpha
    ),
    class = "dp_planned_batch"
  )
}

#' @exportS3Method
plan_text.dp_planned_batch <- function(form) {
  members <- lapply(form$members, function(plan) {
    new_written_query(list(query = plan$query, loss = plan$loss, alpha = plan$alpha))
  })
  json_of_batch(new_written_batch(members, form$accountant, NULL, form$loss, form$alpha), FALSE)
}

#' @export
format.dp_written_batch <- function(x, ...) {
  members <- Map(function(name, member) c(paste0("  ", printable(name), ":"), query_body(member)),
    names(x$members), x$members
  )
  c(
    paste0("<dp_written_batch> ", length(x$members), " queries, ", printable(x$accountant),
      ". Bind it to a table with on_table()"
    ),
    unlist(members, use.names = FALSE)
  )
}

#' @export
print.dp_written_batch <- function(x, ...) {
  cat(format(x), sep = "\n")
  invisible(x)
}

#' @export
release.dp_written_batch <- function(x, ...) refuse_without_table(x, ...)

# nolint end

# Named queries without tables. `weights` divide a later loss. The plan of a receipt has losses
# instead.
new_written_batch <- function(members, accountant, weights, loss = NULL, alpha = NULL) {
  structure(
    list(members = members, accountant = accountant, weights = weights, loss = loss, alpha = alpha),
    class = "dp_written_batch"
  )
}

written_batch <- function(batch) {
  new_written_batch(lapply(batch$queries, written_query), batch$accountant, batch$weights)
}

json_of_batch <- function(x, pretty) {
  members <- lapply(seq_along(x$members), function(i) {
    parts <- json_parts(x$members[[i]])
    c(
      list(name = names(x$members)[[i]], weight = x$weights[i]),
      parts[c("declaration", "query", "loss", "alpha")]
    )
  })
  json_of_parts(
    list(accountant = x$accountant, members = members, loss = x$loss, alpha = x$alpha), pretty
  )
}

# Makes a batch of the fields that the core parsed.
batch_in_parts <- function(parts) {
  members <- lapply(parts$members, new_written_query)
  names(members) <- vapply(parts$members, `[[`, "", "name")
  weights <- unlist(lapply(parts$members, `[[`, "weight"))
  new_written_batch(members, parts$accountant, weights, parts$loss, parts$alpha)
}

# Binds the batch to one table, or each member to its table.
batch_on_tables <- function(batch, table, promises, call) {
  if (inherits(batch, "dp_batch")) batch <- written_batch(batch)
  names <- names(batch$members)
  tables <- if (inherits(table, "dp_tbl")) rep(list(table), length(names)) else table
  is_each <- is.list(tables) && length(tables) == length(names) &&
    all(vapply(tables, inherits, NA, "dp_tbl"))
  if (!is_each || !(inherits(table, "dp_tbl") || setequal(names(tables), names))) {
    stop_argument("a dp_tbl, or a list of one for each query by name", describe(table), "table",
      call
    )
  }
  if (!inherits(table, "dp_tbl")) tables <- tables[names]
  queries <- Map(function(query, table) query_on_table(query, table, promises, call),
    batch$members, tables
  )
  weights <- batch$weights %||% rep(1, length(queries))
  new_batch(session_of(queries[[1]]), queries, weights, batch$accountant, call)
}
