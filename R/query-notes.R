# Notes below a release say how rows and amounts were read. They follow only from the query and its
# declarations.
notes_of_query <- function(query) {
  c(
    notes_of_amounts(query), notes_of_keys(query), notes_of_rows(query), notes_of_groups(query),
    notes_of_promises(query)
  )
}

# Amounts ------------------------------------------------------------------------------------------

# Aggregates that read their column as amounts: values outside of the bounds count as the bound.
kinds_of_amounts <- c("sum", "mean", "variance", "deviation", "quantiles")

# Bounds of amounts: a sentence for each declared column, and one for each aggregate with different
# bounds.
notes_of_amounts <- function(query) {
  table <- parts_of(query$table)
  aggregates <- Filter(function(each) each$fun %in% kinds_of_amounts, query$aggregates)
  used <- c(
    unlist(lapply(aggregates, function(each) c(amounts_in(each$of), amounts_in(each$weights)))),
    unlist(lapply(query$aggregates, function(each) uses_in(each$of)$compared))
  )
  names <- columns_before(used, table$steps, "compared")
  declared <- table$domain[intersect(names(table$domain), names)]
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
  middle <- if (identical(column$missing, "midpoint")) {
    paste(", missing ones as", range_words(middle_of_column(column), column$type))
  } else if (is.numeric(column$missing)) {
    paste(", missing ones as", range_words(column$missing, column$type))
  }
  ends <- range_words(c(column$lower, column$upper), column$type)
  paste0(declared_note(name, ends), middle)
}

# The value that "midpoint" takes: a whole number or a date is rounded down.
middle_of_column <- function(column) {
  middle <- column$lower / 2 + column$upper / 2
  if (column$type == "real") middle else floor(middle)
}

range_words <- function(bounds, type) {
  is_date <- type == "date"
  ends <- if (is_date) format(as_dates(bounds)) else show_number(bounds, 7)
  paste(ends, collapse = " to ")
}

# Operators whose results are no amounts.
operators_of_conditions <- c(
  "==", "!=", "%in%", "&", "|", "!", "is.na", "cut", "<", "<=", ">", ">=", "between"
)

# Operators that read values as amounts: a value beyond the bounds is compared as the bound.
operators_of_amounts <- c("<", "<=", ">", ">=", "between")

# Operators that read values as keys: a value outside of the declaration is missing.
operators_of_keys <- c("==", "!=", "%in%", "cut")

# How an expression uses columns: list(amounts, compared, keys), each with their names. The values
# of `amounts` enter the result. `compared` and `keys` are in conditions.
uses_in <- function(expr) {
  if (is.null(expr)) {
    return(list(amounts = character(), compared = character(), keys = character()))
  }
  from_nested(expr, function(expr) {
    if (is.null(expr$args)) {
      column <- if (expr$op == "column") expr$name else character()
      return(list(value = list(amounts = column, compared = character(), keys = character())))
    }
    list(parts = expr$args, close = function(uses) {
      all <- lapply(c(amounts = "amounts", compared = "compared", keys = "keys"), function(kind) {
        unique(as.character(unlist(lapply(uses, `[[`, kind))))
      })
      if (expr$op %in% operators_of_amounts) all$compared <- union(all$compared, all$amounts)
      if (expr$op %in% operators_of_keys) all$keys <- union(all$keys, all$amounts)
      if (expr$op %in% operators_of_conditions) all$amounts <- character()
      all
    })
  })
}

amounts_in <- function(expr) uses_in(expr)$amounts

# Declared columns that these columns are computed from, or that conditions of the steps use: as
# amounts, or as keys.
columns_before <- function(names, steps, kind = c("compared", "keys")) {
  names <- unique(as.character(names))
  for (step in rev(steps)) {
    names <- unique(as.character(switch(step$step,
      mutate = {
        used <- uses_in(step$value)
        c(setdiff(names, step$name), if (step$name %in% names) used$amounts, used[[kind]])
      },
      filter = c(names, uses_in(step$predicate)[[kind]]),
      select = step$columns[match(names, step$names, nomatch = 0)],
      join = c(
        setdiff(names, setdiff(names_of_public(step$table), step$public)),
        if (kind == "keys") step$private
      ),
      per_unit = names_before_unit(names, step, kind),
      names
    )))
  }
  names
}

names_of_public <- function(table) vapply(table$columns, `[[`, "", "name")

names_before_unit <- function(names, step, kind) {
  used <- lapply(step$values, function(value) {
    of <- uses_in(value$of)
    c(if (value$name %in% names) of$amounts, of[[kind]])
  })
  c(intersect(names, step$by), unlist(used))
}

# Keys ---------------------------------------------------------------------------------------------

# Values outside of a declaration, in conditions, joins and cells. Groups have a note of their own.
notes_of_keys <- function(query) {
  table <- parts_of(query$table)
  used <- unlist(lapply(query$aggregates, function(each) {
    of <- uses_in(each$of)
    c(of$keys, uses_in(each$weights)$keys, if (each$fun %in% kinds_of_cells) of$amounts)
  }))
  names <- setdiff(columns_before(used, table$steps, "keys"), columns_before(query$by, table$steps,
    "groups"
  ))
  declared <- Filter(is_missing_outside, table$domain[intersect(names(table$domain), names)])
  c(
    unlist(Map(note_of_key, names(declared), declared), use.names = FALSE),
    unlist(lapply(unname(query$aggregates), note_of_histogram, fields_of(query$table)))
  )
}

# Aggregates that read their column as keys.
kinds_of_cells <- "histogram"

is_missing_outside <- function(column) {
  kept <- is.character(column$missing) && !column$missing %in% c("drop", "midpoint", "group")
  (is.numeric(column$lower) || column$type == "levels") && !is.numeric(column$missing) && !kept
}

note_of_key <- function(name, column) {
  values <- if (column$type == "levels") {
    paste0("undeclared values of `", name, "` count")
  } else {
    ends <- range_words(c(column$lower, column$upper), column$type)
    paste0("`", name, "` outside ", ends, " (declared) counts")
  }
  paste0(values, " as missing in conditions, joins and cells", counted_by_check)
}

note_of_histogram <- function(aggregate, fields) {
  if (!aggregate$fun %in% kinds_of_cells) {
    return(NULL)
  }
  type <- if (is_of_dates(aggregate, fields)) "date" else "real"
  paste0(describe_aggregate(aggregate), ": values outside ",
    range_words(range(aggregate$grid), type), " are in no cell"
  )
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
    notes_of_unit_groups(table),
    if (loses_rows(query)) {
      by <- paste0("`", query$by, "`", collapse = " or ")
      what <- paste(c("is missing", other_values(query)), collapse = " ")
      by_table <- identical(query$keys$kind, "table")
      paste0("rows whose ", by, " ", what, " are in no group", if (!by_table) counted_by_check)
    }
  )
}

# `dp_per_unit(.by = )` has no row for a group without a key, whatever `missing` says of it.
notes_of_unit_groups <- function(table) {
  unlist(lapply(seq_along(table$steps), function(i) {
    step <- table$steps[[i]]
    if (step$step != "per_unit") {
      return(NULL)
    }
    before <- table$steps[seq_len(i - 1)]
    lacking <- Filter(function(name) {
      missing <- declaration_behind(name, before, table$domain)$missing %||% "drop"
      missing %in% c("drop", "midpoint", "group")
    }, step$by)
    if (length(lacking) > 0) {
      by <- paste0("`", lacking, "`", collapse = " or ")
      paste0("`dp_per_unit(.by = )` left out rows whose ", by, " is missing or not declared",
        counted_by_check
      )
    }
  }))
}

# Where to look. That a column can hold such values is public, how many there are is not.
counted_by_check <- " (see `dp_check()`)"

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
    (declared$missing %||% "drop") %in% c("drop", "midpoint") &&
    !cuts_group(name, parts$steps, parts$domain)
}

# Whether a column is what cut() makes of a number whose missing values are a group.
cuts_group <- function(name, steps, domain) {
  made <- Filter(function(i) steps[[i]]$step == "mutate" && steps[[i]]$name == name,
    seq_along(steps)
  )
  if (length(made) == 0) {
    return(FALSE)
  }
  last <- max(made)
  value <- steps[[last]]$value
  of <- if (value$op == "cut") value$args[[1]] else list(op = "")
  of$op == "column" &&
    identical(declaration_behind(of$name, steps[seq_len(last - 1)], domain)$missing, "group")
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

# Facts about the data that the loss depends on, and that nothing checks.
notes_of_promises <- function(query) {
  promises <- Filter(is_promise, parts_of(query$table)$steps)
  paste("promised, not checked:", vapply(promises, describe_step, ""), recycle0 = TRUE)
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
