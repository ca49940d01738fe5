# Canonical aggregates.

# Removes `pmin()` and `pmax()` that clamp at the bounds or beyond, because the bounds clamp anyway.
canonical_aggregate <- function(aggregate, form) {
  if (!is.null(aggregate$weights)) aggregate$weights <- canonical_expression(aggregate$weights)
  if (!is.null(aggregate$predictors)) {
    aggregate$predictors <- lapply(aggregate$predictors, canonical_expression)
  }
  if (aggregate$fun == "moment") aggregate <- canonical_moment(aggregate)
  if (is.null(aggregate$of)) {
    return(aggregate)
  }
  aggregate$of <- canonical_expression(aggregate$of)
  bounds <- aggregate$bounds
  while (!is.null(bounds)) {
    inner <- clamped_column(aggregate$of, bounds, form)
    if (is.null(inner)) {
      break
    }
    aggregate$of <- inner
  }
  aggregate
}

# Factors of a moment are in the order of their texts, unless it has weights, which multiply the
# second one. Its cells are in the order of the release.
canonical_moment <- function(aggregate) {
  if (!is.null(aggregate$cells)) aggregate$cells <- lapply(aggregate$cells, canonical_expression)
  if (is.null(aggregate$times)) {
    return(aggregate)
  }
  aggregate$times <- canonical_expression(aggregate$times)
  of <- canonical_expression(aggregate$of)
  if (is.null(aggregate$weights) && text_of_form(aggregate$times) < text_of_form(of)) {
    aggregate[c("of", "times")] <- aggregate[c("times", "of")]
  }
  aggregate
}

# The clamped operand, if it is a column whose missing values drop the row, as in the clamp.
# Otherwise NULL.
clamped_column <- function(of, bounds, form) {
  if (!of$op %in% c("pmin", "pmax") || length(of$args) != 2) {
    return(NULL)
  }
  literal <- vapply(of$args, function(arg) arg$op == "literal" && is.numeric(arg$value), NA)
  if (sum(literal) != 1) {
    return(NULL)
  }
  limit <- of$args[[which(literal)]]$value
  inner <- of$args[[which(!literal)]]
  beyond <- if (of$op == "pmin") limit >= bounds[[2]] else limit <= bounds[[1]]
  column <- innermost_column(inner, form)
  keeps_type <- identical(column$type, "real") ||
    identical(column$type, "integer") && limit == trunc(limit)
  if (isTRUE(beyond && keeps_type) && identical(column$missing, "drop")) inner
}

# The declaration of the column inside clamps. NULL if a step could have changed the column.
innermost_column <- function(of, form) {
  while (of$op %in% c("pmin", "pmax")) {
    of <- Find(function(arg) arg$op != "literal", of$args) %||% list(op = "literal")
  }
  makes_columns <- vapply(form$steps, function(step) {
    step$step %in% c("mutate", "select", "join", "per_unit")
  }, NA)
  if (of$op != "column" || any(makes_columns)) {
    return(NULL)
  }
  Find(function(column) column$name == of$name, form$source$columns)
}
