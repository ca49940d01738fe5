# Results of statistics as tables of texts, for dp_publish() and documents.

# Methods' names have dots.
# nolint start: object_name_linter.

#' @exportS3Method
published.dp_result <- function(x, what, digits, rows, call) {
  if (!is.null(what)) stop_argument("left out for a statistic", "given", "what", call)
  check_number(digits, above = 0, call = call)
  table <- as.data.frame(x)
  shown <- show_columns(utils::head(with_signs(table), rows), digits)
  new_published(shown, notes_of_result(x, table, nrow(shown)), attr(shown, "numeric"))
}

#' @exportS3Method
published.dpStatistic <- function(x, what, digits, rows, call) {
  published(result_of(x), what, digits, rows, call)
}

#' @exportS3Method flextable::as_flextable
as_flextable.dp_result <- function(x, ...) flextable::as_flextable(dp_publish(x, ...))

#' @exportS3Method flextable::as_flextable
as_flextable.dpStatistic <- function(x, ...) flextable::as_flextable(dp_publish(x, ...))

# In documents a result is a table, with lines on the loss and the accuracy.
#' @exportS3Method knitr::knit_print
knit_print.dp_result <- function(x, ..., digits = 5, rows = 32) {
  table <- dp_publish(x, digits = digits, rows = rows)
  if (nrow(table) > 0) {
    return(knitr::knit_print(table))
  }
  knitr::asis_output(paste(c("", attr(table, "notes"), ""), collapse = "\n"))
}

# nolint end

# What the numbers cost, what their intervals are for, and what readers must know of them.
notes_of_result <- function(x, table, shown) {
  more <- nrow(table) - shown
  loss <- result_facts(x)
  c(
    paste0(
      if (more > 0) paste("And", more, "more rows. "),
      if (nrow(table) == 0) "No value is frequent enough to be released. ",
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
