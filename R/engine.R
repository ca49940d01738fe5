# All reading of private tables --------------------------------------------------------------------
#
# dp_tbl() describes a table, and a release reads it later. In between, the table can be dropped,
# altered or replaced. So every reading starts with begin_reading(): it opens a transaction and
# compares the table with its description. A release does so before the charge, so a changed table
# costs nothing, and again in the transaction that reads the rows.
#
# A table has the class "<engine>_table", see new_engine_table(). The methods of the class are in
# engine-<engine>.R (dev/engine.md).

# The name of the engine of a DBI connection, as the core and messages use it.
engine_name <- function(connection, call) UseMethod("engine_name")

# Reads the full `path`, the `kind`, and the `name`, `type` and `kind` of all `columns` from the
# catalogue. Stops for tables that queries cannot read. It has no default method.
engine_schema <- function(table, call) UseMethod("engine_schema")

# Where queries can run: the engine counts ("push"), or R reads the rows ("stream").
engine_routes <- function(table) UseMethod("engine_routes")

# Opens a transaction and stores the statements that end it in `reading`.
engine_begin <- function(table, reading) UseMethod("engine_begin")

# Stops if the table differs from the one that dp_tbl() described.
engine_recheck <- function(table, call) UseMethod("engine_recheck")

# Stops if the engine cannot analyse the statement. Must read no row.
engine_analyse <- function(table, sql, call) UseMethod("engine_analyse")

# Runs a statement of the core. The result is a data frame of texts.
engine_run <- function(table, sql) UseMethod("engine_run")

# A function of a statement that starts to count, and returns before the result is there. NULL if
# the engine has none.
engine_starter <- function(table) UseMethod("engine_starter")

# Removes private values that a failed statement left behind.
engine_forget <- function(table) UseMethod("engine_forget")

# The rows in chunks: an object of streamed_engine(). `unit` and `domain` are the declarations.
engine_stream <- function(table, unit, domain) UseMethod("engine_stream")

#' @exportS3Method
engine_name.default <- function(connection, call) { # nolint: object_name_linter.
  stop_query("unsupported",
    paste0("`dp_tbl()` cannot read tables of a ", class(connection)[[1]], "."),
    paste0("Use ", engines_in_words(), ", or give a data frame."), call
  )
}

# Names of all engines, or of those that count, for a message.
engines_in_words <- function(of = "engine") {
  sources <- core_data_sources()
  names <- sources$name[sources[[of]]]
  paste(toString(names[-length(names)]), "or", names[[length(names)]])
}

#' @exportS3Method
engine_routes.default <- function(table) c("push", "stream") # nolint: object_name_linter.

#' @exportS3Method
engine_begin.default <- function(table, reading) NULL # nolint: object_name_linter.

#' @exportS3Method
engine_analyse.default <- function(table, sql, call) NULL # nolint: object_name_linter.

#' @exportS3Method
engine_run.default <- function(table, sql) { # nolint: object_name_linter.
  DBI::dbGetQuery(table$connection, sql)
}

#' @exportS3Method
engine_starter.default <- function(table) NULL # nolint: object_name_linter.

#' @exportS3Method
engine_forget.default <- function(table) NULL # nolint: object_name_linter.

# `names` has the declared columns.
new_engine_table <- function(engine, connection, path, names, ...) {
  structure(list(engine = engine, connection = connection, path = path, names = names, ...),
    class = paste0(sub(".* ", "", tolower(engine)), "_table")
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

#' @exportS3Method
engine_recheck.default <- function(table, call) { # nolint: object_name_linter.
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
