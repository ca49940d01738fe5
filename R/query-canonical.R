# The canonical form of a query. Queries with the same meaning have the same hash, so they share one
# stored release. A stored release orders its columns by name.

# Sorts columns and aggregates by name, and conditions and commutative operands by their text.
canonical_query <- function(form) {
  form$steps <- canonical_filters(lapply(form$steps, canonical_step))
  form$by <- sort(form$by, method = "radix")
  form$keys <- canonical_keys(form$keys)
  form$aggregates <- lapply(by_name(form$aggregates), canonical_aggregate, form = form)
  form$outputs <- lapply(by_name(form$outputs), function(output) {
    output$value <- canonical_expression(output$value)
    output
  })
  form$source <- canonical_source(form$source)
  form
}

# Drops NULL fields before hashing, so a field that a later version adds does not change the hash of
# older queries.
given_fields <- function(form) {
  from_nested(form, function(form) {
    if (!is.list(form) || !all(names(attributes(form)) == "names")) {
      return(list(value = form))
    }
    if (!is.null(names(form))) form <- Filter(Negate(is.null), form)
    list(parts = form, close = function(fields) stats::setNames(fields, names(form)))
  })
}

by_name <- function(columns) {
  columns[order(vapply(columns, `[[`, "", "name"), method = "radix")]
}

# The weight of keys without a cost has no effect.
canonical_keys <- function(keys) {
  if (!is.null(keys$table)) keys$table$columns <- by_name(keys$table$columns)
  if (!weighs_keys(keys)) keys$weight <- 1
  keys
}

canonical_step <- function(step) {
  if (step$step == "select") {
    order <- order(step$names, method = "radix")
    step$columns <- step$columns[order]
    step$names <- step$names[order]
  }
  if (!is.null(step$by)) step$by <- sort(step$by, method = "radix")
  if (!is.null(step$table)) step$table$columns <- by_name(step$table$columns)
  for (part in intersect(c("predicate", "value", "order"), names(step))) {
    if (!is.null(step[[part]])) step[[part]] <- canonical_expression(step[[part]])
  }
  if (step$step == "per_unit") {
    step$values <- lapply(step$values, function(value) {
      if (!is.null(value$of)) value$of <- canonical_expression(value$of)
      value
    })
  }
  step
}

# Splits conjunctions into separate filters and sorts consecutive filters.
canonical_filters <- function(steps) {
  steps <- as.list(unlist(lapply(steps, conditions_in), recursive = FALSE))
  is_filter <- vapply(steps, function(step) step$step == "filter", NA)
  text <- vapply(steps, text_of_form, "")
  stretch <- cumsum(c(TRUE, diff(is_filter) != 0))[seq_along(steps)]
  within <- ifelse(is_filter, rank(text, ties.method = "first"), seq_along(steps))
  steps <- steps[order(stretch, within)]
  text <- vapply(steps, text_of_form, "")
  steps[!(is_filter & c(FALSE, text[-1] == text[-length(text)])[seq_along(steps)])]
}

conditions_in <- function(step) {
  if (step$step != "filter") {
    return(list(step))
  }
  conditions <- from_nested(step$predicate, function(form) {
    if (form$op != "&") {
      return(list(value = list(form)))
    }
    list(parts = form$args, close = function(parts) unlist(parts, recursive = FALSE))
  })
  lapply(conditions, function(condition) {
    step$predicate <- condition
    step
  })
}

# A text for each form that does not depend on the locale.
text_of_form <- function(form) {
  hash_of(core_node_digest(list(statistic = "form", args = list(form = form))))
}

# Commutative operations. Sums and products of two numbers are rounded once, in any order.
interchangeable <- c("&", "|", "==", "!=", "+", "*", "pmin", "pmax")

mirrored <- c(">" = "<", ">=" = "<=")

# In these operations, the other operand decides whether a whole constant is an integer or a real.
typed_by_others <- c(
  "==", "!=", "<", "<=", ">", ">=", "between", "%in%", "+", "-", "*", "/", "%/%", "%%", "pmin",
  "pmax"
)

canonical_expression <- function(form) {
  from_nested(form, function(form) {
    if (is.null(form$args)) {
      return(list(value = form))
    }
    list(parts = form$args, close = function(args) canonical_call(form, args))
  })
}

canonical_call <- function(form, args) {
  form$args <- args
  literal <- vapply(form$args, function(arg) arg$op == "literal", NA)
  if (form$op %in% typed_by_others && !all(literal)) {
    form$args[literal] <- lapply(form$args[literal], function(arg) {
      if (is.integer(arg$value)) arg$value <- as.double(arg$value)
      arg
    })
  }
  if (form$op %in% names(mirrored)) {
    form <- list(op = mirrored[[form$op]], args = rev(form$args))
  }
  if (form$op %in% interchangeable) {
    form$args <- form$args[order(vapply(form$args, text_of_form, ""), method = "radix")]
  }
  if (form$op == "%in%") form$args <- c(form$args[1], sorted_once(form$args[-1]))
  form
}

sorted_once <- function(args) {
  text <- vapply(args, text_of_form, "")
  args[order(text, method = "radix")][!duplicated(sort(text, method = "radix"))]
}
