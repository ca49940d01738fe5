# Private tables that R reads in chunks ------------------------------------------------------------
#
# The engine runs in this process, and a column can hold cells of different types. A projection that
# cannot fail gives each column one type. The core counts the columns chunk by chunk.

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

# Qualifies column names, because SQLite reads an unknown quoted name as a text.
sqlite_rows <- function(table, unit, domain) {
  columns <- table$schema$columns
  read <- Map(function(name, type) {
    cell <- paste0("of_table.", sqlite_name(name))
    sqlite_column(cell, sqlite_reading(domain[[name]], name %in% unit$id, type),
      name %in% unit$id, domain[[name]][["na"]]
    )
  }, columns$name, columns$type)
  from <- paste(paste(sqlite_name(table$path), collapse = "."), "AS of_table")
  streamed_engine(table,
    function() open_chunks(table$connection, from, read),
    function() open_chunks(table$connection, from, read, notes = TRUE)
  )
}

# The SQL projection of a column, and the function that makes an R vector. It must also handle a
# chunk without values, which can have any type.
sqlite_column <- function(x, reading, is_id, codes = NULL) {
  text <- paste0("WHEN typeof(", x, ") = 'text' AND instr(", x, ", char(0)) = 0")
  whole <- paste0("WHEN typeof(", x, ") = 'integer'")
  number <- paste0(
    "WHEN typeof(", x, ") = 'real' THEN ", x, " ", whole, " THEN CAST(", x, " AS REAL)"
  )
  column <- function(cases, as) {
    sql <- paste("CASE", cases, "END")
    # The least integer is missing in every engine.
    is_unread <- paste0(
      x, " IS NOT NULL AND ", x, " <> -9223372036854775808 AND (", sql, ") IS NULL",
      if (reading == "truth") not_in(x, codes)
    )
    list(sql = sql, as = as, is_unread = is_unread)
  }
  switch(reading,
    id = column(paste0(text, " THEN 't' || ", x, " ", sqlite_digits(x, "'i' || ")), as.character),
    text = column(paste(text, "THEN", x), as.character),
    rounded = column(sqlite_digits(x, rounds = TRUE),
      function(cells) core_integer64_from_text(as.character(cells))
    ),
    whole = column(sqlite_digits(x), function(cells) core_integer64_from_text(as.character(cells))),
    # As an id, only 0 and 1 are read: other numbers would all be TRUE, which would merge people.
    truth = column(
      paste0(whole, if (is_id) paste(" AND", x, "IN (0, 1)"), not_in(x, codes), " THEN ", x,
        " <> 0"
      ),
      as.logical
    ),
    # Numbers become texts, because a column needs one type and the core parses texts.
    date = column(
      paste0(
        "WHEN typeof(", x, ") IN ('integer', 'real') AND ", x, " >= -719162 AND ", x,
        " < 2932897 THEN date(CAST(", x, " AS INTEGER) - (", x, " < CAST(", x,
        " AS INTEGER)) + 2440587.5) ", text, " THEN ", x
      ),
      as.character
    ),
    column(number, as.double)
  )
}

not_in <- function(x, codes) {
  if (length(codes) > 0) paste0(" AND ", x, " NOT IN (", toString(sprintf("%.17g", codes)), ")")
}

# Chooses how to read a column. Doubles are faster than digits. They are exact enough if all whole
# numbers beyond 2^53 exceed the same bound. Ids and keys need every digit, unless the column holds
# only doubles.
sqlite_reading <- function(declared, is_id, in_table) {
  type <- declared$type %||% "id"
  number <- type %in% c("integer", "real") || isTRUE(declared$whole)
  if (type == "levels" && core_engine_type("SQLite", in_table) == "text") {
    return("text")
  }
  if (holds_reals(in_table) && (number || type == "id")) {
    return("number")
  }
  if (!is_id && type == "integer" && is.null(declared$lower)) {
    return("rounded")
  }
  if (number && (is_id || type == "levels")) {
    return("whole")
  }
  switch(type, levels = "text", logical = "truth", integer = , real = "number", type)
}

# Whether the declared type makes SQLite store all numbers as doubles.
holds_reals <- function(type) {
  grepl("REAL|FLOA|DOUB", toupper(type)) && !grepl("INT|CHAR|CLOB|TEXT|BLOB", toupper(type))
}

# The digits of a 64-bit whole number, even if SQLite stores it as a real. The least integer is NA
# in integer64, and missing in every engine.
sqlite_digits <- function(x, before = "", rounds = FALSE) {
  # Adding 1.5 * 2^52 rounds to nearest, ties to even.
  rounded <- if (rounds) {
    paste0(
      "WHEN typeof(", x, ") = 'real' AND ", x, " > -2251799813685248.0 AND ", x,
      " < 2251799813685248.0 THEN CAST(CAST((", x, " + 6755399441055744.0) - 6755399441055744.0 ",
      "AS INTEGER) AS TEXT) "
    )
  }
  paste0(
    "WHEN typeof(", x, ") = 'integer' AND ", x, " >= -9223372036854775807 THEN ", before, "CAST(",
    x, " AS TEXT) ", rounded, "WHEN typeof(", x, ") = 'real' AND ", x,
    " > -9223372036854775808.0 AND ", x,
    " < 9223372036854775808.0 AND CAST(", x, " AS INTEGER) = ", x, " THEN ", before, "CAST(CAST(",
    x, " AS INTEGER) AS TEXT)"
  )
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
