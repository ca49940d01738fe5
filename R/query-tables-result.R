# Released tables: postprocessing of noisy effects.

describe_tables <- function(query) {
  count <- length(query$tables$sets) - 1
  printable(paste(count, if (count == 1) "table" else "tables", "of",
    toString(query$tables$columns)
  ))
}

described_release.dp_tables_query <- function(query, released) { # nolint: object_name_linter.
  about <- about_released(released)
  about$notes <- c(note_of_table_gaps(query), note_of_table_steps(query))
  names <- names_of_outputs(query)
  tidy <- split(about$tidy[c("estimate", "std.error")], factor(about$tidy$column, names))
  numbers <- lapply(tidy, `[[`, "estimate")
  deviations <- vapply(tidy, function(rows) rows$std.error[[1]], 0)
  tables <- tables_of_query(query)
  counts <- lapply(tables, function(table) {
    rebuilt <- rebuilt_table(query, table, unname(numbers), unname(deviations), about$alpha)
    counts_of_table(query$tables$cells[table$columns], rebuilt)
  })
  loss <- unclass(about$loss)
  about[c("tidy", "terms", "keys", "dates")] <- NULL
  sizes <- lengths(lapply(query$tables$cells, `[[`, "labels"))
  effects <- data.frame(
    effect = names, cells = lengths(numbers), scale = unname(deviations), row.names = NULL
  )
  about$design <- list(
    sizes = unname(sizes), sets = query$tables$sets, tables = lapply(tables, unclass),
    effects = effects
  )
  structure(
    c(list(
      counts = counts, rows = numbers[[rows_of_tables]],
      rows.error = deviations[[rows_of_tables]], epsilon = loss$epsilon %||% NA_real_,
      delta = loss$delta
    ), if (!is.null(loss$rho)) list(rho = loss$rho)),
    released = about, plan = about$plan, class = c("dp_released_tables", "dp_result")
  )
}

# A factor for each column, and estimates. The last column varies fastest.
counts_of_table <- function(cells, rebuilt) {
  grid <- rev(expand.grid(rev(lapply(cells, function(cell) seq_along(cell$labels)))))
  keys <- Map(function(places, cell) {
    factor(cell$labels[places], levels = cell$labels, exclude = NULL)
  }, grid, cells)
  estimate <- rebuilt$estimate
  ends <- estimate + outer(rep(rebuilt$reach, length(estimate)), c(-1, 1))
  half <- rebuilt$reach
  mark <- ifelse(ends[, 2] < 0, "below", ifelse(half > 0 & half >= abs(estimate), "wide", ""))
  as_tibble_if_known(structure(
    c(keys, list(
      estimate = estimate, std.error = rep(rebuilt$std_error, length(estimate)),
      conf.low = pmax(ends[, 1], 0), conf.high = pmax(ends[, 2], 0), mark = mark
    )),
    names = c(names(cells), numbers_of_counts),
    row.names = .set_row_names(length(estimate)), class = "data.frame"
  ))
}

numbers_of_counts <- c("estimate", "std.error", "conf.low", "conf.high", "mark")

keys_of_counts <- function(counts) utils::head(names(counts), -length(numbers_of_counts))

labels_of_levels <- function(key) replace(levels(key), is.na(levels(key)), "NA")

note_of_table_gaps <- function(query) {
  gaps <- Filter(function(cell) cell$gaps, query$tables$cells)
  if (length(gaps) > 0) {
    paste0("rows without ", names_or(names(gaps)), " are left out of all tables")
  }
}

# Notes about the steps before, but not about the columns of aggregates.
note_of_table_steps <- function(query) {
  cells <- notes_of_query(query)
  cells[!grepl("group", cells, fixed = TRUE)]
}

# S3 method names contain dots.
# nolint start: object_name_linter.

frame_of_tables <- function(x) {
  parts <- Map(function(name, counts) {
    keys <- keys_of_counts(counts)
    values <- lapply(unclass(counts)[keys], function(key) labels_of_levels(key)[as.integer(key)])
    terms <- do.call(paste, c(unname(values), sep = ":"))
    numbers <- as.data.frame(counts)[numbers_of_counts]
    cbind(data.frame(table = name, term = unname(terms)), numbers)
  }, names(x$counts), x$counts)
  do.call(rbind, unname(parts))
}

result_rows.dp_released_tables <- function(x) {
  table <- frame_of_tables(x)
  table$covers <- interval_target(about_model(x))
  as_tibble_if_known(table)
}

result_frame.dp_released_tables <- function(x) {
  frame_of_tables(x)[c("table", "term", "estimate", "std.error", "conf.low", "conf.high")]
}

alpha_of.dp_released_tables <- function(x) about_model(x)$alpha

result_facts.dp_released_tables <- function(x) {
  about <- about_model(x)
  facts <- c(
    list(query = about$query, design = "planned", tables = length(x$counts),
      cells = sum(vapply(x$counts, nrow, 0L)), nobs = x$rows, nobs.error = x$rows.error
    ),
    unclass(about$loss),
    list(unit = format(about$unit), alpha = about$alpha, covers = interval_target(about),
      plan = about$plan, notes = in_one_note(c(about$caps, about$notes))
    )
  )
  as_tibble_if_known(structure(facts, row.names = 1L, class = "data.frame"))
}

result_intervals.dp_released_tables <- function(x, parm, level, formula, call) {
  refuse_given(formula, "formula", call)
  about <- about_model(x)
  check_released_level(level, about$alpha, "level", call)
  frame <- frame_of_tables(x)
  parm <- parm %||% names(x$counts)
  if (!is.character(parm) || !all(parm %in% frame$table)) {
    stop_argument("names of released tables", describe(parm), "parm", call)
  }
  table <- matrix(c(frame$conf.low, frame$conf.high), ncol = 2,
    dimnames = list(paste0(frame$table, " = ", frame$term), NULL)
  )
  list(table = table[frame$table %in% parm, , drop = FALSE], covers = interval_target(about))
}

result_summary.dp_released_tables <- function(x, formula, level, call) {
  refuse_given(formula, "formula", call)
  refuse_given(level, "level", call)
  structure(list(about = about_model(x), lines = shown_errors(x)), class = "dp_tables_summary")
}

#' @export
format.dp_tables_summary <- function(x, ...) {
  about <- x$about
  c(
    paste0("Released: ", about$query),
    paste0("  loss    ", format(about$loss), " for ", format(about$unit)),
    paste0("  caps    ", about$caps, recycle0 = TRUE),
    paste0("  note    ", about$notes, recycle0 = TRUE),
    paste0("  plan    ", substr(about$plan, 1, 16)),
    "", show_table(x$lines, 5, 40), "", show_table(about$design$effects, 5, 40)
  )
}

#' @export
print.dp_tables_summary <- function(x, ...) {
  cat(format(x), sep = "\n")
  invisible(x)
}

# A row for each table: its error, and the smallest count whose relative error is below a tenth.
shown_errors <- function(x) {
  errors <- vapply(x$counts, function(counts) counts$std.error[[1]], 0)
  data.frame(
    table = names(x$counts), cells = vapply(x$counts, nrow, 0L), std.error = errors,
    "error below 10%" = ceiling(10 * errors),
    "mostly noise" = vapply(x$counts, function(counts) sum(nzchar(counts$mark)), 0L),
    row.names = NULL, check.names = FALSE
  )
}

result_lines.dp_released_tables <- function(x, digits, rows) {
  digits <- if (is.null(digits)) 5 else check_number(digits, above = 0)
  c(heading_of_tables(x), show_table(shown_errors(x), digits, rows %||% 32),
    paste0("  ", footer_of_tables(x))
  )
}

result_texts.dp_released_tables <- function(x, what, digits, rows, call) {
  for (name in what) check_choice(name, names(x$counts), arg = "what", call = call)
  digits <- check_number(digits, above = 0, call = call)
  tables <- lapply(x$counts[what %||% names(x$counts)], function(counts) {
    kept <- utils::head(as.data.frame(counts), rows)
    keys <- keys_of_counts(counts)
    columns <- c(lapply(kept[keys], as.character), list(estimate = shown_numbers(kept, digits)))
    list(
      table = table_of_texts(columns, nrow(kept), c(rep(FALSE, length(keys)), TRUE)),
      more = nrow(counts) - nrow(kept), none = "No cell was released."
    )
  })
  list(tables = tables, notes = c(heading_of_tables(x), footer_of_tables(x)))
}

heading_of_tables <- function(x) {
  about <- about_model(x)
  paste0("Released: ", about$query, " (", loss_sentence(about), "), ",
    show_number(round(x$rows), 12), " rows (standard error ", show_number(x$rows.error, 3), ")"
  )
}

footer_of_tables <- function(x) {
  about <- about_model(x)
  c(
    paste0("estimates are unbiased, can be negative, and add up; ", level_words(about),
      " intervals are for ", interval_target(about)
    ),
    paste0("unit: ", format(about$unit), "; loss: ", format(about$loss)),
    about$caps, about$notes,
    "the counts of a table are in `$counts`; tidy() has all of them"
  )
}

#' @rdname dp_tables
#' @order 6
#' @export
as.table.dp_released_tables <- function(x, table = names(x$counts)[[1]], ...) {
  call <- environment()
  check_names(...)
  counts <- x$counts[[check_name(table, names(x$counts), "table", call)]]
  labels <- lapply(unclass(counts)[keys_of_counts(counts)], labels_of_levels)
  # Arrays have the first dimension fastest.
  cells <- aperm(array(counts$estimate, rev(lengths(labels))))
  dimnames(cells) <- labels
  as.table(cells)
}

#' @rdname dp_tables
#' @order 7
#' @export
vcov.dp_released_tables <- function(object, table = names(object$counts)[[1]], ...) {
  call <- environment()
  check_names(...)
  table <- check_name(table, names(object$counts), "table", call)
  design <- about_model(object)$design
  chosen <- design$tables[[table]]
  covariance <- 0
  for (effect in chosen$effects) {
    set <- design$sets[[effect]]
    part <- matrix((design$effects$scale[[effect]] / prod(design$sizes[set]))^2)
    for (i in chosen$columns) {
      size <- design$sizes[[i]]
      ones <- matrix(1 / size, size, size)
      part <- kronecker(part, if (i %in% set) diag(size) - ones else ones / size)
    }
    covariance <- covariance + part
  }
  frame <- frame_of_tables(object)
  terms <- frame$term[frame$table == table]
  dimnames(covariance) <- list(terms, terms)
  covariance
}

# nolint end
