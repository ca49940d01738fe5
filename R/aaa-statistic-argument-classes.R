# Kinds of arguments of statistics about levels, classes and groups.

# Public texts or numbers that define the classes of a column.
class_levels <- function(least = 2, most = 1000) {
  how_many <- if (least == most) "two" else paste("from", least, "to", most)
  words <- paste(how_many, "different texts or numbers")
  argument_kind(words, function(value, arg, call, args) {
    named <- is.character(value) && !is.object(value) || is_numbers(value)
    fits <- named && is.null(dim(value)) && length(value) >= least && length(value) <= most &&
      !anyNA(value) && !anyDuplicated(value) && (is.character(value) || all(is.finite(value)))
    if (!fits) stop_argument(words, describe(value), arg, call)
    if (is.character(value)) enc2utf8(as.vector(value)) else as.double(value)
  })
}

two_groups <- function() class_levels(2, 2)

# Levels of each column in the argument `of`, in that order.
levels_of <- function(of) {
  each <- class_levels()
  words <- "a list with 2 to 1000 different texts or numbers for each column"
  argument_kind(words, reads = of, check = function(value, arg, call, args) {
    columns <- args[[of]]
    if (!is.list(value) || is.object(value) || length(value) != length(columns)) {
      stop_argument(paste("a list of the levels of", length(columns), "columns"), describe(value),
        arg, call
      )
    }
    lapply(in_order_of(value, columns, arg, call), function(levels) {
      check_texts(levels, arg, call)
      each$check(levels, arg, call, args)
    })
  })
}

# Tables of some columns in the argument `of`, in that order.
margins_of <- function(of) {
  words <- "a list of different sets of the names of columns, or NULL"
  argument_kind(words, reads = of, check = function(value, arg, call, args) {
    if (is.null(value)) {
      return(NULL)
    }
    columns <- args[[of]]
    is_set <- function(names) {
      is.character(names) && length(names) > 0 && all(names %in% columns) && !anyDuplicated(names)
    }
    sets <- if (is.character(value)) list(value) else value
    fits <- is.list(sets) && !is.object(sets) && length(sets) > 0 && all(vapply(sets, is_set, NA))
    if (fits) {
      sets <- unname(lapply(sets, function(names) columns[columns %in% names]))
      fits <- !anyDuplicated(sets)
    }
    if (!fits) stop_argument(words, describe(value), arg, call)
    sets
  })
}

# Public group sizes.
sizes_of_groups <- function() {
  words <- "two whole numbers, 2 or more, or NULL"
  argument_kind(words, function(value, arg, call, args) {
    if (is.null(value)) return(NULL)
    fits <- is_numbers(value) && is.null(dim(value)) && length(value) == 2 &&
      all(is.finite(value)) && all(value == round(value) & value >= 2 & value < 2^39)
    if (!fits) stop_argument(words, name_public(value), arg, call)
    as.double(value)
  })
}

# Total number of rows: the sum of public group sizes, or given if the sizes are private.
rows_of_groups <- function() {
  kind <- count_from(2)
  count <- kind$check
  kind$check <- function(value, arg, call, args) {
    sizes <- args$groupSizes
    if (is.null(sizes)) {
      if (is_missing(value)) stop_argument("given, or `groupSizes`", "missing", arg, call)
      return(count(value, arg, call, args))
    }
    if (!is_missing(value) && count(value, arg, call, args) != sum(sizes)) {
      stop_argument("the sum of `groupSizes`, or NULL", name_public(value), arg, call)
    }
    sum(sizes)
  }
  kind$reads <- "groupSizes"
  kind
}
