# Schemas: single declarations, or rows of a data dictionary.

#' @rdname dp_domain
#' @export
dp_schema <- function(...) {
  columns <- list(...)
  if (is_dictionary(columns)) {
    return(schema_of_dictionary(columns[[1]], environment()))
  }
  names <- names(columns) %||% rep("", length(columns))
  if (length(columns) == 0 || !all(nzchar(names)) || anyDuplicated(names) > 0) {
    stop_argument("declarations with distinct names", "others", "...", environment())
  }
  other <- !vapply(columns, inherits, NA, "dp_column")
  if (any(other)) {
    stop_argument(
      "a declaration such as dp_int()", describe(columns[other][[1]]), names[other][[1]],
      environment()
    )
  }
  structure(columns, class = "dp_domain")
}

#' @rdname dp_domain
#' @export
dp_domain <- dp_schema

# One argument without a name: a data frame, or the path of a CSV file.
is_dictionary <- function(columns) {
  length(columns) == 1 && all(names(columns) %in% "") &&
    (is.data.frame(columns[[1]]) || is_string(columns[[1]]))
}

# Data dictionaries --------------------------------------------------------------------------------

dictionary_fields <- c("name", "type", "lower", "upper", "levels", "missing", "na")
dictionary_remarks <- c("label", "description", "comment", "notes", "unit")

# Accepted words for each type. The first word is the declaration's name without `dp_`.
dictionary_types <- list(
  flag = c("flag", "logical", "boolean", "bool"), int = c("int", "integer", "whole"),
  num = c("num", "number", "numeric", "double", "real"),
  levels = c("levels", "factor", "categorical"), codes = "codes",
  text = c("text", "character", "string"), date = "date"
)

schema_of_dictionary <- function(dictionary, call) {
  if (!is.data.frame(dictionary)) dictionary <- read_dictionary(dictionary, call)
  names(dictionary) <- tolower(trimws(names(dictionary)))
  check_dictionary(dictionary, call)
  rows <- lapply(seq_len(nrow(dictionary)), function(i) dictionary_row(dictionary, i))
  columns <- lapply(seq_along(rows), function(i) declared_by_row(rows[[i]], i, call))
  names(columns) <- vapply(rows, function(row) row$name %||% "", "")
  do.call(dp_schema, columns)
}

# Reads all cells as texts. If commas are decimal points, semicolons separate the cells.
read_dictionary <- function(path, call) {
  if (!file.exists(path)) stop_dictionary("There is no file `", path, "`.", call = call)
  head <- readLines(path, n = 1, warn = FALSE, encoding = "UTF-8")
  separator <- if (any(grepl(";", head, fixed = TRUE))) ";" else ","
  utils::read.csv(path,
    sep = separator, colClasses = "character", na.strings = character(), check.names = FALSE,
    strip.white = TRUE, fileEncoding = "UTF-8-BOM"
  )
}

check_dictionary <- function(dictionary, call) {
  given <- names(dictionary)
  lacking <- setdiff(c("name", "type"), given)
  if (length(lacking) > 0) {
    stop_dictionary(
      "A data dictionary must have the columns `name` and `type`, a row for each column of the ",
      "data. For a draft from the types of private data, use `dp_schema_draft()`.",
      call = call
    )
  }
  unknown <- setdiff(given, c(dictionary_fields, dictionary_remarks))
  if (length(unknown) > 0 || anyDuplicated(given) > 0) {
    stop_dictionary(
      "Columns of a data dictionary must be among ", backticked(dictionary_fields), " (and the ",
      "remarks ", backticked(dictionary_remarks), "), each once, not ", backticked(given), ".",
      call = call
    )
  }
}

backticked <- function(names) paste0("`", names, "`", collapse = ", ")

stop_dictionary <- function(..., call) {
  sentence <- paste0(...)
  stop_dp("{sentence}", "invalid_argument", argument = "...", call = call)
}

# The non-empty cells of a row.
dictionary_row <- function(dictionary, i) {
  fields <- intersect(dictionary_fields, names(dictionary))
  cells <- lapply(stats::setNames(nm = fields), function(field) {
    dictionary_cell(dictionary[[field]], i)
  })
  Filter(function(cell) length(cell) > 0, cells)
}

dictionary_cell <- function(column, i) {
  cell <- if (is.list(column)) column[[i]] else column[i]
  if (is.factor(cell)) cell <- as.character(cell)
  if (is.character(cell)) cell <- trimws(cell)
  cell[!is.na(cell) & nzchar(as.character(cell))]
}

declared_by_row <- function(row, i, call) {
  refuse <- function(...) {
    name <- if (is_string(row$name)) paste0(" (`", row$name, "`)")
    stop_dictionary("Row ", i, name, " of the data dictionary: ", ..., call = call)
  }
  if (!is_string(row$name)) refuse("`name` must be the name of a column.")
  type <- dictionary_type(row$type)
  if (is.null(type)) {
    words <- paste0('"', unlist(dictionary_types), '"', collapse = ", ")
    refuse("`type` must be one of ", words, ".")
  }
  tryCatch(declared_column(type, row), dp_error_invalid_argument = function(error) {
    refuse(conditionMessage(error))
  })
}

dictionary_type <- function(word) {
  if (!is_string(word)) {
    return(NULL)
  }
  found <- vapply(dictionary_types, function(words) tolower(word) %in% words, NA)
  if (any(found)) names(dictionary_types)[found]
}

# Fields that each type accepts, besides its name.
fields_of_type <- list(
  flag = c("missing", "na"), int = c("lower", "upper", "missing", "na"),
  num = c("lower", "upper", "missing", "na"), date = c("lower", "upper", "missing", "na"),
  levels = c("levels", "missing", "na"), codes = c("levels", "missing", "na"),
  text = "na"
)

declared_column <- function(type, row) {
  row <- row[setdiff(names(row), c("name", "type"))]
  unused <- setdiff(names(row), fields_of_type[[type]])
  if (length(unused) > 0) stop_argument("empty for this type", "given", unused[[1]], NULL)
  values <- Map(function(cell, field) cell_value(cell, field, type), row, names(row))
  if (type %in% c("levels", "codes")) {
    do.call(dp_levels, c(as.list(values$levels), values[setdiff(names(values), "levels")]))
  } else {
    do.call(paste0("dp_", type), values)
  }
}

# Converts a cell to the argument of a declaration. `|` separates several texts.
cell_value <- function(cell, field, type) {
  if (field %in% c("levels", "na") && is_string(cell)) {
    cell <- trimws(strsplit(cell, "|", fixed = TRUE)[[1]])
  }
  if (!is.character(cell)) {
    return(cell)
  }
  if (field == "missing" && is_string(cell) && tolower(cell) %in% c("drop", "midpoint")) {
    return(tolower(cell))
  }
  switch(type,
    int = , num = , codes = cell_numbers(cell, field),
    date = cell_dates(cell, field),
    flag = if (field == "missing") cell_flag(cell, field) else cell_numbers(cell, field),
    cell
  )
}

cell_numbers <- function(cell, field) {
  numbers <- suppressWarnings(as.double(cell))
  if (anyNA(numbers)) stop_argument("a number", name_public(cell[is.na(numbers)][[1]]), field, NULL)
  numbers
}

cell_dates <- function(cell, field) {
  dates <- as.Date(cell, format = "%Y-%m-%d")
  if (anyNA(dates)) {
    stop_argument("a date such as 2026-01-31", name_public(cell[is.na(dates)][[1]]), field, NULL)
  }
  dates
}

cell_flag <- function(cell, field) {
  flag <- as.logical(toupper(cell))
  if (length(flag) != 1 || is.na(flag)) {
    stop_argument("TRUE or FALSE", name_public(cell), field, NULL)
  }
  flag
}
