# Group keys, dates and labels of released tables.

# Whether the values of an aggregate are dates.
is_of_dates <- function(aggregate, fields) {
  is_date <- vapply(fields, function(field) field$type == "date", NA)
  !is.null(aggregate$of) && gives_dates(aggregate$of, names(fields)[is_date])
}

# Whether a result column has dates: a mean or quantiles of dates.
is_a_date <- function(output, query) {
  of <- aggregate_of(output, query)
  isTRUE(of$fun %in% c("mean", "quantiles")) && is_of_dates(of, fields_of(query$table))
}

as_dates <- function(days) {
  if (is.list(days)) lapply(days, as_dates) else as.Date(days, "1970-01-01")
}

# Labels for several numbers in one column: probabilities of quantiles, or edges of cells. They
# have no commas, because write.csv() does not quote them.
number_labels <- function(output, query) {
  of <- aggregate_of(output, query)
  if (identical(of$fun, "quantiles")) {
    show_number(of$probabilities, 7)
  } else if (identical(of$fun, "histogram")) {
    of_dates <- is_of_dates(of, fields_of(query$table))
    edges <- if (of_dates) format(as_dates(of$grid)) else show_number(of$grid, 7)
    paste0(edges[-length(edges)], " to ", edges[-1])
  }
}

labelled_numbers <- function(values, labels) {
  if (!is.list(values)) {
    return(values)
  }
  lapply(values, function(each) {
    if (length(each) == length(labels)) names(each) <- labels
    each
  })
}

# Converts keys to their declared types.
typed_keys <- function(keys, query) {
  fields <- fields_of(query$table)[query$by]
  typed <- Map(typed_key, keys, fields)
  stats::setNames(typed, query$by)
}

# Uses R integers if all numbers fit, and integer64 otherwise.
typed_key <- function(key, field) {
  if (!inherits(key, "integer64")) {
    # If missing values form a group, the core returns all keys as texts.
    whole <- isTRUE(field$whole) && is.character(key)
    return(if (field$type == "logical") as.logical(key) else if (whole) as.integer(key) else key)
  }
  numbers <- core_doubles_of_integer64(key)
  if (field$type == "date") {
    as.Date(numbers, "1970-01-01")
  } else if (all(is.na(numbers) | abs(numbers) <= .Machine$integer.max)) {
    as.integer(numbers)
  } else {
    key
  }
}
