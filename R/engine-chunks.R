# Private tables that R reads in chunks ------------------------------------------------------------
#
# The core counts the columns chunk by chunk.

check_route <- function(table, execute, rows, call) {
  routes <- engine_routes(table)
  if (!"push" %in% routes) {
    check_streamed(paste("R must read the rows of", table$engine), execute, rows, call)
  } else if (execute == "stream" && (!"stream" %in% routes || rows == "stay")) {
    what <- if ("stream" %in% routes) {
      "With `rows = \"stay\"`, R cannot read rows."
    } else {
      paste0("Rows of a ", table$engine, " table cannot be read into R.")
    }
    stop_query("unsupported", what, "Use `execute = \"push\"`.", call)
  }
}

check_streamed <- function(what, execute, rows, call) {
  if (execute == "push" || rows == "stay") {
    stop_query("unsupported", paste0(what, "."),
      "Use `execute = \"stream\"` and `rows = \"may_leave\"`.", call
    )
  }
}

# Rows to fetch at once.
rows_of_chunk <- 131072L

# An engine whose rows R reads. `open()` returns the rows in chunks. `open_noting()` also marks
# cells with unreadable values, for checks.
streamed_engine <- function(table, open, open_noting = open) {
  structure(
    list(
      engine = table$engine, table = table, open = function() open_reading(table, open),
      open_noting = function() open_reading(table, open_noting)
    ),
    class = "dp_engine"
  )
}

# The SELECT statement for chunks. `from` is a quoted table name.
select_columns <- function(read, from) {
  projected <- vapply(read, `[[`, "", "sql")
  paste0("SELECT ", toString(paste0(projected, " AS c", seq_along(projected))), " FROM ", from)
}

# Adds a column per column: 1 if `is_unread` is true for the cell.
noting_columns <- function(read) {
  notes <- lapply(read, function(column) {
    list(sql = paste("CASE WHEN", column$is_unread, "THEN 1 ELSE 0 END"), as = as.integer)
  })
  c(read, notes)
}

with_notes <- function(columns, read) {
  notes <- columns[-seq_along(read)]
  columns <- columns[seq_along(read)]
  if (length(notes) == 0) {
    return(columns)
  }
  Map(function(column, unread) {
    attr(column, "dp_unread") <- unread
    column
  }, columns, notes)
}

# Returns at least one chunk, which can be empty. The number of chunks is not computed first,
# because that would read the table twice. RSQLite polls for interrupts, and a time limit at that
# point would end the R process. So interrupts and time limits wait until a chunk is complete.
open_chunks <- function(connection, from, read, notes = FALSE) {
  asked <- if (notes) noting_columns(read) else read
  sql <- select_columns(asked, from)
  result <- suspendInterrupts(DBI::dbSendQuery(connection, sql))
  done <- FALSE
  list(
    `next` = function() {
      if (done) {
        return(NULL)
      }
      chunk <- suspendInterrupts(DBI::dbFetch(result, n = rows_of_chunk))
      done <<- nrow(chunk) < rows_of_chunk
      columns <- Map(function(column, cells) column$as(cells), asked, unclass(chunk))
      structure(with_notes(columns, read),
        row.names = .set_row_names(nrow(chunk)), class = "data.frame"
      )
    },
    close = function() DBI::dbClearResult(result)
  )
}

# Rows of an engine that has types for columns, for queries that it cannot count. One statement
# reads one snapshot. No cell can fail: whole numbers and decimals arrive as digits, and dates as
# days. `text_type` is the engine's type for digits, and `text` a function that reads a text column
# (NULL: a cast to `text_type`). `quicker` opens the rows in a quicker form, or returns NULL.
pulled_rows <- function(table, text_type, text, quicker = function(table) NULL) {
  columns <- table$schema$columns
  read <- Map(function(name, kind) {
    pulled_column(core_engine_path(table$engine, name), kind, text_type, text)
  }, columns$name, columns$kind)
  from <- core_engine_path(table$engine, table$path)
  streamed_engine(table,
    function() quicker(table) %||% open_chunks(table$connection, from, read),
    function() open_chunks(table$connection, from, read, notes = TRUE)
  )
}

pulled_column <- function(x, kind, text_type, text) {
  if (kind == "moment") {
    x <- paste0("CAST(", x, " AS DATE)")
    kind <- "date"
  }
  as_text <- function(of) paste0("CAST(", of, " AS ", text_type, ")")
  text <- text %||% as_text
  column <- switch(kind,
    logical = list(sql = x, as = as.logical),
    whole = list(
      # The least 64-bit integer is NA in integer64, and missing in every engine.
      sql = paste0("CASE WHEN ", x, " >= -9223372036854775807 THEN ", as_text(x), " END"),
      as = function(cells) core_integer64_from_text(as.character(cells))
    ),
    real = list(sql = paste0("CAST(", x, " AS DOUBLE PRECISION)"), as = as.double),
    decimal = list(sql = as_text(x), as = function(cells) as.double(as.character(cells))),
    text = list(sql = text(x), as = as.character),
    date = list(
      sql = paste0(
        "CASE WHEN ", x, " >= DATE '0001-01-01' AND ", x, " <= DATE '9999-12-31' THEN ",
        as_text(paste0(x, " - DATE '1970-01-01'")), " END"
      ),
      as = function(cells) structure(as.double(as.character(cells)), class = "Date")
    )
  )
  is_unread <- paste0(x, " IS NOT NULL AND (", column$sql, ") IS NULL")
  c(column, is_unread = if (kind %in% c("text", "date")) is_unread else "1 = 0")
}

quoted_text <- function(text) paste0("'", gsub("'", "''", enc2utf8(text), fixed = TRUE), "'")

# Column types of engines --------------------------------------------------------------------------

# The kind of column that the core reads for an engine type. NA if queries cannot read the type.
engine_kind <- function(engine, type) core_engine_kinds(engine, as.character(type))

# `columns` has the declared columns and the id columns.
check_engine_columns <- function(table, unit, domain, call) {
  source <- table$engine
  columns <- table$schema$columns
  for (i in seq_len(nrow(columns))) {
    name <- columns$name[[i]]
    type <- core_engine_type(source, columns$type[[i]])
    shown <- if (type == "other") shown_type(columns$type[[i]]) else type
    if (name %in% names(domain)) check_column(source, type, domain[[name]], name, call, shown)
    if (name %in% unit$id) check_column(source, type, NULL, name, call, shown)
  }
}

rounded_in_engine <- function(table, domain) {
  types <- table$schema$columns$type[match(names(domain), table$schema$columns$name)]
  types <- lapply(types, function(type) core_engine_type(table$engine, type))
  rounded_columns(table$engine, types, domain)
}

# Removes parentheses, because an enum lists values there, often taken from the data.
shown_type <- function(type) sub("[(].*[)]", "", tolower(type))
