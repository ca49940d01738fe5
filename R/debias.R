#' Estimate counts from randomized answers
#'
#' Estimates counts from many answers by [randomized response][make_randomized_response()], with
#' a known share of lies. The estimates are unbiased for every truth. These functions see
#' only releases, and spend no budget.
#'
#' Estimates vary more than true counts, and can be negative or above the number of answers.
#' Truncating them would bias them.
#'
#' @param answers (vector or `list`) Releases. For `debias_randomized_response()`, a vector with one
#'   element for each. For `debias_randomized_response_bitvec()`, a list of raw vectors, all of the
#'   same length.
#' @param prob (`numeric(1)`) Probability of the truth in the answers.
#' @param categories (vector) Categories of the answers: `c(FALSE, TRUE)` for yes or no.
#' @param f (`numeric(1)`) The `f` of [make_randomized_response_bitvec()], below 1.
#' @returns (`numeric`) For each category, the estimated number of true answers, named by category.
#'   For bit vectors, the estimated number of vectors with each bit set, beginning with the lowest
#'   bit of the first byte.
#' @section Formulas: For n answers with t categories, c of them in category j, the estimate is
#'   `(c - n * q) / (prob - q)`, where `q = (1 - prob) / (t - 1)` is the probability of any one lie.
#'   For n vectors with c bits set at one position, it is `(c - n * f / 2) / (1 - f)`.
#' @section Errors: Raises `dp_error_invalid_argument` for invalid answers, for fewer than two
#'   categories, or for a probability that makes answers uninformative (`prob = 1/t`, `f = 1`).
#' @template ref-warner-1965
#' @template ref-erlingsson-pihur-korolova-2014
#' @examples
#' enable_features("contrib")
#' answer <- make_randomized_response_bool(prob = 0.75)
#' truth <- rep(c(TRUE, FALSE), c(300, 700))
#' answers <- vapply(truth, \(x) answer(arg = x), logical(1))
#' debias_randomized_response(answers, prob = 0.75)
#' @name debias_randomized_response
NULL

#' @rdname debias_randomized_response
#' @export
debias_randomized_response <- function(answers, prob, categories = c(FALSE, TRUE)) {
  if (!is.atomic(answers) || is.object(answers)) {
    stop_argument("a vector", describe(answers), "answers", rlang::current_env())
  }
  if (!is.atomic(categories) || is.object(categories) || length(unique(categories)) < 2) {
    stop_argument(
      "a vector of at least two categories", describe(categories), "categories",
      rlang::current_env()
    )
  }
  categories <- unique(categories)
  lies <- length(categories) - 1
  check_number(prob, above = 1 / (lies + 1), max = 1)
  if (!all(answers %in% categories)) {
    stop_argument("among `categories`", "another", "answers", rlang::current_env())
  }
  lie <- (1 - prob) / lies
  told <- tabulate(match(answers, categories), length(categories))
  stats::setNames((told - length(answers) * lie) / (prob - lie), categories)
}

#' @rdname debias_randomized_response
#' @export
debias_randomized_response_bitvec <- function(answers, f) {
  bytes <- if (is.list(answers)) unique(lengths(answers))
  if (length(bytes) != 1 || !all(vapply(answers, is.raw, logical(1)))) {
    stop_argument(
      "a list of raw vectors of one length", describe(answers), "answers", rlang::current_env()
    )
  }
  check_number(f, above = 0, below = 1)
  told <- Reduce(`+`, lapply(answers, function(answer) as.integer(rawToBits(answer))))
  (told - length(answers) * f / 2) / (1 - f)
}
