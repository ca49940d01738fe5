# Plots of released tables.

# S3 method names contain dots.
# nolint start: object_name_linter.

pictures.dp_released_tables <- function(x) {
  all <- lapply(stats::setNames(nm = names(x$counts)), function(name) {
    function() picture_of_table(x, name)
  })
  structure(all, of_columns = TRUE)
}

# nolint end

picture_of_table <- function(x, name) {
  about <- about_model(x)
  counts <- as.data.frame(x$counts[[name]])
  keys <- keys_of_counts(counts)
  parts <- lapply(counts[keys], function(key) {
    factor(labels_of_levels(key)[as.integer(key)], levels = labels_of_levels(key))
  })
  note <- paste(c(
    paste0(if (length(keys) != 2) paste0(level_words(about), " intervals of the noise; "),
      loss_sentence(about)
    ), about$caps, about$notes,
    if (any(nzchar(counts$mark)) && length(keys) != 2) "hollow: mostly noise"
  ), collapse = "\n")
  title <- paste("Private counts by", paste(keys, collapse = " and "))
  if (length(keys) == 2) {
    table <- data.frame(x = parts[[1]], y = parts[[2]], estimate = counts$estimate)
    return(list(kind = "tiles", table = table, title = title, xlab = keys[[1]], ylab = keys[[2]],
      note = note
    ))
  }
  term <- do.call(paste, c(unname(lapply(parts, as.character)), sep = ", "))
  list(
    kind = "bars", table = data.frame(term = term, counts[c("estimate", "conf.low", "conf.high")]),
    apart = FALSE, marked = nzchar(counts$mark), title = title,
    xlab = paste(keys, collapse = " and "), ylab = "rows", note = note
  )
}
