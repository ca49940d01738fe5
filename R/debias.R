#' Estimate from answers at random
#'
#' Of many answers by [randomized response][make_randomized_response()] a known share are lies.
#' These functions correct for it: their estimates are right on average, whatever the truth is. They
#' see releases only, and spend nothing.
#'
#' Estimates scatter more than honest counts would, and may be negative or above the number of
#' answers. Cutting them off there would make them wrong on average.
#'
#' @param answers For `debias_randomized_response()`: (vector) the releases, one element each.
#'   For `debias_randomized_response_bitvec()`: (`list` of raw vectors) the releases, all of one
#'   length.
#' @param prob (`numeric(1)`) The probability of the truth that the answers were given with.
#' @param categories (vector) The categories that they were given with; `c(FALSE, TRUE)` for a yes
#'   or no.
#' @param f (`numeric(1)`) The `f` of [make_randomized_response_bitvec()], below 1.
#' @returns (`numeric`) For each category how many answers are true of it, named by category; or for
#'   each bit, the lowest of the first byte first, in how many vectors it is set.
#' @section Formulas: Of n answers, c by category j, of t categories: `(c - n * q) / (prob - q)`,
#'   where `q = (1 - prob) / (t - 1)` is the probability of any one lie. Of n vectors with c bits
#'   set at one place: `(c - n * f / 2) / (1 - f)`.
#' @section Errors: `dp_error_invalid_argument` for answers of another kind, fewer than two
#'   categories, or a probability at which answers say nothing (`prob = 1/t`, `f = 1`).
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
