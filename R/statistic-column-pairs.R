# Bounds of several columns: a list of pairs, or a matrix with a pair in each row.

# Pairs in the order of `columns`, without names. Named pairs are matched by name, so no column can
# get the bounds of another. `columns` can be a number if the columns have no names.
pairs_of_columns <- function(x, columns, arg, call) {
  count <- if (is.numeric(columns)) columns else length(columns)
  pairs <- rows_of_matrix(x)
  if (!is.list(pairs) || length(pairs) != count) {
    of <- if (!is.numeric(columns)) paste0(", for ", in_quotes(columns))
    stop_argument(paste0("a list of ", count, " pairs", of), describe(x), arg, call)
  }
  if (is.numeric(columns)) unname(pairs) else in_order_of(pairs, columns, arg, call)
}

# List with an element for each of `columns`, in their order and without names.
in_order_of <- function(x, columns, arg, call) {
  if (is.null(names(x))) {
    return(unname(x))
  }
  if (!setequal(names(x), columns) || anyDuplicated(names(x))) {
    stop_argument(
      paste0("named after the columns ", in_quotes(columns), ", each once, or not named"),
      paste("named", in_quotes(names(x))), arg, call
    )
  }
  unname(x[columns])
}

in_quotes <- function(names) toString(paste0('"', names, '"'))

check_ranges <- function(rng, columns, varType, call) {
  refuse_bounds(rng, call)
  if (varType == "logical") {
    return(rep(list(c(0, 1)), if (is.numeric(columns)) columns else length(columns)))
  }
  lapply(pairs_of_columns(rng, columns, "rng", call), check_range, varType = varType, call = call)
}

# Bounds of the columns of a design. The attribute `terms` has bounds of its terms by name.
check_design_ranges <- function(rng, design, varType, call) {
  pairs <- rows_of_matrix(rng)
  of_terms <- if (is.list(pairs)) names_of_terms(names(pairs), design)
  if (length(of_terms) > 0) {
    is_term <- !is.na(of_terms)
    declared <- lapply(pairs[is_term], check_range, varType = "numeric", call = call)
    names(declared) <- of_terms[is_term]
    if (anyDuplicated(names(declared)) > 0) {
      stop_argument("with one pair for each term", "with several for one", "rng", call)
    }
    rng <- pairs[!is_term]
  } else {
    declared <- NULL
  }
  if (!is.null(names(rng))) check_bound_names(names(rng), design, call)
  structure(check_ranges(rng, design$columns, varType, call), terms = declared)
}

check_bound_names <- function(names, design, call) {
  lacking <- setdiff(design$columns, names)
  foreign <- setdiff(names, design$columns)
  if (length(lacking) > 0) {
    stop_argument(paste0("a list with bounds of ", in_quotes(design$columns),
      ", and columns of texts must be in `levels`"), paste("one without", in_quotes(lacking)),
      "rng", call
    )
  }
  if (length(foreign) > 0) {
    known <- union(design$columns, names(design$terms))
    stop_argument(paste("named after columns and terms,", in_quotes(known)),
      paste("named", in_quotes(foreign)), "rng", call
    )
  }
}

# Names of terms with any spacing, in the spelling of the design, or NA for columns.
names_of_terms <- function(names, design) {
  labels <- setdiff(names(design$terms), design$columns)
  vapply(names, function(name) {
    if (name %in% c(design$columns, labels)) {
      return(if (name %in% labels) name else NA_character_)
    }
    spaced <- or_else(deparse1(str2lang(name)), function(error) name)
    if (spaced %in% labels) spaced else NA_character_
  }, "")
}

check_impute_ranges <- function(imputeRng, rng, columns, varType, call) {
  if (is.null(imputeRng)) {
    return(rng)
  }
  pairs <- pairs_of_columns(imputeRng, columns, "imputeRng", call)
  Map(function(impute, within) check_impute_range(impute, within, varType, call), pairs, rng)
}
