# How released queries print: each number with its interval and its mark, and a footer.

result_lines.dp_released <- function(x, digits, rows) { # nolint: object_name_linter.
  digits <- check_shown_digits(digits %||% 5)
  if (!is_as_released(x)) {
    return(c(changed_sentence, utils::capture.output(print(unreleased(x)))))
  }
  about <- about_released(x)
  tables <- shown_tables(x, digits, rows %||% 32)
  lines <- Map(function(title, shown) {
    keys <- intersect(about$keys, names(x))
    c(if (nzchar(title)) paste0("  ", title, ":"),
      lines_of_shown(shown, keys, getOption("width"))
    )
  }, names(tables), tables)
  c(
    paste0("Released: ", about$query, " (", loss_sentence(about), ")"),
    unlist(lines, use.names = FALSE),
    paste0("  ", footer_lines(about, digits, marks_of_released(x)))
  )
}

changed_sentence <- paste(
  "A table made from a release. Its rows or numbers changed, so their intervals are not known."
)

check_shown_digits <- function(digits) {
  if (identical(digits, "noise")) digits else check_number(digits, above = 0)
}

loss_sentence <- function(about) paste0(format(about$loss), " for ", format(about$unit))

# Tables -------------------------------------------------------------------------------------------

# Named tables of texts: one with the groups and a column for each number, and one for each
# histogram with a row per cell.
shown_tables <- function(x, digits, rows, names = base::names(x)) {
  about <- about_released(x)
  terms <- intersect(about$terms, names)
  cells <- Filter(function(name) is_of_cells(about, name) && is.list(x[[name]]), terms)
  plain <- setdiff(names, cells)
  only_cells <- length(setdiff(plain, about$keys)) == 0
  tables <- c(
    if (!only_cells || length(cells) == 0) list(shown_groups(x, plain, digits, rows)),
    lapply(cells, function(name) shown_cells(x, name, digits, rows))
  )
  titles <- c(if (!only_cells || length(cells) == 0) "", cells)
  stats::setNames(tables, if (length(tables) == 1) "" else titles)
}

is_of_cells <- function(about, name) {
  isTRUE(about$preview$aggregate[match(name, about$preview$column)] == "histogram")
}

# list(table, more): a data frame of texts with the attribute `numeric`, and the number of omitted
# rows.
shown_groups <- function(x, names, digits, rows) {
  kept <- seq_len(min(nrow(x), rows))
  columns <- lapply(names, function(name) shown_released(x, name, kept, digits))
  shown <- do.call(c, c(list(list()), columns))
  list(
    table = table_of_texts(shown, length(kept), unlist(lapply(columns, attr, "numeric"))),
    more = nrow(x) - length(kept)
  )
}

shown_cells <- function(x, name, digits, rows) {
  about <- about_released(x)
  lines <- about$tidy[about$tidy$column == name, ]
  kept <- utils::head(lines, rows)
  keys <- lapply(kept[about$keys], function(key) shown_plain(key, digits))
  numbers <- stats::setNames(list(shown_numbers(kept, digits)), name)
  shown <- c(keys, list(cell = kept$label), numbers)
  list(
    table = table_of_texts(shown, nrow(kept), c(rep(FALSE, length(shown) - 1), TRUE)),
    more = nrow(lines) - nrow(kept)
  )
}

table_of_texts <- function(columns, size, numeric) {
  structure(columns, row.names = .set_row_names(size), class = "data.frame",
    numeric = as.logical(numeric)
  )
}

# A result column as text columns, one for each of several quantiles.
shown_released <- function(x, name, kept, digits) {
  about <- about_released(x)
  column <- x[[name]]
  lines <- about$tidy[about$tidy$column == name & about$tidy$group %in% kept, ]
  known <- name %in% about$terms && nrow(lines) > 0 &&
    identical(numbers_in(column[kept]), lines$estimate)
  if (!known) {
    shown <- list(shown_plain(column[kept], digits))
    return(structure(stats::setNames(shown, name), numeric = is.numeric(column)))
  }
  labels <- unique(lines$label)
  shown <- lapply(labels, function(label) {
    shown_numbers(lines[lines$label == label, ], digits, name %in% about$dates)
  })
  names(shown) <- paste0(name, ifelse(nzchar(labels), paste0("[", labels, "]"), ""))
  structure(shown, numeric = rep(TRUE, length(shown)))
}

shown_plain <- function(column, digits) {
  digits <- if (identical(digits, "noise")) 5 else digits
  if (is.list(column)) {
    vapply(column, function(values) toString(shown_plain(values, digits)), "")
  } else if (is.double(column) && !is.object(column)) {
    show_number(column, digits)
  } else {
    texts <- as.character(column)
    # A level can be called "NA".
    if ("NA" %in% texts) texts[is.na(texts)] <- "<NA>"
    texts
  }
}

# A number with its interval and mark, such as 3585 [3512; 3657] *
shown_numbers <- function(lines, digits, dates = FALSE) {
  show <- if (dates) show_days else function(x) show_alike(x, digits, lines)
  parts <- lapply(list(lines$estimate, lines$conf.low, lines$conf.high), show)
  parts <- lapply(parts, format, justify = "right")
  known <- is.finite(lines$conf.low) & is.finite(lines$conf.high)
  interval <- ifelse(known, paste0(" [", parts[[2]], "; ", parts[[3]], "]"), "")
  signs <- unname(mark_signs[lines$mark])
  sub(" +$", "", paste0(parts[[1]], format(interval), ifelse(is.na(signs), "", paste0(" ", signs))))
}

show_days <- function(days) format(as.Date(days, "1970-01-01"))

# Formats the numbers of a column with equal decimals, or each number with the decimals that its
# noise supports.
show_alike <- function(x, digits, lines) {
  if (identical(digits, "noise")) {
    places <- decimals_of_noise(lines)
    places[is.na(places)] <- 4
    # Removes the sign of -0.
    return(sprintf("%.*f", as.integer(pmax(0, places)), round(x, places) + 0))
  }
  largest <- max(abs(lines$estimate[is.finite(lines$estimate)]), 1e-4)
  if (largest >= 1e11) {
    return(show_number(x, digits))
  }
  whole <- all(unlist(lines[c("estimate", "conf.low", "conf.high")]) %% 1 == 0, na.rm = TRUE)
  decimals <- if (whole) 0 else max(0, digits - 1 - floor(log10(largest)))
  ifelse(is.finite(x), sprintf("%.*f", as.integer(decimals), x), as.character(x))
}

lines_of_shown <- function(shown, keys, width) {
  table <- shown$table
  if (nrow(table) == 0) {
    return("  no group is frequent enough to be released")
  }
  columns <- Map(function(name, column) format(c(name, column)), names(table), table)
  is_key <- names(columns) %in% c(keys, "cell")
  blocks <- wrapped_columns(columns, is_key, width)
  c(
    unlist(lapply(blocks, function(block) {
      sub(" +$", "", paste0("  ", do.call(paste, c(unname(columns[block]), sep = "  "))))
    })),
    if (shown$more > 0) paste0("  and ", shown$more, " more rows: print(x, n = Inf)")
  )
}

# Splits columns into blocks of at most `width` characters. Each block repeats the keys.
wrapped_columns <- function(columns, is_key, width) {
  sizes <- vapply(columns, function(column) nchar(column[[1]], "width"), 0) + 2
  keys <- which(is_key)
  blocks <- list(keys)
  room <- width - sum(sizes[keys])
  for (i in which(!is_key)) {
    last <- length(blocks)
    begun <- length(blocks[[last]]) > length(keys)
    if (begun && sum(sizes[setdiff(blocks[[last]], keys)], sizes[[i]]) > room) {
      blocks <- c(blocks, list(c(keys, i)))
    } else {
      blocks[[last]] <- c(blocks[[last]], i)
    }
  }
  blocks
}
