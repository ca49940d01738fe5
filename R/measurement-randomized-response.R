#' Randomize answers to a question
#'
#' Randomizes single answers, before they leave the respondent: the release is the truth with a
#' given probability, else a lie.
#'
#' * `make_randomized_response_bool()`: yes or no.
#' * `make_randomized_response()`: one of several public categories. Any other value is answered
#'   with a category, each with the same probability.
#'
#' [debias_randomized_response()] estimates the true counts from many answers.
#'
#' @param prob (`numeric(1)`) Probability of the truth: from 1/2 to 1 for yes or no, from 1/t to 1
#'   for t categories. Public.
#' @param constant_time (`logical(1)`) Whether to take the same steps for every answer. Public.
#' @param categories (vector, or `list` of single elements) At least two categories. Repeated ones
#'   count once. Public.
#' @param .T (type descriptor or `NULL`) Type of the categories: an integer type, `"bool"` or
#'   `"String"`. `NULL` uses the type of the first category. Public.
#' @param lhs (`transformation` or `c(domain, metric)`) The left side of the pipe: single answers
#'   under [discrete_distance()].
#' @returns (`measurement`) From one answer to one answer of the same type.
#' @section Privacy: `epsilon = ln(prob * (t - 1) / (1 - prob))` for t categories (two for yes or
#'   no), rounded up, at any `d_in` from 1 on. It is 0 at `d_in = 0` and `Inf` for `prob = 1`.
#' @section Errors: Raises `dp_error_make_measurement` if `prob` is out of its range, or for fewer
#'   than two categories. Raises `dp_error_type` for a type that categories cannot have, and
#'   `dp_error_failed_cast` for categories of a different type than `.T`, or missing ones.
#' @template ref-warner-1965
#' @template ref-kairouz-oh-viswanath-2016
#' @examples
#' enable_features("contrib")
#' answer <- make_randomized_response_bool(prob = 0.75)
#' answer(arg = TRUE)
#' answer(d_in = 1L)
#'
#' vote <- make_randomized_response(categories = c("A", "B", "C"), prob = 0.8)
#' vote(arg = "B")
#' vote(d_in = 1L)
#' @export
make_randomized_response <- function(categories, prob, .T = NULL) {
  build("make_randomized_response", categories, prob, .T)
}

#' @rdname make_randomized_response
#' @export
make_randomized_response_bool <- function(prob, constant_time = FALSE) {
  build("make_randomized_response_bool", prob, constant_time)
}

#' @rdname make_randomized_response
#' @export
then_randomized_response <- to_then_fixed(make_randomized_response)

#' @rdname make_randomized_response
#' @export
then_randomized_response_bool <- to_then_fixed(make_randomized_response_bool)

#' Flip bits at random
#'
#' Flips each bit of a vector with probability `f / 2`, whatever its value: randomized response for
#' vectors with few bits set, such as Bloom filters. All bits of all bytes are included. The release
#' reveals the number of bits, so it must be public: the domain declares it, which the published
#' bindings do not require. [debias_randomized_response_bitvec()] estimates from many answers how
#' often each bit was set.
#'
#' @param input_domain (`domain`) [bitvector_domain()] with a `size` and a `max_weight`. Vectors of
#'   a different size, or with more bits set, raise an error before noise is drawn. Public.
#' @param input_metric (`metric`) [discrete_distance()]. Public.
#' @param f (`numeric(1)`) Twice the probability of a flip, above 0 and at most 1. At 1, the release
#'   does not depend on the data. Public.
#' @param constant_time (`logical(1)`) Whether to take the same steps for every bit. Public.
#' @param lhs (`transformation` or `c(domain, metric)`) The left side of the pipe.
#' @returns (`measurement`) From a raw vector, with the lowest bit of each byte first, to a raw
#'   vector of the same length.
#' @section Privacy: `epsilon = min(2 * max_weight, size) * ln((2 - f) / f)` at `d_in = 1`, rounded
#'   up, and 0 at `d_in = 0`. Two vectors differ in at most `2 * max_weight` bits, and in at most
#'   `size` bits.
#' @section Errors: Raises `dp_error_make_measurement` for a domain without `max_weight` or `size`,
#'   or an `f` out of its range. Raises `dp_error_failed_function` for a vector outside of the
#'   domain, `dp_error_failed_cast` for a different domain, and `dp_error_overflow` if the loss does
#'   not fit a double. The map raises `dp_error_failed_function` for a `d_in` above 1.
#' @template ref-erlingsson-pihur-korolova-2014
#' @examples
#' enable_features("contrib")
#' noisy <- c(bitvector_domain(max_weight = 4L, size = 64), discrete_distance()) |>
#'   then_randomized_response_bitvec(f = 0.95)
#' noisy(d_in = 1L)
#' @export
make_randomized_response_bitvec <- function(input_domain, input_metric, f, constant_time = FALSE) {
  build("make_randomized_response_bitvec", input_domain, input_metric, f, constant_time)
}

#' @rdname make_randomized_response_bitvec
#' @export
then_randomized_response_bitvec <- to_then(make_randomized_response_bitvec)

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
