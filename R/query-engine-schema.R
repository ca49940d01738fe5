# Types of engines' columns ------------------------------------------------------------------------

# What a column is read as, by its type in the engine; NA for a type that queries do not read.
engine_kind <- function(dialect, type) {
  type <- tolower(type)
  whole <- switch(dialect,
    postgresql = c("smallint", "integer", "bigint"),
    duckdb = c("tinyint", "smallint", "integer", "bigint", "utinyint", "usmallint", "uinteger"),
    spark = c("tinyint", "smallint", "int", "bigint")
  )
  text <- switch(dialect,
    postgresql = "^(text|character varying|character|citext|uuid)$",
    duckdb = "^varchar$",
    spark = "^(string( collate .*)?|varchar[(][0-9]+[)])$"
  )
  kind <- rep(NA_character_, length(type))
  kind[type == "boolean"] <- "logical"
  kind[type %in% whole] <- "whole"
  kind[type %in% c("real", "double precision", "float", "double")] <- "real"
  kind[is_readable_decimal(dialect, type)] <- "decimal"
  kind[grepl(text, type)] <- "text"
  kind[type == "date"] <- "date"
  kind
}

# Of more than 15 digits DuckDB's cast to a double may be off by its last bit.
is_readable_decimal <- function(dialect, type) {
  decimal <- grepl("^(numeric|decimal)", type)
  if (dialect == "duckdb") {
    digits <- suppressWarnings(as.integer(sub("^decimal\\(([0-9]+),.*$", "\\1", type)))
    decimal <- decimal & !is.na(digits) & digits <= 15
  }
  decimal
}

check_types <- function(columns, call) {
  unread <- match(TRUE, is.na(columns$kind))
  if (!is.na(unread)) {
    stop_query("source",
      paste0(
        "Column ", quoted(columns$name[[unread]]), " has the engine's type ",
        shown_type(columns$type[[unread]]), ", which queries do not read."
      ),
      "Convert it in the engine.", call
    )
  }
}

# Without the parts in parentheses: those of an enum are values, often made of the data.
shown_type <- function(type) sub("[(].*[)]", "", tolower(type))

# Decimals come as doubles, of which two people could have the same one.
check_no_decimal_ids <- function(table, unit, call) {
  columns <- table$schema$columns
  decimal <- intersect(columns$name[columns$kind == "decimal"], unit$id)
  if (table$dialect == "postgresql" && length(decimal) > 0) {
    stop_query("source", paste0("Column ", quoted(decimal[[1]]),
      " holds decimals, which do not identify people."),
      "Give a view that casts it to bigint or text.", call
    )
  }
}
