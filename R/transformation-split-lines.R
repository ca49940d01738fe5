#' Split text into lines
#'
#' A line ends at `"\n"` or `"\r\n"`, which is not part of it. The end of the last line may be
#' missing; an empty line within the text is a row. A `"\r"` alone ends nothing.
#'
#' The text is read where R keeps it and never copied, and lines are found as they are read, so a
#' chain needs next to no memory beyond the text. A string in R holds at most 2^31 - 1 bytes.
#'
#' @param lhs (`transformation` or `c(domain, metric)`) The left side of the pipe.
#' @returns (`transformation`) From one text, `character(1)`, to its lines, a vector of `String`.
#' @section Stability: `d_out = d_in`, in lines: the distance of two texts is that of the multisets
#'   of their lines.
#' @section Errors: `dp_error_failed_cast` for data that are no strings; `dp_error_failed_function`
#'   unless it is one string, not missing, in UTF-8 or marked as Latin 1.
#' @template ref-opendp
#' @examples
#' enable_features("contrib")
#' lines <- make_split_lines()
#' lines(arg = "ant\nbat\ncat\n")
#' @export
make_split_lines <- function() build("make_split_lines")

#' @rdname make_split_lines
#' @export
then_split_lines <- to_then_fixed(make_split_lines)
