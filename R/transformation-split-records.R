#' Split lines into records
#'
#' Cuts each line at every `separator`, then drops Unicode white space at both ends of each field.
#' An empty line is a record of one empty field.
#'
#' **Quotes** follow RFC 4180. A field that begins with `quote`, after optional white space, extends
#' to the next single `quote`, and can include separators and white space. Two quotes in a row are
#' one quote character. Any text between the closing quote and the separator belongs to the field
#' unchanged. In a field that does not begin with a quote, `quote` is an ordinary character.
#'
#' Each line is processed separately, so a quoted field ends with its line at the latest. A line
#' break within quotes splits one record into two broken ones, and leaves all others intact. If a
#' quoted field could continue on the next line, one quote could change all lines after it, and the
#' stability below would not hold.
#'
#' **A header** is recognized by its content, not by its position, because the metric ignores the
#' order of lines. Every record that equals the header is dropped.
#'
#' @param separator (`character(1)` or `NULL`) Separator of one or more characters, taken literally.
#'   `NULL` is `","`. Public.
#' @param quote (`character(1)` or `NULL`) One visible ASCII character that encloses fields. With
#'   `NULL` or `""`, no field is quoted, as in the published bindings, which lack this argument.
#'   Public.
#' @param header (`FALSE` or `character`) Fields of the header. With `FALSE`, every record stays.
#'   Public.
#' @param lhs (`transformation` or `c(domain, metric)`) The left side of the pipe.
#' @returns (`transformation`) From a vector of lines to a list with the fields of each line, as
#'   vectors of `String`.
#' @section Stability: `d_out = d_in`, in lines: each line is processed separately.
#' @section Errors: Raises `dp_error_make_transformation` for an empty separator, for a separator
#'   that includes the quote, and for an invalid quote. Raises `dp_error_failed_cast` if the
#'   arguments are not strings.
#' @template ref-opendp
#' @examples
#' enable_features("contrib")
#' records <- make_split_records(separator = ";")
#' records(arg = c("ant; 6", "bat; 2; 2", "\"cat; small\"; \"say \"\"miau\"\"\""))
#' @export
make_split_records <- function(separator, quote = "\"", header = FALSE) {
  build("make_split_records", separator, quote, header)
}

#' @rdname make_split_records
#' @export
then_split_records <- to_then_fixed(make_split_records)
