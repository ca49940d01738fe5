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
