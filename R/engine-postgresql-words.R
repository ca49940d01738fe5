# PostgreSQL rows as 64-bit words ------------------------------------------------------------------
#
# For the driver, a cell costs more than a row costs the server. So the server packs the rows of
# several pages into one byte string: eight bytes per cell, in network order. Only columns of fixed
# width are packed. The length then follows from the numbers of pages and columns, and no row can
# make it too long.

# NULL if the table cannot be packed. Rows are then read cell by cell.
open_words <- function(table) {
  connection <- table$connection
  columns <- table$schema$columns
  path <- core_engine_path("PostgreSQL", table$path)
  if (!all(columns$kind %in% names(word_of_kind)) || !has_pages(connection, path)) {
    return(NULL)
  }
  result <- DBI::dbSendQuery(connection, words_sql(path, columns, pages_of_words(columns)))
  list(
    `next` = function() {
      cells <- DBI::dbFetch(result, n = 1)[[1]]
      if (length(cells) > 0) rows_of_words(cells[[1]], columns)
    },
    close = function() DBI::dbClearResult(result)
  )
}

# A page has 8 KiB and at most 291 rows, so a chunk has some MiB.
pages_of_words <- function(columns) min(512, max(8, 1536 %/% nrow(columns)))

# Before version 14, the server searched all pages for a range. Child tables have separate pages.
has_pages <- function(connection, table) {
  found <- ask_postgresql(connection, paste0(
    "SELECT c.relkind = 'r' AND NOT c.relhassubclass AND a.amname = 'heap' AND ",
    "CAST(current_setting('server_version_num') AS integer) >= 140000 FROM pg_class AS c ",
    "JOIN pg_am AS a ON a.oid = c.relam WHERE c.oid = CAST(", quoted_text(table), " AS regclass)"
  ))[[1]]
  isTRUE(found)
}

# One statement reads one snapshot, so all its rows are on pages that existed at the start. Each
# chunk is one row of the result. A chunk without rows is NULL.
words_sql <- function(table, columns, pages) {
  word <- mapply(
    function(name, kind) word_of_kind[[kind]](core_engine_path("PostgreSQL", name)),
    columns$name, columns$kind
  )
  at <- function(page) paste0("CAST('(' || CAST(", page, " AS text) || ',0)' AS tid)")
  # The last page number is invalid.
  end <- paste0("LEAST(chunk.page + ", pages, ", 4294967295)")
  size <- paste0("pg_relation_size(CAST(", quoted_text(table), " AS regclass))")
  paste0(
    "SELECT of_pages.words FROM generate_series(0, ", size,
    " / CAST(current_setting('block_size') AS bigint), ", pages, ") AS chunk(page), ",
    "LATERAL (SELECT string_agg(", paste(word, collapse = " || "), ", '') AS words FROM ONLY ",
    table, " WHERE ctid >= ", at("chunk.page"), " AND ctid < ", at(end),
    ") AS of_pages"
  )
}

# Never fails. The least integer or NaN means missing, and neither is a value in any engine.
word_of_kind <- list(
  logical = function(x) {
    word_of_real(paste0("CASE WHEN ", x, " THEN 1 WHEN NOT ", x, " THEN 0 END"))
  },
  whole = function(x) {
    paste0("int8send(COALESCE(CAST(", x, " AS bigint), CAST('-9223372036854775808' AS bigint)))")
  },
  real = function(x) word_of_real(x),
  date = function(x) {
    word_of_real(paste0(
      "CASE WHEN ", x, " >= DATE '0001-01-01' AND ", x, " <= DATE '9999-12-31' THEN ", x,
      " - DATE '1970-01-01' END"
    ))
  }
)

word_of_real <- function(x) {
  paste0("float8send(COALESCE(CAST(", x, " AS float8), CAST('NaN' AS float8)))")
}

rows_of_words <- function(bytes, columns) {
  bytes <- if (is.null(bytes)) raw() else bytes
  words <- readBin(bytes, "double", length(bytes) / 8, endian = "big")
  words <- matrix(words, nrow = nrow(columns))
  cells <- lapply(seq_len(nrow(columns)), function(i) {
    switch(columns$kind[[i]],
      logical = as.logical(words[i, ]),
      whole = structure(words[i, ], class = "integer64"),
      real = words[i, ],
      date = structure(words[i, ], class = "Date")
    )
  })
  structure(stats::setNames(cells, columns$name),
    row.names = .set_row_names(ncol(words)), class = "data.frame"
  )
}
