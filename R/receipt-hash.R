# The hashes by which a receipt knows its release. A reader may have the release in different types,
# for example from a file of CSV, so the hashes are those of its texts.

# list(release, rounded): SHA-256 with all digits, and with the 15 digits that write.csv() keeps.
release_hashes <- function(value) {
  hash <- function(digits) core_sha256(release_text(published_form(value, digits)))
  list(release = hash(17), rounded = hash(15))
}

# "exact", "rounded" or "other": how `value` agrees with the receipt.
agreement_with <- function(receipt, value) {
  agrees <- agreement_of_form(receipt, value)
  if (agrees == "other" && has_row_numbers(value)) {
    agrees <- agreement_of_form(receipt, value[-1])
  }
  agrees
}

# Files of CSV often have them as their first column, without a name.
has_row_numbers <- function(x) {
  is.data.frame(x) && length(x) > 1 && names(x)[[1]] %in% c("", "X", "...1") &&
    isTRUE(all.equal(x[[1]], seq_len(nrow(x)), check.attributes = FALSE))
}

# Receipts of older versions have one hash, which depends on types.
agreement_of_form <- function(receipt, value) {
  if (!"rounded" %in% names(receipt)) {
    same <- identical(core_sha256(release_text(typed_form(value))), receipt$release)
    return(if (same) "exact" else "other")
  }
  hashes <- release_hashes(value)
  if (!identical(hashes$rounded, receipt$rounded)) {
    "other"
  } else if (identical(hashes$release, receipt$release)) {
    "exact"
  } else {
    "rounded"
  }
}

# A table as its columns: neither its class nor the order of columns and rows matters. read.csv()
# makes names of them that R can read as code.
published_form <- function(x, digits) {
  if (is.data.frame(x)) {
    columns <- flat_columns(x)
    names(columns) <- make.names(names(columns))
    return(sorted_columns(lapply(columns, published_form, digits)))
  }
  if (is.list(x)) {
    return(lapply(unclass(x), published_form, digits))
  }
  shape <- attributes(x)[intersect(names(attributes(x)), c("names", "dim", "dimnames"))]
  `attributes<-`(published_text(x, digits), shape)
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

# The fewest digits from which a reader gets the same numbers, or at most 15. Whole numbers that
# integers of 64 bits can hold have all of their digits, as those have.
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
  if (length(sorted_by) == 0) {
    return(columns)
  }
  rows <- do.call(order, c(sorted_by, list(method = "radix")))
  lapply(columns, function(column) column[rows])
}

# What receipts of older versions hash.
typed_form <- function(x) {
  if (!is.data.frame(x)) {
    return(x)
  }
  columns <- unclass(x)
  attributes(columns) <- list(names = names(x))
  sorted_columns(columns)
}
