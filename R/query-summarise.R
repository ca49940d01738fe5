# summarise() reads aggregates and arithmetic of them. A query is list(table, by, aggregates,
# outputs, keys).

# nolint start: object_name_linter.
#' @rdname dp_aggregates
#' @exportS3Method dplyr::summarise
summarise.dp_tbl <- function(.data, ..., .by = NULL, .groups = NULL) {
  call <- environment()
  check_released_groups(.groups, call)
  by <- by_columns(.data, rlang::enquo(.by), ".by", call)
  if (!is.null(by)) .data <- with_tbl_data(.data, groups = by)
  summarised(.data, rlang::enquos(...), call)
}
# nolint end

# Releases have no groups, so only `"drop"` and the default are valid.
check_released_groups <- function(groups, call) {
  if (!is.null(groups) && !identical(groups, "drop")) {
    stop_query("invalid_argument", "`.groups` must be \"drop\": released tables have no groups.",
      "Use `group_by()` on the result of `release()`.", call,
      argument = ".groups"
    )
  }
}

summarised <- function(x, quos, call) {
  quos <- expand_across(quos, x, call)
  check_new_columns(names(quos), call)
  if (length(quos) == 0) {
    stop_query("unsupported", "A query needs at least one aggregate.",
      "Write `summarise(n = dp_count())`, for example.", call
    )
  }
  groups <- tbl_data(x)$groups
  repeated <- c(intersect(names(quos), groups), names(quos)[duplicated(names(quos))])
  if (length(repeated) > 0) {
    stop_query("unsupported", paste0("Two columns would be called ", listed(unique(repeated)), "."),
      call = call
    )
  }
  made <- read_outputs(quos, x, call)
  query <- list(table = x, by = groups, aggregates = made$aggregates, outputs = made$outputs,
    keys = tbl_data(x)$keys
  )
  warn_of_unweighted(query, call)
  query <- checked_query(structure(query, class = c("dp_query", "dp_private")), call)
  inform_of_wide_totals(query)
  query
}
