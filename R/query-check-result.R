# Result of dp_check(): counts of values that do not fit, and remedies.

new_checked <- function(released, domain, rounded) {
  about <- about_released(released)
  counts <- Map(function(cells, column) counts_of_classes(unlist(cells), column),
    unclass(released)[names(domain)], domain
  )
  table <- data.frame(
    column = names(domain), declared = unname(vapply(domain, describe_column, "")),
    do.call(rbind, unname(counts)),
    accuracy = about$preview$accuracy[match(names(domain), about$preview$column)]
  )
  about <- c(about[c("loss", "unit", "alpha", "plan")],
    list(domain = unname(domain), notes = note_of_rounded(rounded, domain))
  )
  structure(table,
    about = about, receipt = attr(released, "receipt"),
    class = c("dp_checked", "data.frame")
  )
}

counts_of_classes <- function(cells, column) {
  counts <- stats::setNames(as.double(cells), cell_classes)
  counts[setdiff(cell_classes, possible_classes(column))] <- NA
  counts
}

# Proportion of unfit rows above which `print()` names a column.
much_unfit <- 1 / 20

# How to change the declaration, by class.
class_remedies <- c(
  missing = "if this is expected, choose `missing =`", unknown = "add the other levels",
  below = "lower `lower`, or name codes for missing values with `na =`",
  above = "raise `upper`, or name codes for missing values with `na =`"
)

remedy_of <- function(class, column) {
  if (class != "undecodable") {
    return(class_remedies[[class]])
  }
  switch(column$type,
    text = , levels = "declare the `encoding =` of its texts",
    date = paste("convert its texts before `dp_tbl()`, with their format, such as",
      "`as.Date(x, format = \"%d.%m.%Y\")` for 31.12.2025 or `as.Date(x, format = \"%m/%d/%Y\")`",
      "for 12/31/2025"
    ),
    "convert its values to numbers before `dp_tbl()`"
  )
}

# Classes that do not fit. Missing values fit if the declaration replaces them.
unfit_classes <- function(column) {
  chosen <- !identical(column$missing %||% "drop", "drop")
  setdiff(possible_classes(column), c("fits", if (chosen) "missing"))
}

# nolint start: object_name_linter.
#' @export
format.dp_checked <- function(x, digits = 7, ...) {
  about <- attr(x, "about")
  table <- as.data.frame(unclass(x)[names(x)])
  shown <- table[setdiff(names(table), "accuracy")]
  numbers <- vapply(shown, is.double, NA)
  shown[numbers] <- lapply(shown[numbers], function(column) {
    ifelse(is.na(column), "", show_number(column, digits))
  })
  lines <- utils::capture.output(print(shown, row.names = FALSE, right = FALSE))
  accuracy <- show_number(max(table$accuracy), 4)
  c(
    paste0("Checked: ", toString(table$column), " (", format(about$loss), " for ",
      format(about$unit), ")"),
    paste0("  ", lines),
    paste0("  With probability ", 1 - about$alpha, " each count is within ", accuracy,
      " of the exact count."),
    remedy_lines(table, about$domain),
    paste0("  ", about$notes, recycle0 = TRUE)
  )
}

remedy_lines <- function(table, domain) {
  lines <- lapply(seq_len(nrow(table)), function(i) {
    column <- domain[[i]]
    counts <- pmax(unlist(table[i, cell_classes]), 0)
    rows <- sum(counts, na.rm = TRUE)
    shares <- counts[unfit_classes(column)] / rows
    # A smaller difference can be noise.
    if (sum(counts[names(shares)]) <= max(much_unfit * rows, table$accuracy[[i]])) {
      return(NULL)
    }
    worst <- names(shares)[[which.max(shares)]]
    paste0(
      "  `", table$column[[i]], "`: about ", show_number(100 * sum(shares), 2),
      "% of rows do not fit, most are ", worst, ". Declared: ", table$declared[[i]], "; ",
      remedy_of(worst, column), "."
    )
  })
  unlist(lines)
}

#' @export
print.dp_checked <- function(x, ...) {
  cat(format(x, ...), sep = "\n")
  invisible(x)
}
# nolint end
