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
