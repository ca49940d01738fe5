# Missing values in the declaration of a column, and their codes.

#' @rdname dp_domain
#' @export
dp_drop <- function() structure(list(), class = "dp_drop")

#' @export
format.dp_drop <- function(x, ...) "dp_drop()"

#' @export
print.dp_drop <- function(x, ...) {
  cat(format(x), "\n", sep = "")
  invisible(x)
}

# The core name of a rule for missing values. NULL if `missing` is a value of the column.
kind_of_missing <- function(missing) {
  if (identical(missing, "drop")) {
    "drop"
  } else if (inherits(missing, "dp_drop")) {
    "row"
  } else if (is.atomic(missing) && length(missing) == 1 && is.na(missing)) {
    "group"
  }
}

number_codes <- function(na, call = rlang::caller_env()) {
  if (is.null(na)) {
    return(NULL)
  }
  if (is.object(na) || !is.numeric(na) || !all(is.finite(na))) {
    stop_argument("finite numbers", describe(na), "na", call)
  }
  sort(unique(as.double(na)))
}

date_codes <- function(na, call = rlang::caller_env()) {
  if (is.null(na)) {
    return(NULL)
  }
  if (!inherits(na, "Date") || !all(is.finite(na))) stop_argument("dates", describe(na), "na", call)
  sort(unique(floor(as.double(unclass(na)))))
}

text_codes <- function(na, call = rlang::caller_env()) {
  if (is.null(na)) {
    return(NULL)
  }
  if (!is.character(na) || anyNA(na)) stop_argument("strings", describe(na), "na", call)
  sort(unique(enc2utf8(na)), method = "radix")
}

# Canonically equivalent texts look alike, but keyboards and engines write different bytes.
warn_look_alikes <- function(text, call) {
  valid <- text[validUTF8(text)]
  if (!any(grepl("[^ -~]", valid, perl = TRUE)) || !requireNamespace("stringi", quietly = TRUE)) {
    return(invisible())
  }
  composed <- stringi::stri_trans_nfc(valid)
  alike <- composed[duplicated(composed)]
  if (length(alike) > 0) {
    warn_dp(
      "Levels such as \"{alike[[1]]}\" look alike, but differ in their bytes: they are not equal.",
      "levels", call = call
    )
  }
}

# Both bounds as doubles, or neither.
declared_bounds <- function(lower, upper, call) {
  if (is.null(lower) && is.null(upper)) {
    return(double())
  }
  check_number(lower, arg = "lower", call = call)
  check_number(upper, arg = "upper", call = call)
  check_bounds(c(lower, upper), arg = "lower", call = call)
  as.double(c(lower, upper))
}

# Names the bound that is wrong.
refuse_bound <- function(wrong, bounds, must, call) {
  if (any(wrong)) {
    at <- which(wrong)[[1]]
    stop_argument(must, show_number(bounds[[at]], 7), c("lower", "upper")[[at]], call)
  }
}

column_missing <- function(missing, bounds, call) {
  if (inherits(missing, "dp_drop")) {
    return("row")
  }
  if (is.atomic(missing) && length(missing) == 1 && is.na(missing)) {
    return("group")
  }
  if (is.character(missing)) {
    missing <- missing[[1]]
    check_choice(missing, c("drop", "midpoint"), arg = "missing", call = call)
    if (missing == "midpoint" && length(bounds) == 0) {
      stop_argument("\"drop\" without bounds", "\"midpoint\"", "missing", call)
    }
    return(missing)
  }
  check_number(missing, arg = "missing", call = call)
  if (length(bounds) == 0 || missing < bounds[[1]] || missing > bounds[[2]]) {
    stop_argument("within the bounds", "a number outside them", "missing", call)
  }
  as.double(missing)
}
