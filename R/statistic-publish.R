# Results of statistics as text tables, for dp_publish() and documents.

# S3 method names contain dots.
# nolint start: object_name_linter.

result_texts.dp_result <- function(x, what, digits, rows, call) {
  if (!is.null(what)) stop_argument("left out for a statistic", "given", "what", call)
  check_number(digits, above = 0, call = call)
  table <- as.data.frame(x)
  shown <- show_columns(utils::head(with_signs(table), rows), digits)
  list(
    tables = list(list(table = shown, more = nrow(table) - nrow(shown),
      none = "No value is frequent enough to be released."
    )),
    notes = notes_of_result(x, table)
  )
}

#' @exportS3Method flextable::as_flextable
as_flextable.dp_result <- function(x, ...) flextable::as_flextable(dp_publish(x, ...))

#' @exportS3Method flextable::as_flextable
as_flextable.dpStatistic <- function(x, ...) flextable::as_flextable(dp_publish(x, ...))

# nolint end

# Cost of the numbers, targets of their intervals, and notes for readers.
notes_of_result <- function(x, table) {
  loss <- result_facts(x)
  c(
    paste0(
      "Differentially private ", loss$method, ": ", shown_loss(loss, digits = 5),
      if (loss$delta > 0) paste(" and delta", show_loss(loss$delta, 3)),
      " for ", protected_unit(attr(x, "about")$adds_rows),
      if (!is.na(loss$n)) paste0(", n = ", show_number(loss$n, 15)), "."
    ),
    if (any(is.finite(table$conf.low))) {
      paste0(100 * (1 - loss$alpha), "% intervals are for ", main_target(x), ".")
    },
    if (isTRUE(attr(x, "about")$noise_dominates)) paste0(noise_sentence, "."),
    paste0(imputation_sentence(imputation_source(x)), ".", recycle0 = TRUE),
    paste0(as_sentences(reading_notes(x)), recycle0 = TRUE)
  )
}
