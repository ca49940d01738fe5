# Notes below a release say how rows and amounts were read. They follow only from the query and its
# declarations.
notes_of_query <- function(query) {
  unique(c(
    notes_of_amounts(query), notes_of_rounding(query), notes_of_left_out(query),
    notes_of_ratios(query), notes_of_keys(query), notes_of_rows(query), notes_of_units(query),
    notes_of_wide_filters(query), notes_of_repeated_rows(query), notes_of_groups(query),
    notes_of_design(query), notes_of_promises(query)
  ))
}

# Amounts ------------------------------------------------------------------------------------------

# One sentence for the bounds of each declared column, and one for each aggregate with different
# bounds.
notes_of_amounts <- function(query) {
  table <- parts_of(query$table)
  aggregates <- Filter(function(each) reads_amounts(each$fun), query$aggregates)
  used <- unlist(lapply(query$aggregates, function(each) {
    weights <- uses_in(each$weights)
    of <- uses_in(each$of)
    times <- uses_in(each$times)
    amounts <- if (reads_amounts(each$fun)) c(of$amounts, times$amounts)
    c(amounts, of$compared, times$compared, weights$amounts, weights$compared)
  }))
  names <- c(columns_before(used, table$steps, "compared"), amounts_in_groups(query))
  declared <- table$domain[intersect(names(table$domain), names)]
  clamped <- Filter(function(column) is.numeric(column$lower), declared)
  own <- Filter(function(each) !is.null(each$bounds), aggregates)
  filled <- names(clamped) %in% filled_columns(query)
  c(
    unlist(Map(note_of_column, names(clamped), clamped, filled), use.names = FALSE),
    vapply(unname(own), note_of_bounds, "", table)
  )
}

# Bounds of an aggregate. They have a middle, too. Whole numbers stay whole within them.
note_of_bounds <- function(aggregate, table) {
  type <- field_of_values(aggregate$of, table)$type
  ends <- aggregate$bounds
  if (type != "real") ends <- c(ceiling(ends[[1]]), floor(ends[[2]]))
  paste0(describe_aggregate(aggregate), ": values count as ", range_words(ends, type),
    if (is_filled(aggregate$of, aggregate, table)) {
      column <- declaration_behind(aggregate$of$name, table$steps, table$domain)
      column[c("lower", "upper")] <- as.list(aggregate$bounds)
      paste(", missing values as", range_words(middle_of_column(column), "real"))
    }
  )
}

# `is_filled`: whether an aggregate uses the middle of the bounds for missing values.
note_of_column <- function(name, column, is_filled) {
  middle <- if (is_filled) {
    paste(", missing values as", range_words(middle_of_column(column), column$type))
  } else if (is.numeric(column$missing)) {
    paste(", missing values as", range_words(column$missing, column$type))
  }
  ends <- range_words(c(column$lower, column$upper), column$type)
  paste0(declared_note(name, ends), middle)
}

# The replacement for "midpoint". Whole numbers and dates are rounded down.
middle_of_column <- function(column) {
  middle <- column$lower / 2 + column$upper / 2
  if (column$type == "real") middle else floor(middle)
}

range_words <- function(bounds, type) {
  is_date <- type == "date"
  ends <- if (is_date) format(as_dates(bounds)) else show_number(bounds, 7)
  paste(ends, collapse = " to ")
}

# Operators whose results are not amounts.
operators_of_conditions <- c(
  "==", "!=", "%in%", "&", "|", "!", "is.na", "cut", "<", "<=", ">", ">=", "between"
)

# Operators that compare amounts: a value outside the bounds is compared as the nearer bound.
operators_of_amounts <- c("<", "<=", ">", ">=", "between")

# Operators that read keys: an undeclared value is missing.
operators_of_keys <- c("==", "!=", "%in%", "cut")

kinds_of_uses <- c(amounts = "amounts", compared = "compared", keys = "keys", asked = "asked")

# How an expression uses columns: list(amounts, compared, keys, asked), with column names. The
# result has the values of `amounts`. Conditions use `compared` and `keys`. `is.na()` uses `asked`.
uses_in <- function(expr) {
  if (is.null(expr)) {
    return(lapply(kinds_of_uses, function(kind) character()))
  }
  from_nested(expr, function(expr) {
    if (is.null(expr$args)) {
      column <- if (expr$op == "column") expr$name else character()
      none <- lapply(kinds_of_uses, function(kind) character())
      return(list(value = replace(none, "amounts", list(column))))
    }
    list(parts = expr$args, close = function(uses) {
      all <- lapply(kinds_of_uses, function(kind) {
        unique(as.character(unlist(lapply(uses, `[[`, kind))))
      })
      if (expr$op %in% operators_of_amounts) all$compared <- union(all$compared, all$amounts)
      if (expr$op %in% operators_of_keys) all$keys <- union(all$keys, all$amounts)
      if (expr$op == "is.na") all$asked <- union(all$asked, all$amounts)
      if (expr$op %in% operators_of_conditions) all$amounts <- character()
      all
    })
  })
}

amounts_in <- function(expr) uses_in(expr)$amounts

# Declared columns behind these columns, or in conditions of the steps: as amounts, or as keys.
columns_before <- function(names, steps, kind = c("compared", "keys", "asked")) {
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

# Notes on undeclared values in keys. Rows that are in no group, or in group NA, have notes in
# notes_of_missing_keys().
notes_of_keys <- function(query) {
  table <- parts_of(query$table)
  compared <- unlist(lapply(query$aggregates, function(each) {
    of <- uses_in(each$of)
    cells <- unlist(lapply(each$cells, amounts_in))
    c(of$keys, uses_in(each$weights)$keys, if (each$fun %in% kinds_of_keys) of$amounts, cells)
  }))
  compared <- columns_before(compared, table$steps, "keys")
  asked <- unlist(lapply(query$aggregates, function(each) {
    of <- uses_in(each$of)
    c(of$asked, if (each$fun == "missing") of$amounts)
  }))
  asked <- columns_before(asked, table$steps, "asked")
  is_of_levels <- vapply(table$domain, function(column) column$type == "levels", NA)
  compared <- union(compared, intersect(asked, names(table$domain)[is_of_levels]))
  filled <- Filter(function(column) is.numeric(column$missing), table$domain)
  grouped <- columns_before(query$by, table$steps, "groups")
  filled <- filled[intersect(names(filled), c(compared, grouped))]
  noted <- keys_behind(query$by[unlist(missing_keys(query))], table$steps)
  lacking <- Filter(is_missing_outside, table$domain)
  lacking <- lacking[intersect(names(lacking), setdiff(compared, noted))]
  c(
    unlist(Map(note_of_filled_key, names(filled), filled), use.names = FALSE),
    unlist(Map(note_of_lacking_key, names(lacking), lacking), use.names = FALSE),
    unlist(lapply(unname(query$aggregates), note_of_histogram, fields_of(query$table)))
  )
}

# Aggregates that read their column as keys.
kinds_of_keys <- c("histogram", "distinct")

# Whether undeclared values can occur as keys. They cannot if a declared value replaces them, or if
# their rows leave the table.
is_missing_outside <- function(column) {
  is_left_out <- identical(column$missing, "row") && column$type == "levels"
  has_outside <- is.numeric(column$lower) || column$type == "levels"
  has_outside && !is.numeric(column$missing) && !is_left_out
}

note_of_filled_key <- function(name, column) {
  values <- if (column$type == "levels") {
    paste0("missing and undeclared values of `", name, "` count")
  } else if (is.numeric(column$lower)) {
    ends <- range_words(c(column$lower, column$upper), column$type)
    paste0("`", name, "` missing or outside ", ends, " (declared) counts")
  } else {
    paste0("missing values of `", name, "` count")
  }
  paste0(values, " as ", printable(missing_words(column)), places_of_keys, counted_by_check)
}

note_of_lacking_key <- function(name, column) {
  values <- if (column$type == "levels") {
    paste0("undeclared values of `", name, "` count")
  } else {
    ends <- range_words(c(column$lower, column$upper), column$type)
    paste0("`", name, "` outside ", ends, " (declared) counts")
  }
  paste0(values, " as missing", places_of_keys, counted_by_check)
}

places_of_keys <- " in groups, conditions, joins, cells and distinct values"

note_of_histogram <- function(aggregate, fields) {
  if (aggregate$fun != "histogram") {
    return(NULL)
  }
  type <- if (is_of_dates(aggregate, fields)) "date" else "real"
  paste0(describe_aggregate(aggregate), ": values outside ",
    range_words(range(aggregate$grid), type), " are in no cell"
  )
}

# Rows ---------------------------------------------------------------------------------------------

# Notes on rows that count nowhere, or in group NA.
notes_of_rows <- function(query) {
  table <- parts_of(query$table)
  c(
    if (table$unit$kind == "id") {
      id <- paste0("`", table$unit$id, "`", collapse = " or ")
      paste0("rows without ", id, " are not counted")
    },
    notes_of_dropped_rows(table$domain),
    notes_of_unit_groups(table),
    notes_of_missing_keys(query)
  )
}

# Notes on rows that leave the table because a declared value is missing. A number outside the
# bounds is not missing.
notes_of_dropped_rows <- function(domain) {
  dropping <- Filter(function(column) identical(column$missing, "row"), domain)
  of_levels <- vapply(dropping, function(column) column$type == "levels", NA)
  note <- function(columns, what) {
    if (length(columns) > 0) {
      paste("rows whose", names_or(names(columns)), "is", what, "left the table")
    }
  }
  c(note(dropping[!of_levels], "missing"), note(dropping[of_levels], "missing or not declared"))
}

notes_of_missing_keys <- function(query) {
  found <- missing_keys(query)
  by_table <- identical(query$keys$kind, "table")
  note <- function(names, what, where, seen = counted_by_check) {
    if (length(names) > 0) {
      paste0("rows whose ", names_or(names), " is ", what, outside_words(names, query), " are in ",
        where, seen
      )
    }
  }
  c(
    if (by_table) {
      what <- c(if (!any(found$are_group)) "missing or", "not in the public table")
      note(query$by, paste(what, collapse = " "), "no group", NULL)
    } else {
      lost <- query$by[found$leave]
      note(lost, without_value(lost, query), "no group")
    },
    {
      grouped <- query$by[found$are_group]
      note(grouped, without_value(grouped, query), "group NA")
    }
  )
}

# Declared columns behind computed or renamed groups, with the values that are in none.
outside_words <- function(names, query) {
  table <- parts_of(query$table)
  behind <- lapply(names, keys_behind, table$steps)
  behind <- unlist(behind[!mapply(identical, behind, names)])
  behind <- table$domain[intersect(names(table$domain), behind)]
  words <- unlist(Map(function(name, column) {
    if (!is_missing_outside(column)) {
      return(NULL)
    }
    if (column$type == "levels") {
      return(paste0("`", name, "` not declared"))
    }
    ends <- range_words(c(column$lower, column$upper), column$type)
    paste0("`", name, "` outside ", ends, " (declared)")
  }, names(behind), behind), use.names = FALSE)
  if (length(words) > 0) paste0(", such as ", paste(words, collapse = " or "), ",")
}

# Facts of the core on rows with missing keys: list(leave, are_group), each a logical per column.
missing_keys <- function(query) core_query_missing_keys(form_of_query(query))

names_or <- function(names) paste0("`", names, "`", collapse = " or ")

# `dp_per_unit(.by = )` drops rows with a missing key, unless missing values form a group.
notes_of_unit_groups <- function(table) {
  unlist(lapply(seq_along(table$steps), function(i) {
    step <- table$steps[[i]]
    if (step$step != "per_unit") {
      return(NULL)
    }
    before <- table$steps[seq_len(i - 1)]
    lacking <- Filter(function(name) {
      missing <- declaration_behind(name, before, table$domain)$missing %||% "drop"
      missing %in% c("drop", "midpoint")
    }, step$by)
    if (length(lacking) > 0) {
      paste0("`dp_per_unit(.by = )` dropped rows whose ", names_or(lacking),
        " is missing or not declared", counted_by_check
      )
    }
  }))
}

# Points to dp_check(). Whether a column can hold such values is public, but their number is not.
counted_by_check <- " (see `dp_check()`)"

# Texts and logicals do not have a list of declared values.
without_value <- function(names, query) {
  types <- vapply(fields_of(query$table)[names], `[[`, "", "type")
  if (all(types %in% c("text", "logical"))) "missing" else "missing or not declared"
}

loses_rows <- function(query) {
  identical(query$keys$kind, "table") || any(missing_keys(query)$leave)
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

# Promises about the data that the loss depends on, and that nothing checks.
notes_of_promises <- function(query) {
  promises <- Filter(is_promise, parts_of(query$table)$steps)
  paste("not checked:", vapply(promises, describe_step, ""), recycle0 = TRUE)
}

# Describes the total of percentages.
share_of_query <- function(query) {
  if (hides_groups(query)) {
    "rows in the groups shown"
  } else if (loses_rows(query)) {
    "rows in a group"
  } else {
    "all rows"
  }
}
