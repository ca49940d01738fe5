# Describes an aggregate in print.

describe_aggregate <- function(aggregate) {
  kind <- aggregate$fun
  fun <- names(aggregate_kinds)[match(kind, aggregate_kinds)]
  if (kind %in% hidden_kinds) fun <- kind
  if (kind %in% names(row_models)) fun <- "dp_glm"
  args <- c(
    if (!is.null(aggregate$of)) describe_expr(aggregate$of),
    if (!is.null(aggregate$times)) describe_expr(aggregate$times),
    vapply(aggregate$predictors, describe_expr, ""),
    if (!is.null(aggregate$cells)) {
      paste("by", paste(vapply(aggregate$cells, describe_expr, ""), collapse = " and "))
    },
    if (aggregate$fun == "quantiles") toString(show_number(aggregate$probabilities, 7)),
    if (!is.null(aggregate$up_to)) paste0("up_to = ", aggregate$up_to),
    if (!is.null(aggregate$weights)) paste0("weights = ", describe_expr(aggregate$weights))
  )
  paste0(fun, "(", toString(args), ")")
}
