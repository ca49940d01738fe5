# Prints the public parts of private tables and queries.

#' @rdname dp_tbl
#' @export
format.dp_tbl <- function(x, ...) {
  table <- tbl_data(x)
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
  domain <- tbl_data(x)$domain
  described <- vapply(fields, function(field) {
    origin <- declaration_behind(field$name, tbl_data(x)$steps, domain)
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
  tbl_data(x)$fields[names(x)]
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
    paste0("<dp_query> ", describe_query(x), "; the unit is ", format(tbl_data(x$table)$unit),
      "; ", session_line(session_of(x))
    ),
    engine_line(tbl_data(x$table)),
    query_lines(tbl_data(x$table)$steps, x$by, x$keys, x$aggregates, x$outputs), reach_line(x)
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

# The contribution bound of one unit, if there is one.
reach_line <- function(x) {
  bound <- x$facts$bound
  if (is.null(bound)) {
    return(NULL)
  }
  shown <- show_number(unlist(bound), 15)
  plural <- ifelse(unlist(bound) == 1, "", "s")
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
