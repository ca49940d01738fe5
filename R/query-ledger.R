# Queries of sessions with a ledger: each release is stored, has a receipt, and costs once.

# The version of the data; NULL without a ledger.
check_version <- function(version, ledger, call) {
  check_string(version, null = TRUE, call = call)
  if (is.null(ledger)) {
    if (!is.null(version)) {
      stop_query("unsupported", "`version` needs a session with a ledger.",
        "`dp_session(ledger = )`.", call
      )
    }
    return(NULL)
  }
  known <- state_of(ledger)$versions
  if (is.null(version)) {
    return(known[[length(known)]])
  }
  if (!version %in% known) {
    stop_query("ledger", paste0("`version` ", name_public(version), " is not in this ledger."),
      paste0(
        "The curator adds it with `dp_new_version(ledger, ", name_public(version),
        ")`; the budget stays the same."
      ), call
    )
  }
  version
}

# Stores what was paid before it is described. Intervals and print are made anew each time.
release_on_ledger <- function(session, prepared, asked, reuse, call) {
  account <- new_account(session$ledger, prepared$version, reuse, call)
  loss <- lapply(list(prepared$loss, asked), function(one) as.double(unlist(unclass(one))))
  plan <- planned_query(prepared$query, asked, prepared$alpha)
  unit <- mapped_unit(parts_of(prepared$query$table)$unit)
  shown <- function(stored) new_released(raw_of_stored(stored, prepared$query), prepared)
  engine <- engine_of_table(parts_of(prepared$query$table))
  released <- tryCatch(
    released_on(account, prepared$plan, loss,
      run = function() stored_raw(raw_release(prepared, call), prepared$query),
      shown = shown,
      about = list(
        d_in = distance_text(unit$count), plan = release_text(plan, planned_classes),
        facts = planned_facts(plan, unit$count),
        ran = if (!is.null(engine)) function() engine_facts(engine)
      )
    ),
    dp_error_budget = function(error) refuse_over_budget(session, prepared$loss, asked, call)
  )
  described <- holding_conditions(with_payment_noted(shown(released$value), released))
  signal_held(c(released$held, described$held), described$value)
  described$value
}

#' @exportS3Method
planned_hash.dp_planned_query <- function(x) { # nolint: object_name_linter.
  hash_of(core_node_digest(list(statistic = "dp_query", args = given_fields(unclass(x)))))
}

#' @exportS3Method
planned_measurement.dp_planned_query <- function(x) { # nolint: object_name_linter.
  measurement_of(compiled_plan(x))
}

#' @exportS3Method
planned_unit.dp_planned_query <- function(x, d_in) { # nolint: object_name_linter.
  unit <- x$query$source$unit
  # A receipt from a stranger can have any plan.
  if (!is_string(unit$kind) || !unit$kind %in% c("rows", "changes", "id")) {
    stop_dp("a planned query must have a unit.", "serialization", call = NULL)
  }
  structure(unit[c("kind", "id", "count")], class = "dp_unit")
}

#' @exportS3Method
planned_facts.dp_planned_query <- function(x, d_in) { # nolint: object_name_linter.
  compiled <- compiled_plan(x)
  preview <- as_columns(compiled$preview)
  list(
    domain = core_sha256(release_text(x$query$source)),
    accuracy = rows_in_text(list(
      alpha = x$alpha, column = preview$column, part = preview$part, value = preview$accuracy
    )),
    events = rows_in_text(unclass(compiled$events))
  )
}

compiled_plan <- function(x) {
  loss <- new_loss(names(x$loss)[[1]], x$loss[[1]], x$loss$delta)
  core_query_compile(x$query, within_asked(loss), x$alpha)
}
