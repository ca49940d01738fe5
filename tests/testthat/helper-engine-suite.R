# Tests that every engine must pass. A call of test_engine() describes an engine and runs them.

# `open` opens a connection to an empty database while an environment lives, and `close` closes it.
# `routes` are the result of engine_routes(). `run` executes a statement. `using` ends each CREATE
# TABLE.
#
#   types      the SQL type of a column for a type of dp_columns(), if it differs. NA if none exists
#   settings   statements that must not change a result. `reset(connection, setting)` undoes one.
#              Without it each gets a connection
#   merged     writes a table whose texts the engine merges unless a statement compares bytes
#   mutants    changes of counted_query()'s statement that give wrong counts. Those in `failing`
#              make the engine fail
#   unable     reasons why the engine does not have a change of engine_rules, by rule
test_engine <- function(engine, open, close = DBI::dbDisconnect, routes = c("push", "stream"),
                        run = DBI::dbExecute, using = "", types = character(),
                        settings = character(), reset = NULL,
                        merged = stays_on, mutants = statement_mutants, failing = list(),
                        unable = character(), label = engine, parts = names(engine_parts)) {
  it <- as.list(environment())
  for (part in parts) engine_parts[[part]](it)
}

test_of <- function(it, does, test) {
  test_that(paste(it$label, does), {
    local_verbs()
    test(it$open(environment()))
  })
}

engine_parts <- list()

# Tests of results: each has its own connection, and runs if the engine has the `routes`.
engine_tests <- list()

engine_test <- function(does, routes, test) {
  engine_tests[[does]] <<- list(routes = routes, test = test)
}

engine_parts$results <- function(it) {
  for (does in names(engine_tests)) {
    one <- engine_tests[[does]]
    if (all(one$routes %in% it$routes)) {
      test_of(it, does, function(connection) one$test(connection, it))
    }
  }
}

engine_parts$changes <- function(it) test_engine_rules(it$engine, sql_path(it), it$unable)

engine_parts$replacements <- function(it) {
  test_that(paste(it$label, "refuses random replacements of a table, or counts their rows"), {
    local_verbs()
    withr::local_seed(20261127)
    for (route in it$routes) {
      expect_replacements(sql_path(it)$open(environment()), route, in_tier(10, 300))
    }
  })
}

engine_parts$types <- function(it) {
  test_of(it, "reads each type, or refuses it, as dp_columns() says", function(connection) {
    expect_column_rules(it$engine, function(column) {
      type <- if (column %in% names(it$types)) it$types[[column]] else column
      if (is.na(type)) {
        return(NULL)
      }
      it$run(connection, "DROP TABLE IF EXISTS typed")
      it$run(connection, paste0("CREATE TABLE typed (x ", type, ", y integer)", it$using))
      dplyr::tbl(connection, "typed")
    }, rows = 0)
  })
}

engine_parts$readings <- function(it) {
  test_of(it, "reads columns as their declarations say", function(connection) {
    for (route in it$routes) {
      expect_readings(function(data) stays_on(connection, data, "readings"), execute = route)
    }
  })
}

# How many rows and people the ids find. NULL if the session refuses them.
people_of_reals <- function(source, execute) {
  session <- plenty()
  query <- dp_tbl(session, source, dp_unit(id = id), dp_domain(x = dp_int(0, 9)),
    execute = execute
  ) |>
    dp_truncate(max_rows = 1) |>
    summarise(n = dp_count(), people = dp_n_ids())
  released <- tryCatch(release(query, epsilon = 1e13), dp_error_unsupported = function(error) NULL)
  if (is.null(released)) expect_equal(dp_spent(session)[["epsilon"]], 0)
  if (!is.null(released)) round(c(released$n, released$people))
}

real_ids <- function() {
  data.frame(id = c(1, 1, 2, 2.5, -0, 0, 1e300, 2^53, 2^53 + 2, NA), x = 1L)
}

engine_parts$ids <- function(it) {
  if (!"stream" %in% it$routes) {
    return()
  }
  test_of(it, "finds the same people by real ids in R, or refuses them", function(connection) {
    source <- stays_on(connection, real_ids(), "reals")
    for (execute in c("auto", "stream")) {
      expect_equal(people_of_reals(source, execute), c(7, 7), info = execute)
    }
    if ("push" %in% it$routes) expect_null(people_of_reals(source, "push"))
  })
}

engine_parts$settings <- function(it) {
  if (length(it$settings) == 0) {
    return()
  }
  test_that(paste(it$label, "counts the same integers under odd settings"), {
    local_verbs()
    data <- hostile_data()
    expected <- released_parts(data)
    place <- function(env) {
      connection <- it$open(env)
      list(connection = connection, source = stays_on(connection, data, "hostile"))
    }
    shared <- if (!is.null(it$reset)) place(environment())
    for (setting in it$settings) {
      expect_setting(it, setting, expected, place = function(env) shared %||% place(env))
    }
  })
}

expect_setting <- function(it, setting, expected, place) {
  at <- place(environment())
  if (!is.null(it$reset)) withr::defer(it$reset(at$connection, setting))
  it$run(at$connection, setting)
  for (route in it$routes) {
    found <- released_parts(at$source, execute = route)
    expect_equal(found, expected, tolerance = 1e-6, ignore_attr = TRUE,
      info = paste(setting, route)
    )
  }
}

engine_parts$mutants <- function(it) {
  if (!"push" %in% it$routes) {
    return()
  }
  test_of(it, "selects rows by the salt and counts them", function(connection) {
    withr::local_seed(20261125)
    for (people in c(0, 1, 20, 90)) {
      data <- counted_rows(people)
      counted <- engine_counts(it$merged(connection, data, "counted"))
      expect_identical(counted$rows, reference_counts(data, counted$salt), info = people)
    }
  })
  test_of(it, "gives different counts for every mutant of its statement", function(connection) {
    withr::local_seed(20261126)
    data <- counted_rows()
    source <- it$merged(connection, data, "counted")
    for (name in names(it$mutants)) expect_caught(source, data, name, it$mutants[[name]])
    for (name in names(it$failing)) {
      expect_caught(source, data, name, it$failing[[name]], fails = TRUE)
    }
  })
}
