# Converts constructor arguments to JSON nodes and back, to the last bit. ?to_json has the format.

# `where` names the argument's owner for errors. `positions` come from to_json().
json_value <- function(x, where, positions) {
  if (stands_for_itself(x)) {
    x
  } else if (is_planned(x)) {
    json_node(x, positions)
  } else if (inherits(x, "runtime_type")) {
    list(`_type` = "type", value = rt_to_string(x))
  } else if (inherits(x, "integer64")) {
    vector_node("integer64", text_array(core_text_of_integer64(x)), names(x))
  } else if (is_bare_vector(x)) {
    value <- if (is.list(x)) lapply(x, json_value, where, positions) else x
    vector_node(typeof(x), json_elements[[typeof(x)]](unname(value)), names(x))
  } else {
    stop_dp("{where} is {describe(x)}, which JSON cannot hold. Use saveRDS() instead.",
      "serialization",
      call = quote(to_json())
    )
  }
}

stands_for_itself <- function(x) is.null(x) || ((is_flag(x) || is_string(x)) && is.null(names(x)))

is_bare_vector <- function(x) {
  typeof(x) %in% names(json_elements) && all(names(attributes(x)) %in% "names")
}

vector_node <- function(type, value, names) {
  c(list(`_type` = type, value = value), if (!is.null(names)) list(names = text_array(names)))
}

text_array <- function(x) I(enc2utf8(x))

# Builds an array from JSON elements, because jsonlite writes at most 15 digits.
verbatim_array <- function(elements) {
  structure(paste0("[", paste(elements, collapse = ","), "]"), class = "json")
}

# Writers for the elements of each type. Elements of lists are nodes.
json_elements <- list(
  list = identity,
  logical = I,
  integer = function(x) verbatim_array(ifelse(is.na(x), "null", x)),
  double = function(x) verbatim_array(double_text(x)),
  character = text_array,
  raw = function(x) paste(x, collapse = "")
)

# Writes the fewest digits that a JSON reader reads back as the same number. JSON has only finite
# numbers, and some readers drop the sign of zero, so the other numbers are strings.
double_text <- function(x) {
  is_number <- is.finite(x) & !is_minus_zero(x)
  text <- ifelse(is.nan(x), '"NaN"', ifelse(is.na(x), "null", paste0('"', x, '"')))
  text[is_minus_zero(x)] <- '"-0"'
  text[is_number] <- number_text(x[is_number])
  text
}

is_minus_zero <- function(x) !is.na(x) & x == 0 & 1 / x < 0

# Reads with jsonlite, which uses strtod() of C. R's as.numeric() can be one unit off.
number_text <- function(x) {
  text <- sprintf("%.15g", x)
  for (digits in 16:17) {
    differs <- as.double(read_array(verbatim_array(text))) != x
    text[differs] <- sprintf("%.*g", digits, x[differs])
  }
  text
}

read_array <- function(text) unlist(jsonlite::parse_json(text))

# Reading -----------------------------------------------------------------------------------------

# The value of a node. `objects` holds the shared objects that were read before.
value_of_node <- function(node, objects) {
  if (stands_for_itself(node)) {
    return(node)
  }
  check_json(is.list(node) && is_string(node[["_type"]]), "a node must have a `_type`.")
  type <- node[["_type"]]
  if (type %in% names(json_objects)) {
    json_objects[[type]](node, objects)
  } else {
    check_json(type %in% names(json_vectors), "a node has an unknown `_type`.")
    check_keys(node, c("_type", "value"), "names")
    x <- json_vectors[[type]](node$value, objects)
    if (is.null(node$names)) x else stats::setNames(x, names_of_node(node$names, length(x)))
  }
}

special_numbers <- list(`Inf` = Inf, `-Inf` = -Inf, `NaN` = NaN, `-0` = -0)

is_special <- function(x) is_string(x) && x %in% names(special_numbers)

not_an_element <- "a vector has elements of another type."

# Readers for the elements of each type.
json_vectors <- list(
  list = function(value, objects) lapply(elements_of(value), value_of_node, objects),
  logical = function(value, objects) vector_of(value, is_flag, NA),
  integer = function(value, objects) {
    as.integer(vector_of(value, function(x) is_number(x) && is.integer(x), NA_integer_))
  },
  double = function(value, objects) {
    elements <- lapply(elements_of(value), function(x) {
      check_json(is.null(x) || is_special(x) || (is_number(x) && is.finite(x)), not_an_element)
      if (is_special(x)) special_numbers[[x]] else x
    })
    vector_of(elements, is.numeric, NA_real_)
  },
  character = function(value, objects) vector_of(value, is_string, NA_character_),
  raw = function(value, objects) {
    is_hexadecimal <- is_string(value) && grepl("^([0-9a-f]{2})*$", value)
    check_json(is_hexadecimal, "raw bytes must be hexadecimal.")
    as.raw(strtoi(regmatches(value, gregexpr("..", value))[[1]], 16L))
  },
  integer64 = function(value, objects) {
    is_decimal <- function(x) is_string(x) && grepl("^-?[0-9]{1,19}$", x)
    digits <- vector_of(value, is_decimal, NA_character_)
    tryCatch(core_integer64_from_text(digits), dp_error_failed_cast = function(error) {
      check_json(FALSE, not_an_element)
    })
  }
)

vector_of <- function(value, is_element, missing) {
  elements <- elements_of(value)
  is_null <- vapply(elements, is.null, logical(1))
  check_json(all(vapply(elements[!is_null], is_element, logical(1))), not_an_element)
  vector <- rep(missing, length(elements))
  vector[!is_null] <- as.vector(unlist(elements[!is_null]), typeof(missing))
  vector
}

elements_of <- function(value) {
  check_json(is.list(value) && is.null(names(value)), "the elements of a vector must be an array.")
  value
}

names_of_node <- function(names, length) {
  names <- vector_of(names, is_string, NA_character_)
  check_json(length(names) == length, "each element must have one name.")
  names
}

# Expressions over a row ---------------------------------------------------------------------------

# Expressions over the columns of one row as plain lists, for the core (expressions/expression.h):
# list(op = "column", name = ), list(op = "literal", value = ), or list(op = , args = ). They are
# parsed from code, in verbs of queries and in formulas of models. No R function ever runs on data.

column <- function(name) list(op = "column", name = name)

operation <- function(op, ...) list(op = op, args = list(...))

# The name `f` in `f(x)` and `pkg::f(x)`. NULL for other calls.
name_of_function <- function(expr) {
  if (!is.call(expr)) {
    return(NULL)
  }
  head <- expr[[1]]
  if (is.call(head) && length(head) == 3 && as.character(head[[1]]) %in% c("::", ":::")) {
    head <- head[[3]]
  }
  if (is.symbol(head)) as.character(head)
}

# Functions of several rows, with their replacements.
row_mixers <- c(
  "mean", "sum", "min", "max", "n", "n_distinct", "var", "sd", "median", "quantile", "length",
  "row_number", "rank", "min_rank", "dense_rank", "percent_rank", "cume_dist", "ntile", "lag",
  "lead", "first", "last", "nth", "cumsum", "cummax", "cummin", "cumprod", "cummean", "scale",
  "order", "sort", "rev", "unique", "duplicated", "any", "all", "table", "range", "sample"
)
