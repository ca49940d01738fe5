# Prints models of private tables and their footers.

# Pictures have the footer of prints.
with_footer <- function(shown, x, parts) {
  about <- about_model(x)
  shown$title <- paste("Private", about$query)
  shown$note <- paste(footer_of_models(x, parts, about), collapse = "\n")
  shown
}

stacked_by_group <- function(x, of) {
  keys <- attr(x, "keys")
  tables <- Map(function(part, group) {
    table <- as.data.frame(of(part))
    cbind(keys[rep(group, nrow(table)), , drop = FALSE], table, row.names = NULL)
  }, unclass(x), seq_len(nrow(keys)))
  as_tibble_if_known(do.call(rbind, unname(tables)))
}

# list(table, more) of texts: groups, terms, and numbers with intervals.
shown_models <- function(x, parts, digits, rows) {
  table <- as.data.frame(result_rows(x))
  kept <- utils::head(table, rows)
  keys <- lapply(kept[names(attr(x, "keys"))], as.character)
  estimate <- shown_coefficients(kept, digits)
  columns <- c(keys, list(term = kept$term, estimate = estimate))
  shown <- table_of_texts(columns, nrow(kept), c(rep(FALSE, length(columns) - 1), TRUE))
  list(table = shown, more = nrow(table) - nrow(kept))
}

# Each number has its own decimals, because coefficients have different units.
shown_coefficients <- function(lines, digits) {
  if (is.null(lines$conf.low)) lines[c("conf.low", "conf.high")] <- NA_real_
  vapply(seq_len(nrow(lines)), function(i) {
    shown_numbers(lines[i, ], digits)
  }, "")
}

lines_of_models <- function(x, parts, digits, rows) {
  digits <- check_shown_digits(digits %||% 5)
  about <- about_model(x)
  shown <- shown_models(x, parts, digits, rows %||% 32)
  c(
    paste0("Released: ", about$query, " (", loss_sentence(about), ")"),
    lines_of_shown(shown, c(names(attr(x, "keys")), "term"), getOption("width")),
    paste0("  ", footer_of_models(x, parts, about))
  )
}

texts_of_models <- function(x, parts, what, digits, rows, call) {
  if (!is.null(what)) stop_argument("left out for a model", "given", "what", call)
  shown <- shown_models(x, parts, check_shown_digits(digits), rows)
  list(
    tables = list(c(shown, none = "No group is frequent enough to be released.")),
    notes = c(
      paste0("Differentially private ", about_model(x)$query, "."),
      footer_of_models(x, parts, about_model(x))
    )
  )
}

footer_of_models <- function(x, parts, about) {
  status <- unique(unlist(lapply(parts, notes_of_status)))
  marks <- as.data.frame(result_rows(x))$mark
  target <- main_target(parts[[1]])
  covers <- if (!is.null(target)) {
    paste0("[ ]: ", level_words(about), " intervals for ", target, "; ")
  }
  c(
    paste0(covers, "unit: ", format(about$unit), "; loss: ", format(about$loss)),
    about$caps, about$notes, about$changed, status,
    if (any(is_dominated(marks))) "*: half of the interval is at least the number"
  )
}

#' @export
format.dp_model_query <- function(x, ...) { # nolint: object_name_linter.
  table <- tbl_data(x$table)
  groups <- if (length(x$by) > 0) {
    paste0("  groups: ", toString(x$by), ", ", describe_keys(x$keys %||% list(kind = "declared")))
  }
  moments <- length(x$outputs)
  c(
    paste0("<dp_query> ", describe_query(x), "; the unit is ", format(table$unit), "; ",
      session_line(session_of(x))
    ),
    engine_line(table), printable(c(step_lines(table$steps), groups)),
    if (x$model$kind %in% c("lm", "glm")) paste0("  errors: ", x$model$vcov),
    if (x$model$kind == "glm") {
      paste0("  releases ", length(x$model$columns), " coefficients by objective perturbation")
    } else {
      paste0("  releases ", moments, " moments with noise: see dp_preview()")
    },
    reach_line(x), advice_of_rows(x)
  )
}

# Several rows of one person multiply the loss of a model that reads rows.
advice_of_rows <- function(query) {
  unit <- unit_of(query)
  if (query$model$kind == "glm" && unit$kind == "rows" && unit$count > 1) {
    paste0("  the loss is ", unit$count, " times the loss of one row: if these are the rows of a ",
      "person, use `dp_unit(id = )` and one row for each"
    )
  }
}
