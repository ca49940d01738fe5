# Kinds of arguments of statistics that bound columns.

# Range of one column.
range_of_column <- function() {
  words <- paste(
    "two finite numbers, lower and upper bound, or [bounds()] (0 and 1 for a",
    "logical column)"
  )
  argument_kind(words, reads = "varType", finds = TRUE, check = function(value, arg, call, args) {
    check_range(value, args$varType, call)
  })
}

# Ranges of the columns in the argument `of`, after `columns` maps them. With `alone`, a single
# column may have the form of range_of_column().
bounds_of <- function(of, columns = identity, alone = FALSE) {
  words <- paste0(
    if (alone) "two finite numbers, or for several columns ",
    "a list of pairs", if (!alone) " or of [bounds()]",
    ", or a matrix with a pair in each row"
  )
  check <- function(value, arg, call, args) {
    names <- columns(args[[of]])
    if (alone && length(names) == 1) return(check_range(value, args$varType, call))
    check_ranges(value, names, args$varType, call)
  }
  finds <- if (alone) FALSE else function(args) columns(args[[of]])
  argument_kind(words, check, reads = c("varType", of), finds = finds)
}

# Range for imputed values, or NULL if rows with missing values are dropped.
imputed_bounds <- function() {
  reads <- c("varType", "rng", "missing")
  words <- "two numbers within `rng`"
  argument_kind(words, reads = reads, check = function(value, arg, call, args) {
    if (!drops_missing(args)) check_impute_range(value, args$rng, args$varType, call)
  })
}

imputed_bounds_of <- function(of, columns = identity, alone = FALSE) {
  words <- "in the form of `rng`, and within it"
  reads <- c("varType", "rng", "missing", of)
  argument_kind(words, reads = reads, check = function(value, arg, call, args) {
    names <- columns(args[[of]])
    if (drops_missing(args)) {
      NULL
    } else if (alone && length(names) == 1) {
      check_impute_range(value, args$rng, args$varType, call)
    } else {
      check_impute_ranges(value, args$rng, names, args$varType, call)
    }
  })
}
