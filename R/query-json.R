# Queries as JSON, in the format of the core (src/core/query/query_json.h): closed keys, and no
# attributes, classes, symbols or code. A text has only the hash of the declaration. Columns, bounds
# and unit come from the table that the query is bound to.

# The public description of a table, list(columns, unit), in canonical order.
canonical_source <- function(source) {
  source$unit$id <- sort(source$unit$id, method = "radix")
  source$columns <- by_name(source$columns)
  source
}

# The SHA-256 of the declared columns and the unit. Receipts call it `domain`.
declaration_hash <- function(source) core_sha256(release_text(canonical_source(source)))

#' @exportS3Method
plan_json.dp_query <- function(x, pretty) { # nolint: object_name_linter.
  json_of_query(written_query(x), pretty)
}

#' @exportS3Method
plan_json.dp_written_query <- function(x, pretty) { # nolint: object_name_linter.
  json_of_query(x, pretty)
}

# Writes list(declaration, query, loss, alpha).
json_of_query <- function(x, pretty) json_of_parts(json_parts(x), pretty)

# Drops the declaration if the source is included, because the source implies it.
json_parts <- function(x) {
  parts <- unclass(x)
  if (!is.null(parts$query$source)) parts["declaration"] <- list(NULL)
  parts
}

json_of_parts <- function(parts, pretty) {
  text <- in_json_text(core_query_to_json(parts))
  if (pretty) jsonlite::prettify(text, indent = 2) else text
}

in_json_text <- function(expr) {
  tryCatch(expr, dp_error_failed_cast = function(error) {
    raise(sub("^\\[FailedCast\\] : ", "", conditionMessage(error)), "serialization",
      error_variants[["serialization"]], call = quote(to_json())
    )
  })
}

# The text of a planned query with its source, for receipts.
text_of_planned <- function(plan) json_of_query(plan, pretty = FALSE)
