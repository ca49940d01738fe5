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
#' @param ... Not used: other names raise an error.
#' @returns (`dp_published`) A data frame of texts. `attr(table, "notes")` holds the notes, one
#'   string for each. `print()` shows both, and so does a knitr document.
#' @section Packages that draw tables: [knitr::kable()], `gt::gt()` and `flextable::flextable()` are
#'   not generic: they see only the estimates of a released query. Use these calls instead, which
#'   keep intervals, marks and notes:
#'
#'   * knitr: `dp_publish(released)` in a chunk, or
#'     `table <- dp_publish(released)`, then
#'     `kable(table, caption = paste(attr(table, "notes"), collapse = "; "))`.
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
dp_publish <- function(x, what = NULL, digits = 5, rows = Inf, ...) {
  check_names(...)
  if (!identical(rows, Inf)) check_whole(rows, min = 1)
  call <- environment()
  if (is_statistic(x)) x <- result_of(x)
  if (!inherits(x, "dp_result")) stop_argument("a release", describe(x), "x", call)
  parts <- result_parts(x)
  if (!is.null(names(parts))) {
    stop_argument(paste0("one table of the batch, `$", names(parts)[[1]], "`"), "all of them", "x",
      call
    )
  }
  texts <- result_texts(x, what, digits, rows, call)
  if (length(texts$tables) > 1) {
    stop_argument(
      paste0("one of ", listed(setdiff(names(texts$tables), "")), ", or other columns"),
      "left out, or both", "what", call
    )
  }
  shown <- texts$tables[[1]]
  none <- if (nrow(shown$table) == 0) shown$none
  new_published(shown, c(more_rows(shown), none, texts$notes))
}

more_rows <- function(shown) if (shown$more > 0) paste0("And ", shown$more, " more rows.")

# `shown`: a table of result_texts(). The attribute `numeric` says which columns hold numbers, whose
# texts are aligned right.
new_published <- function(shown, notes = character()) {
  table <- shown$table
  numeric <- attr(table, "numeric")
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

# In documents a result is its tables, then its notes.
#' @exportS3Method knitr::knit_print
knit_print.dp_result <- function(x, ..., digits = 5, n = 32, rows = n) {
  call <- environment()
  parts <- result_parts(x)
  pages <- Map(function(part, name) {
    c(paste0("\n**", name, "**", recycle0 = TRUE),
      markdown_of(result_texts(part, NULL, digits, rows, call))
    )
  }, parts, titles_of(parts))
  knitr::asis_output(paste(unlist(pages), collapse = "\n"))
}

# nolint end

markdown_of <- function(texts) {
  tables <- texts$tables
  titles <- names(tables) %||% rep("", length(tables))
  blocks <- Map(function(title, shown) {
    c("", if (nzchar(title)) c(paste0(title, ":"), ""),
      if (nrow(shown$table) == 0) shown$none else markdown_table(new_published(shown)),
      if (shown$more > 0) c("", more_rows(shown))
    )
  }, titles, tables)
  notes <- escaped_marks(texts$notes)
  c(unlist(blocks), "", notes[[1]], "", paste0(notes[-1], collapse = "  \n"), "")
}

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
