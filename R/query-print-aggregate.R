# Describes an aggregate in print.

describe_aggregate <- function(aggregate) {
  fun <- names(aggregate_kinds)[match(aggregate$fun, aggregate_kinds)]
  if (aggregate$fun %in% hidden_kinds) fun <- aggregate$fun
  args <- c(
    if (!is.null(aggregate$of)) describe_expr(aggregate$of),
    if (!is.null(aggregate$times)) describe_expr(aggregate$times),
    if (!is.null(aggregate$cells)) {
      paste("by", paste(vapply(aggregate$cells, describe_expr, ""), collapse = " and "))
    },
    if (aggregate$fun == "quantiles") toString(show_number(aggregate$probabilities, 7)),
    if (!is.null(aggregate$up_to)) paste0("up_to = ", aggregate$up_to),
    if (!is.null(aggregate$weights)) paste0("weights = ", describe_expr(aggregate$weights))
  )
  paste0(fun, "(", toString(args), ")")
}
