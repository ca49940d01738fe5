# Notes on people, filters and joins.

# Values of a person whose rows all lack a value.
empty_words <- c(
  sum = "is 0", any = "is FALSE", all = "is TRUE", least = "is missing", most = "is missing"
)

notes_of_units <- function(query) {
  table <- tbl_data(query$table)
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
  table <- tbl_data(query$table)
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
  }, tbl_data(query$table)$steps)
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
