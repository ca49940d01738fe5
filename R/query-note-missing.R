# Notes on rows without a value, which aggregates leave out.

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
  table <- tbl_data(query$table)
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
# Rows that lack a value do not count in moments.
is_filled <- function(part, aggregate, table) {
  is_amount <- aggregate$fun != "moment" && reads_amounts(aggregate$fun) ||
    aggregate$fun == "count"
  is_amount && part$op == "column" && identical(
    declaration_behind(part$name, table$steps, table$domain)$missing, "midpoint"
  )
}

# The declared columns whose missing values count as the middle of the declared bounds.
filled_columns <- function(query) {
  table <- tbl_data(query$table)
  unlist(lapply(query$aggregates, function(aggregate) {
    parts <- list(if (is.null(aggregate$bounds)) aggregate$of, aggregate$weights)
    parts <- Filter(Negate(is.null), parts)
    parts <- Filter(function(part) is_filled(part, aggregate, table), parts)
    columns_behind(vapply(parts, `[[`, "", "name"), table$steps, lacking_in)
  }))
}

# One sentence for the columns with the same kinds of aggregates.
notes_of_left_out <- function(query) {
  table <- tbl_data(query$table)
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
