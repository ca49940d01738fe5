# Private data frames ------------------------------------------------------------------------------

# Checks the columns that a query can read, and stores them in an opaque handle.
hidden_rows <- function(data, unit, domain, call) {
  if (is.null(data)) {
    return(NULL)
  }
  if (!is.data.frame(data)) {
    stop_query("source", paste0("`data` must be a data frame, not ", kind_of_column(data), "."),
      call = call
    )
  }
  columns <- unique(c(names(domain), unit$id))
  check_columns_there(columns, names(data), call)
  twice <- intersect(names(data)[duplicated(names(data))], columns)
  if (length(twice) > 0) {
    stop_query("source", paste0("The data have two columns called ", listed(twice), "."),
      call = call
    )
  }
  rows <- structure(
    lapply(stats::setNames(nm = columns), function(name) .subset2(data, name)),
    row.names = .set_row_names(.row_names_info(data, 2L)), class = "data.frame"
  )
  for (name in columns) {
    x <- rows[[name]]
    class <- class_of_column(x)
    check_length(x, .row_names_info(data, 2L), name, call)
    if (name %in% names(domain)) check_column("data frame", class, domain[[name]], name, call)
    if (name %in% unit$id) check_column("data frame", class, NULL, name, call)
    if (class == "POSIXct") rows[[name]] <- as.Date(x, tz = domain[[name]]$tz)
  }
  table <- new_engine_table("data frame", NULL, "`data`", columns, rows = rows)
  table <- described_table(table, call)
  unread <- match("other", table$schema$columns$type)
  if (!is.na(unread)) {
    stop_query("source",
      paste0("Column ", quoted(columns[[unread]]), " has a type that does not match its class."),
      "Create the column again before `dp_tbl()`.", call
    )
  }
  core_hide(structure(rows, table = table))
}

check_columns_there <- function(columns, names, call) {
  absent <- setdiff(columns, names)
  if (length(absent) > 0) {
    stop_query("domain", paste0("The data have no column ", listed(absent, "or"), "."),
      hint_for_column(absent, names,
        "Use the column names of the data in `dp_schema()` and `dp_unit(id = )`."
      ), call
    )
  }
}

# Data frames from other packages can have columns of any length.
check_length <- function(x, rows, name, call) {
  if (is.null(dim(x)) && length(unclass(x)) != rows) {
    stop_query("source",
      paste0("Column ", quoted(name), " has a different length than the data frame."),
      "Create it again with `data.frame()`.", call
    )
  }
}

# Types of the columns of a data frame -------------------------------------------------------------

# data.table and C code change vectors in place, so types are read again before each release.
#' @exportS3Method
engine_schema.frame_table <- function(table, call) { # nolint: object_name_linter.
  kinds <- from_core(core_frame_kinds(table$rows), call)
  list(
    path = table$path, kind = "data frame", columns = data.frame(name = table$names, type = kinds)
  )
}
