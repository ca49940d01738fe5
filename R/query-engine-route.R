# Chooses the engine of a query.

# Compiles the statement with a salt of zeros. The core stops, by name, if the engine cannot run the
# query.
engine_sql <- function(query, engine, call) {
  from_core_of(query, core_query_sql(form_of_query(query), engine), call)
}

# Runs all checks that need no rows, before the charge: whether the core can compile the query,
# whether the table has changed, whether the engine can analyse the statement, and whether a stream
# was already read. Returns the engine for the query. If the engine cannot count and rows can be
# read into R, this is an engine that reads them.
engine_for_query <- function(query, engine, call) {
  if (is_sharded(engine)) {
    return(shards_for_query(query, engine, call))
  }
  pulled <- engine[["pulled"]]
  sql <- NULL
  if (is_pushed(engine)) {
    sql <- if (is.null(pulled)) {
      engine_sql(query, engine, call)
    } else {
      tryCatch(engine_sql(query, engine, call), dp_error_unsupported = function(error) NULL)
    }
    if (is.null(sql)) engine <- pulled
  }
  if (classes_cells(query) && is_streamed(engine)) engine$open <- engine$open_noting
  table <- table_behind(engine)
  in_reading(table, call, {
    if (!is.null(sql)) engine_analyse(table, sql, call)
  })
  engine
}

# The table of an engine or of a data frame.
table_behind <- function(place) {
  if (is.data.frame(place)) attr(place, "table", exact = TRUE) else place[["table"]]
}
