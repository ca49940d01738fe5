# Describes the steps of a query in print.

step_lines <- function(steps) {
  if (length(steps) == 0) {
    return(NULL)
  }
  places <- format(seq_along(steps))
  c("  steps:", paste0("  ", places, "  ", vapply(steps, describe_step, "")))
}

describe_step <- function(step) {
  switch(step$step,
    filter = paste0("filter ", describe_expr(step$predicate)),
    mutate = paste0("mutate ", step$name, " = ", describe_expr(step$value)),
    select = paste0("select ", toString(ifelse(
      step$columns == step$names, step$names, paste0(step$names, " = ", step$columns)
    ))),
    join = paste0(
      step$how, " join with a public table by ",
      toString(ifelse(step$private == step$public, step$private,
        paste0(step$private, " = ", step$public)
      ))
    ),
    per_unit = paste0(
      "one row per person", if (length(step$by) > 0) paste0(" and ", toString(step$by)), ": ",
      toString(vapply(step$values, describe_unit_value, ""))
    ),
    truncate = describe_truncate(step),
    margin = describe_margin(step)
  )
}

describe_unit_value <- function(value) {
  fun <- names(unit_functions)[match(value$fun, unit_functions)]
  paste0(value$name, " = ", fun, "(", if (!is.null(value$of)) describe_expr(value$of), ")")
}

describe_truncate <- function(step) {
  by <- toString(step$by)
  paste0("keep ", toString(c(
    if (!is.null(step$groups)) paste("groups of", by, "up to", step$groups),
    if (!is.null(step$rows_per_group)) paste("rows in each", by, "up to", step$rows_per_group),
    if (!is.null(step$rows)) paste("rows up to", step$rows)
  )), " of a person, ", describe_keep(step))
}

describe_keep <- function(step) {
  if (step$keep == "random") {
    return("at random")
  }
  paste("the", step$keep, "by", describe_expr(step$order))
}

describe_margin <- function(step) {
  paste0("promise about groups of ", toString(step$by), ": ", toString(c(
    if (step$lengths) "keys and lengths are public" else if (step$keys) "keys are public",
    if (!is.null(step$max_groups)) paste("at most", step$max_groups),
    if (!is.null(step$max_rows)) paste("of at most", step$max_rows, "rows")
  )))
}

infix <- c("==", "!=", "<", "<=", ">", ">=", "&", "|", "+", "-", "*", "/", "%/%", "%%")

describe_expr <- function(expr) {
  from_nested(expr, function(expr) {
    if (is.null(expr$args)) {
      return(list(value = if (expr$op == "column") expr$name else describe_literal(expr)))
    }
    list(parts = expr$args, close = function(args) describe_call(expr, unlist(args)))
  })
}

describe_call <- function(expr, args) {
  if (expr$op %in% infix) {
    nested <- vapply(expr$args, function(arg) arg$op %in% infix, NA)
    paste(ifelse(nested, paste0("(", args, ")"), args), collapse = paste0(" ", expr$op, " "))
  } else if (expr$op == "%in%") {
    shown <- utils::head(args[-1], 6)
    more <- length(args) - 1 - length(shown)
    more <- if (more > 0) paste0(", and ", more, " more")
    paste0(args[[1]], " %in% c(", toString(shown), more, ")")
  } else if (expr$op == "!") {
    paste0("!", args)
  } else {
    paste0(expr$op, "(", toString(args), ")")
  }
}

describe_literal <- function(expr) {
  value <- expr$value
  if (identical(expr$type, "date")) {
    format(as.Date(value, "1970-01-01"))
  } else if (is.character(value)) {
    encodeString(value, quote = "\"")
  } else if (is.numeric(value) && !is.na(value)) {
    show_number(value, 7)
  } else {
    as.character(value)
  }
}

describe_keys <- function(keys) {
  which <- switch(keys$kind,
    declared = "all declared",
    table = paste("the", length(keys$table$columns[[1]]$values), "of a public table"),
    threshold = "above a threshold",
    select = "selected privately"
  )
  if (is.null(keys$suppress)) which else paste0(which, ", except below ", keys$suppress)
}
