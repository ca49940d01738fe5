# Private data frames ------------------------------------------------------------------------------

# The columns that a query may read, behind a handle.
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
  table <- described_table(new_engine_table("frame", NULL, "`data`", columns, rows = rows), call)
  kinds <- table$schema$columns$type
  for (i in seq_along(columns)) {
    check_readable(rows[[i]], kinds[[i]], domain[[columns[[i]]]], columns[[i]], call)
  }
  core_hide(structure(rows, table = table))
}

# Package data.table, and C code, change vectors in place.
#' @exportS3Method
engine_schema.frame_table <- function(table, call) { # nolint: object_name_linter.
  kinds <- from_core(core_frame_kinds(table$rows), call)
  list(
    path = table$path, kind = "data frame", columns = data.frame(name = table$names, type = kinds)
  )
}

check_columns_there <- function(columns, names, call) {
  absent <- setdiff(columns, names)
  if (length(absent) > 0) {
    stop_query("domain", paste0("The data have no column ", listed(absent, "or"), "."),
      "Names in `dp_domain()` and `dp_unit(id = )` are those of the data.", call
    )
  }
}

# Stops unless columns like `x`, which the core reads as `kind`, are read as declared; `declared` is
# NULL for an id. No value is looked at.
check_readable <- function(x, kind, declared, name, call) {
  type <- declared$type %||% "id"
  accepted <- switch(type,
    logical = "logical",
    integer = c("whole", "real"),
    real = c("whole", "real"),
    date = "date",
    text = "text",
    levels = c("text", if (isTRUE(declared$whole)) c("whole", "real")),
    id = c("whole", "real", "text", "logical", "date")
  )
  if (!kind %in% accepted) {
    came <- if (is.object(x)) paste("of class", class(x)[[1]]) else paste("of type", typeof(x))
    stop_query(
      "source", paste0("Column ", quoted(name), " is ", came, ", which ",
        unread_as(type, declared), "."),
      "Convert it before `dp_tbl()`, or declare it as what it is.", call
    )
  }
}

unread_as <- function(type, declared) {
  if (type == "id") {
    return("cannot identify a person")
  }
  paste0("its declaration does not read: ", describe_column(declared))
}
