# The source of the rows of a private table, and the form that the core reads.

# The rows or the engine table in an opaque handle (NULL without data), the engine's name (NULL for
# rows in memory), public facts of shards (NULL without shards), and rounded_columns().
source_of <- function(data, unit, domain, execute, rows, call) {
  if (inherits(data, "dp_shards")) {
    return(sharded_source(data, unit, domain, execute, rows, call))
  }
  if (is_engine_table(data)) {
    engine <- engine_of(data, unit, domain, execute, rows, call)
    return(list(rows = core_hide(engine), engine = engine$engine, rounded = engine$rounded))
  }
  if (is_arrow(data)) {
    engine <- arrow_rows(data, unit, domain, execute, rows, call)
    return(list(rows = core_hide(engine), engine = engine$engine, rounded = engine$rounded))
  }
  if (execute == "push") {
    stop_query("unsupported",
      paste0("`execute = \"push\"` needs data in ", engines_in_words("counts"), "."),
      call = call
    )
  }
  rows <- hidden_rows(data, unit, domain, call)
  classes <- lapply(names(domain), function(name) class_of_column(.subset2(data, name)))
  list(rows = rows, rounded = if (!is.null(data)) rounded_columns("data frame", classes, domain))
}

source_form <- function(table) {
  domain <- unclass(table$domain)
  columns <- lapply(names(domain), function(name) c(list(name = name), unclass(domain[[name]])))
  unit <- unclass(mapped_unit(table$unit))
  list(columns = columns, unit = c(unit[c("kind", "id", "count")], shards_in_map(table)))
}

# Version of the meaning of new queries (src/core/expressions/rules.h). Stored queries keep their
# version. Queries of the first version have no field `rules`.
newest_rules <- 2

form_of_table <- function(x) {
  table <- tbl_data(x)
  list(
    rules = newest_rules, source = source_form(table), steps = table$steps, by = table$groups,
    keys = table$keys %||% list(kind = "declared", table = NULL, weight = 1),
    aggregates = list(), outputs = list()
  )
}

add_step <- function(x, step, ..., call = rlang::caller_env()) {
  table <- tbl_data(x)
  checked_table(with_tbl_data(x, steps = c(table$steps, list(as_it_is(step))), ...), call)
}

# Asks the core for the current columns. The core stops at an invalid step.
checked_table <- function(x, call) {
  facts <- from_core(core_query_fields(form_of_table(x)), call)
  with_tbl_data(x, fields = records_of(facts$fields))
}

# Known facts of each column, by name: list(name, type, lower, upper, levels), without unknown
# facts.
records_of <- function(fields) {
  records <- lapply(fields, function(field) {
    known <- vapply(field, function(value) length(value) > 0 && !anyNA(value), NA)
    field[known]
  })
  stats::setNames(records, vapply(fields, `[[`, "", "name"))
}

# Shows an error of the core as an error of the verb, with a hint for its class.
from_core <- function(expr, call, hints = list()) {
  tryCatch(expr, dp_error = function(error) {
    error["call"] <- list(call_of_verb(call))
    hint <- hints[[class(error)[[1]]]]
    of_bounds <- grepl("no bounds", error$message, fixed = TRUE)
    if (!is.null(hint) && (of_bounds || !inherits(error, "dp_error_domain"))) {
      error$message <- paste0(error$message, "\ni ", hint)
    }
    stop(error)
  })
}

# Like from_core(), but shows the user's code instead of internal names such as `x.1`.
from_core_of <- function(query, expr, call, hints = list()) {
  tryCatch(from_core(expr, call, hints), dp_error = function(error) {
    for (aggregate in labelled_aggregates(query)) {
      label <- paste0("`", aggregate$name, "`")
      words <- paste0("`", describe_aggregate(aggregate), "`")
      error$message <- gsub(label, words, error$message, fixed = TRUE)
    }
    stop(error)
  })
}
