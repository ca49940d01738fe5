# Tables and pictures of models of private tables.

# nolint start: object_name_linter.
result_lines.dp_released_model <- function(x, digits, rows) {
  lines_of_models(x, list(x), digits, rows)
}

result_lines.dp_released_models <- function(x, digits, rows) {
  lines_of_models(x, unclass(x), digits, rows)
}

result_parts.dp_released_models <- function(x) list(x)

result_texts.dp_released_model <- function(x, what, digits, rows, call) {
  texts_of_models(x, list(x), what, digits, rows, call)
}

result_texts.dp_released_models <- function(x, what, digits, rows, call) {
  texts_of_models(x, unclass(x), what, digits, rows, call)
}

result_facts.dp_released_model <- function(x) {
  about <- about_model(x)
  unknown <- x$status == "few" || is.null(x$nPresent)
  facts <- c(
    list(method = attr(x, "about")$name, nobs = if (unknown) NA_real_ else round(x$nPresent)),
    if (!is.null(x$sumWeights)) {
      list(sum.weights = if (x$status == "few") NA_real_ else x$sumWeights)
    },
    if (inherits(x, "dp_lm_result")) {
      list(sigma = root(x$variance), df.residual = if (unknown) NA_real_ else df.residual(x))
    },
    unclass(about$loss),
    list(unit = format(about$unit), alpha = about$alpha, covers = main_target(x),
      status = x$status, plan = about$plan, notes = in_one_note(c(about$caps, about$notes))
    )
  )
  as_tibble_if_known(structure(facts, row.names = 1L, class = "data.frame"))
}

# Models of groups have several vectors of coefficients.
released_model.dp_released_models <- function(x, formula = NULL, call = rlang::caller_env()) {
  stop_argument(
    paste0("one model, such as `x[[\"", names(x)[[1]], "\"]]`; `tidy()` has all of them"),
    paste(length(x), "models of groups"), "object", call
  )
}

at_level.dp_released_models <- function(table, x, level, call) {
  stacked_by_group(x, function(part) at_level(result_rows(part), part, level, call))
}

result_facts.dp_released_models <- function(x) stacked_by_group(x, result_facts)

result_rows.dp_released_models <- function(x) stacked_by_group(x, result_rows)

result_frame.dp_released_models <- function(x) as.data.frame(result_rows(x))

result_summary.dp_released_models <- function(x, formula, level, call) {
  refuse_given(formula, "formula", call)
  stacked_by_group(x, function(part) result_summary(part, NULL, level, call))
}

alpha_of.dp_released_models <- function(x) about_model(x)$alpha

result_intervals.dp_released_models <- function(x, parm, level, formula, call) {
  parts <- lapply(unclass(x), function(part) result_intervals(part, parm, level, formula, call))
  tables <- Map(function(name, part) {
    rownames(part$table) <- paste0(name, ": ", rownames(part$table))
    part$table
  }, names(x), parts)
  list(table = do.call(rbind, unname(tables)), covers = parts[[1]]$covers)
}

pictures.dp_released_model <- function(x) {
  lapply(NextMethod(), function(drawn) {
    function() with_footer(with_marked_rows(drawn(), x), x, list(x))
  })
}

pictures.dp_released_models <- function(x) {
  drawn <- lapply(unclass(x), function(part) pictures(part))
  lapply(stats::setNames(nm = names(drawn[[1]])), function(what) {
    function() {
      shown <- lapply(drawn, function(part) part[[what]]())
      tables <- Map(function(name, one) {
        one$table$term <- paste0(name, ": ", one$table$term)
        one$table
      }, names(x), shown)
      result <- shown[[1]]
      result$table <- do.call(rbind, unname(tables))
      result$marked <- unlist(lapply(shown, `[[`, "marked"), use.names = FALSE)
      with_footer(result, x, unclass(x))
    }
  })
}
# nolint end
