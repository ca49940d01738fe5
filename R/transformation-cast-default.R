#' Cast rows to another type, with a default for what does not fit
#'
#' Casts like [make_cast()], but a row that cannot be cast becomes the default of the type: `0`,
#' `0.0`, `FALSE` or `""`. NaN counts as a number, so a float stays NaN, and so does the string
#' `"nan"`.
#'
#' @inheritParams make_cast
#' @returns (`transformation`) From vectors to vectors of the same length. Rows of a float type can
#'   be NaN, so impute before you clamp. Bounds are lost.
#' @section Stability: `d_out = d_in`, in rows.
#' @section Errors: Raises the errors of [make_cast()].
#' @template ref-mcsherry-2009
#' @examples
#' enable_features("contrib")
#' numbers <- c(vector_domain(atom_domain(.T = "String")), symmetric_distance()) |>
#'   then_cast_default(.TOA = "i32") |>
#'   then_clamp(c(0L, 10L)) |>
#'   then_sum()
#' numbers(arg = c("2", "a", "400"))
#' @export
make_cast_default <- function(input_domain, input_metric, .TOA) {
  build("make_cast_default", input_domain, input_metric, .TOA)
}

#' @rdname make_cast_default
#' @export
then_cast_default <- to_then(make_cast_default)
