# One table in several places.

# Shards of the table: data frames by a hash of the patient, or row by row.
shards_of <- function(data, number, by_id = TRUE) {
  place <- if (by_id) utf8_sum(data$patient) %% number else seq_len(nrow(data)) %% number
  unname(split(data, place))
}

utf8_sum <- function(texts) vapply(as.character(texts), function(x) sum(utf8ToInt(x)), 0)

as_shards <- function(shards, split_by_id) {
  do.call(dp_shards, c(shards, list(split_by_id = split_by_id)))
}

stays_query <- function(source, ..., unit = dp_unit(id = patient)) {
  dp_tbl(plenty(), source, unit, hospital_domain(), ...)
}

# The salt does not affect which rows are kept, because a patient's admission days are distinct.
first_stays <- function(source, ...) {
  stays_query(source, ...) |>
    filter(days > 2) |>
    dp_truncate(max_rows = 2, keep = "first", order = admitted) |>
    group_by(ward) |>
    summarise(
      n = dp_count(), people = dp_n_ids(), days = dp_sum(days), cost = dp_mean(cost),
      spread = dp_var(days), median = dp_median(days, at = 0:60), none = dp_n_missing(cost),
      long = dp_histogram(days, breaks = c(0, 5, 10, 20))
    )
}

exactly <- function(query) as.data.frame(exact_release(query))

expect_same_release <- function(found, expected, ...) {
  expect_equal(exactly(found), exactly(expected), tolerance = 1e-9, ignore_attr = TRUE, ...)
}

test_that("shards of data frames give the counts of the whole data frame", {
  local_verbs()
  data <- hospital()
  data$cost[c(3, 40)] <- NA
  for (number in c(1, 2, 5)) {
    shards <- as_shards(shards_of(data, number), split_by_id = TRUE)
    expect_same_release(first_stays(shards), first_stays(data))
  }
  expect_gt(sum(exactly(first_stays(data))$n), 100)
})

test_that("caps hold in each shard, whichever rows are drawn", {
  local_verbs()
  data <- data.frame(
    patient = rep(sprintf("p%d", 1:50), each = 12), ward = c("North", "South", "East"), days = 1L,
    cost = 1, urgent = TRUE, admitted = as.Date("2026-01-01")
  )
  capped <- function(source) {
    stays_query(source) |>
      dp_truncate(max_groups = 2, max_rows_per_group = 1, by = ward) |>
      group_by(ward) |>
      summarise(n = dp_count(), people = dp_n_ids()) |>
      exactly()
  }
  by_id <- capped(as_shards(shards_of(data, 4), split_by_id = TRUE))
  expect_equal(c(sum(by_id$n), sum(by_id$people)), c(100, 100))
  by_row <- capped(as_shards(shards_of(data, 2, by_id = FALSE), split_by_id = FALSE))
  expect_equal(c(sum(by_row$n), sum(by_row$people)), c(200, 200))
  expect_true(all(by_row$n <= 100))
})

test_that("DuckDB, SQLite, Arrow and a data frame are one table", {
  local_verbs()
  data <- hospital()
  data$cost[c(3, 40)] <- NA
  parts <- shards_of(data, 4)
  sqlite <- DBI::dbConnect(RSQLite::SQLite())
  withr::defer(DBI::dbDisconnect(sqlite))
  duckdb <- local_duckdb()
  shards <- function() {
    dp_shards(
      stays_on(duckdb, parts[[1]]), parts[[2]], stays_on(sqlite, parts[[3]]),
      nanoarrow::as_nanoarrow_array(parts[[4]]),
      split_by_id = TRUE
    )
  }
  expect_same_release(first_stays(shards()), first_stays(data))
  counts <- function(source, ...) {
    stays_query(source, ...) |>
      dp_truncate(max_rows = 100) |>
      group_by(ward) |>
      summarise(n = dp_count(), people = dp_n_ids(), cost = dp_sum(cost), days = dp_var(days))
  }
  expect_same_release(counts(shards()), counts(data))
  expect_same_release(counts(shards(), execute = "stream"), counts(data))
  expect_output(show_query(counts(shards())),
    "shards: 4 [(]DuckDB, data frame, SQLite, Arrow[)].*WITH .*FROM \"memory\".\"main\".\"stays\""
  )
})

test_that("two tables on one connection are two shards", {
  local_verbs()
  parts <- shards_of(hospital(), 2)
  duckdb <- local_duckdb()
  shards <- dp_shards(
    stays_on(duckdb, parts[[1]], "one"), stays_on(duckdb, parts[[2]], "two"),
    split_by_id = TRUE
  )
  expect_same_release(first_stays(shards), first_stays(hospital()))
})

test_that("a query that one engine cannot count is counted in R for it", {
  local_verbs()
  parts <- shards_of(hospital(), 2)
  squared <- function(source, ...) {
    stays_query(source, ...) |>
      mutate(squared = cost * cost / 1000) |>
      dp_truncate(max_rows = 100) |>
      group_by(ward) |>
      summarise(squared = dp_sum(squared, bounds = c(0, 25000)))
  }
  shards <- dp_shards(stays_on(local_duckdb(), parts[[1]]), parts[[2]], split_by_id = TRUE)
  expect_same_release(squared(shards), squared(hospital()))
  session <- dp_session(dp_epsilon(1))
  table <- dp_tbl(session, shards, dp_unit(id = patient), hospital_domain(), rows = "stay")
  query <- table |>
    mutate(squared = cost * cost) |>
    dp_truncate(max_rows = 1) |>
    summarise(squared = dp_sum(squared, bounds = c(0, 1)))
  expect_error(release(query, epsilon = 0.5), "Shard 1: .*of reals",
    class = "dp_error_unsupported"
  )
  expect_equal(dp_spent(session)[["epsilon"]], 0)
})

test_that("a unit without an id has the same cost and counts as in one table", {
  local_verbs()
  data <- hospital()
  query <- function(source) {
    stays_query(source, unit = dp_unit(rows = 2)) |>
      group_by(ward) |>
      summarise(n = dp_count(), cost = dp_sum(cost))
  }
  for (split_by_id in c(TRUE, FALSE)) {
    shards <- query(as_shards(shards_of(data, 3, by_id = FALSE), split_by_id))
    expect_same_release(shards, query(data))
    expect_identical(dp_preview(shards, epsilon = 1), dp_preview(query(data), epsilon = 1))
    expect_identical(
      hash_of_query(shards, dp_epsilon(1), 0.05), hash_of_query(query(data), dp_epsilon(1), 0.05)
    )
  }
  replaced <- dp_tbl(dp_session(dp_epsilon(1)), as_shards(shards_of(data, 3), FALSE),
    dp_unit(changes = 1), hospital_domain()
  ) |>
    summarise(n = dp_count())
  expect_equal(dp_preview(replaced, epsilon = 1)$mechanism, "none")
})

# Charges, printing and storage.

planned <- function(split_by_id, places, ...) {
  dp_tbl(dp_session(dp_epsilon(1)), as_shards(vector("list", places), split_by_id),
    dp_unit(id = patient, ...), hospital_domain()
  ) |>
    dp_truncate(max_groups = 2, max_rows_per_group = 3, by = ward) |>
    group_by(ward) |>
    summarise(n = dp_count(), people = dp_n_ids())
}

test_that("an id possibly in each of S shards counts as S people, otherwise as one", {
  local_verbs()
  one <- dp_preview(planned(TRUE, 1), epsilon = 1)
  expect_identical(dp_preview(planned(TRUE, 7), epsilon = 1), one)
  expect_identical(dp_preview(planned(FALSE, 1), epsilon = 1), one)
  expect_identical(
    dp_preview(planned(FALSE, 7), epsilon = 1), dp_preview(planned(TRUE, 1, n = 7), epsilon = 1)
  )
  expect_equal(planned(FALSE, 7)$facts$bound, c(l0 = 3, l1 = 42, linf = 21))
  m <- as_measurement(planned(FALSE, 7), dp_epsilon(1))
  expect_equal(m(d_in = 2L), 2 * m(d_in = 1L), tolerance = 1e-12)
})

test_that("the release key holds the number of shards only if it changes the map", {
  local_verbs()
  key <- function(query) hash_of_query(query, dp_epsilon(1), 0.05)
  data <- stays_in(dp_session(dp_epsilon(1))) |>
    dp_truncate(max_groups = 2, max_rows_per_group = 3, by = ward) |>
    group_by(ward) |>
    summarise(n = dp_count(), people = dp_n_ids())
  for (query in list(planned(TRUE, 1), planned(TRUE, 7), planned(FALSE, 1))) {
    expect_identical(key(query), key(data))
  }
  keys <- c(key(data), key(planned(FALSE, 2)), key(planned(FALSE, 3)))
  expect_length(unique(keys), 3)
})

test_that("tables and queries print their shards, and no row", {
  local_verbs()
  parts <- shards_of(hospital(), 3)
  shards <- as_shards(parts, split_by_id = TRUE)
  expect_output(print(shards), "<dp_shards> 3, each id in one shard (promised)",
    fixed = TRUE
  )
  expect_no_match(paste(capture.output(utils::str(shards)), collapse = ""), "North|p1")
  expect_output(print(stays_query(shards)),
    "shards: 3 (3 data frame), each id in one shard (promised)",
    fixed = TRUE
  )
  expect_output(print(planned(FALSE, 3)),
    "shards: 3, each id truncated in each shard",
    fixed = TRUE
  )
  expect_output(print(stays_query(shards, unit = dp_unit(rows = 1))), "shards: 3 (3 data frame)\n",
    fixed = TRUE
  )
})

test_that("a ledger stores a release of shards, and its receipt can be verified", {
  local_verbs()
  where <- file.path(withr::local_tempdir(), "stays.ledger")
  ledger <- create_ledger(where, "stays", dp_unit(id = patient), dp_epsilon(1), version = "1")
  parts <- shards_of(hospital(), 2)
  in_duckdb <- stays_on(local_duckdb(), parts[[1]])
  query <- function(split_by_id) {
    shards <- dp_shards(in_duckdb, parts[[2]], split_by_id = split_by_id)
    stays_in(dp_session(ledger = ledger), shards) |>
      dp_truncate(max_rows = 1) |>
      summarise(n = dp_count())
  }
  first <- release(query(FALSE), epsilon = 0.25)
  expect_identical(release(query(FALSE), epsilon = 0.25)$n, first$n)
  expect_equal(dp_spent(dp_session(ledger = ledger))[["epsilon"]], 0.25)
  release(query(TRUE), epsilon = 0.25)
  expect_equal(dp_spent(dp_session(ledger = ledger))[["epsilon"]], 0.5)
  receipt <- unclass(dp_receipt(first))
  expect_identical(receipt$engine, "DuckDB, core")
  expect_match(receipt$sql, "^[0-9a-f]{64}$")
  failed <- function(receipt) {
    "failed" %in% verify_release(structure(receipt, class = "dp_receipt"), ledger)$result
  }
  expect_false(failed(receipt))
  expect_match(receipt$plan, "\"shards\"", fixed = TRUE)
  receipt$plan <- sub("\"shards\":2", "\"shards\":1", receipt$plan, fixed = TRUE)
  expect_true(failed(receipt))
})

# Errors.

test_that("`split_by_id` has no default, and the error explains it", {
  error <- expect_error(dp_shards(hospital(), hospital()), class = "dp_error_invalid_argument")
  expect_identical(error$argument, "split_by_id")
  expect_snapshot(dp_shards(hospital(), hospital()), error = TRUE)
  for (wrong in list(NA, NULL, "yes", c(TRUE, FALSE), 1)) {
    expect_error(dp_shards(hospital(), split_by_id = wrong), class = "dp_error_invalid_argument")
  }
})

test_that("shards must be tables, and few enough to add up", {
  expect_error(dp_shards(split_by_id = TRUE), class = "dp_error_invalid_argument")
  many <- rep(list(hospital(2)), most_shards + 1)
  expect_error(as_shards(many, TRUE), class = "dp_error_invalid_argument")
  expect_error(dp_shards(dp_shards(hospital(), split_by_id = TRUE), split_by_id = TRUE),
    class = "dp_error_invalid_argument"
  )
})

test_that("an error in a shard comes before the charge and names the shard", {
  local_verbs()
  good <- hospital()
  bound <- function(..., execute = "auto", rows = "may_leave") {
    dp_tbl(dp_session(dp_epsilon(1)), dp_shards(..., split_by_id = TRUE), dp_unit(id = patient),
      hospital_domain(),
      execute = execute, rows = rows
    )
  }
  text <- good
  text$days <- as.character(text$days)
  expect_error(bound(good, good[-1]), "Shard 2: .*no column `patient`", class = "dp_error_domain")
  expect_error(bound(north = good, south = text), "Shard `south`: .*`days`",
    class = "dp_error_source"
  )
  expect_error(bound(good, 7), "Shard 2: .*must be a data frame", class = "dp_error_source")
  expect_error(bound(good, NULL), "Only some shards are `NULL`", class = "dp_error_source")
  expect_error(bound(good, good, execute = "push"), "Shard 1: .*push",
    class = "dp_error_unsupported"
  )
  duckdb <- local_duckdb()
  stays <- stays_on(duckdb, good)
  expect_error(bound(good, filter(stays, days > 3)), "Shard 2: ", class = "dp_error_source")
  session <- dp_session(dp_epsilon(1))
  moving <- dp_tbl(session, dp_shards(good, stays, split_by_id = TRUE), dp_unit(id = patient),
    hospital_domain()
  ) |>
    dp_truncate(max_rows = 1) |>
    summarise(n = dp_count())
  DBI::dbExecute(duckdb, "CREATE MACRO sum(x) AS 1")
  expect_error(release(moving, epsilon = 0.5), "Shard 2: .*macro", class = "dp_error_source")
  expect_equal(dp_spent(session)[["epsilon"]], 0)
})

test_that("distinct values of several shards cannot be added up", {
  local_verbs()
  session <- dp_session(dp_epsilon(1))
  query <- dp_tbl(session, as_shards(shards_of(hospital(), 2), TRUE), dp_unit(id = patient),
    hospital_domain()
  ) |>
    dp_truncate(max_rows = 1) |>
    summarise(days = dp_n_distinct(days))
  expect_error(release(query, epsilon = 0.5), "do not add up", class = "dp_error_unsupported")
  expect_equal(dp_spent(session)[["epsilon"]], 0)
})

test_that("a shard that fails after the charge fails the release and reveals nothing", {
  local_verbs()
  parts <- shards_of(hospital(), 2)
  duckdb <- local_duckdb()
  session <- dp_session(dp_epsilon(1))
  query <- dp_tbl(session, dp_shards(parts[[1]], stays_on(duckdb, parts[[2]]), split_by_id = TRUE),
    dp_unit(id = patient), hospital_domain()
  ) |>
    dp_truncate(max_rows = 1) |>
    summarise(n = dp_count())
  local_replaced("run_statement", function(...) stop("canary of a row"))
  error <- expect_error(release(query, epsilon = 0.25), class = "dp_error_backend")
  expect_no_match(conditionMessage(error), "canary")
  expect_equal(dp_spent(session)[["epsilon"]], 0.25)
})

test_that("a person counts in no more places than the map says", {
  local_verbs()
  query <- stays_query(as_shards(shards_of(hospital(), 2), split_by_id = FALSE)) |>
    dp_truncate(max_rows = 1) |>
    summarise(n = dp_count())
  asked <- dp_epsilon(1)
  prepared <- prepared_release(query, asked, 0.05, NULL)
  engine <- core_hidden(prepared$rows)
  in_places <- function(places) {
    engine$shards <- places
    prepared$rows <- core_hide(engine)
    raw_release(prepared, NULL)
  }
  expect_no_error(in_places(engine$shards))
  expect_error(in_places(engine$shards[c(1, 2, 1)]), class = "dp_error_backend")
  expect_error(in_places(list(engine$shards[[1]], engine)), class = "dp_error_backend")
})
