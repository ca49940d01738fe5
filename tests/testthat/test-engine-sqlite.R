test_engine("SQLite", open = open_sqlite, routes = "stream", types = c(blob = "BLOB", other = NA))
