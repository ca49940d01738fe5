#' Check losses and ranges
#'
#' What the statistics require of these arguments, for code that builds on them. They read no data.
#'
#' @param epsilon (`numeric`) Each above 0; 3 and more gives a warning.
#' @param expectedLength (whole number) How many values, or pairs, there must be.
#' @param rng A pair of bounds; in format `"list"` a list of pairs, or a matrix with one in each
#'   row.
#' @param varType (`character(1)`) `"numeric"`, `"integer"` or `"logical"`, whose range is 0 to 1.
#' @param rngFormat (`character(1)`) `"vector"` or `"list"`.
#' @returns `checkEpsilon()`: `epsilon`. `checkRange()`: `rng` in order, a pair or a list of pairs;
#'   of more than two values the lowest and the highest, with a warning.
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
checkRange <- function(rng, varType, rngFormat = "vector", expectedLength = 1) {
  call <- rlang::current_env()
  varType <- check_name(varType, statistic_types)
  if (check_name(rngFormat, c("vector", "list")) == "vector") {
    check_range(rng, varType, call)
  } else {
    check_ranges(rng, check_positive_whole(expectedLength), varType, call)
  }
}
