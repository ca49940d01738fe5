# Notes on amounts: bounds, and columns that a query aggregates.

# One sentence for the bounds of each declared column, and one for each aggregate with different
# bounds.
notes_of_amounts <- function(query) {
  table <- tbl_data(query$table)
  aggregates <- Filter(function(each) reads_amounts(each$fun), query$aggregates)
  used <- unlist(lapply(query$aggregates, function(each) {
    weights <- uses_in(each$weights)
    of <- uses_in(each$of)
    others <- lapply(c(list(each$times), each$predictors), uses_in)
    amounts <- if (reads_amounts(each$fun)) c(of$amounts, unlist(lapply(others, `[[`, "amounts")))
    compared <- unlist(lapply(others, `[[`, "compared"))
    c(amounts, of$compared, compared, weights$amounts, weights$compared)
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
