# Three servers as shards of one table.

servers <- lapply(1:3, function(i) local_postgres(env = testthat::teardown_env()))

# Splits patients by a hash of their names.
parts_of_hospital <- function(data = hospital()) {
  place <- vapply(data$patient, function(name) sum(utf8ToInt(name)) %% 3, 0)
  unname(split(data, place))
}

connections_to <- function(servers, env = parent.frame()) {
  lapply(servers, function(server) local_connection(server, env))
}

shards_on <- function(connections, parts = parts_of_hospital(), split_by_id = TRUE) {
  tables <- Map(function(connection, part) stays_on(connection, part), connections, parts)
  do.call(dp_shards, c(unname(tables), list(split_by_id = split_by_id)))
}

counted_stays <- function(source, session = plenty(), ...) {
  dp_tbl(session, source, dp_unit(id = patient), hospital_domain(), ...) |>
    filter(days %% 7L != 3L) |>
    dp_truncate(max_rows = 2, keep = "first", order = admitted) |>
    group_by(ward) |>
    summarise(
      n = dp_count(), people = dp_n_ids(), days = dp_sum(days), cost = dp_mean(cost),
      spread = dp_var(days), median = dp_median(days, at = 0:60), none = dp_n_missing(cost)
    )
}

exactly <- function(query) as.data.frame(exact_release(query))

# The error of an engine. That the noise is large is said before it.
backend_error <- function(code) {
  suppressWarnings(expect_error(code, class = "dp_error_backend"), classes = "dp_warning_noise")
}

test_that("three PostgreSQL servers count the rows of the data frame", {
  local_verbs()
  data <- hospital()
  data$cost[c(1, 5, 9)] <- c(NaN, Inf, NA)
  data$ward[3] <- "'; DROP TABLE stays; --"
  data$patient[7] <- "nobody"
  shards <- shards_on(connections_to(servers), parts_of_hospital(data))
  expected <- exactly(counted_stays(data))
  expect_gt(sum(expected$n), 100)
  for (execute in c("push", "stream")) {
    found <- exactly(counted_stays(shards, execute = execute))
    expect_equal(found, expected, tolerance = 1e-6, ignore_attr = TRUE, info = execute)
  }
})

test_that("random hostile tables give equal counts in three places, and in mixtures", {
  local_verbs()
  domain <- dp_domain(
    kind = dp_levels("x", "X", "x ", "\"", "\\'", "\u00e9", "\U1F600", ""),
    size = dp_int(-3, 3), cost = dp_num(-2.5, 2.5), paid = dp_flag()
  )
  released <- function(source) {
    dp_tbl(plenty(), source, dp_unit(id = who), domain) |>
      dp_truncate(max_rows = 1000) |>
      group_by(kind) |>
      summarise(
        n = dp_count(), people = dp_n_ids(), size = dp_sum(size), cost = dp_sum(cost),
        paid = dp_sum(paid), none = dp_n_missing(cost)
      ) |>
      exactly()
  }
  withr::local_seed(20261124)
  connections <- connections_to(servers[1:2])
  duckdb <- local_duckdb()
  for (rows in c(1, 40, 400)) {
    data <- hostile_rows(rows)
    place <- match(data$who, unique(data$who)) %% 4
    part <- function(i) data[place == i, ]
    shards <- dp_shards(
      stays_on(connections[[1]], part(0), "hostile"), stays_on(duckdb, part(1), "hostile"),
      part(2), stays_on(connections[[2]], part(3), "hostile"),
      split_by_id = TRUE
    )
    expect_equal(released(shards), released(data), tolerance = 1e-6, info = rows)
  }
})

# A view of the stays whose days wait for a lock, and the session that holds the lock.
slow_stays_on <- function(connection, server, part, env = parent.frame()) {
  stays_on(connection, part)
  watcher <- local_connection(server, env)
  DBI::dbExecute(watcher, paste(
    "CREATE FUNCTION waits(integer) RETURNS integer LANGUAGE plpgsql VOLATILE AS",
    "'BEGIN PERFORM pg_advisory_xact_lock(7); RETURN $1; END'"
  ))
  DBI::dbExecute(watcher, paste(
    "CREATE VIEW slow AS SELECT patient, ward, waits(days) AS days, cost, urgent, admitted",
    "FROM stays"
  ))
  DBI::dbExecute(watcher, "SELECT pg_advisory_lock(7)")
  # A server that does not answer before counting fails the test.
  DBI::dbExecute(connection, "SET lock_timeout = '60s'")
  list(table = dplyr::tbl(connection, "slow"), watcher = watcher)
}

# Calls `then` when all statements have been sent.
local_begun <- function(shards, then, env = parent.frame()) {
  begin <- begin_on_postgresql
  begun <- 0
  local_replaced("begin_on_postgresql", env = env, function(...) {
    parts <- begin(...)
    begun <<- begun + 1
    if (begun == shards) then()
    parts
  })
}

test_that("servers count in parallel: all statements are sent before any is awaited", {
  local_verbs()
  slow <- Map(slow_stays_on, connections_to(servers), servers, parts_of_hospital(),
    MoreArgs = list(env = environment())
  )
  withr::defer(for (server in servers) {
    on_server(server, "DROP VIEW slow")
    on_server(server, "DROP FUNCTION waits(integer)")
  })
  # Only now may any of them count.
  unlock <- function() {
    for (one in slow) DBI::dbExecute(one$watcher, "SELECT pg_advisory_unlock(7)")
  }
  local_begun(3, unlock)
  shards <- do.call(dp_shards, c(unname(lapply(slow, `[[`, "table")), list(split_by_id = TRUE)))
  expect_equal(exactly(counted_stays(shards)), exactly(counted_stays(hospital())),
    tolerance = 1e-6, ignore_attr = TRUE
  )
})

test_that("two tables on one connection take turns", {
  local_verbs()
  connection <- connections_to(servers[1])[[1]]
  parts <- parts_of_hospital()
  tables <- Map(function(part, name) stays_on(connection, part, name), parts, c("a", "b", "c"))
  shards <- do.call(dp_shards, c(unname(tables), list(split_by_id = TRUE)))
  expect_equal(exactly(counted_stays(shards)), exactly(counted_stays(hospital())),
    tolerance = 1e-6, ignore_attr = TRUE
  )
  expect_false(is_transacting(connection))
})

test_that("connections are unchanged, even after a failed release", {
  local_verbs()
  connections <- connections_to(servers)
  shards <- shards_on(connections)
  DBI::dbExecute(connections[[2]], paste(
    "CREATE VIEW failing AS SELECT patient, ward, cost, urgent, admitted,",
    "CASE WHEN days = 9 THEN 1 / (days - 9) ELSE days END AS days FROM stays"
  ))
  withr::defer(on_server(servers[[2]], "DROP VIEW failing"))
  failing <- dp_shards(
    dplyr::tbl(connections[[1]], "stays"), dplyr::tbl(connections[[2]], "failing"),
    dplyr::tbl(connections[[3]], "stays"),
    split_by_id = TRUE
  )
  session <- dp_session(dp_epsilon(1))
  error <- expect_no_warning(backend_error(
    release(counted_stays(failing, session), epsilon = 0.25)
  ))
  expect_no_match(conditionMessage(error), "zero|division")
  expect_equal(dp_spent(session)[["epsilon"]], 0.25)
  for (connection in connections) expect_false(is_transacting(connection))
  expect_equal(exactly(counted_stays(shards)), exactly(counted_stays(hospital())),
    tolerance = 1e-6, ignore_attr = TRUE
  )
})

# This test is last, because it kills the server.
test_that("a server killed while counting fails the release, and the charge stays", {
  local_verbs()
  doomed <- servers[[2]]$connect()
  withr::defer(suppressWarnings(DBI::dbDisconnect(doomed)))
  connections <- append(connections_to(servers[c(1, 3)]), doomed, after = 1)
  parts <- parts_of_hospital()
  gone <- rlang::env()
  withr::defer(suppressWarnings(withr::deferred_run(gone)))
  slow <- slow_stays_on(doomed, servers[[2]], parts[[2]], env = gone)
  shards <- dp_shards(
    stays_on(connections[[1]], parts[[1]]), slow$table, stays_on(connections[[3]], parts[[3]]),
    split_by_id = TRUE
  )
  session <- dp_session(dp_epsilon(1))
  query <- counted_stays(shards, session)
  local_begun(3, function() servers[[2]]$stop("immediate"))
  error <- expect_no_warning(backend_error(release(query, epsilon = 0.25)))
  expect_match(conditionMessage(error), "Nothing was released, but the budget was spent",
    fixed = TRUE
  )
  expect_no_match(conditionMessage(error), "server|connection|terminat")
  expect_equal(dp_spent(session)[["epsilon"]], 0.25)
  for (i in c(1, 3)) expect_false(is_transacting(connections[[i]]))
  # A failed lookup costs nothing.
  expect_error(release(query, epsilon = 0.25), "Shard 2: ", class = "dp_error_source")
  expect_equal(dp_spent(session)[["epsilon"]], 0.25)
  servers[[2]]$start()
  on_server(servers[[2]], "DROP VIEW slow")
  again <- shards_on(connections_to(servers))
  expect_equal(exactly(counted_stays(again)), exactly(counted_stays(hospital())),
    tolerance = 1e-6, ignore_attr = TRUE
  )
})
