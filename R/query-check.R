#' Check how the data fit their declaration
#'
#' `dp_check()` releases, for each declared column, how many rows have a value that does not fit the
#' declaration. Use it to find bounds or levels that are too narrow, before you release other
#' queries. Like any release, it charges the session.
#'
#' @param table (`dp_tbl`) Not grouped. If its unit has an id, call [dp_truncate()] first: the check
#'   counts the remaining rows. Other verbs raise an error, because they change the declared
#'   columns.
#' @param epsilon,rho,delta (`numeric(1)`) Privacy loss of the check, see [release()]. All columns
#'   share it equally. Public.
#' @param alpha (`numeric(1)`) Probability that the error of a count exceeds `accuracy`. Public.
#' @param ... Not used: other names raise an error.
#' @returns (`dp_checked`) A data frame with a row for each declared column: `column`, `declared`
#'   (the declaration), six noisy counts, and their `accuracy`. Counts can be negative. Counts that
#'   cannot occur with the declaration are `NA`. For each column, every row of the data is in one of
#'   six classes:
#'
#' * `missing`: no value, or a code of `na =`.
#' * `unknown`: a text or a number that is not among the levels.
#' * `below`, `above`: outside the bounds.
#' * `undecodable`: a value that cannot be read as the declared type. Examples are `"31.12.2025"` in
#'   `dp_date()`, bytes that are not valid in the declared encoding, and a text in an SQLite column
#'   declared with `dp_int()`. Queries treat it as missing.
#' * `fits`: any other value.
#'
#'   `print()` names each column where more than 5% of the rows do not fit, and the declaration to
#'   change. Missing values count only if the declaration has no replacement for them (`missing =`).
#'   On a ledger, [dp_receipt()] takes the result.
#' @section Sensitivity: One row changes one count of each column by 1. A person changes at most the
#'   number of rows that [dp_truncate()] keeps.
#' @section Rows without an id: They belong to no unit of privacy, so this check does not count
#'   them. If you are allowed to see the data, count them with `sum(is.na(data$patient))`. Do not
#'   publish that number.
#' @section Errors: `dp_error_unsupported` for a grouped table, or a table with verbs other than
#'   [dp_truncate()], and all errors of [release()].
#' @seealso [dp_schema()]
#' @examplesIf requireNamespace("dplyr", quietly = TRUE)
#' people <- dp_tbl(dp_session(dp_epsilon(1)), PUMS5extract10000,
#'   unit = dp_unit(rows = 1),
#'   domain = dp_schema(age = dp_int(18, 65), educ = dp_int(1, 16), sex = dp_levels(0, 1))
#' )
#' dp_check(people, epsilon = 0.5)
#' @export
dp_check <- function(table, epsilon = NULL, rho = NULL, delta = NULL, alpha = 0.05, ...) {
  check_names(...)
  call <- environment()
  check_table(table, call)
  check_checkable(table, call)
  domain <- unclass(parts_of(table)$domain)
  query <- query_of_classes(table)
  released <- release(query, epsilon = epsilon, rho = rho, delta = delta, alpha = alpha)
  new_checked(released, domain, parts_of(table)$rounded)
}

check_checkable <- function(x, call) {
  parts <- parts_of(x)
  if (length(parts$groups) > 0) {
    stop_query("unsupported", "`dp_check()` needs an ungrouped table.", "Use `ungroup()` first.",
      call
    )
  }
  others <- Filter(function(step) !identical(step$step, "truncate"), parts$steps)
  if (length(others) > 0) {
    stop_query("unsupported", "`dp_check()` needs a table without verbs.",
      "Call `dp_check()` right after `dp_tbl()` or `dp_truncate()`.", call
    )
  }
}

# Queries a histogram of cell classes for each declared column (src/core/query/cell_classes.h). The
# declared columns stay, because a truncation can order by them.
query_of_classes <- function(table) {
  declared <- unclass(parts_of(table)$domain)
  counted <- lapply(declared, counted_column)
  classes <- make.unique(c(names(declared), paste("class of", names(declared))))
  classes <- classes[-seq_along(declared)]
  classed <- Map(function(name, column) {
    column["missing"] <- list("drop")
    structure(c(unclass(column), classes = name), class = "dp_column")
  }, names(declared), declared)
  domain <- structure(c(counted, unname(classed)), class = "dp_domain")
  names(domain) <- c(names(declared), classes)
  edges <- c(0, seq_along(cell_classes))
  aggregates <- lapply(stats::setNames(classes, names(declared)), function(class) {
    rlang::call2("dp_histogram", as.name(class), breaks = edges)
  })
  table <- with_parts(table, domain = domain, columns = c(names(declared), classes))
  dplyr::summarise(checked_table(table, environment()), !!!aggregates)
}

# A check must count rows that `dp_drop()` would remove.
counted_column <- function(column) {
  if (identical(column$missing, "row")) column$missing <- "drop"
  column
}

# Whether the query counts classes of cells.
classes_cells <- function(query) {
  any(vapply(parts_of(query$table)$domain, function(column) !is.null(column$classes), NA))
}

# In the order of the core.
cell_classes <- c("fits", "missing", "unknown", "below", "above", "undecodable")

possible_classes <- function(column) {
  c(
    "fits", "missing", if (column$type == "levels") "unknown",
    if (!is.null(column$lower)) c("below", "above"), "undecodable"
  )
}

# Results ------------------------------------------------------------------------------------------

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

# S3 method names contain dots.
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
