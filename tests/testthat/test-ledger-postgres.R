# One server for all tests of this file.
server <- local_postgres(env = testthat::teardown_env())
fresh_table <- local({
  count <- 0
  function() paste0("ledger_", count <<- count + 1)
})
fresh_ledger <- function(...) table_ledger(server, table = fresh_table(), ...)

test_that("a PostgreSQL ledger is created once and charged like a folder", {
  ledger <- fresh_ledger()
  first <- with_ledger(ledger, mean_age()$release(hundred))
  expect_identical(dp_spent(dp_ledger(ledger$where)), c(epsilon = 0.25, delta = 0))
  again <- quietly_reused(with_ledger(dp_ledger(ledger$where), mean_age()$release(hundred)))
  expect_identical(again$release, first$release)
  expect_identical(attr(again, "reused"), 2)
  expect_identical(spent_in(ledger), 0.25)
  expect_error(
    with_ledger(ledger, mean_age(1)$release(hundred)), "0.75 is left of 1",
    class = "dp_error_budget"
  )
  expect_error(table_ledger(server, 9, ledger$where$table), "exists", class = "dp_error_ledger")
  expect_match(format(ledger), paste("table   ", ledger$where$table), fixed = TRUE, all = FALSE)
})

test_that("records equal the records of a folder, so its verifiers read them", {
  ledger <- fresh_ledger()
  result <- with_ledger(ledger, mean_age()$release(hundred))
  folder <- local_ledger()
  writeLines(table_lines(server, ledger$where$table), ledger_text(folder))
  copy <- dp_ledger(folder$where, head = dp_ledger_head(ledger))
  expect_identical(dp_history(copy), dp_history(ledger))
  checks <- verify_release(dp_receipt(result), ledger, value = result$release)
  expect_identical(unique(checks$result[checks$check != "signature"]), "passed")
  verified <- dp_ledger_verify(ledger$where, head = dp_ledger_head(ledger))
  expect_match(verified$detail[[5]], "^1 of them")
})

test_that("a key, versions and allocations work as in a folder", {
  key <- dp_key(withr::local_tempfile(fileext = ".pem"), create = TRUE)
  ledger <- fresh_ledger(key = key)
  dp_new_version(ledger, "2026-04")
  place <- dp_postgres(server$connect, fresh_table())
  child <- dp_allocate(ledger, dp_epsilon(0.5), place)
  with_ledger(child, mean_age()$release(hundred))
  dp_take_back(ledger, child)
  dp_raise(ledger, dp_epsilon(2))
  expect_identical(dp_remaining(dp_ledger(ledger$where, key = key))[[1]], 1.75)
  expect_error(dp_ledger(ledger$where), "key", class = "dp_error_ledger")
})

test_that("a ledger moves from a folder into a database, and back", {
  folder <- local_ledger()
  first <- with_ledger(folder, mean_age()$release(hundred))
  head <- dp_ledger_head(folder)
  place <- dp_postgres(server$connect, fresh_table())
  moved <- dp_ledger_move(folder, place)
  expect_identical(dp_ledger(place, head = head)$where$table, place$table)
  again <- quietly_reused(with_ledger(moved, mean_age()$release(hundred)))
  expect_identical(again$release, first$release)
  expect_error(with_ledger(folder, mean_age(0.5)$release(hundred)),
    paste0("goes on in table ", place$table), class = "dp_error_ledger"
  )
  with_ledger(moved, mean_age(0.125)$release(hundred))
  back <- dp_ledger_move(moved, file.path(withr::local_tempdir(), "back.ledger"))
  expect_identical(spent_in(back), 0.375)
  expect_match(dp_ledger_verify(back$where, head = head)$detail[[5]], "^2 of them")
  expect_error(with_ledger(moved, mean_age(0.5)$release(hundred)), "goes on in folder",
    class = "dp_error_ledger"
  )
})

test_that("an interrupted move is not completed in a table of another database", {
  on_server(server, "CREATE DATABASE elsewhere")
  elsewhere <- function() {
    DBI::dbConnect(RPostgres::Postgres(), dbname = "elsewhere", host = server$folder,
      user = "curator"
    )
  }
  folder <- local_ledger()
  place <- dp_postgres(server$connect, fresh_table())
  moved_handle(folder, place)
  expect_error(dp_ledger_move(folder, dp_postgres(elsewhere, place$table)), "in database postgres",
    class = "dp_error_ledger"
  )
  moved <- dp_ledger_move(folder, place)
  with_ledger(moved, mean_age()$release(hundred))
  expect_error(dp_ledger(dp_postgres(elsewhere, place$table)), class = "dp_error_storage")
})

test_that("a place where no table can be made closes and charges nothing", {
  on_server(server, "CREATE ROLE reader LOGIN")
  folder <- local_ledger()
  places <- list(
    dp_postgres(function() server$connect("reader"), fresh_table()),
    dp_postgres(server$connect, paste0("missing.", fresh_table()))
  )
  for (place in places) {
    expect_error(dp_ledger_move(folder, place), class = "dp_error_storage")
    expect_error(dp_allocate(folder, dp_epsilon(0.5), place), class = "dp_error_storage")
  }
  expect_identical(spent_in(folder), 0)
  with_ledger(folder, mean_age()$release(hundred))
  place <- dp_postgres(server$connect, fresh_table())
  expect_identical(spent_in(dp_ledger_move(folder, place)), 0.25)
})

test_that("D_LED_6: rows can only be appended, and tampering is detected", {
  ledger <- fresh_ledger()
  table <- ledger$where$table
  with_ledger(ledger, mean_age()$release(hundred))
  for (sql in c("UPDATE %s SET line = 'x'", "DELETE FROM %s WHERE seq = 2", "TRUNCATE %s")) {
    expect_error(on_server(server, sprintf(sql, table)), "only ever appended")
  }
  head <- dp_ledger_head(ledger)
  on_server(server, sprintf("ALTER TABLE %s DISABLE TRIGGER append_only", table))
  on_server(server, sprintf("DELETE FROM %s WHERE seq = 4", table))
  expect_error(dp_spent(ledger), "changed, or is gone", class = "dp_error_ledger")
  expect_error(dp_ledger(ledger$where, head = head), "older copy", class = "dp_error_ledger")
  verify <- c(
    "connect <- function() DBI::dbConnect(RPostgres::Postgres(), dbname = 'postgres',",
    "  host = where, user = 'curator')",
    sprintf("dp_ledger_verify(dp_postgres(connect, '%s'))", table)
  )
  good <- run_r(verify, server$folder)
  expect_identical(good$status, 0L)
  cheaper <- "UPDATE %s SET line = replace(line, '\"epsilon\":\"0.25\"', '\"epsilon\":\"0.20\"')"
  on_server(server, sprintf(cheaper, table))
  expect_error(dp_ledger_verify(ledger$where), "line 3", class = "dp_error_ledger")
  bad <- run_r(verify, server$folder)
  expect_false(bad$status == 0L)
  expect_match(bad$stderr, "line 3")
})

# A new process forks them. Among children of a process that had run many tests, one held the lock
# for more than half a minute on a busy machine.
test_that("D_LED_2: sixteen processes that ask for 800 get the available hundred", {
  ledger <- fresh_ledger(25)
  ask <- c(
    "connect <- function() DBI::dbConnect(RPostgres::Postgres(), dbname = 'postgres',",
    "  host = where, user = 'curator')",
    "ask <- function(i) {",
    sprintf("  mine <- dp_ledger(dp_postgres(connect, '%s'))", ledger$where$table),
    "  loss <- list(c(0.25, 0), c(0.25, 0))",
    "  sum(vapply(1:50, function(j) tryCatch({",
    "    PSIlence:::charge_ledger(mine, list(plan = strrep('a', 64), loss = loss))",
    "    1",
    "  }, dp_error_budget = function(error) 0), 0))",
    "}",
    "granted <- parallel::mclapply(1:16, ask, mc.cores = 16)",
    "cat(unlist(granted))"
  )
  asked <- run_r(ask, server$folder)
  granted <- suppressWarnings(as.numeric(strsplit(asked$stdout, " ")[[1]]))
  expect_length(granted, 16)
  expect(identical(sum(granted), 100), paste("Granted:", asked$stdout, asked$stderr))
  expect_identical(spent_in(dp_ledger(ledger$where)), 25)
  expect_identical(nrow(dp_history(ledger)), 100L)
})

# Runs `code` while transactions end with `commit`.
with_commit <- function(commit, code) {
  local_replaced("commit", commit)
  code
}

test_that("D_LED_4: a connection lost after the charge gives nothing back", {
  ledger <- fresh_ledger()
  lost <- function(code) {
    expect_error(suppressWarnings(code), class = "dp_error_storage")
    expect_error(dp_spent(ledger), "open it again", class = "dp_error_ledger")
  }
  # Lost after the commit, before its answer.
  with_commit(
    function(connection) {
      DBI::dbExecute(connection, "COMMIT")
      stop("server closed the connection unexpectedly")
    },
    lost(with_ledger(ledger, mean_age()$release(hundred)))
  )
  ledger <- dp_ledger(ledger$where)
  expect_identical(spent_in(ledger), 0.25)
  # Lost before the commit: nothing was charged and nothing released.
  with_commit(
    function(connection) {
      DBI::dbExecute(connection, "SELECT pg_terminate_backend(pg_backend_pid())")
    },
    lost(with_ledger(ledger, mean_age()$release(hundred)))
  )
  expect_identical(spent_in(dp_ledger(ledger$where)), 0.25)
})

test_that("D_LED_7: after interrupts at any moment, each release has exactly one charge", {
  ledger <- fresh_ledger(1e6)
  open <- bquote({
    connect <- function() {
      DBI::dbConnect(RPostgres::Postgres(), dbname = "postgres", host = .(server$folder),
        user = "curator"
      )
    }
    dp_ledger(dp_postgres(connect, .(ledger$where$table)))
  })
  expect_all_paid(stopped_releases(open, one_release, 28), ledger)
})

test_that("D_LED_2: a forked process opens its own connection", {
  ledger <- fresh_ledger()
  server_process <- function() {
    with_connection(ledger$where, function(connection) {
      DBI::dbGetQuery(connection, "SELECT pg_backend_pid() AS process")$process
    })
  }
  mine <- server_process()
  expect_identical(server_process(), mine)
  children <- unlist(in_forks(1:2, function(i) {
    found <- c(server_process(), server_process())
    gc()
    found
  }, 2))
  expect_identical(children[c(1, 3)], children[c(2, 4)])
  expect_length(unique(c(mine, children)), 3)
  # It stays open, whatever the children closed.
  expect_identical(server_process(), mine)
  # A lost connection is replaced.
  on_server(server, sprintf("SELECT pg_terminate_backend(%d)", mine))
  expect_false(identical(server_process(), mine))
})

test_that("many opened places do not use up the server's connections", {
  ledger <- fresh_ledger()
  used <- function() {
    with_connection(ledger$where, function(connection) {
      DBI::dbGetQuery(connection, "SELECT count(*)::int AS n FROM pg_stat_activity")$n
    })
  }
  before <- used()
  for (i in 1:80) {
    local({
      own <- i
      dp_ledger(dp_postgres(function() server$connect(if (own > 0) "curator"), ledger$where$table))
    })
  }
  # The server ends sessions of closed connections after a while.
  give_up <- Sys.time() + 120
  while (used() >= before + 10 && Sys.time() < give_up) Sys.sleep(0.1)
  expect_lt(used(), before + 10)
  expect_identical(spent_in(ledger), 0)
})

test_that("D_LED_2: a waiting writer gets the lock or an error saying that nothing was spent", {
  ledger <- fresh_ledger()
  table <- ledger$where$table
  other <- server$connect()
  on.exit(DBI::dbDisconnect(other))
  DBI::dbExecute(other, "BEGIN")
  DBI::dbGetQuery(other, sprintf("SELECT seq FROM %s WHERE seq = 0 FOR UPDATE", table))
  connection <- server$connect()
  begin_transaction(connection)
  expect_error(lock_first_row(connection, ledger$where, 600), "Nothing was spent",
    class = "dp_error_ledger"
  )
  DBI::dbExecute(other, "COMMIT")
  expect_silent(lock_first_row(connection, ledger$where, 0))
  DBI::dbDisconnect(connection)
  expect_identical(spent_in(ledger), 0)
})

test_that("D_LED_2: a waiting writer waits while other writers take turns", {
  ledger <- fresh_ledger()
  others <- list(server$connect(), server$connect())
  connection <- server$connect()
  on.exit(lapply(c(others, connection), DBI::dbDisconnect))
  turns <- 0
  # The next writer comes before the waiting one, which has no patience with a stuck lock holder.
  next_turn <- function(connection, where) {
    if (turns > 0) DBI::dbExecute(others[[(turns - 1) %% 2 + 1]], "ROLLBACK")
    if (turns < 6) {
      begin_transaction(others[[turns %% 2 + 1]])
      lock_first_row(others[[turns %% 2 + 1]], where, 0)
    }
    turns <<- turns + 1
  }
  next_turn(connection, ledger$where)
  local_replaced("wait_for_row", next_turn)
  begin_transaction(connection)
  expect_silent(lock_first_row(connection, ledger$where, 0))
  expect_identical(turns, 7)
})

test_that("D_LED_4: a server that dies before the mark leaves a charge to go on with", {
  ledger <- fresh_ledger()
  run <- release_statistic
  local_replaced("release_statistic", function(...) {
    server$stop("immediate")
    run(...)
  })
  expect_error(
    with_ledger(ledger, mean_age()$release(hundred)), class = "dp_error_storage"
  )
  local_replaced("release_statistic", run)
  expect_error(dp_ledger(ledger$where), "cannot be read", class = "dp_error_storage")
  server$start()
  ledger <- dp_ledger(ledger$where)
  expect_type(with_ledger(ledger, mean_age()$release(hundred))$release, "double")
  expect_identical(spent_in(ledger), 0.25)
})

test_that("D_LED_4: a server that dies after the mark leaves it charged, and a release", {
  ledger <- fresh_ledger()
  draw <- released_by
  local_replaced("released_by", function(...) {
    server$stop("immediate")
    draw(...)
  })
  expect_warning(
    result <- with_ledger(ledger, mean_age()$release(hundred)), "could not be stored",
    class = "dp_warning_store"
  )
  local_replaced("released_by", draw)
  expect_true(is.finite(result$release))
  server$start()
  ledger <- dp_ledger(ledger$where)
  expect_identical(spent_in(ledger), 0.25)
  with_ledger(ledger, mean_age()$release(hundred))
  expect_identical(spent_in(ledger), 0.5)
})

test_that("D_LED_2: of sixteen processes one is charged, and all have its answer", {
  ledger <- fresh_ledger()
  ask <- c(
    "connect <- function() DBI::dbConnect(RPostgres::Postgres(), dbname = 'postgres',",
    "  host = where, user = 'curator')",
    "age <- dpMean(mechanism = 'mechanismLaplace', varType = 'numeric', variable = 'age',",
    "  n = 100, rng = c(18, 93), epsilon = 0.25)",
    "ask <- function(i) {",
    sprintf("  mine <- dp_ledger(dp_postgres(connect, '%s'))", ledger$where$table),
    "  suppressMessages(with_ledger(mine, age$release({",
    "    Sys.sleep(1)",
    "    data.frame(age = rep(c(20, 40), 50))",
    "  })))$release",
    "}",
    "answers <- parallel::mclapply(1:16, ask, mc.cores = 16)",
    "cat(format(unlist(answers), digits = 17))"
  )
  asked <- run_r(ask, server$folder)
  answers <- strsplit(asked$stdout, " +")[[1]]
  expect(length(answers) == 16, paste("Answered:", asked$stdout, asked$stderr))
  expect_length(unique(answers), 1)
  expect_identical(nrow(dp_history(dp_ledger(ledger$where))), 1L)
})

test_that("D_LED_2: a process that dies goes on as in a folder", {
  ledger <- fresh_ledger()
  statistic <- mean_age()
  release <- function(data) with_ledger(ledger, statistic$release(data))
  die <- function() tools::pskill(Sys.getpid(), tools::SIGKILL)
  in_dying_fork <- function(act) {
    suppressWarnings(parallel::mccollect(parallel::mcparallel(act(), silent = TRUE)))
  }
  in_dying_fork(function() {
    local_replaced("release_statistic", function(...) die())
    release(hundred)
  })
  in_dying_fork(function() {
    keep <- keep_text
    local_replaced("keep_text", function(...) {
      keep(...)
      die()
    })
    release(hundred)
  })
  again <- quietly_reused(release(hundred))
  expect_identical(attr(again, "reused"), 2)
  kinds <- vapply(lapply(table_lines(server, ledger$where$table), core_parse_canonical_json),
    `[[`, "", "kind"
  )
  expect_identical(kinds[-(1:2)], c("charge", "rerun", "mark", "release"))
})

test_that("a claim is unique in its table, and a table of an older version takes claims", {
  ledger <- fresh_ledger()
  table <- ledger$where$table
  with_ledger(ledger, mean_age()$release(hundred))
  copy <- "INSERT INTO %s SELECT 99, line FROM %s WHERE seq = 2"
  expect_error(on_server(server, sprintf(copy, table, table)), "unique")
  on_server(server, sprintf("DROP INDEX %s_expr_idx", table))
  with_ledger(ledger, mean_age(0.5)$release(hundred))
  expect_identical(spent_in(dp_ledger(ledger$where)), 0.75)
})

test_that("an analyst with the documented rights charges and stores, and changes nothing", {
  ledger <- fresh_ledger()
  table <- ledger$where$table
  analyst <- server
  analyst$connect <- function() server$connect("analyst")
  on_server(server, "CREATE ROLE analyst LOGIN")
  mine <- function() dp_ledger(dp_postgres(analyst$connect, table))
  expect_error(mine(), "permission denied", class = "dp_error_storage")
  grant <- function(rights, tables) {
    on_server(server, sprintf("GRANT %s ON %s TO analyst", rights, tables))
  }
  # Without UPDATE the first row cannot be locked, so two writers could spend the same budget.
  grant("SELECT, INSERT", table)
  expect_error(mine(), "permission denied", class = "dp_error_storage")
  grant("UPDATE", table)
  grant("SELECT, INSERT, UPDATE", paste0(table, "_kept"))
  first <- with_ledger(mine(), mean_age()$release(hundred))
  again <- quietly_reused(with_ledger(mine(), mean_age()$release(hundred)))
  expect_identical(again$release, first$release)
  expect_identical(spent_in(mine()), 0.25)
  refused <- c(
    "only ever appended" = "UPDATE %s SET line = 'x'",
    "permission denied" = "DELETE FROM %s",
    "permission denied" = "TRUNCATE %s",
    "must be owner" = "ALTER TABLE %s DISABLE TRIGGER append_only",
    "must be owner" = "DROP TABLE %s"
  )
  for (i in seq_along(refused)) {
    expect_error(on_server(analyst, sprintf(refused[[i]], table)), names(refused)[[i]])
  }
  expect_identical(dp_spent(ledger), dp_spent(mine()))
})

test_that("stored files are read by name, in the order of the names", {
  place <- fresh_ledger()$where
  for (name in c("a", "b'c", "d")) keep_text(place, name, paste("text of", name))
  expect_identical(kept_bytes(place, c("b'c", "none")), list(charToRaw("text of b'c"), NULL))
  expect_identical(kept_bytes(place, character()), list())
})

test_that("a table that loses or rejects commits raises an error", {
  ledger <- fresh_ledger()
  table <- ledger$where$table
  on_server(server, sprintf("ALTER TABLE %s SET UNLOGGED", table))
  expect_error(dp_spent(ledger), "unlogged", class = "dp_error_storage")
  on_server(server, sprintf("ALTER TABLE %s SET LOGGED", table))
  on_server(server, sprintf("CREATE RULE none AS ON INSERT TO %s DO INSTEAD NOTHING", table))
  expect_error(
    with_ledger(ledger, mean_age()$release(hundred)), "takes no rows",
    class = "dp_error_storage"
  )
  nowhere <- dp_postgres(server$connect, "nowhere")
  expect_error(dp_ledger(nowhere), "dp_ledger_create", class = "dp_error_storage")
  other <- dp_postgres(function() NULL, "nowhere")
  expect_error(dp_ledger(other), "package DBI", class = "dp_error_storage")
})

test_that("table names are checked, and a printed place shows no connection", {
  expect_error(dp_postgres("a"), "`connect`", class = "dp_error_invalid_argument")
  for (bad in c("a b", "Ledger", "x; DROP TABLE y", "a.b.c", "")) {
    expect_error(dp_postgres(server$connect, bad), "`table`", class = "dp_error_invalid_argument")
  }
  expect_output(print(dp_postgres(server$connect, "s.t")), "<dp_postgres> table s.t", fixed = TRUE)
})
