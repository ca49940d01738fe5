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
  steps <- parts_of(query$table)$steps
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

# Rows without a value -----------------------------------------------------------------------------

# Kinds of aggregates that leave out rows without a value. A count leaves out rows without a weight.
words_of_kinds <- c(
  count = "weighted counts", sum = "sums", mean = "means", variance = "variances",
  deviation = "standard deviations", quantiles = "quantiles", histogram = "histograms",
  distinct = "numbers of distinct values"
)

kind_words <- function(aggregate, fields) {
  of <- aggregate$of
  is_logical <- !is.null(of) && (of$op %in% setdiff(operators_of_conditions, "cut") ||
    of$op == "column" && identical(fields[[of$name]]$type, "logical"))
  if (is_logical && aggregate$fun == "mean") "shares" else words_of_kinds[[aggregate$fun]]
}

# The declared columns whose rows without a value an aggregate leaves out.
left_out_by <- function(aggregate, query) {
  if (!aggregate$fun %in% names(words_of_kinds)) {
    return(character())
  }
  table <- parts_of(query$table)
  fields <- fields_of(query$table)
  parts <- Filter(Negate(is.null), list(of = aggregate$of, weights = aggregate$weights))
  unique(unlist(lapply(parts, function(part) {
    if (is_filled(part, aggregate, table)) {
      return(NULL)
    }
    names <- Filter(function(name) isTRUE(fields[[name]]$may_be_missing), lacking_in(part))
    behind <- columns_behind(names, table$steps, lacking_in)
    Filter(function(name) stays_missing(table$domain[[name]]), behind)
  })))
}

# Whether rows can lack a value: neither a value replaces it, nor does the row leave the table.
stays_missing <- function(column) {
  !is.numeric(column$missing) && !identical(column$missing, "row")
}

# Whether `"midpoint"` replaces missing values: only in a bare column that is used as an amount.
is_filled <- function(part, aggregate, table) {
  is_amount <- reads_amounts(aggregate$fun) || aggregate$fun == "count"
  is_amount && part$op == "column" && identical(
    declaration_behind(part$name, table$steps, table$domain)$missing, "midpoint"
  )
}

# The declared columns whose missing values count as the middle of the declared bounds.
filled_columns <- function(query) {
  table <- parts_of(query$table)
  unlist(lapply(query$aggregates, function(aggregate) {
    parts <- list(if (is.null(aggregate$bounds)) aggregate$of, aggregate$weights)
    parts <- Filter(Negate(is.null), parts)
    parts <- Filter(function(part) is_filled(part, aggregate, table), parts)
    columns_behind(vapply(parts, `[[`, "", "name"), table$steps, lacking_in)
  }))
}

# One sentence for the columns with the same kinds of aggregates.
notes_of_left_out <- function(query) {
  table <- parts_of(query$table)
  fields <- fields_of(query$table)
  kinds <- list()
  for (aggregate in query$aggregates) {
    for (name in left_out_by(aggregate, query)) {
      kinds[[name]] <- unique(c(kinds[[name]], kind_words(aggregate, fields)))
    }
  }
  where <- vapply(names(kinds), function(name) {
    has_middle <- identical(table$domain[[name]]$missing, "midpoint")
    paste0(listed_plainly(kinds[[name]]), if (has_middle) " of computed values")
  }, "")
  vapply(unique(unname(where)), function(place) {
    paste0("rows without ", names_or(names(kinds)[where == place]), " are left out of ", place)
  }, "", USE.NAMES = FALSE)
}

listed_plainly <- function(words) {
  if (length(words) < 2) {
    return(words)
  }
  paste(toString(words[-length(words)]), "and", words[[length(words)]])
}

# A ratio can divide aggregates of different rows.
notes_of_ratios <- function(query) {
  unlist(lapply(query$outputs, function(output) {
    unlist(lapply(divisions_in(output$value), function(division) {
      sides <- lapply(division$args, function(side) {
        lapply(query$aggregates[intersect(names(query$aggregates), names_in_form(side))],
          left_out_by, query
        )
      })
      if (any(lengths(sides) == 0)) {
        return(NULL)
      }
      lost <- lapply(sides, function(side) unique(unlist(side)))
      by_all <- lapply(sides, function(side) Reduce(intersect, side))
      note <- function(names, side) {
        if (length(names) > 0) {
          paste0(output$name, ": rows without ", names_or(names), " count in the ", side, " only")
        }
      }
      c(note(setdiff(lost[[1]], by_all[[2]]), "denominator"),
        note(setdiff(lost[[2]], by_all[[1]]), "numerator")
      )
    }))
  }))
}

divisions_in <- function(expr) {
  from_nested(expr, function(expr) {
    if (is.null(expr$args)) {
      return(list(value = list()))
    }
    list(parts = expr$args, close = function(found) {
      c(if (expr$op == "/") list(expr), unlist(found, recursive = FALSE))
    })
  })
}

names_in_form <- function(expr) {
  from_nested(expr, function(expr) {
    if (is.null(expr$args)) {
      return(list(value = if (expr$op == "column") expr$name))
    }
    list(parts = expr$args, close = unlist)
  })
}

# Fractions ----------------------------------------------------------------------------------------

# Declared columns that an output, a group or a filter reads.
columns_read <- function(query) {
  steps <- parts_of(query$table)$steps
  of <- unlist(lapply(query$aggregates, function(each) {
    parts <- c(
      if (each$fun != "missing") list(each$of), list(each$weights, each$times), each$cells
    )
    unlist(lapply(parts, function(part) uses_in(part)[c("amounts", "compared", "keys")]))
  }))
  used <- c(query$by, of)
  unique(c(columns_before(used, steps, "compared"), columns_before(used, steps, "keys")))
}

notes_of_rounding <- function(query) {
  table <- parts_of(query$table)
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

# People, filters and joins ------------------------------------------------------------------------

# Values of a person whose rows all lack a value.
empty_words <- c(
  sum = "is 0", any = "is FALSE", all = "is TRUE", least = "is missing", most = "is missing"
)

notes_of_units <- function(query) {
  table <- parts_of(query$table)
  unlist(lapply(seq_along(table$steps), function(i) {
    step <- table$steps[[i]]
    if (step$step != "per_unit") {
      return(NULL)
    }
    before <- table$steps[seq_len(i - 1)]
    fields <- fields_after(query$table, before)
    unlist(lapply(step$values, function(value) {
      names <- Filter(function(name) isTRUE(fields[[name]]$may_be_missing), lacking_in(value$of))
      behind <- columns_behind(names, before, lacking_in)
      behind <- Filter(function(name) stays_missing(table$domain[[name]]), behind)
      if (length(behind) > 0) {
        paste0("`", value$name, "` leaves out rows without ", names_or(behind), ", and ",
          empty_words[[value$fun]], " if no others are left"
        )
      }
    }))
  }))
}

# Filters that a value outside the bounds passes, because it counts as the nearer bound.
notes_of_wide_filters <- function(query) {
  table <- parts_of(query$table)
  unlist(lapply(seq_along(table$steps), function(i) {
    unlist(lapply(conditions_of(table$steps[[i]]), function(condition) {
      name <- column_compared(condition)
      column <- if (!is.null(name)) {
        declaration_behind(name, table$steps[seq_len(i - 1)], table$domain)
      }
      if (is.numeric(column$lower) && holds_within(condition, column)) {
        ends <- range_words(c(column$lower, column$upper), column$type)
        paste0("the filter ", describe_expr(condition), " keeps values outside ", ends,
          " (declared)"
        )
      }
    }))
  }))
}

conditions_of <- function(step) {
  if (step$step == "filter") lapply(conditions_in(step), `[[`, "predicate")
}

# The column that a condition compares with constants. NULL for other conditions.
column_compared <- function(condition) {
  if (!condition$op %in% operators_of_amounts) {
    return(NULL)
  }
  is_constant <- vapply(condition$args, function(arg) {
    arg$op == "literal" && (is.numeric(arg$value) || inherits(arg$value, "Date"))
  }, NA)
  column <- condition$args[!is_constant]
  if (length(column) == 1 && column[[1]]$op == "column") column[[1]]$name
}

# Whether the comparison holds for both bounds.
holds_within <- function(condition, column) {
  compare <- switch(condition$op, between = function(x, a, b) x >= a & x <= b, get(condition$op))
  args <- lapply(condition$args, function(arg) {
    if (arg$op == "column") c(column$lower, column$upper) else as.double(arg$value)
  })
  isTRUE(all(do.call(compare, args)))
}

notes_of_repeated_rows <- function(query) {
  joins <- Filter(function(step) {
    step$step == "join" && step$how %in% c("left", "inner")
  }, parts_of(query$table)$steps)
  unlist(lapply(joins, function(step) {
    keys <- lapply(step$table$columns[match(step$public, names_of_public(step$table))], `[[`,
      "values"
    )
    if (any(repeated_keys(keys, from_last = FALSE))) {
      paste0("a row counts once for each row of the public table with its ",
        paste0("`", step$private, "`", collapse = " and ")
      )
    }
  }))
}
