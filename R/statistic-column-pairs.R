# Bounds of several columns: a list of pairs, or a matrix with a pair in each row.

# The pairs in the order of `columns`, without names. Named ones are matched by name, so that no
# column can get the bounds of another; `columns` may be how many there are, where they have no
# names.
pairs_of_columns <- function(x, columns, arg, call) {
  count <- if (is.numeric(columns)) columns else length(columns)
  pairs <- rows_of_matrix(x)
  if (!is.list(pairs) || length(pairs) != count) {
    stop_argument(paste("a list of", count, "pairs"), describe(x), arg, call)
  }
  if (is.null(names(pairs)) || is.numeric(columns)) {
    return(unname(pairs))
  }
  if (!setequal(names(pairs), columns) || anyDuplicated(names(pairs))) {
    stop_argument(
      paste0("named after the columns ", in_quotes(columns), ", each once, or not named"),
      paste("named", in_quotes(names(pairs))), arg, call
    )
  }
  unname(pairs[columns])
}

rows_of_matrix <- function(x) {
  if (!is.matrix(x)) {
    return(x)
  }
  stats::setNames(lapply(seq_len(nrow(x)), function(i) x[i, ]), rownames(x))
}

in_quotes <- function(names) toString(paste0('"', names, '"'))

check_ranges <- function(rng, columns, varType, call) {
  if (varType == "logical") {
    return(rep(list(c(0, 1)), if (is.numeric(columns)) columns else length(columns)))
  }
  lapply(pairs_of_columns(rng, columns, "rng", call), check_range, varType = varType, call = call)
}

check_impute_ranges <- function(imputeRng, rng, columns, varType, call) {
  if (is.null(imputeRng)) {
    return(rng)
  }
  pairs <- pairs_of_columns(imputeRng, columns, "imputeRng", call)
  Map(function(impute, within) check_impute_range(impute, within, varType, call), pairs, rng)
}
