# The query of dp_tables(): an aggregate for each effect, with its share of the loss.

# `tables` has the indices of the columns of each table.
tables_query <- function(x, columns, tables, weights, call) {
  cells <- cells_of_columns(x, columns, call)
  sets <- unique(lapply(c(seq_along(columns), tables), sort))
  sizes <- lengths(lapply(cells, `[[`, "labels"))
  importance <- importance_of_tables(sets, columns, weights, call)
  design <- from_core(
    core_planned_design(sizes, sets, importance, replaces(tbl_data(x)$unit)), call
  )
  names <- vapply(design$columns, function(set) name_of_table(columns[set]), "")
  aggregates <- Map(function(name, set, share) {
    list(
      name = name, fun = "effect", of = NULL, times = NULL,
      cells = if (length(set) > 0) lapply(columns[set], column), bounds = NULL, weight = share,
      scale = NULL, accuracy = NULL, probabilities = NULL, grid = NULL, method = "automatic",
      weights = NULL, up_to = NULL
    )
  }, names, design$columns, design$share)
  outputs <- lapply(names, function(name) list(name = name, value = column(name)))
  query <- list(table = x, by = character(), aggregates = stats::setNames(aggregates, names),
    outputs = outputs, keys = NULL
  )
  query <- structure(query, class = c("dp_query", "dp_private"))
  checked_query(as_tables_query(query, call), call)
}

rows_of_tables <- "(rows)"

name_of_table <- function(columns) {
  if (length(columns) == 0) rows_of_tables else paste(columns, collapse = ":")
}

# Whether the aggregates of a query are the effects of tables: all effects within each of them.
measures_tables <- function(query) {
  effects <- vapply(query$aggregates, function(each) each$fun == "effect", NA)
  if (!all(effects) || length(query$by) > 0) {
    return(FALSE)
  }
  tables <- sets_of_effects(query$aggregates)
  sets <- tables$sets
  whole <- vapply(sets, function(set) {
    within <- vapply(sets, function(its) all(its %in% set), NA)
    sum(within) == 2^length(set) && !is.unsorted(set, strictly = TRUE)
  }, NA)
  names <- vapply(sets, function(set) name_of_table(tables$columns[set]), "")
  all(whole) && anyDuplicated(sets) == 0 && identical(names, names_of_outputs(query))
}

# Names of the columns, and the indices of the columns of each effect.
sets_of_effects <- function(aggregates) {
  sets <- lapply(aggregates, function(each) vapply(as.list(each$cells), `[[`, "", "name"))
  columns <- unique(unlist(sets))
  list(columns = columns, sets = lapply(unname(sets), match, columns))
}

# Adds list(columns, sets, cells), see sets_of_effects() and cells_of_columns().
as_tables_query <- function(query, call) {
  query$tables <- sets_of_effects(query$aggregates)
  query$tables$cells <- cells_of_columns(query$table, query$tables$columns, call)
  class(query) <- unique(c("dp_tables_query", class(query)))
  query
}

# list(labels, gaps) for each column. The label NA is of rows without a value; `gaps` says whether
# such rows have no cell.
cells_of_columns <- function(x, columns, call) {
  cells <- from_core(core_query_cells(form_of_table(x), columns), call)
  steps <- tbl_data(x)$steps
  Map(function(name, cell) {
    breaks <- breaks_behind(name, steps)
    if (!is.null(breaks)) cell$labels[seq_len(length(breaks) - 1)] <- labels_of_breaks(breaks)
    if (length(cell$labels) < 2) {
      stop_query("domain", paste0("`", name, "` has only one cell."),
        "Leave it out of the tables.", call
      )
    }
    cell
  }, columns, cells)
}

importance_of_tables <- function(sets, columns, weights, call) {
  importance <- rep(1, length(sets))
  if (is.null(weights)) {
    return(importance)
  }
  named <- is.numeric(weights) && length(weights) > 0 && all(nzchar(names(weights) %||% ""))
  if (!named || !all(is.finite(weights)) || any(weights <= 0)) {
    stop_argument("numbers above 0, named by tables", describe(weights), "weights", call)
  }
  names <- vapply(sets, function(set) name_of_table(sort(columns[set])), "")
  given <- vapply(strsplit(names(weights), ":", fixed = TRUE), function(parts) {
    name_of_table(sort(parts))
  }, "")
  unknown <- which(!given %in% names)
  if (length(unknown) > 0) {
    known <- vapply(sets, function(set) name_of_table(columns[set]), "")
    check_name(names(weights)[[unknown[[1]]]], known, "names(weights)", call)
  }
  replace(importance, match(given, names), as.double(weights))
}

# The tables that a query releases, by name: list(columns, effects), as indices.
tables_of_query <- function(query) {
  sets <- query$tables$sets
  asked <- Filter(function(set) length(set) > 0, sets)
  tables <- lapply(asked, function(set) {
    list(columns = set, effects = which(vapply(sets, function(its) all(its %in% set), NA)))
  })
  stats::setNames(tables, vapply(asked, function(set) {
    name_of_table(query$tables$columns[set])
  }, ""))
}

# list(estimate, std_error, reach) of one table, from the numbers and deviations of all effects.
rebuilt_table <- function(query, table, numbers, deviations, alpha) {
  effects <- table$effects
  sizes <- lengths(lapply(query$tables$cells[table$columns], `[[`, "labels"))
  kept <- lapply(query$tables$sets[effects], match, table$columns)
  core_rebuilt_table(sizes, kept, numbers[effects], deviations[effects], alpha)
}

# S3 method names contain dots.
# nolint start: object_name_linter.

#' @export
format.dp_tables_query <- function(x, ...) {
  table <- tbl_data(x$table)
  tables <- tables_of_query(x)
  cells <- lengths(lapply(x$tables$cells, `[[`, "labels"))
  sizes <- vapply(tables, function(one) prod(cells[one$columns]), 0)
  columns <- paste0(names(cells), " (", cells, ")")
  c(
    paste0("<dp_query> ", describe_query(x), "; the unit is ", format(table$unit), "; ",
      session_line(session_of(x))
    ),
    engine_line(table), printable(step_lines(table$steps)),
    strwrap(printable(paste0("columns and cells: ", toString(columns))), getOption("width") - 4,
      prefix = "  ", exdent = 2
    ),
    strwrap(printable(paste0("tables: ", toString(names(tables)))), getOption("width") - 4,
      prefix = "  ", exdent = 2
    ),
    paste0("  design: planned, ", length(x$aggregates), " effects with noise, ",
      show_number(sum(sizes), 12), " cells: see dp_preview()"
    ),
    reach_line(x)
  )
}

# nolint end
