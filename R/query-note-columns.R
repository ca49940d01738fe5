# Walks from the outputs of a query to its declared columns, for notes on rows without a value.

# Which columns feed this? -------------------------------------------------------------------------

# Columns whose missing values can make the expression missing.
lacking_in <- function(expr) {
  if (is.null(expr)) {
    return(character())
  }
  from_nested(expr, function(expr) {
    if (is.null(expr$args)) {
      return(list(value = if (expr$op == "column") expr$name else character()))
    }
    close <- function(lacking) {
      switch(expr$op,
        is.na = , `%in%` = character(),
        coalesce = if (all(lengths(lacking) > 0)) unlist(lacking) else character(),
        case_when = unlist(lacking[seq_along(lacking) %% 2 == 0 | is_last(lacking)]),
        if_else = unlist(if (length(lacking) == 4) lacking[-1] else lacking),
        unlist(lacking)
      )
    }
    list(parts = expr$args, close = function(lacking) unique(as.character(close(lacking))))
  })
}

is_last <- function(x) seq_along(x) == length(x)

# Columns with keys behind these keys. Values of a person are amounts.
keys_behind <- function(names, steps) {
  keys_in <- function(expr) unlist(uses_in(expr)[c("amounts", "keys")])
  columns_behind(names, steps, keys_in, passing = character())
}

# Groups of a person's values read amounts.
amounts_in_groups <- function(query) {
  steps <- tbl_data(query$table)$steps
  last <- max(which(vapply(steps, function(step) step$step == "per_unit", NA)), 0)
  if (last == 0) {
    return(character())
  }
  values <- setdiff(keys_behind(query$by, steps[-seq_len(last)]), steps[[last]]$by)
  columns_before(values, steps[seq_len(last)], "compared")
}

# Columns before the steps that these columns are computed from. `used(expr)` returns the columns
# that count in an expression. Columns of a public table end the walk, and so do totals of a person.
columns_behind <- function(names, steps, used, passing = c("least", "most")) {
  ends <- character()
  names <- unique(as.character(names))
  for (step in rev(steps)) {
    if (step$step == "join") {
      public <- setdiff(names_of_public(step$table), step$public)
      ends <- c(ends, intersect(names, public))
      names <- setdiff(names, public)
    }
    names <- unique(as.character(switch(step$step,
      mutate = c(setdiff(names, step$name), if (step$name %in% names) used(step$value)),
      select = step$columns[match(names, step$names, nomatch = 0)],
      per_unit = {
        values <- Filter(function(value) value$name %in% names, step$values)
        values <- Filter(function(value) value$fun %in% passing, values)
        c(intersect(names, step$by), unlist(lapply(values, function(value) used(value$of))))
      },
      names
    )))
  }
  unique(c(names, ends))
}

# Fractions ----------------------------------------------------------------------------------------

# Declared columns that an output, a group or a filter reads.
columns_read <- function(query) {
  steps <- tbl_data(query$table)$steps
  of <- unlist(lapply(query$aggregates, function(each) {
    parts <- c(
      if (each$fun != "missing") list(each$of), list(each$weights, each$times), each$cells,
      each$predictors
    )
    unlist(lapply(parts, function(part) uses_in(part)[c("amounts", "compared", "keys")]))
  }))
  used <- c(query$by, of)
  unique(c(columns_before(used, steps, "compared"), columns_before(used, steps, "keys")))
}

notes_of_rounding <- function(query) {
  table <- tbl_data(query$table)
  note_of_rounded(intersect(table$rounded, columns_read(query)), table$domain)
}

note_of_rounded <- function(rounded, domain) {
  is_flag <- vapply(unclass(domain)[rounded], function(declared) {
    identical(declared$type, "logical")
  }, NA)
  c(
    if (!all(is_flag)) {
      paste("fractions in", names_or(rounded[!is_flag]), "are rounded to whole numbers")
    },
    if (any(is_flag)) {
      paste("whole numbers other than 0 in", names_or(rounded[is_flag]), "count as TRUE")
    }
  )
}
