# Private tables whose rows come here in chunks ---------------------------------------------------
#
# The engine runs in this process, and has types for each cell: a projection, total on all of them,
# makes columns of one type each, which the kernel counts chunk by chunk.

check_streamed <- function(what, execute, rows, call) {
  if (execute == "push" || rows == "stay") {
    stop_query("unsupported", paste0(what, ": the rows come here."),
      "Say `execute = \"stream\"` and `rows = \"may_leave\"`.", call
    )
  }
}

# What a driver is asked for at once.
rows_of_chunk <- 131072L

# An engine whose rows are read into R: `open` returns them in chunks.
# `open_noting` does so, and notes which cells hold a value that does not come along, for checks.
streamed_engine <- function(table, open, open_noting = open) {
  structure(
    list(
      engine = table$engine, table = table, open = function() open_reading(table, open),
      open_noting = function() open_reading(table, open_noting)
    ),
    class = "dp_engine"
  )
}

# The statement for columns of chunks, from the quoted name of a table.
select_columns <- function(read, from) {
  projected <- vapply(read, `[[`, "", "sql")
  paste0("SELECT ", toString(paste0(projected, " AS c", seq_along(projected))), " FROM ", from)
}

# For each column one more, which is 1 where `is_unread` holds of the cell.
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

# SQLite takes a column that it does not have for a text, unless its table is named.
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

# The projection of one column, and what makes a vector of it, whatever a chunk without values comes
# as.
sqlite_column <- function(x, reading, is_id, codes = NULL) {
  text <- paste0("WHEN typeof(", x, ") = 'text' AND instr(", x, ", char(0)) = 0")
  whole <- paste0("WHEN typeof(", x, ") = 'integer'")
  number <- paste0(
    "WHEN typeof(", x, ") = 'real' THEN ", x, " ", whole, " THEN CAST(", x, " AS REAL)"
  )
  column <- function(cases, as) {
    sql <- paste("CASE", cases, "END")
    # The least integer is no value in any engine.
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
    # Two people whose numbers are not 0 are two.
    truth = column(
      paste0(whole, if (is_id) paste(" AND", x, "IN (0, 1)"), not_in(x, codes), " THEN ", x,
        " <> 0"
      ),
      as.logical
    ),
    # The core reads texts; numbers become texts, so that a column has one type.
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

# How a column is read. Doubles are quicker than digits, and as good where all wholes beyond 2^53
# meet the same bound, which lies below. People and values that are compared need each digit, unless
# all numbers of the column are doubles, as in a data frame.
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

# Whether SQLite keeps all numbers of a column as doubles, by its declared type.
holds_reals <- function(type) {
  grepl("REAL|FLOA|DOUB", toupper(type)) && !grepl("INT|CHAR|CLOB|TEXT|BLOB", toupper(type))
}

# The digits of a 64-bit whole number, also of one that is kept as a real. The least one is the NA
# of integer64, and no value in any engine.
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

# The first chunk may be empty, but there is one. Nobody asks how many will come: that would be a
# pass over the table, and is private.
#
# RSQLite looks for interrupts where a time limit would end the whole process, so both wait until a
# chunk is here.
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
