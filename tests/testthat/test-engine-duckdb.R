duckdb_settings <- c(
  "SET default_collation = 'nocase'", "SET default_collation = 'nocase.noaccent'",
  "SET default_order = 'desc'", "SET default_null_order = 'nulls_first'",
  "SET default_null_order = 'nulls_last'", "SET threads = 4", "SET integer_division = true",
  "SET ieee_floating_point_ops = false", "SET preserve_insertion_order = false",
  "SET old_implicit_casting = true", "SET errors_as_json = true",
  "SET order_by_non_integer_literal = true", "SET perfect_ht_threshold = 0",
  "SET arrow_large_buffer_size = true", "SET produce_arrow_string_view = true",
  "PRAGMA disable_optimizer", "PRAGMA enable_verification",
  "SET enable_progress_bar = true", "SET memory_limit = '64MB'"
)

test_engine("DuckDB",
  open = local_duckdb, close = close_duckdb,
  types = c(decimal = "DECIMAL(6, 2)", enum = "ENUM ('a')", interval = NA, other = "UUID"),
  settings = duckdb_settings,
  merged = function(connection, data, name) {
    DBI::dbExecute(connection, "SET default_collation = 'nocase'")
    stays_on(connection, data, name)
  }
)
