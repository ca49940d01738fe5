# Notes below a release say how rows and amounts were read. They follow only from the query and its
# declarations.
notes_of_query <- function(query) {
  c(notes_of_amounts(query), notes_of_rows(query), notes_of_groups(query))
}

# Amounts ------------------------------------------------------------------------------------------

# Aggregates that read their column as amounts: values outside of the bounds count as the bound.
kinds_of_amounts <- c("sum", "mean", "variance", "deviation", "quantiles")

# Bounds of amounts: a sentence for each declared column, and one for each aggregate with different
# bounds.
notes_of_amounts <- function(query) {
  table <- parts_of(query$table)
  aggregates <- Filter(function(each) each$fun %in% kinds_of_amounts, query$aggregates)
  used <- unlist(lapply(aggregates, function(each) {
    c(amounts_in(each$of), amounts_in(each$weights))
  }))
  declared <- table$domain[intersect(names(table$domain), amounts_before(used, table$steps))]
  clamped <- Filter(function(column) is.numeric(column$lower), declared)
  own <- Filter(function(each) !is.null(each$bounds), aggregates)
  c(
    unlist(Map(note_of_column, names(clamped), clamped), use.names = FALSE),
    vapply(unname(own), function(each) {
      paste0(describe_aggregate(each), ": values count as ", range_words(each$bounds, "real"))
    }, "")
  )
}

note_of_column <- function(name, column) {
  middle <- if (identical(column$missing, "midpoint")) ", missing ones as the middle"
  ends <- range_words(c(column$lower, column$upper), column$type)
  paste0(declared_note(name, ends), middle)
}

range_words <- function(bounds, type) {
  is_date <- type == "date"
  ends <- if (is_date) format(as_dates(bounds)) else show_number(bounds, 7)
  paste(ends, collapse = " to ")
}

# Operators that compare values, or read them as keys. Their results are not amounts.
no_amounts <- c("==", "!=", "%in%", "&", "|", "!", "is.na", "cut", "<", "<=", ">", ">=")

# The columns whose values enter those of an expression.
amounts_in <- function(expr) {
  if (is.null(expr)) {
    return(character())
  }
  from_nested(expr, function(expr) {
    if (is.null(expr$args)) {
      return(list(value = if (expr$op == "column") expr$name else character()))
    }
    if (expr$op %in% no_amounts) {
      return(list(value = character()))
    }
    list(parts = expr$args, close = function(names) unique(unlist(names)))
  })
}

# Comparisons in filters read amounts, too: a value beyond the bounds is compared as the bound.
compared <- c("<", "<=", ">", ">=", "between")

compared_in <- function(expr) {
  from_nested(expr, function(expr) {
    if (is.null(expr$args)) {
      return(list(value = character()))
    }
    if (expr$op %in% compared) {
      return(list(value = unlist(lapply(expr$args, amounts_in))))
    }
    list(parts = expr$args, close = function(names) unlist(names))
  })
}

# Declared columns that these columns are computed from, or that filters compare.
amounts_before <- function(names, steps) {
  names <- unique(as.character(names))
  for (step in rev(steps)) {
    names <- unique(as.character(switch(step$step,
      mutate = {
        made <- if (step$name %in% names) amounts_in(step$value)
        c(setdiff(names, step$name), made)
      },
      filter = c(names, compared_in(step$predicate)),
      select = step$columns[match(names, step$names, nomatch = 0)],
      join = setdiff(names, setdiff(names_of_public(step$table), step$public)),
      per_unit = amounts_before_unit(names, step),
      names
    )))
  }
  names
}

names_of_public <- function(table) vapply(table$columns, `[[`, "", "name")

amounts_before_unit <- function(names, step) {
  made <- Filter(function(value) value$name %in% names, step$values)
  c(intersect(names, step$by), unlist(lapply(made, function(value) amounts_in(value$of))))
}

# Rows ---------------------------------------------------------------------------------------------

# Rows that count nowhere.
notes_of_rows <- function(query) {
  table <- parts_of(query$table)
  c(
    if (table$unit$kind == "id") {
      id <- paste0("`", table$unit$id, "`", collapse = " or ")
      paste0("rows without ", id, " belong to nobody, and are not counted")
    },
    if (length(dropping_columns(table)) > 0) {
      names <- paste0("`", dropping_columns(table), "`", collapse = " or ")
      paste("rows whose", names, "is missing left the table")
    },
    if (loses_rows(query)) {
      by <- paste0("`", query$by, "`", collapse = " or ")
      what <- paste(c("is missing", other_values(query)), collapse = " ")
      paste("rows whose", by, what, "are in no group")
    }
  )
}

# Words for other values without a group. Texts do not have declared values.
other_values <- function(query) {
  types <- vapply(fields_of(query$table)[query$by], `[[`, "", "type")
  if (identical(query$keys$kind, "table")) {
    "or not in the public table"
  } else if (all(types %in% c("text", "logical"))) {
    character()
  } else {
    "or not declared"
  }
}

loses_rows <- function(query) {
  identical(query$keys$kind, "table") || any(vapply(query$by, may_lack, NA, query$table))
}

# Whether rows without a value of this key are in no group: others count as a declared value, are a
# group, or left the table.
may_lack <- function(name, table) {
  parts <- parts_of(table)
  declared <- declaration_behind(name, parts$steps, parts$domain)
  isTRUE(fields_of(table)[[name]]$may_be_missing) &&
    (declared$missing %||% "drop") %in% c("drop", "midpoint")
}

# Declared columns whose rows without a value leave the table.
dropping_columns <- function(table) {
  names(Filter(function(column) identical(column$missing, "row"), table$domain))
}

# Groups -------------------------------------------------------------------------------------------

hides_groups <- function(query) pays_for_keys(query$keys) || !is.null(query$keys$suppress)

notes_of_groups <- function(query) {
  if (!is.null(query$keys$suppress)) {
    paste("groups below", query$keys$suppress, "are not shown")
  } else if (identical(query$keys$kind, "threshold")) {
    "groups below the threshold are not shown: `summary()` has it"
  } else if (identical(query$keys$kind, "select")) {
    "groups that were not selected are not shown"
  }
}

# Words for the total of percentages.
share_of_query <- function(query) {
  if (hides_groups(query)) {
    "rows in the groups shown"
  } else if (loses_rows(query)) {
    "rows in a group"
  } else {
    "all rows"
  }
}
