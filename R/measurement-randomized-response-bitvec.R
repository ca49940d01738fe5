#' Flip bits at random
#'
#' Randomized response for vectors of bits of which few are set, such as Bloom filters: each bit is
#' flipped with probability `f / 2`, whatever it is. All bits of all bytes are treated. How many
#' there are shows in the release, so it must be public: the domain declares it, which the published
#' bindings do not ask for. [debias_randomized_response_bitvec()] estimates from many answers how
#' often each bit was set.
#'
#' @param input_domain (`domain`) [bitvector_domain()] with a `size` and a `max_weight`. Vectors of
#'   another size, or with more bits set, raise an error before noise is drawn. Public.
#' @param input_metric (`metric`) [discrete_distance()]. Public.
#' @param f (`numeric(1)`) Twice the probability of a flip, above 0 and at most 1; at 1 nothing is
#'   left of the data. Public.
#' @param constant_time (`logical(1)`) Whether to spend the same steps on every bit. Public.
#' @param lhs (`transformation` or `c(domain, metric)`) The left side of the pipe.
#' @returns (`measurement`) From a raw vector, in each byte the lowest bit first, to one of the same
#'   length.
#' @section Privacy: `epsilon = min(2 * max_weight, size) * ln((2 - f) / f)` at `d_in = 1`, 0 at 0,
#'   rounded up: two vectors differ in at most `2 * max_weight` bits, and in no more than there are.
#' @section Errors: `dp_error_make_measurement` for a domain without `max_weight` or `size`, or an
#'   `f` out of its range; `dp_error_failed_function` for a vector outside of the domain;
#'   `dp_error_failed_cast` for another domain; `dp_error_overflow` if no double is as large as the
#'   loss. The map: `dp_error_failed_function` for a `d_in` above 1.
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
