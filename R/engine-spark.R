# Tables of Spark ----------------------------------------------------------------------------------

#' @exportS3Method
engine_name.spark_connection <- function(connection, call) "Spark" # nolint: object_name_linter.

# Rows of a cluster are never read into R.
#' @exportS3Method
engine_routes.spark_table <- function(table) "push" # nolint: object_name_linter.

# Text files and views can fail at single rows. A temporary view hides a table without a database
# name.
#' @exportS3Method
engine_schema.spark_table <- function(table, call) { # nolint: object_name_linter.
  ask <- function(sql) as.data.frame(DBI::dbGetQuery(table$connection, sql))
  check_spark_setting(ask, "spark.sql.analyzer.singlePassResolver.enabled", "false", call)
  rows <- ask(paste("DESCRIBE TABLE EXTENDED", core_engine_path("Spark", table$path)))
  rows[] <- lapply(rows, function(cells) replace(as.character(cells), is.na(cells), ""))
  # An empty name ends the columns. Partitions and table facts follow.
  ends <- match("", rows[[1]], nomatch = nrow(rows) + 1L)
  facts <- rows[-seq_len(match("# Detailed Table Information", rows[[1]], nomatch = nrow(rows))), ]
  fact <- function(name) facts[[2]][match(name, facts[[1]])]
  plain <- tolower(fact("Type")) %in% c("managed", "external") &&
    tolower(fact("Provider")) %in% c("parquet", "orc")
  if (!plain) {
    refuse_engine_table(table$path, "not a table of Parquet or ORC files",
      "Make one: CREATE TABLE ... USING parquet AS SELECT ... .", call
    )
  }
  known <- rows[seq_len(ends - 1L), 1:2]
  known <- known[cumsum(known[[1]] == "# Partition Information") == 0, ]
  columns <- data.frame(name = known[[1]], type = known[[2]])
  columns$kind <- engine_kind("Spark", columns$type)
  check_spark_dates(ask, columns$kind[columns$name %in% table$names], call)
  list(path = spark_path(table$path, fact), kind = "table", columns = columns)
}

# Spark names the catalogue from version 3.4 on.
spark_path <- function(path, fact) {
  found <- c(fact("Catalog"), fact("Database"), fact("Table"))
  if (anyNA(found[-1])) path else found[!is.na(found)]
}

check_spark_setting <- function(ask, name, needed, call) {
  is <- ask(paste("SET", name))$value
  if (!tolower(is[[1]]) %in% c(needed, "<undefined>")) {
    stop_query("source", paste0("Spark's setting `", name, "` must be ", needed, "."),
      "Set it in `sparklyr::spark_config()` or with `SET`.", call
    )
  }
}

# With other settings, dates before 1582 can raise an error.
check_spark_dates <- function(ask, kinds, call) {
  if ("date" %in% kinds) {
    check_spark_setting(ask, "spark.sql.parquet.datetimeRebaseModeInRead", "corrected", call)
  }
}

# EXPLAIN is not safe, because it evaluates some rows.
#' @exportS3Method
engine_analyse.spark_table <- function(table, sql, call) { # nolint: object_name_linter.
  or_else(DBI::dbGetQuery(table$connection, paste("DESCRIBE QUERY", sql)), function(error) {
    stop_query("source", "Spark cannot analyse the statement that the query needs.",
      "If the table has changed, call `dp_tbl()` again.", call
    )
  })
}

# sparklyr stores the text of the last error, which can contain private values. A harmless error
# overwrites it.
#' @exportS3Method
engine_forget.spark_table <- function(table) { # nolint: object_name_linter.
  cleaned_up(DBI::dbGetQuery(table$connection, "SELECT nothing_of_psilence"))
}
