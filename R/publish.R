# Tables for publication, whose text no other package can separate from its noise.

#' Make tables for publication
#'
#' Makes a table of texts from a release. Each cell has the number with its interval and its mark,
#' so packages that draw tables cannot lose them. Notes below the table list the loss, the unit, the
#' rule of each cap and the meaning of the marks.
#'
#' @param x ([dp_released], [dp_result], or a statistic that has released) Release to show. Public.
#' @param what (`character`) Columns of a released query to show besides its groups. The default is
#'   all. Cells of a histogram have a separate table.
#' @param digits (whole number or `"noise"`) Number of digits to show. `"noise"` is only for
#'   released queries, see [dp_released].
#' @param rows (whole number) Largest number of rows to show.
#' @returns (`dp_published`) A data frame of texts. `attr(table, "notes")` holds the notes, one
#'   string for each. `print()` shows both, and so does a knitr document.
#' @section Packages that draw tables: [knitr::kable()], `gt::gt()` and `flextable::flextable()` are
#'   not generic: they see only the estimates of a released query. Use these calls instead, which
#'   keep intervals, marks and notes:
#'
#'   * knitr: `dp_publish(released)` in a chunk, or
#'     `kable(dp_publish(released), caption = toString(attr(dp_publish(released), "notes")))`.
#'   * flextable: `as_flextable(released)` or `as_flextable(dp_publish(released))`. Both have the
#'     notes as a footer.
#'   * gt: `table <- dp_publish(released)`, then
#'     `gt::tab_source_note(gt::gt(table), paste(attr(table, "notes"), collapse = "; "))`.
#' @section Errors: Raises `dp_error_invalid_argument` for a statistic without a release, for an
#'   invalid `what`, and for a query with a histogram and other columns: name the columns to show.
#' @seealso [tidy()][dp_released] for numbers.
#' @examples
#' education <- dpHistogram(variable = "educ", n = 10000, rng = c(0, 16), nBins = 4, epsilon = 0.5)
#' education$release(PUMS5extract10000)
#' dp_publish(education)
#' @export
dp_publish <- function(x, what = NULL, digits = 5, rows = Inf) {
  if (!identical(rows, Inf)) check_whole(rows, min = 1)
  published(x, what, digits, rows, environment())
}

# Texts of dp_publish() for each class.
published <- function(x, what, digits, rows, call) UseMethod("published")

#' @exportS3Method
published.default <- function(x, what, digits, rows, call) { # nolint: object_name_linter.
  stop_argument("a release", describe(x), "x", call)
}

# `numeric`: whether a column holds numbers, whose texts are aligned right.
new_published <- function(table, notes, numeric) {
  table[] <- lapply(table, function(column) {
    gsub("\\[ +", "[", gsub(" +", " ", trimws(column)))
  })
  size <- if (length(table) > 0) length(table[[1]]) else 0
  attributes(table) <- list(names = names(table), row.names = .set_row_names(size))
  structure(table, class = c("dp_published", "data.frame"), notes = notes,
    numeric = as.logical(numeric)
  )
}

sides_of <- function(x) ifelse(attr(x, "numeric"), "right", "left")

# Names of methods have dots.
# nolint start: object_name_linter.

#' @export
format.dp_published <- function(x, ...) {
  columns <- Map(function(name, column, side) format(c(name, column), justify = side),
    names(x), unclass(x), sides_of(x)
  )
  c(sub(" +$", "", do.call(paste, c(unname(columns), sep = "  "))), "", attr(x, "notes"))
}

#' @export
print.dp_published <- function(x, ...) {
  cat(format(x), sep = "\n")
  invisible(x)
}

# Rows or columns of the table have no notes, because the notes would describe different numbers.
#' @export
`[.dp_published` <- function(x, ...) {
  attr(x, "notes") <- attr(x, "numeric") <- NULL
  class(x) <- "data.frame"
  x[...]
}

#' @exportS3Method knitr::knit_print
knit_print.dp_published <- function(x, ...) {
  knitr::asis_output(paste(c(
    "", markdown_table(x), "", paste(escaped_marks(attr(x, "notes")), collapse = "  \n"), ""
  ), collapse = "\n"))
}

#' @exportS3Method flextable::as_flextable
as_flextable.dp_published <- function(x, ...) {
  check_names(...)
  table <- x
  class(table) <- "data.frame"
  drawn <- flextable::add_footer_lines(flextable::flextable(table), attr(x, "notes"))
  at <- which(attr(x, "numeric"))
  if (length(at) > 0) {
    for (part in c("header", "body")) {
      drawn <- flextable::align(drawn, j = at, align = "right", part = part)
    }
  }
  flextable::autofit(drawn)
}

# nolint end

markdown_table <- function(x) {
  sides <- substr(sides_of(x), 1, 1)
  table <- escaped_marks(as.data.frame(lapply(unclass(x), identity), optional = TRUE))
  knitr::kable(table, format = "pipe", align = sides, row.names = FALSE, col.names = names(x))
}

# Characters with a meaning in Markdown.
escaped_marks <- function(texts) {
  escape <- function(text) gsub("([*~\\[])", "\\\\\\1", text)
  if (is.data.frame(texts)) {
    texts[] <- lapply(texts, escape)
    texts
  } else {
    escape(texts)
  }
}
