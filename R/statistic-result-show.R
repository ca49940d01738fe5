# Shows numbers, columns and fields in print.

# Formats a result in one line. `ends` of an interval are two numbers, `form` is how a number looks.
show_value <- function(value, digits, ends = FALSE, form = show_number) {
  if (is.function(value)) {
    "a function"
  } else if (inherits(value, "formula")) {
    deparse1(value)
  } else if (is.data.frame(value)) {
    paste(names(value), form(unlist(value), digits), sep = ": ", collapse = ", ")
  } else if (is.list(value)) {
    paste(vapply(value, toString, ""), collapse = "; ")
  } else if (!is.numeric(value)) {
    toString(value)
  } else if (ends) {
    paste(form(value, digits), collapse = " to ")
  } else if (length(value) > 4 || anyDuplicated(value) > 0) {
    both <- unique(range(value))
    each <- if (length(both) == 1) " each"
    paste0(show_value(both, digits, TRUE, form), each, " (", length(value), ")")
  } else {
    labels <- names(value)
    numbers <- form(value, digits)
    toString(if (is.null(labels)) numbers else paste(labels, numbers, sep = ": "))
  }
}

number_form <- function(field) {
  if (field %in% c("epsilon", "globalEps", "rho", "delta")) show_loss else show_number
}

# Columns of texts, without those that are empty: without an estimate a place is all there is.
show_columns <- function(table, digits) {
  table$covers <- NULL # printed below
  table <- table[!vapply(table, function(column) all(is.na(column)), NA)]
  numeric <- vapply(table, is.numeric, NA)
  table[numeric] <- lapply(table[numeric], show_column, digits)
  table[!numeric] <- lapply(table[!numeric], as.character)  # dates and factors
  structure(table, numeric = numeric)
}

# Lines of the first rows.
show_table <- function(table, digits, rows) {
  if (nrow(table) == 0) {
    return("  no value is frequent enough to be released")
  }
  shown <- show_columns(utils::head(table, rows), digits)
  sides <- ifelse(attr(shown, "numeric"), "right", "left")
  columns <- Map(function(name, column, side) {
    format(c(name, column), justify = side)
  }, names(shown), shown, sides)
  more <- nrow(table) - nrow(shown)
  c(
    sub(" +$", "", paste0("  ", do.call(paste, c(unname(columns), sep = "  ")))),
    if (more > 0) paste0("  and ", more, " more rows, see as.data.frame()")
  )
}

# Numbers of like size with equal decimals.
show_column <- function(x, digits) {
  sizes <- range(abs(x[is.finite(x) & x != 0]), 1)
  if (sizes[[2]] / sizes[[1]] < 1e5) format(x, digits = digits) else show_number(x, digits)
}

format_fields <- function(x, protected) {
  fields <- x$getFields()
  finds <- is_to_find(fields$rng)
  public <- c(
    "formula", "levels", "margins", "design", "variable", "varType", "groups", "groupSizes", "n",
    "n_check", "missing", "prob", "k", "iterations", "rng", "imputeRng", "depth", "innerFun",
    "aggregationFun", "outcomes", "numSubsets", "scheme", "outputRange", "rangeMode", "rangeHelper",
    "intervalShare", "failureShare", "failures", "interval", "mechanism", "epsilon", "globalEps",
    "rho", "delta", "accuracy", "alpha"
  )
  # Votes have the range of their places.
  if (!is.null(fields$outcomes)) public <- setdiff(public, "outputRange")
  public <- public[vapply(public, function(name) is_worth_a_line(name, fields[[name]]), NA)]
  shown <- vapply(public, show_field, "", fields = fields)
  c(
    paste0("<", class(x)[[1]], "> ", fields$name, ", ", protected),
    noted_lines(shown, list(
      accuracy = if (isTRUE(fields$noiseDominates)) {
        noise_sentence
      } else if (finds) {
        "follows from the bounds found"
      },
      imputeRng = if (imputes_numbers(fields)) "missing values become uniform draws from here"
    )),
    if (is.null(fields$result)) "  nothing released yet" else format(fields$result)
  )
}

show_field <- function(name, fields) {
  if (name == "imputeRng" && is_to_find(fields$rng)) {
    "the bounds found"
  } else if (name %in% c("rng", "imputeRng", "outputRange")) {
    show_ranges(fields[[name]])
  } else {
    show_value(fields[[name]], 7, form = number_form(name))
  }
}

# The fields of a mechanism have no such name.
imputes_numbers <- function(fields) {
  !is.null(fields$measurement) && identical(imputed_from(fields), "imputeRng")
}

# A formula is a text, or a list that was made of texts. Usual values need no line.
is_worth_a_line <- function(name, value) {
  usual <- list(
    delta = 0, intervalShare = 0, failureShare = 0, rangeMode = "tight", n_check = "error",
    failures = "middle", interval = c("noise", "none"), design = "table",
    epsilon = NA_real_, globalEps = NA_real_
  )[[name]]
  as_usual <- any(vapply(usual, identical, NA, value))
  length(value) > 0 && !as_usual && (name != "formula" || is_string(value))
}

# A pair of bounds, a list of pairs, or a matrix with a pair in each row.
show_ranges <- function(ranges) {
  if (asks_for_bounds(ranges)) ranges <- list(ranges)
  pairs <- if (is.matrix(ranges)) rows_of_matrix(unname(ranges)) else as_pairs(ranges)
  shown <- vapply(pairs, function(pair) {
    if (asks_for_bounds(pair)) format(checked_bounds(pair, NULL)) else show_value(pair, 7, TRUE)
  }, "")
  toString(shown)
}
