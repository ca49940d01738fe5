# Forms of a release that readers have: a result, a file of it, or a table made from it.

# Functions that convert `value` to a form that may be the release of a receipt, the likeliest
# first. `tables` are the tables of the plan, see planned_tables().
forms_of_published <- function(value, tables) {
  if (!is.data.frame(value)) {
    all <- list(function() released_value(value))
    if (is_list_of_tables(value)) {
      all <- c(all, lapply(changes_of_texts, function(change) {
        function() planned_parts(lapply(value, change), tables)
      }))
    }
    return(all)
  }
  bases <- list(value)
  if (has_row_numbers(value)) bases <- c(bases, list(value[-1]))
  unlist(lapply(bases, forms_of_table, tables))
}

is_list_of_tables <- function(x) is.list(x) && all(vapply(x, is.data.frame, NA))

# Returns NULL for a file that cannot be read.
read_published <- function(value) {
  if (is_file(value)) or_else(published_in_file(value)) else value
}

is_file <- function(x) is_string(x) && !is.na(x) && utils::file_test("-f", x)

# Reads each field of a CSV file as text.
published_in_file <- function(file) {
  if (grepl("[.]rds$", file, ignore.case = TRUE)) {
    return(readRDS(file))
  }
  utils::read.csv(file, colClasses = "character", check.names = FALSE, encoding = "UTF-8")
}

# CSV files often have row names as their first column, without a name.
has_row_numbers <- function(x) {
  length(x) > 1 && names(x)[[1]] %in% c("", "X", "...1") &&
    isTRUE(all.equal(as.character(x[[1]]), as.character(seq_len(nrow(x)))))
}

# A key may look like a number, and a level may be called "NA".
changes_of_texts <- list(
  identity,
  function(table) typed_table(table),
  function(table) typed_table(table, named_na),
  function(table) table_of_texts_with(table, named_na)
)

forms_of_table <- function(table, tables) {
  forms <- lapply(changes_of_texts, function(change) function() change(table))
  planned <- if (!is.null(tables)) {
    lapply(changes_of_texts, function(change) function() planned_form(change(table), tables))
  }
  c(forms, planned, if (is_table_of_estimates(table)) forms_of_estimates(typed_table(table)))
}

named_na <- function(x) {
  if (is.character(x)) replace(x, is.na(x), "NA") else x
}

table_of_texts_with <- function(table, change) {
  table[] <- lapply(table, change)
  table
}

# The numbers and quantiles in columns of text.
typed_table <- function(table, change = identity) {
  columns <- lapply(unclass(table_of_texts_with(table, change)), function(column) {
    if (is.character(column)) typed_column(column) else column
  })
  attributes(columns) <- attributes(table)
  columns
}

typed_column <- function(texts) {
  known <- texts[!is.na(texts)]
  if (length(known) == 0) {
    texts
  } else if (all(grepl("^[^|]*=[^=|]*( [|] [^|]*=[^=|]*)*$", known))) {
    numbers_of_text(texts)
  } else if (all(grepl("^-?[0-9]{16,18}$", known))) {
    core_integer64_from_text(texts)
  } else if (all(grepl(json_number, known))) {
    numbers <- rep(NA_real_, length(texts))
    numbers[!is.na(texts)] <- as.double(read_array(verbatim_array(known)))
    numbers
  } else {
    texts
  }
}

# A key such as 007 is not a number.
json_number <- "^-?(0|[1-9][0-9]*)([.][0-9]+)?([eE][+-]?[0-9]+)?$"

# Parses a text such as 0.25=28 | 0.75=47, see as.character.dp_values().
numbers_of_text <- function(texts) {
  parts <- strsplit(texts, " | ", fixed = TRUE)
  fields <- unlist(parts)
  values <- sub("^.*=", "", fields)
  is_date <- all(grepl("^[0-9]{4}-[0-9]{2}-[0-9]{2}$", values))
  values <- if (is_date) as.Date(values) else as.double(typed_column(values))
  names(values) <- sub("=[^=]*$", "", fields)
  unname(split(values, rep(seq_along(parts), lengths(parts))))
}

# Estimates of a statistic -------------------------------------------------------------------------

is_table_of_estimates <- function(x) all(c("term", "estimate") %in% names(x))

# The releases that as.data.frame() of a result can represent.
forms_of_estimates <- function(table) {
  term <- as.character(table$term)
  list(
    function() table$estimate,
    function() stats::setNames(table$estimate, term),
    function() list2DF(as.list(stats::setNames(table$estimate, term))),
    function() data.frame(estimate = table$estimate),
    function() term
  )
}
