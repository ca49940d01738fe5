# Table of rules and engines: the effect on a release if its table changed after dp_tbl(). Each cell
# is a test and says what the release does:
#
#   refused   stops with a specific error, and spends nothing
#   kept      counts the rows as they were
#   renewed   counts the replacement rows
#
# A text gives the reason why the engine does not have such a change.

no_views <- "it has no views"
no_names <- "it has no names to look up"
no_connection <- "it has no connection"

# `engine` is the cell of all engines. One that does not have the change says so in test_engine().
cell <- function(frame, arrow, engine) {
  sources <- core_data_sources()
  engines <- sources$name[sources$engine]
  c(`data frame` = frame, Arrow = arrow, stats::setNames(rep(engine, length(engines)), engines))
}

engine_rules <- list(
  dropped = cell("kept", "refused", "refused"),
  `without its id` = cell("kept", "refused", "refused"),
  `without its key` = cell("kept", "refused", "refused"),
  `without its number` = cell("kept", "refused", "refused"),
  retyped = cell("refused", "refused", "refused"),
  `a view` = cell(no_views, no_views, "refused"),
  `a view of more rows` = cell(no_views, no_views, "refused"),
  `behind a temporary table` = cell(no_names, no_names, "kept"),
  `behind a temporary view` = cell(no_names, no_names, "kept"),
  `with one more column` = cell("kept", "kept", "kept"),
  `with other rows` = cell("kept", "renewed", "renewed"),
  unreachable = cell(no_connection, "refused", "refused")
)

# Two rows for each of ten people.
cells_data <- function() {
  data.frame(id = rep(1:10, each = 2), g = rep(c("a", "b"), 10), x = rep(0:4, 4))
}

cells_query <- function(source, session, ...) {
  dp_tbl(session, source, dp_unit(id = id), dp_domain(g = dp_levels("a", "b"), x = dp_int(0, 9)),
    ...
  ) |>
    dp_truncate(max_rows = 2) |>
    group_by(g) |>
    summarise(n = dp_count(), people = dp_n_ids(), x = dp_sum(x))
}

# Replaces a table by a random one: reordered, renamed or retyped columns, extra columns, different
# rows, or a view.
random_replacement <- function() {
  coin <- function(chance) stats::runif(1) < chance
  columns <- sample(cells_columns)
  whole <- names(columns)[columns == "INTEGER"]
  if (coin(0.3)) columns[[sample(whole, 1)]] <- "BIGINT"
  if (coin(0.3)) columns <- c(columns, z = "INTEGER")
  of <- names(columns)
  renamed <- coin(0.3)
  if (renamed) names(columns)[match(sample(names(cells_columns), 1), of)] <- "other"
  view <- coin(0.3)
  data <- cells_data()[sort(sample(20, sample(20, 1))), ]
  list(
    columns = columns, of = of, data = data, view = view,
    refused = renamed || view || "BIGINT" %in% columns
  )
}

replace_cells <- function(run, former, replacement) {
  run(paste("DROP", if (former$view) "VIEW" else "TABLE", "cells"))
  name <- if (replacement$view) paste0("cells_", substr(basename(tempfile("")), 1, 9)) else "cells"
  columns <- replacement$columns
  run(paste0("CREATE TABLE ", name, " (", toString(paste(names(columns), columns)), ")"))
  data <- transform(replacement$data, g = paste0("'", g, "'"), z = 0)
  rows <- paste0("(", do.call(paste, c(unname(as.list(data[replacement$of])), sep = ", ")), ")")
  run(paste("INSERT INTO", name, "VALUES", toString(rows)))
  if (replacement$view) run(paste("CREATE VIEW cells AS SELECT * FROM", name))
}

expect_replacements <- function(it, route, rounds) {
  session <- dp_session(dp_epsilon(1e15))
  query <- cells_query(it$source, session, execute = route)
  former <- list(view = FALSE)
  spent <- 0
  seen <- logical()
  for (round in seq_len(rounds)) {
    replacement <- random_replacement()
    replace_cells(it$run, former, replacement)
    info <- paste(c(route, round, replacement$of, replacement$columns), collapse = " ")
    if (replacement$refused) {
      expect_error(release(query, epsilon = 1e12), class = "dp_error", info = info)
    } else {
      spent <- spent + 1e12
      exact <- release(cells_query(replacement$data, dp_session(dp_epsilon(1e14))), epsilon = 1e12)
      expect_equal(without_noise(release(query, epsilon = 1e12)), without_noise(exact),
        tolerance = 1e-4, ignore_attr = TRUE, info = info
      )
    }
    expect_equal(dp_spent(session)[["epsilon"]], spent, info = info)
    former <- replacement
    seen <- c(seen, replacement$refused)
  }
  expect_setequal(seen, c(TRUE, FALSE))
}

# A path is list(routes, open): further arguments of dp_tbl(), and a function that makes a table
# while an environment lives. `open` returns list(source, change): the source for dp_tbl(), and a
# function that applies a rule, by name, to the table.
test_engine_rules <- function(engine, path, unable = character()) {
  for (rule in setdiff(names(engine_rules), names(unable))) {
    expected <- engine_rules[[rule]][[engine]]
    if (!expected %in% outcomes) next
    test_that(paste0(engine, ": a table that is ", rule, " is ", expected), {
      local_verbs()
      for (route in path$routes) expect_rule(path$open(environment()), rule, route, expected)
    })
    if (expected == "refused" && rule %in% late_rules) {
      test_that(paste0(engine, ": a table that is ", rule, " after the charge gives no number"), {
        local_verbs()
        for (route in path$routes) expect_late(path$open(environment()), rule, route)
      })
    }
  }
}

outcomes <- c("refused", "kept", "renewed")

# Reading rejects the same tables as the check, by the same code.
late_rules <- c("dropped", "without its id", "retyped", "a view of more rows")

expect_rule <- function(it, rule, route, expected) {
  session <- dp_session(dp_epsilon(1e14))
  query <- cells_query(it$source, session, execute = route)
  before <- as.data.frame(release(query, epsilon = 1e13))
  expect_equal(before$n, c(10, 10), info = route)
  it$change(rule)
  if (expected == "refused") {
    error <- expect_error(release(query, epsilon = 1e13), class = "dp_error", info = route)
    expect_true(inherits(error, c("dp_error_source", "dp_error_domain")), info = route)
    expect_equal(dp_spent(session)[["epsilon"]], 1e13, info = route)
  } else {
    after <- as.data.frame(release(query, epsilon = 1e13))
    if (expected == "renewed") before$n <- before$people <- c(1, 0)
    expect_equal(after[-4], before[-4], tolerance = 1e-6, info = route)
  }
}

# The table changes between the check and the reading.
expect_late <- function(it, rule, route) {
  session <- dp_session(dp_epsilon(1))
  query <- cells_query(it$source, session, execute = route)
  run <- raw_release
  local_replaced("raw_release", function(...) {
    it$change(rule)
    run(...)
  })
  expect_error(release(query, epsilon = 0.25), class = "dp_error_backend", info = route)
  expect_equal(dp_spent(session)[["epsilon"]], 0.25, info = route)
}

# Paths --------------------------------------------------------------------------------------------

# Package data.table changes a data frame and its columns in place.
frame_path <- list(routes = "auto", open = function(env) {
  data <- data.table::as.data.table(cells_data())
  renamed <- function(name) data.table::setnames(data, name, "other")
  changes <- list(
    dropped = function() data <<- NULL,
    `without its id` = function() renamed("id"),
    `without its key` = function() renamed("g"),
    `without its number` = function() renamed("x"),
    retyped = function() data.table::setattr(data$x, "class", "difftime"),
    `with one more column` = function() data.table::set(data, j = "z", value = 1L),
    `with other rows` = function() data.table::set(data, j = "g", value = rep("a", 20))
  )
  list(source = data, change = function(rule) changes[[rule]]())
})

# Data from a package with its own stream method.
arrow_path <- list(routes = "auto", open = function(env) {
  registerS3method("as_nanoarrow_array_stream", "stays_that_move",
    function(x, ..., schema = NULL) {
      nanoarrow::basic_array_stream(list(nanoarrow::as_nanoarrow_array(x$held$data)))
    },
    envir = asNamespace("nanoarrow")
  )
  held <- list2env(list(data = cells_data()))
  without <- function(name) held$data[[name]] <- NULL
  changes <- list(
    dropped = function() held$data <- NULL,
    `without its id` = function() without("id"),
    `without its key` = function() without("g"),
    `without its number` = function() without("x"),
    retyped = function() held$data$x <- as.character(held$data$x),
    `with one more column` = function() held$data$z <- 1,
    `with other rows` = function() held$data <- held$data[1, ],
    unreachable = function() held$data <- quote(nowhere)
  )
  list(
    source = structure(list(held = held), class = "stays_that_move"),
    change = function(rule) changes[[rule]]()
  )
})

# Names and types of columns, in words that all SQL engines know.
cells_columns <- c(id = "INTEGER", g = "VARCHAR(9)", x = "INTEGER")

write_cells <- function(run, columns = cells_columns, data = cells_data(), using = "") {
  run(paste0("CREATE TABLE cells (", toString(paste(names(columns), columns)), ")", using))
  if (nrow(data) == 0) {
    return()
  }
  rows <- paste0("(", data$id, ", '", data$g, "', ", data$x, ")")
  run(paste("INSERT INTO cells VALUES", toString(rows)))
}

# Changes of a table in an engine, each by one or more statements.
sql_changes <- function(run, using = "") {
  again <- function(columns, data = cells_data()) {
    run("DROP TABLE cells")
    write_cells(run, columns, data, using)
  }
  without <- function(name) {
    columns <- cells_columns
    names(columns)[names(columns) == name] <- "other"
    again(columns)
  }
  view <- function(of) {
    run("ALTER TABLE cells RENAME TO hidden_cells")
    run(paste("CREATE VIEW cells AS SELECT c.id, c.g, c.x FROM", of))
  }
  list(
    dropped = function() run("DROP TABLE cells"),
    `without its id` = function() without("id"),
    `without its key` = function() without("g"),
    `without its number` = function() without("x"),
    retyped = function() again(replace(cells_columns, "x", "BIGINT")),
    `a view` = function() view("hidden_cells AS c"),
    `a view of more rows` = function() view("hidden_cells AS c, hidden_cells AS d"),
    `behind a temporary table` = function() {
      run(paste("CREATE TEMPORARY TABLE cells AS SELECT 1 AS id, 'a' AS g, 1 AS x"))
    },
    `behind a temporary view` = function() {
      run("CREATE TEMPORARY VIEW cells AS SELECT 1 AS id, 'a' AS g, 1 AS x")
    },
    `with one more column` = function() run("ALTER TABLE cells ADD COLUMN z INTEGER"),
    `with other rows` = function() again(cells_columns, cells_data()[1, ])
  )
}

# Changes of a table on a connection of the engine `it`, see test_engine().
sql_path <- function(it) {
  list(routes = it$routes, open = function(env) {
    connection <- it$open(env)
    to <- function(sql) it$run(connection, sql)
    write_cells(to, using = it$using)
    changes <- sql_changes(to, it$using)
    changes$unreachable <- function() it$close(connection)
    list(
      source = dplyr::tbl(connection, "cells"), change = function(rule) changes[[rule]](), run = to
    )
  })
}
