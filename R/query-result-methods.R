# Generics of results for released tables.

# nolint start: object_name_linter.
# A verb returns a plain table, because its rows can differ.
#' @export
`[.dp_released` <- function(x, ...) unreleased(x)[...]

#' @exportS3Method dplyr::dplyr_reconstruct
dplyr_reconstruct.dp_released <- function(data, template) {
  dplyr::dplyr_reconstruct(data, unreleased(template))
}

result_rows.dp_released <- function(x) {
  table <- about_released(x)$tidy
  target <- interval_target(about_released(x))
  table$covers <- ifelse(is.na(table$conf.low), NA_character_, target)
  as_tibble_if_known(table[setdiff(names(table), c("column", "group", "label"))])
}

result_frame.dp_released <- function(x) {
  structure(flat_columns(x), row.names = .set_row_names(nrow(x)), class = "data.frame")
}

alpha_of.dp_released <- function(x) about_released(x)$alpha

result_intervals.dp_released <- function(x, parm, level, formula, call) {
  refuse_given(formula, "formula", call)
  about <- about_released(x)
  check_released_level(level, about$alpha, "level", call)
  tidy <- about$tidy
  chosen <- rows_of_terms(tidy, parm %||% about$terms, call)
  table <- matrix(c(tidy$conf.low, tidy$conf.high), ncol = 2,
    dimnames = list(names_of_numbers(tidy, about$keys), NULL)
  )
  list(table = table[chosen, , drop = FALSE], covers = interval_target(about))
}

result_facts.dp_released <- function(x) {
  about <- about_released(x)
  facts <- c(list(query = about$query), unclass(about$loss), list(
    unit = format(about$unit), groups = nrow(x), alpha = about$alpha, plan = about$plan,
    notes = in_one_note(c(about$caps, about$notes))
  ))
  as_tibble_if_known(structure(facts, row.names = 1L, class = "data.frame"))
}
# nolint end
