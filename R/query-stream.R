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

sqlite_rows <- function(connection, path, unit, domain, call) {
  columns <- unique(c(names(domain), unit$id))
  check_sqlite_table(connection, path, columns, call)
  read <- lapply(stats::setNames(nm = columns), function(name) {
    sqlite_column(sqlite_name(name), domain[[name]], name %in% unit$id)
  })
  table <- paste(vapply(path, sqlite_name, ""), collapse = ".")
  projected <- vapply(read, `[[`, "", "sql")
  sql <- paste0(
    "SELECT ", toString(paste0(projected, " AS c", seq_along(projected))), " FROM ", table
  )
  structure(
    list(engine = "SQLite", open = function() open_chunks(connection, sql, read)),
    class = "dp_engine"
  )
}

sqlite_name <- function(name) paste0("\"", gsub("\"", "\"\"", enc2utf8(name), fixed = TRUE), "\"")
quoted_text <- function(text) paste0("'", gsub("'", "''", enc2utf8(text), fixed = TRUE), "'")

# Views, virtual tables and columns that are computed may fail at single rows.
check_sqlite_table <- function(connection, path, columns, call) {
  found <- tryCatch(sqlite_schema(connection, path), error = function(error) NULL)
  if (is.null(found) || length(found$plain) == 0) {
    stop_query("source", paste0("The engine has no table ", paste(path, collapse = "."), "."),
      call = call
    )
  }
  check_columns_there(columns, found$columns$name, call)
  computed <- found$columns$hidden[match(columns, found$columns$name)] != 0
  if (any(found$plain != 1) || any(computed)) {
    refuse_engine_table(path, "no plain table, or has computed columns",
      "Make one: CREATE TABLE ... AS SELECT ... .", call
    )
  }
}

# Whether what has the name is plain: a temporary one stands before that of the file.
sqlite_schema <- function(connection, path) {
  ask <- function(...) as.data.frame(DBI::dbGetQuery(connection, paste0(...)))
  name <- quoted_text(path[[length(path)]])
  databases <- if (length(path) == 1) c("main", "temp") else path[[1]]
  plain <- lapply(databases, function(database) {
    ask(
      "SELECT type = 'table' AND sql NOT LIKE 'create virtual%' AS plain FROM ",
      sqlite_name(database), ".sqlite_master WHERE type IN ('table', 'view') AND name = ", name,
      " COLLATE NOCASE"
    )$plain
  })
  of <- if (length(path) > 1) paste0(", ", quoted_text(path[[1]]))
  list(
    plain = unlist(plain),
    columns = ask("SELECT name, hidden FROM pragma_table_xinfo(", name, of, ")")
  )
}

# The projection of one column, and what makes a vector of it, whatever a chunk without values comes
# as.
sqlite_column <- function(x, declared, is_id) {
  text <- paste0("WHEN typeof(", x, ") = 'text' AND instr(", x, ", char(0)) = 0")
  whole <- paste0("WHEN typeof(", x, ") = 'integer'")
  number <- paste0(
    "WHEN typeof(", x, ") = 'real' THEN ", x, " ", whole, " THEN CAST(", x, " AS REAL)"
  )
  column <- function(cases, as) list(sql = paste("CASE", cases, "END"), as = as)
  switch(sqlite_reading(declared, is_id),
    id = column(
      paste0(text, " THEN 't' || ", x, " ", whole, " THEN 'i' || CAST(", x, " AS TEXT)"),
      as.character
    ),
    text = column(paste(text, "THEN", x), as.character),
    whole = column(sqlite_digits(x), function(cells) core_integer64_from_text(as.character(cells))),
    # Two people whose numbers are not 0 are two.
    truth = column(paste(whole, if (is_id) paste("AND", x, "IN (0, 1)"), "THEN", x, "<> 0"),
      as.logical
    ),
    date = column(
      paste0(
        number, " ", text, " AND ", x, " GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'",
        " THEN julianday(", x, ") - 2440587.5"
      ),
      function(cells) structure(as.double(cells), class = "Date")
    ),
    column(number, as.double)
  )
}

# As what a column is read. Doubles are quicker than digits, and as good where all wholes beyond
# 2^53 meet the same bound, which lies below; people and values that are compared need each digit.
sqlite_reading <- function(declared, is_id) {
  type <- declared$type %||% "id"
  number <- type %in% c("integer", "real") || isTRUE(declared$whole)
  if (number && (is_id || type == "levels" || type == "integer" && is.null(declared$lower))) {
    return("whole")
  }
  switch(type, levels = "text", logical = "truth", integer = , real = "number", type)
}

# The digits of a 64-bit whole number, also of one that is kept as a real. The least one is the NA
# of integer64, and no value in any engine.
sqlite_digits <- function(x) {
  paste0(
    "WHEN typeof(", x, ") = 'integer' AND ", x, " >= -9223372036854775807 THEN CAST(", x,
    " AS TEXT) WHEN typeof(", x, ") = 'real' AND ", x, " > -9223372036854775808.0 AND ", x,
    " < 9223372036854775808.0 AND CAST(", x, " AS INTEGER) = ", x, " THEN CAST(CAST(", x,
    " AS INTEGER) AS TEXT)"
  )
}

# The first chunk may be empty, but there is one. Nobody asks how many will come: that would be a
# pass over the table, and is private.
open_chunks <- function(connection, sql, read) {
  result <- DBI::dbSendQuery(connection, sql)
  done <- FALSE
  list(
    `next` = function() {
      if (done) {
        return(NULL)
      }
      chunk <- DBI::dbFetch(result, n = rows_of_chunk)
      done <<- nrow(chunk) < rows_of_chunk
      columns <- Map(function(column, cells) column$as(cells), read, unclass(chunk))
      structure(columns, row.names = .set_row_names(nrow(chunk)), class = "data.frame")
    },
    close = function() DBI::dbClearResult(result)
  )
}
