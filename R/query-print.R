# Prints the public parts of private tables and queries.

#' @rdname dp_tbl
#' @export
format.dp_tbl <- function(x, ...) {
  table <- parts_of(x)
  session <- table$session
  c(
    paste0("<dp_tbl> private; the unit is ", format(table$unit), "; ", session_line(session)),
    if (!is.null(table$name)) paste0("  name: ", table$name),
    engine_line(table),
    design_line(table$design),
    column_lines(x),
    printable(step_lines(table$steps)),
    if (length(table$groups) > 0) paste0("  groups: ", toString(printable(table$groups))),
    if (!is.null(table$keys)) paste0("  keys: ", describe_keys(table$keys))
  )
}

engine_line <- function(table) {
  if (!is.null(table$shards)) {
    paste0("  shards: ", describe_shards(table$shards))
  } else if (!is.null(table$engine)) {
    paste0("  engine: ", table$engine)
  }
}

session_line <- function(session) sub("^<dp_session> ", "", format(session))

column_lines <- function(x) {
  fields <- fields_of(x)
  domain <- parts_of(x)$domain
  described <- vapply(fields, function(field) {
    origin <- declaration_behind(field$name, parts_of(x)$steps, domain)
    paste0(describe_column(field), if (!is.null(origin)) describe_missing(origin))
  }, "")
  paste0("  ", format(names(fields)), "  ", described, recycle0 = TRUE)
}

# The declaration of a column that the steps kept, copied or renamed. NULL for a derived column.
declaration_behind <- function(name, steps, domain) {
  for (step in rev(steps)) {
    if (is_copy(step, name)) {
      name <- step$value$name
      next
    }
    is_made <- switch(step$step,
      mutate = step$name == name,
      per_unit = !name %in% step$by,
      join = !name %in% step$private && name %in% names_of_public(step$table),
      FALSE
    )
    if (is_made) {
      return(NULL)
    }
    if (step$step == "select") name <- step$columns[[match(name, step$names)]]
  }
  domain[[name]]
}

is_copy <- function(step, name) {
  step$step == "mutate" && step$name == name && step$value$op == "column"
}

# The current columns in the core, by name, in the order of the table.
fields_of <- function(x) {
  parts_of(x)$fields[names(x)]
}

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

#' @rdname dp_tbl
#' @export
print.dp_tbl <- function(x, ...) {
  cat(format(x), sep = "\n")
  invisible(x)
}

#' @export
format.dp_query <- function(x, ...) {
  c(
    paste0("<dp_query> ", describe_query(x), "; the unit is ", format(parts_of(x$table)$unit),
      "; ", session_line(session_of(x))
    ),
    engine_line(parts_of(x$table)),
    query_lines(parts_of(x$table)$steps, x$by, x$keys, x$aggregates, x$outputs), reach_line(x)
  )
}

# Describes a query without its table.
query_lines <- function(steps, by, keys, aggregates, outputs) {
  texts <- lapply(aggregates, describe_aggregate)
  names(texts) <- vapply(aggregates, `[[`, "", "name")
  texts <- list2env(texts, hash = TRUE)
  columns <- vapply(outputs, function(output) {
    paste0("  ", output$name, " = ", describe_output(output$value, texts))
  }, "")
  groups <- if (length(by) > 0) {
    paste0("  groups: ", toString(by), ", ", describe_keys(keys %||% list(kind = "declared")))
  }
  printable(c(step_lines(steps), groups, columns))
}

# `aggregates` is an environment that maps names to texts.
describe_output <- function(value, aggregates) {
  from_nested(value, function(expr) {
    if (expr$op == "column") {
      return(list(value = get0(expr$name, envir = aggregates, inherits = FALSE) %||% expr$name))
    }
    if (expr$op == "literal") {
      return(list(value = describe_literal(expr)))
    }
    list(parts = expr$args, close = function(args) {
      if (expr$op %in% infix) paste(args, collapse = paste0(" ", expr$op, " ")) else
        paste0(expr$op, "(", toString(args), ")")
    })
  })
}

describe_aggregate <- function(aggregate) {
  fun <- names(aggregate_kinds)[match(aggregate$fun, aggregate_kinds)]
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

# The contribution bound of one unit, if there is one.
reach_line <- function(x) {
  triple <- x$facts$triple
  if (is.null(triple)) {
    return(NULL)
  }
  shown <- show_number(unlist(triple), 15)
  plural <- ifelse(unlist(triple) == 1, "", "s")
  paste0(
    "  one unit changes at most ", shown[[1]], " group", plural[[1]], ", ", shown[[2]], " row",
    plural[[2]], " in all and ", shown[[3]], " in one group"
  )
}

#' @export
print.dp_query <- function(x, ...) {
  cat(format(x), sep = "\n")
  invisible(x)
}

# S3 method names contain dots.
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
  engine <- if (inherits(x, "dp_query")) engine_of_table(parts_of(x$table))
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
