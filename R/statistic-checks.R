#' Check losses and ranges
#'
#' Check losses and ranges as the statistics do, for code that builds on them. They read no data.
#'
#' @param epsilon (`numeric`) Losses, each above 0. Losses of 3 or more give a warning.
#' @param expectedLength (whole number) Required number of values or pairs.
#' @param rng A pair of bounds. For several a list of pairs, or a matrix with one in each row.
#' @param varType (`character(1)`) `"numeric"`, `"integer"` or `"logical"`, whose range is 0 to 1.
#' @param rngFormat (`character(1)`) `"vector"` for one pair, `"list"` or `"matrix"` for several,
#'   which mean the same.
#' @param emptyOkay (`logical(1)`) Whether a range may be missing.
#' @returns `checkEpsilon()` returns `epsilon`. `checkRange()` returns `rng` in order, a pair or a
#'   list of pairs. From more than two values it takes the lowest and the highest, with a warning. A
#'   missing range gives `NULL`. A range with a missing end also gives `NULL`, with a warning.
#' @section Errors: `dp_error_invalid_argument` for anything else.
#' @examples
#' checkEpsilon(c(1, 0.1), expectedLength = 2)
#' checkRange(c(1, 0), "numeric")
#' checkRange(rbind(c(0, 1), c(2, 5)), "numeric", "list", expectedLength = 2)
#' @export
checkEpsilon <- function(epsilon, expectedLength = 1) {
  check_numbers(epsilon)
  if (length(epsilon) != check_positive_whole(expectedLength)) {
    stop_argument(paste("of length", expectedLength), "of another", "epsilon", rlang::current_env())
  }
  check_epsilon(max(epsilon))
  epsilon
}

#' @rdname checkEpsilon
#' @export
checkRange <- function(rng, varType, rngFormat = "vector", expectedLength = 1, emptyOkay = FALSE) {
  call <- rlang::current_env()
  varType <- check_name(varType, statistic_types)
  check_flag(emptyOkay)
  check_one <- function(rng) check_range_unless_empty(rng, varType, emptyOkay, call)
  if (check_name(rngFormat, c("vector", "list", "matrix")) == "vector") {
    return(check_one(rng))
  }
  count <- check_positive_whole(expectedLength)
  pairs <- if (varType == "logical") rep(list(NULL), count) else
    pairs_of_columns(rng, count, "rng", call)
  lapply(pairs, check_one)
}

check_range_unless_empty <- function(rng, varType, emptyOkay, call) {
  if (varType == "logical" || !emptyOkay || !(is.null(rng) || anyNA(rng))) {
    return(check_range(rng, varType, call))
  }
  if (!all(is.na(rng))) {
    warn_dp("`rng` has a missing end, and counts as missing.", "range", call = call)
  }
  NULL
}
