#' Multiply a float by a public constant
#'
#' Clamps one number to `bounds`, multiplies it by `constant`, rounds to nearest and keeps within
#' the finite range. The bounds are on the number, not on the product.
#'
#' @inheritParams make_clamp
#' @param input_domain (`domain`) Single floats without NaN. Public.
#' @param input_metric (`metric`) [absolute_distance()] of the same type. Public.
#' @param constant (one number) In the type of the domain. Public.
#' @param bounds (two numbers, `c(lower, upper)`) In the type of the domain and the unit of the
#'   number. Public. They limit how far rounding can go.
#' @returns (`transformation`) From one number to another, in the unit of the number times that of
#'   the constant.
#' @section Stability: `d_out = |constant| * d_in + ulp(w)`, rounded up, where `ulp(w)` is the
#'   spacing of floats at `w = max(|lower|, upper) * |constant|`: rounding adds half of it on either
#'   side. It is there at `d_in = 0`, too.
#' @section Errors: `dp_error_make_transformation` if the number may be NaN;
#'   `dp_error_failed_function` for a NaN bound; `dp_error_overflow` if `constant` is NaN or `w` is
#'   not finite; `dp_error_failed_cast` for another type; `dp_error_type` for another metric, or if
#'   the domain is not of floats. With bounds in the wrong order every invocation fails, as in the
#'   published reference.
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
