# Plots of released queries.

# One plot per column. `marked` has the numbers that are mostly noise, with their `signs`. `parts`
# has the groups of each number, and its label among several numbers, by name.
pictures.dp_released <- function(x) { # nolint: object_name_linter.
  about <- about_released(x)
  all <- lapply(stats::setNames(nm = about$terms), function(what) {
    function() picture_of_column(about, what)
  })
  structure(all, of_columns = TRUE)
}

picture_of_column <- function(about, what) {
  rows <- about$tidy[about$tidy$column == what, ]
  parts <- parts_of_terms(rows, about)
  aggregate <- about$preview$aggregate[match(what, about$preview$column)]
  counts <- makes_counts(aggregate)
  with_intervals <- any(is.finite(rows$conf.low) & is.finite(rows$conf.high))
  signs <- unname(mark_signs[rows$mark])
  signs[is.na(signs)] <- ""
  term <- if (length(parts) > 0) do.call(paste, c(unname(parts), sep = ", "))
  table <- data.frame(term = trimws(paste(term %||% rep(what, nrow(rows)), signs)),
    estimate = rows$estimate
  )
  if (with_intervals) table[c("conf.low", "conf.high")] <- rows[c("conf.low", "conf.high")]
  if (what %in% about$dates) table[-1] <- lapply(table[-1], as_dates)
  groups <- paste(about$keys, collapse = " and ")
  axis <- toString(names(parts))
  list(
    kind = if (counts) "bars" else "points", table = table, apart = FALSE, marked = signs != "",
    signs = signs, parts = parts,
    title = paste0("Private ", what, if (nzchar(groups)) paste(" by", groups)),
    xlab = if (counts) axis else what, ylab = if (counts) what else axis,
    note = paste(c(
      paste0(
        if (with_intervals) paste0(level_words(about), " intervals of the noise; "),
        loss_sentence(about)
      ),
      about$caps, about$notes, about$changed, lines_of_footnotes(rows$mark)
    ), collapse = "\n")
  )
}

# Named texts: one vector per key, and one for the cell or probability.
parts_of_terms <- function(rows, about) {
  parts <- lapply(rows[about$keys], function(key) {
    key <- as.character(key)
    replace(key, is.na(key), "NA")
  })
  if (any(nzchar(rows$label))) {
    name <- if (is_of_cells(about, rows$column[[1]])) "cell" else "probability"
    parts[[name]] <- rows$label
  }
  parts
}
