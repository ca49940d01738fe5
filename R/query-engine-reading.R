# All reading of private tables --------------------------------------------------------------------
#
# dp_tbl() describes a table, and a release reads it later. In between, the table can be dropped,
# altered or replaced. So every reading starts with begin_reading(): it opens a transaction and
# compares the table with its description. A release does so before the charge, so a changed table
# costs nothing, and again in the transaction that reads the rows.
#
# A table is a data frame or an object of class "<engine>_table", see new_engine_table(). Each class
# has a method of engine_schema(), and of engine_begin() if the engine has transactions.

# Reads the full `path`, the `kind`, and the `name` and `type` of all `columns` from the catalogue.
# Stops for tables that queries cannot read. Without a default method, an engine needs a method to
# be read.
engine_schema <- function(table, call) UseMethod("engine_schema")

# Opens a transaction and stores the statements that end it in `reading`.
engine_begin <- function(table, reading) UseMethod("engine_begin")

#' @exportS3Method
engine_begin.default <- function(table, reading) NULL # nolint: object_name_linter.

# `names` has the declared columns.
new_engine_table <- function(kind, connection, path, names, ...) {
  structure(list(connection = connection, path = path, names = names, ...),
    class = paste0(kind, "_table")
  )
}

# Adds the full path and the `schema` that every later reading must find.
described_table <- function(table, call) {
  reading <- new.env(parent = emptyenv())
  on.exit(end_reading(reading))
  found <- or_no_table(table$path, call, {
    engine_begin(table, reading)
    engine_schema(table, call)
  })
  check_columns_there(table$names, found$columns$name, call)
  table$path <- found$path
  table$schema <- of_declared(found, table)
  table
}

# Undeclared columns can change.
of_declared <- function(schema, table) {
  schema$columns <- schema$columns[match(table$names, schema$columns$name), ]
  rownames(schema$columns) <- NULL
  schema
}

# Runs `body` in a reading of the table.
in_reading <- function(table, call, body) {
  reading <- new.env(parent = emptyenv())
  on.exit(end_reading(reading))
  begin_reading(table, reading, call)
  body
}

# Opens chunks of rows in a reading. `close()` of the result closes the chunks and the reading.
open_reading <- function(table, open) {
  reading <- new.env(parent = emptyenv())
  is_open <- FALSE
  on.exit(if (!is_open) end_reading(reading))
  begin_reading(table, reading, NULL)
  suspendInterrupts({
    rows <- allowInterrupts(open())
    close <- rows$close
    rows$close <- function() {
      on.exit(end_reading(reading))
      close()
    }
    is_open <- TRUE
  })
  rows
}

begin_reading <- function(table, reading, call) {
  or_no_table(table$path, call, {
    engine_begin(table, reading)
    engine_recheck(table, call)
  })
}

end_reading <- function(reading) {
  suspendInterrupts({
    for (sql in reading$undo) send(reading$connection, sql)
    reading$undo <- NULL
  })
}

send <- function(connection, sql) DBI::dbExecute(connection, sql)

# Stops if the table differs from the one that dp_tbl() described.
engine_recheck <- function(table, call) {
  now <- of_declared(engine_schema(table, call), table)
  if (identical(now, table$schema)) {
    return(invisible())
  }
  changed <- table$names[!mapply(identical, now$columns$type, table$schema$columns$type)]
  stop_query("source",
    paste0(
      "The table ", paste(table$path, collapse = "."), " has changed since `dp_tbl()`",
      if (length(changed) > 0) paste0(", in ", listed(changed)), "."
    ),
    "Call `dp_tbl()` again.", call
  )
}

# The engine's message is not shown.
or_no_table <- function(path, call, body) {
  or_else(body, function(error) {
    if (inherits(error, "dp_error")) stop(error)
    stop_query("source",
      paste0("The engine has no table ", paste(path, collapse = "."), ", or cannot read it."),
      "Check its name, your privileges and the connection.", call
    )
  })
}

refuse_engine_table <- function(path, what, hint, call) {
  stop_query("source", paste0(paste(path, collapse = "."), " is ", what, "."), hint, call)
}
