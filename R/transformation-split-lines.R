#' Split text into lines
#'
#' Splits a text into lines. A line ends at `"\n"` or `"\r\n"`, which is not part of it. The last
#' line can lack this end, and an empty line within the text is a row. A `"\r"` without `"\n"` does
#' not end a line.
#'
#' The text is read where R stores it and is never copied. Lines are found as they are read, so a
#' chain needs almost no memory beyond the text. A string in R holds at most 2^31 - 1 bytes.
#'
#' @param lhs (`transformation` or `c(domain, metric)`) The left side of the pipe.
#' @returns (`transformation`) From one text, `character(1)`, to its lines, a vector of `String`.
#' @section Stability: `d_out = d_in`, in lines: the distance of two texts is the distance of the
#'   multisets of their lines.
#' @section Errors: Raises `dp_error_failed_cast` for data that are not strings, and
#'   `dp_error_failed_function` unless the data are one string, not missing, in UTF-8 or marked as
#'   Latin 1.
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
