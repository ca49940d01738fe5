# Hints of a preview, and measurements of queries.

# Hints by class of the core's error.
hints_for <- function(query) {
  by <- paste(query$by, collapse = ", ")
  list(
    dp_error_unbounded = if (identical(query$facts$missing_cap, "groups")) {
      paste0("Add `max_groups = ` to `dp_truncate(by = ", by, ")`, or declare the levels of ",
        listed(query$by), ".")
    } else {
      paste(
        "Add `dp_truncate(max_rows = )`, or `max_groups` with `max_rows_per_group`,",
        "before `summarise()`."
      )
    },
    dp_error_keys = hint_for_keys(query),
    dp_error_domain = bounds_are_wanted
  )
}

# Columns of a joined public table cannot be declared, but their values are known.
hint_for_keys <- function(query) {
  joined <- Filter(function(step) identical(step$step, "join"), tbl_data(query$table)$steps)
  public <- lapply(joined, function(step) vapply(step$table$columns, `[[`, "", "name"))
  known <- intersect(query$by, unlist(public))
  if (length(known) > 0) {
    columns <- paste0(query$by, " = ", collapse = ", ")
    return(paste0(
      "A query does not take its groups from a joined public table. List them: ",
      "`dp_keys(data.frame(", columns, "))`, with the values of ", listed(known), " in that table."
    ))
  }
  paste(
    "Declare the levels with `dp_levels()`, or use `dp_keys(<data frame>)`. Otherwise use",
    "`dp_keys(\"threshold\")`, which needs a `delta`."
  )
}

check_delta_for_keys <- function(query, delta, call) {
  if (!pays_for_keys(query$keys) || delta > 0) {
    return(invisible())
  }
  kind <- query$keys$kind
  session <- session_of(query)
  if (session$loss$delta == 0) stop_without_delta(kind, session, call)
  stop_query("keys", paste0("`dp_keys(\"", kind, "\")` needs a `delta` above 0."),
    paste0("Give `delta = `. ", format(left_in(session$budget)), " is left."), call
  )
}

#' @rdname as_measurement
#' @export
as_measurement.dp_query <- function(x, loss, ...) { # nolint: object_name_linter.
  call <- environment()
  check_names(...)
  check_class(loss, "dp_loss")
  measurement_of(compiled_query(x, loss, 0.05, call))
}

#' @export
as_measurement.dp_tbl <- function(x, ...) { # nolint: object_name_linter.
  check_query(x, quote(as_measurement()))
}

# The core returns a handle or the object.
measurement_of <- function(compiled) {
  made <- compiled$measurement
  if (inherits(made, "measurement")) made else new_measurement(made)
}
