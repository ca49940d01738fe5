# Released queries as text tables, for dp_publish() and documents.

result_texts.dp_released <- function(x, what, digits, rows, call) { # nolint: object_name_linter.
  about <- about_released(x)
  digits <- check_shown_digits(digits)
  for (name in what) check_choice(name, about$terms, arg = "what", call = call)
  columns <- intersect(names(x), c(about$keys, what %||% names(x)))
  list(
    tables = lapply(shown_tables(x, digits, rows, columns), function(shown) {
      c(shown, none = "No group is frequent enough to be released.")
    }),
    notes = c(
      paste0("Differentially private: ", loss_sentence(about)),
      footer_lines(about, digits, marks_of_released(x))
    )
  )
}
