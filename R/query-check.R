#' Check how the data fit their declaration
#'
#' `dp_check()` releases, for each declared column, how many rows have a value that its declaration
#' does not fit. It shows whether bounds or levels were declared too narrowly, before you rely on
#' what [release()] makes of such values. It charges the session, as any release does.
#'
#' @param table (`dp_tbl`) Not grouped. If its unit is an id, after [dp_truncate()]: the check
#'   counts the rows that are left. Other verbs raise an error, because the check is of the data as
#'   declared.
#' @param epsilon,rho,delta (`numeric(1)`) Privacy loss of the check, see [release()]. All columns
#'   share it equally. Public.
#' @param alpha (`numeric(1)`) How often a count is further from the exact one than `accuracy`.
#' @returns (`dp_checked`) A data frame with a row for each declared column. Its columns are
#'   `column`, `declared` (the declaration), the noisy counts `fits`, `missing`, `unknown`, `below`
#'   and `above`, which can be negative, and `accuracy`, of each count. Counts that the declaration
#'   rules out are `NA`. One row of the data is in at most one class of each column:
#'
#' * `missing`: no value, a code of `na =`, or what cannot be read as a value of the declared type,
#'   such as bytes that are not valid in the declared encoding.
#' * `unknown`: a text or a number that is not among the levels.
#' * `below`, `above`: outside of the bounds.
#' * `fits`: any other value.
#'
#'   `print()` names the columns of which more than a twentieth of the rows does not fit, and the
#'   declaration to change. On a ledger, [dp_receipt()] takes the result.
#' @section Sensitivity: One row is in one class of each column, so it changes one count of each
#'   column by 1. A person changes as many as [dp_truncate()] leaves rows.
#' @section Rows without an id: belong to no unit of privacy, so nothing counts them. If you may see
#'   the data, `sum(is.na(data$patient))` counts them for yourself. Do not publish that number.
#' @section Errors: `dp_error_unsupported` for a grouped table, or one with verbs other than
#'   [dp_truncate()]; and all errors of [release()].
#' @seealso [dp_schema()]
#' @examplesIf requireNamespace("dplyr", quietly = TRUE)
#' people <- dp_tbl(dp_session(dp_epsilon(1)), PUMS5extract10000,
#'   unit = dp_unit(rows = 1),
#'   domain = dp_schema(age = dp_int(18, 65), educ = dp_int(1, 16), sex = dp_levels(0, 1))
#' )
#' dp_check(people, epsilon = 0.5)
#' @export
dp_check <- function(table, epsilon = NULL, rho = NULL, delta = NULL, alpha = 0.05) {
  call <- environment()
  check_table(table, call)
  check_checkable(table, call)
  domain <- unclass(parts_of(table)$domain)
  query <- query_of_classes(table)
  released <- release(query, epsilon = epsilon, rho = rho, delta = delta, alpha = alpha)
  new_checked(released, domain)
}

check_checkable <- function(x, call) {
  parts <- parts_of(x)
  if (length(parts$groups) > 0) {
    stop_query("unsupported", "A check is of the whole table.", "Use `ungroup()` first.", call)
  }
  others <- Filter(function(step) !identical(step$step, "truncate"), parts$steps)
  if (length(others) > 0) {
    stop_query("unsupported", "A check is of the data as declared, without verbs.",
      "Call `dp_check()` right after `dp_tbl()` or `dp_truncate()`.", call
    )
  }
}

# The declaration that is as wide as the type of a column. Under it, values that the declared one
# would clamp or drop can be counted.
as_wide_as_type <- function(column) {
  if (!is.null(column$codes)) {
    return(dp_int(-2^51, 2^51))
  }
  wide <- switch(column$type,
    integer = dp_int(-2^51, 2^51),
    real = dp_num(-1e299, 1e299),
    date = dp_date(as.Date("0001-01-01"), as.Date("9999-12-31")),
    levels = if (isTRUE(column$whole)) dp_int(-2^51, 2^51) else dp_text(),
    logical = dp_flag(),
    text = dp_text()
  )
  # How a value is read stays as it is declared.
  reading <- intersect(c("na", "encoding", "tz"), names(column))
  wide[reading] <- unclass(column)[reading]
  wide
}

query_of_classes <- function(table) {
  domain <- unclass(parts_of(table)$domain)
  wide <- structure(lapply(domain, as_wide_as_type), class = "dp_domain")
  aggregates <- Map(classes_of_column, names(domain), domain)
  dplyr::summarise(with_parts(table, domain = wide), !!!aggregates)
}

# Codes of the classes, and the edges between them.
class_codes <- c(fits = 0, missing = 1, unknown = 2, below = 3, above = 4)

classes_of_column <- function(name, column) {
  x <- as.name(name)
  found <- possible_classes(column)
  value <- switch(column$type,
    integer = , real = , date = if ("below" %in% found) outside_of_bounds(x, column),
    levels = bquote(case_when(is.na(.(x)) ~ 1, .(x) %in% .(level_values(column)) ~ 0, TRUE ~ 2))
  )
  value <- value %||% bquote(case_when(is.na(.(x)) ~ 1, TRUE ~ 0))
  last <- max(class_codes[found])
  edges <- c(0, seq(0.5, last - 0.5), last)
  rlang::call2("dp_histogram", value, breaks = edges)
}

outside_of_bounds <- function(x, column) {
  end <- function(value) if (column$type == "date") as.Date(value, "1970-01-01") else value
  bquote(case_when(
    is.na(.(x)) ~ 1, .(x) < .(end(column$lower)) ~ 3, .(x) > .(end(column$upper)) ~ 4, TRUE ~ 0
  ))
}

# Labelled columns keep their levels by codes.
level_values <- function(column) {
  if (!is.null(column$codes)) {
    column$codes
  } else if (isTRUE(column$whole)) {
    as.double(column$levels)
  } else {
    column$levels
  }
}

possible_classes <- function(column) {
  c(
    "fits", "missing", if (column$type == "levels") "unknown",
    if (!is.null(column$lower)) c("below", "above")
  )
}

# Results ------------------------------------------------------------------------------------------

new_checked <- function(released, domain) {
  about <- about_released(released)
  counts <- Map(function(cells, column) counts_of_classes(unlist(cells), column),
    unclass(released)[names(domain)], domain
  )
  table <- data.frame(
    column = names(domain), declared = unname(vapply(domain, describe_column, "")),
    do.call(rbind, unname(counts)),
    accuracy = about$preview$accuracy[match(names(domain), about$preview$column)]
  )
  structure(table,
    about = about[c("loss", "unit", "alpha", "plan")], receipt = attr(released, "receipt"),
    class = c("dp_checked", "data.frame")
  )
}

counts_of_classes <- function(cells, column) {
  counts <- stats::setNames(as.double(cells[class_codes + 1]), names(class_codes))
  counts[setdiff(names(class_codes), possible_classes(column))] <- NA
  counts
}

# Share of rows above which `print()` names a column.
much_unfit <- 1 / 20

# What to change in a declaration, for each class.
class_remedies <- c(
  missing = "if that is no surprise, choose `missing =`", unknown = "add the levels that it lacks",
  below = "lower `lower`, or name codes for missing values with `na =`",
  above = "raise `upper`, or name codes for missing values with `na =`"
)

# Methods' names have dots.
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
      " of the exact one."),
    remedy_lines(table)
  )
}

remedy_lines <- function(table) {
  classes <- setdiff(names(class_codes), "fits")
  lines <- lapply(seq_len(nrow(table)), function(i) {
    counts <- pmax(unlist(table[i, classes]), 0)
    rows <- sum(counts, max(table$fits[[i]], 0), na.rm = TRUE)
    if (rows <= 0) {
      return(NULL)
    }
    shares <- counts / rows
    if (sum(shares, na.rm = TRUE) <= much_unfit) {
      return(NULL)
    }
    worst <- classes[[which.max(shares)]]
    paste0(
      "  `", table$column[[i]], "`: about ", show_number(100 * sum(shares, na.rm = TRUE), 2),
      "% of rows do not fit, most are ", worst, ". Declared: ", table$declared[[i]], "; ",
      class_remedies[[worst]], "."
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
