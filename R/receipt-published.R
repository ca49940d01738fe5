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

#' Describe a release for a public registry
#'
#' `as_registry_entry()` turns a receipt into the facts that public registries of deployments of
#' differential privacy ask for, with a row for each field. It reads the receipt only and verifies
#' nothing: see [verify_release()].
#'
#' @param receipt (`dp_receipt`) Receipt of a release, [dp_receipt()].
#' @param ... Further fields by name, such as `data_holder = "City of X"`: strings. Public.
#' @returns A data frame with the columns `field` and `value`. The fields are `dataset`, `version`,
#'   `date`, `model`, `definition`, one for each part of the loss, `meaning`, `unit`, `neighbours`,
#'   `caps`, `mechanisms`, `software`, `ledger`, `plan`, `signed`, then yours.
#' @section Errors: `dp_error_invalid_argument` if `receipt` has a different class, or a field of
#'   yours has no name, the name of another field, or is not a string.
#' @references National Institute of Standards and Technology (2025), *Guidelines for
#'   Evaluating Differential Privacy Guarantees*.
#' @seealso [dp_receipt()]
#' @examplesIf requireNamespace("dplyr", quietly = TRUE)
#' ledger <- dp_ledger_create(tempfile(), "survey", dp_unit(rows = 1), dp_epsilon(1), version = "1")
#' people <- dp_tbl(dp_session(ledger = ledger), PUMS5extract10000,
#'   unit = dp_unit(rows = 1), domain = dp_domain(age = dp_int(18, 93))
#' )
#' released <- people |> dplyr::count() |> release(epsilon = 0.1)
#' as_registry_entry(dp_receipt(released), data_holder = "City of X")
#' @export
as_registry_entry <- function(receipt, ...) {
  check_class(receipt, "dp_receipt")
  loss <- receipt$loss[order(names(receipt$loss) == "delta")]
  amounts <- vapply(loss, shown_amount, "")
  caps <- or_else(planned_caps(object_of_plan(receipt)))
  mechanisms <- vapply(receipt$events, function(event) paste(event$mechanism), "")
  fields <- c(
    dataset = receipt$dataset, version = receipt$version, date = receipt$time,
    model = "central", definition = receipt$measure,
    stats::setNames(unname(amounts), names(loss)), meaning = meaning_of_receipt(receipt),
    unit = protected_in_words(receipt),
    neighbours = gsub("_", " or ", paste(receipt$unit$relation)),
    caps = paste(caps, collapse = "; "), mechanisms = paste(unique(mechanisms), collapse = "; "),
    software = receipt$package, ledger = receipt$ledger$id, plan = receipt$plan_hash,
    signed = if (nzchar(receipt$signature)) "yes" else "no"
  )
  fields <- c(fields, check_registry_fields(list(...), names(fields), environment()))
  data.frame(field = names(fields), value = unname(fields))
}

check_registry_fields <- function(given, known, call) {
  names <- names(given) %||% rep("", length(given))
  if (any(names == "") || anyDuplicated(names) || any(names %in% known)) {
    stop_argument("new fields with names", "others", "...", call)
  }
  for (name in names) check_string(given[[name]], arg = name, call = call)
  unlist(given)
}

meaning_of_receipt <- function(receipt) {
  loss <- lapply(receipt$loss, as.double)
  measure <- setdiff(names(loss), "delta")
  words <- or_else(loss_in_words(new_loss(measure, loss[[measure]], loss$delta)))
  paste(words, collapse = "; ")
}
