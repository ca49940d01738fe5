# Hashes a release for its receipt. A reader may have the release in different types, for example
# from a CSV file, so the hashes are taken from texts.

# list(release, rounded): SHA-256 with all digits, and with the 15 digits that write.csv() keeps.
release_hashes <- function(value, is_element = is_number_or_date) {
  hash <- function(digits) core_sha256(release_text(published_form(value, digits, is_element)))
  list(release = hash(17), rounded = hash(15))
}

# Compares `value` with the receipt, in its best matching form: "exact", "rounded" or "other".
agreement_with <- function(receipt, value, tables) {
  agreements <- c("exact", "rounded", "other")
  best <- "other"
  for (form in forms_of_published(value, tables)) {
    found <- or_else(agreement_of_form(receipt, form()), function(error) "other")
    best <- agreements[[min(match(c(best, found), agreements))]]
    if (best == "exact") break
  }
  best
}

# Receipts of older versions have one hash, which depends on types, or hash quantiles of dates as a
# list.
agreement_of_form <- function(receipt, value) {
  if (!"rounded" %in% names(receipt)) {
    same <- identical(core_sha256(release_text(typed_form(value))), receipt$release)
    return(if (same) "exact" else "other")
  }
  hashes <- release_hashes(value)
  if (!identical(hashes$rounded, receipt$rounded) && has_dates_in_lists(value)) {
    hashes <- release_hashes(value, is.numeric)
  }
  if (!identical(hashes$rounded, receipt$rounded)) {
    "other"
  } else if (identical(hashes$release, receipt$release)) {
    "exact"
  } else {
    "rounded"
  }
}

has_dates_in_lists <- function(x) {
  is.data.frame(x) && any(vapply(unclass(x), function(column) {
    is_wide_column(column) && !is_wide_column(column, is.numeric)
  }, NA))
}

# Converts a table to its columns: neither its class nor the order of columns and rows matters.
# read.csv() turns column names into valid R names.
published_form <- function(x, digits, is_element = is_number_or_date) {
  if (is.data.frame(x)) {
    columns <- flat_columns(x, is_element)
    names(columns) <- make.names(names(columns))
    return(sorted_columns(columns_in_text(columns, digits)))
  }
  if (is.list(x)) {
    return(lapply(unclass(x), published_form, digits))
  }
  shape <- attributes(x)[intersect(names(attributes(x)), c("names", "dim", "dimnames"))]
  `attributes<-`(published_text(x, digits), shape)
}

# The numbers of all columns at once: a histogram has a column for each of its cells.
columns_in_text <- function(columns, digits) {
  plain <- vapply(columns, function(x) is.double(x) && is.null(attributes(x)), NA)
  texts <- text_of_doubles(as.double(unlist(columns[plain])), digits)
  sizes <- lengths(columns[plain])
  columns[plain] <- unname(split(texts, factor(rep(seq_along(sizes), sizes), seq_along(sizes))))
  columns[!plain] <- lapply(columns[!plain], published_form, digits)
  columns
}

published_text <- function(x, digits) {
  if (is.null(x) || is.raw(x)) {
    x
  } else if (inherits(x, "integer64")) {
    if (digits == 17) {
      return(core_text_of_integer64(x))
    }
    text_of_doubles(core_doubles_of_integer64(x), digits)
  } else if (is_in_days(x, digits) || !typeof(x) %in% c("integer", "double") || is.factor(x)) {
    enc2utf8(as.character(x))
  } else {
    text_of_doubles(as.double(x), digits)
  }
}

# A mean of dates can be between two days, which the text of a date does not show.
is_in_days <- function(x, digits) {
  inherits(x, "Date") && (digits < 17 || all(is.na(x) | unclass(x) == floor(unclass(x))))
}

# The fewest digits that read back as the same number, or at most 15. Whole numbers in the range of
# 64-bit integers keep all their digits, because such integers do.
text_of_doubles <- function(x, digits) {
  text <- rep(NA_character_, length(x))
  finite <- is.finite(x)
  text[finite] <- if (digits < 17) sprintf("%.15g", x[finite] + 0) else number_text(x[finite] + 0)
  whole <- finite & digits == 17 & x == trunc(x) & abs(x) < 2^63
  text[whole] <- sprintf("%.0f", x[whole] + 0)
  text[!finite & (is.nan(x) | !is.na(x))] <- as.character(x[!finite & (is.nan(x) | !is.na(x))])
  text
}

sorted_columns <- function(columns) {
  columns <- columns[order(names(columns), method = "radix")]
  sorted_by <- Filter(is.atomic, unname(columns))
  if (length(sorted_by) == 0 || all(lengths(sorted_by) == 1)) {
    return(columns)
  }
  rows <- do.call(order, c(sorted_by, list(method = "radix")))
  lapply(columns, function(column) column[rows])
}

# The form that receipts of older versions hash.
typed_form <- function(x) {
  if (!is.data.frame(x)) {
    return(x)
  }
  columns <- unclass(x)
  attributes(columns) <- list(names = names(x))
  # Older versions had plain lists.
  in_lists <- vapply(columns, inherits, NA, "dp_values")
  columns[in_lists] <- lapply(columns[in_lists], unclass)
  sorted_columns(columns)
}
