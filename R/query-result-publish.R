# Released queries as text tables, for dp_publish() and documents.

# S3 method names contain dots.
# nolint start: object_name_linter.

#' @exportS3Method
published.dp_released <- function(x, what, digits, rows, call) {
  about <- about_released(x)
  digits <- check_shown_digits(digits)
  for (name in what) check_choice(name, about$terms, arg = "what", call = call)
  tables <- shown_tables(x, digits, rows, intersect(names(x), c(about$keys, what %||% names(x))))
  if (length(tables) > 1) {
    stop_argument(
      paste0("one of ", listed(setdiff(names(tables), "")), ", or other columns"),
      "left out, or both", "what", call
    )
  }
  published_table(x, tables[[1]], digits)
}

#' @exportS3Method knitr::knit_print
knit_print.dp_released <- function(x, ..., digits = 5, n = 32, rows = n) {
  digits <- check_shown_digits(digits)
  tables <- shown_tables(x, digits, rows)
  lines <- Map(function(title, shown) {
    c("", if (nzchar(title)) c(paste0(title, ":"), ""), markdown_of_shown(x, shown, digits))
  }, names(tables), tables)
  notes <- escaped_marks(notes_of_released(x, digits))
  knitr::asis_output(paste(
    c(unlist(lines), "", notes[[1]], "", paste0(notes[-1], collapse = "  \n"), ""),
    collapse = "\n"
  ))
}

# nolint end

published_table <- function(x, shown, digits) {
  more <- if (shown$more > 0) paste0("And ", shown$more, " more rows.")
  none <- if (nrow(shown$table) == 0) "No group is frequent enough to be released."
  new_published(shown$table, c(more, none, notes_of_released(x, digits)),
    attr(shown$table, "numeric")
  )
}

markdown_of_shown <- function(x, shown, digits) {
  if (nrow(shown$table) == 0) {
    return("No group is frequent enough to be released.")
  }
  c(
    markdown_table(published_table(x, shown, digits)),
    if (shown$more > 0) c("", paste0("And ", shown$more, " more rows."))
  )
}

notes_of_released <- function(x, digits) {
  about <- about_released(x)
  c(
    paste0("Differentially private: ", loss_sentence(about), "."),
    footer_lines(about, digits, marks_of_released(x))
  )
}
