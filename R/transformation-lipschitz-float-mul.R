#' Multiply a float by a public constant
#'
#' Clamps one number to `bounds`, multiplies it by `constant`, rounds to nearest and keeps within
#' the finite range. The bounds are on the number, not on the product.
#'
#' @inheritParams make_clamp
#' @param input_domain (`domain`) Single floats without NaN. Public.
#' @param input_metric (`metric`) [absolute_distance()] of the same type. Public.
#' @param constant (one number) Factor, in the type of the domain. Public.
#' @param bounds (two numbers, `c(lower, upper)`) Bounds in the type of the domain and the unit of
#'   the number, which limit the rounding. Public.
#' @returns (`transformation`) From one number to one number, in the product of the units of the
#'   number and the constant.
#' @section Stability: `d_out = |constant| * d_in + ulp(w)`, rounded up, where `ulp(w)` is the
#'   spacing of floats at `w = max(|lower|, upper) * |constant|`. Rounding adds half of it on either
#'   side, even at `d_in = 0`.
#' @section Errors: Raises `dp_error_make_transformation` if the number can be NaN,
#'   `dp_error_failed_function` for a NaN bound, and `dp_error_overflow` if `constant` is NaN or `w`
#'   is not finite. Raises `dp_error_failed_cast` for a different type, and `dp_error_type` for a
#'   different metric, or if the domain is not of floats. With bounds in the wrong order every call
#'   fails, as in the published reference.
#' @template ref-casacuberta-2022
#' @examples
#' enable_features("contrib")
#' tenth <- c(atom_domain(.T = "f64", nan = FALSE), absolute_distance(.T = "f64")) |>
#'   then_lipschitz_float_mul(constant = 0.1, bounds = c(0, 100))
#' tenth(arg = 20)
#' tenth(d_in = 10)
#' @export
make_lipschitz_float_mul <- function(input_domain, input_metric, constant, bounds) {
  build("make_lipschitz_float_mul", input_domain, input_metric, constant, bounds)
}

#' @rdname make_lipschitz_float_mul
#' @export
then_lipschitz_float_mul <- to_then(make_lipschitz_float_mul)
