#' Split lines into records
#'
#' Cuts each line at every `separator`, then leaves out white space (of Unicode) at both ends of
#' each field. An empty line is a record of one empty field.
#'
#' **Quotes** work as in RFC 4180: a field that begins with `quote` (white space before it does not
#' count) goes on to the next `quote` that stands alone, with separators and white space in it; two
#' in a row stand for one. What follows up to the separator belongs to the field as it is. A `quote`
#' in a field that does not begin with one is a character like any other.
#'
#' Each line is treated by itself, so a quoted field ends with its line at the latest: a line break
#' within quotes cuts one record into two broken ones, and all others stay as they are. Were the
#' next line taken for the rest of it, a single quote in one line would change all that follow, and
#' the stability below would not hold.
#'
#' **A header** is known by what it says, not by its place, which the metric does not see: every
#' record that equals it is left out.
#'
#' @param separator (`character(1)` or `NULL`) One character or more, taken literally; `NULL` is
#'   `","`. Public.
#' @param quote (`character(1)` or `NULL`) One visible character of ASCII that stands around fields;
#'   `NULL` or `""`: nothing is quoted, as in the published bindings, which lack this argument.
#'   Public.
#' @param header (`FALSE` or `character`) The fields of the header, public; `FALSE`: every record
#'   stays.
#' @param lhs (`transformation` or `c(domain, metric)`) The left side of the pipe.
#' @returns (`transformation`) From a vector of lines to a list with the fields of each, vectors of
#'   `String`.
#' @section Stability: `d_out = d_in`, in lines: each line is treated by itself.
#' @section Errors: `dp_error_make_transformation` for an empty separator, one that holds the quote,
#'   and a quote of another kind; `dp_error_failed_cast` if they are not strings.
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
