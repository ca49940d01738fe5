# Tables of a ledger in PostgreSQL.

# Tries to make the tables, because a ledger that moves is closed before they are made for good.
check_vacant_table <- function(where) {
  with_connection(where, function(connection) {
    begin_transaction(connection)
    make_tables(connection, where)
    DBI::dbExecute(connection, "ROLLBACK")
  })
}

refuse_table <- function(connection, where) {
  sql <- paste0("SELECT to_regclass('", where$table, "') IS NULL AS vacant")
  if (!DBI::dbGetQuery(connection, sql)$vacant) {
    stop_dp("table `{where$table}` exists: open it with dp_ledger().", "ledger", call = NULL)
  }
}

create_tables <- function(where, lines) {
  with_connection(where, function(connection) {
    begin_transaction(connection)
    make_tables(connection, where)
    commit_lines(connection, where, 0, lines)
  })
}

make_tables <- function(connection, where) {
  refuse_table(connection, where)
  for (sql in table_definitions(where$table)) DBI::dbExecute(connection, sql)
  check_keeps_commits(connection, where)
}

table_definitions <- function(table) {
  c(
    sprintf("CREATE TABLE %s (seq bigint PRIMARY KEY, line text NOT NULL)", table),
    # The core rejects a second claim. This index does so even if another program writes.
    sprintf("CREATE UNIQUE INDEX ON %s ((line::jsonb ->> 'claim'))", table),
    sprintf("CREATE TABLE %s_kept (name text PRIMARY KEY, content text NOT NULL)", table),
    sprintf(paste(
      "CREATE FUNCTION %s_refuse() RETURNS trigger LANGUAGE plpgsql AS",
      "'BEGIN RAISE EXCEPTION ''a ledger is only ever appended to''; END'"
    ), table),
    sprintf(paste(
      "CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON %s",
      "FOR EACH STATEMENT EXECUTE FUNCTION %s_refuse()"
    ), table, table)
  )
}
