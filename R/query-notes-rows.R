# Notes on rows that a query leaves out or counts.

# Notes on rows that count nowhere, or in group NA.
notes_of_rows <- function(query) {
  table <- tbl_data(query$table)
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
  table <- tbl_data(query$table)
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
