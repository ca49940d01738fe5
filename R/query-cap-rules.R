# States the rule of each cap in words, for releases, plots and receipts.

caps_of_query <- function(query) {
  table <- tbl_data(query$table)
  cap_rules(table$steps, table$unit$id, query$aggregates, query$outputs)
}

#' @exportS3Method
planned_caps.dp_planned_query <- function(x) { # nolint: object_name_linter.
  query <- x$query
  cap_rules(query$steps, query$source$unit$id, query$aggregates, query$outputs)
}

#' @exportS3Method
planned_caps.dp_planned_batch <- function(x) { # nolint: object_name_linter.
  unique(as.character(unlist(lapply(x$members, planned_caps))))
}

# One sentence for each cap, and one for each number of dropped rows.
cap_rules <- function(steps, id, aggregates, outputs) {
  person <- paste(id, collapse = " and ")
  caps <- Filter(function(step) step$step == "truncate", steps)
  dropped <- Filter(function(aggregate) aggregate$fun == "dropped", aggregates)
  c(
    vapply(caps, cap_rule, "", person),
    unlist(lapply(dropped, rules_of_dropped, outputs, person))
  )
}

cap_rule <- function(step, person) {
  by <- toString(step$by)
  rules <- c(
    if (!is.null(step$groups)) paste0("at most ", amount_of_things(step$groups, "group"), " (",
      by, ") of each ", person
    ),
    if (!is.null(step$rows_per_group)) paste0("at most ",
      amount_of_things(step$rows_per_group, "row"), " of each ", person, " in a group (", by, ")"
    ),
    if (!is.null(step$rows)) paste0("at most ", amount_of_things(step$rows, "row"), " of each ",
      person
    )
  )
  paste0("counted: ", paste(rules, collapse = ", "), ", ", describe_keep(step))
}

# Readers must know that some dropped rows may not count.
rules_of_dropped <- function(aggregate, outputs, person) {
  limit <- paste0(amount_of_things(aggregate$up_to, "dropped row"), " of each ", person)
  used <- Filter(function(output) uses_aggregate(output$value, aggregate$name), outputs)
  vapply(used, function(output) {
    is_count <- output$value$op == "column"
    paste0(output$name, ": ", if (is_count) "at least this many rows, because ",
      "at most ", limit, if (aggregate$up_to == 1) " counts" else " count"
    )
  }, "")
}

uses_aggregate <- function(value, name) {
  from_nested(value, function(expr) {
    if (is.null(expr$args)) {
      return(list(value = expr$op == "column" && identical(expr$name, name)))
    }
    list(parts = expr$args, close = function(args) any(unlist(args)))
  })
}

amount_of_things <- function(amount, thing) paste0(amount, " ", thing, if (amount != 1) "s")
