# Shows the SQL of a private table, and refuses to show its rows.

# nolint start: object_name_linter.
#' @export
str.dp_private <- function(object, ...) {
  cat(format(object), sep = "\n")
}

#' @exportS3Method pillar::glimpse
glimpse.dp_private <- function(x, width = NULL, ...) print(x)

#' @exportS3Method dplyr::explain
explain.dp_private <- function(x, ...) print(x)

#' @exportS3Method dplyr::show_query
show_query.dp_private <- function(x, ...) {
  print(x)
  engine <- if (inherits(x, "dp_query")) engine_of_table(tbl_data(x$table))
  for (text in unique(lapply(places_of(engine), shown_sql, query = x))) cat(text, sep = "\n")
  invisible(x)
}

# The SQL statement for one place. NULL if R reads the rows.
shown_sql <- function(place, query) {
  if (!is_pushed(place)) {
    return(NULL)
  }
  sql <- tryCatch(engine_sql(query, place, environment()), dp_error_unsupported = function(error) {
    if (is.null(place$pulled)) stop(error)
  })
  if (is.null(sql)) {
    "\nThe engine cannot run this query, so the declared columns are read into R."
  } else {
    paste0("\nA release replaces the salt of zeros:\n", sql)
  }
}

#' @export
summary.dp_private <- function(object, ...) {
  check_names(...)
  table <- if (inherits(object, "dp_query")) object$table else object
  fields <- fields_of(table)
  declared <- vapply(fields, describe_column, "")
  data.frame(column = names(fields), declared = declared, row.names = NULL)
}

#' @export
as.character.dp_private <- function(x, ...) format(x)
# nolint end
