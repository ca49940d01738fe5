# Private rows that arrive as Arrow batches.

# Rows of `data` as a stream of several batches.
arrow_stream <- function(data, batches = 3) {
  part <- cut(seq_len(nrow(data)), batches, labels = FALSE)
  nanoarrow::basic_array_stream(unname(lapply(split(data, part), nanoarrow::as_nanoarrow_array)))
}

counted_stays <- function(source, session = plenty()) {
  stays_in(session, source) |>
    filter(days > 2) |>
    dp_truncate(max_rows = 100) |>
    group_by(ward) |>
    summarise(
      n = dp_count(), people = dp_n_ids(), days = dp_sum(days), cost = dp_mean(cost),
      urgent = dp_sum(urgent), none = dp_n_missing(admitted),
      weighted = dp_mean(days, weights = cost), weight = dp_count(weights = cost)
    )
}

exact <- function(query) as.data.frame(exact_release(query))

test_that("batches and streams give the same result as the data frame", {
  local_verbs()
  data <- hospital(500)
  data$cost[1:400] <- NA
  data$ward[[9]] <- NA
  data$patient[[7]] <- NA
  data$admitted[c(5, 800)] <- NA
  expected <- exact(counted_stays(data))
  expect_equal(exact(counted_stays(arrow_stream(data))), expected, tolerance = 1e-9)
  batch <- nanoarrow::as_nanoarrow_array(data)
  query <- counted_stays(batch)
  # A batch stays and can be released again.
  for (round in 1:2) expect_equal(exact(query), expected, tolerance = 1e-9, info = round)
  expect_output(explain(query), "engine: Arrow", fixed = TRUE)
  labelled <- data
  labelled$ward <- factor(data$ward)
  expect_equal(exact(counted_stays(arrow_stream(labelled))), expected, tolerance = 1e-9)
})

test_that("Arrow counts random tables of hostile values exactly", {
  local_verbs()
  expect_counted_tables(nanoarrow::as_nanoarrow_array, list(batch = list()))
  expect_counted_tables(arrow_stream, list(stream = list()))
})

test_that("64-bit ids are exact, and undeclared texts are keys", {
  local_verbs()
  # Doubles represent only every second of these numbers.
  data <- data.frame(who = 1:41, town = c(rep(c("a", "a\u00e9"), each = 20), "b"))
  data$who <- core_integer64_from_text(c(paste0("90071992547", 40992 + 0:39), NA))
  released <- dp_tbl(dp_session(dp_zcdp(1e14, 0.5)), nanoarrow::as_nanoarrow_array(data),
    dp_unit(id = who), dp_domain(town = dp_text())
  ) |>
    dp_truncate(max_rows = 1) |>
    group_by(town) |>
    summarise(n = dp_count(), people = dp_n_ids()) |>
    dp_keys("threshold") |>
    release(rho = 1e13, delta = 0.1)
  expect_setequal(released$town, c("a", "a\u00e9"))
  expect_equal(c(released$n, released$people), rep(20, 4))
})

test_that("a stream is released once, and a second attempt costs nothing", {
  local_verbs()
  session <- dp_session(dp_epsilon(1))
  query <- counted_stays(arrow_stream(hospital()), session)
  small(release(query, epsilon = 0.25))
  expect_error(release(query, epsilon = 0.25), "read before", class = "dp_error_source")
  expect_equal(dp_spent(session)[["epsilon"]], 0.25)
})

test_that("each release scans a dataset for only the declared columns", {
  local_verbs()
  data <- hospital(400)
  data$secret <- "of nobody's business"
  seen <- new.env()
  files <- unname(split(data, seq_len(nrow(data)) %% 3))
  query <- counted_stays(dataset_of(files, seen))
  expect_length(seen$scans, 0)
  expected <- exact(counted_stays(data))
  for (round in 1:2) {
    expect_equal(exact(query), expected, tolerance = 1e-9, info = round)
    expect_length(seen$scans, round)
    expect_setequal(seen$scans[[round]]$columns, c("patient", names(hospital_domain())))
    expect_true(seen$scans[[round]]$threads)
  }
  expect_output(explain(query), "engine: Arrow", fixed = TRUE)
})

test_that("a reader is released once, and a second attempt costs nothing", {
  local_verbs()
  session <- plenty()
  data <- hospital(300)
  query <- counted_stays(reader_of(split(data, seq_len(nrow(data)) %% 4)), session)
  expect_equal(exact(query), exact(counted_stays(data)), tolerance = 1e-9)
  expect_error(exact_release(query), "read before", class = "dp_error_source")
  expect_equal(dp_spent(session)[["epsilon"]], 1e18)
})

test_that("every Arrow stream source is read, and a data frame stays one", {
  local_verbs()
  data <- hospital(300)
  registerS3method("as_nanoarrow_array_stream", "stays_of_elsewhere",
    function(x, ..., schema = NULL) arrow_stream(x$stays),
    envir = asNamespace("nanoarrow")
  )
  elsewhere <- structure(list(stays = data), class = c("newer_stays", "stays_of_elsewhere"))
  expect_equal(exact(counted_stays(elsewhere)), exact(counted_stays(data)), tolerance = 1e-9)
  expect_false(is_arrow(data))
  for (other in list(NULL, list(data), 1, structure(1, class = "default"))) {
    expect_false(is_arrow(other))
  }
})

test_that("lazy Arrow queries and line readers are rejected before any charge", {
  local_verbs()
  session <- dp_session(dp_epsilon(1))
  bound <- function(data) {
    dp_tbl(session, data, dp_unit(id = patient), hospital_domain())
  }
  for (class in c("arrow_dplyr_query", "Scanner")) {
    expect_error(bound(structure(list(), class = class)), "must be a bare table",
      class = "dp_error_source"
    )
  }
  files <- list(hospital(20))
  for (format in c("csv", "json")) {
    of_text <- dataset_of(files, format = format)
    expect_error(bound(of_text), "can fail at a line", class = "dp_error_source")
    united <- structure(list(children = list(dataset_of(files), of_text)), class = "Dataset")
    expect_error(bound(united), "can fail at a line", class = "dp_error_source")
  }
  lacking <- dataset_of(list(hospital(20)[-1]))
  expect_error(bound(lacking), "no column `patient`", class = "dp_error_source")
  for (format in c("ipc", "orc")) {
    expect_s3_class(bound(dataset_of(files, format = format)), "dp_tbl")
  }
  failing <- structure(list(), class = "stays_that_fail")
  registerS3method("as_nanoarrow_array_stream", "stays_that_fail",
    function(x, ..., schema = NULL) stop("a secret"),
    envir = asNamespace("nanoarrow")
  )
  error <- expect_error(bound(failing), class = "dp_error_source")
  expect_no_match(conditionMessage(error), "a secret")
  expect_equal(dp_spent(session)[["epsilon"]], 0)
})

test_that("unreadable columns raise errors that name them before any charge", {
  local_verbs()
  session <- dp_session(dp_epsilon(1))
  bound <- function(data, domain = dp_domain(x = dp_num(0, 9)), ...) {
    dp_tbl(session, nanoarrow::as_nanoarrow_array(data), dp_unit(rows = 1), domain, ...)
  }
  nested <- data.frame(x = 1:2)
  nested$x <- data.frame(a = 1:2)
  expect_error(bound(nested), "`x` is of Arrow's format `\\+s`", class = "dp_error_source")
  times <- data.frame(x = as.POSIXct("2026-01-01", tz = "UTC"))
  expect_error(bound(times), "timestamp with time zone.*arrow::int64", class = "dp_error_source")
  expect_error(bound(data.frame(x = "a")), "its declaration does not read",
    class = "dp_error_source"
  )
  expect_error(bound(data.frame(y = 1)), "no column `x`", class = "dp_error")
  for (arguments in list(list(execute = "push"), list(rows = "stay"))) {
    expect_error(do.call(bound, c(list(data.frame(x = 1)), arguments)), "R must read",
      class = "dp_error_unsupported"
    )
  }
  expect_error(
    dp_tbl(session, nanoarrow::as_nanoarrow_array(1:3), dp_unit(rows = 1),
      dp_domain(x = dp_num(0, 9))
    ),
    "record batches",
    class = "dp_error_source"
  )
  expect_equal(dp_spent(session)[["epsilon"]], 0)
})

test_that("a failing stream reveals nothing, and the charge stays", {
  local_verbs()
  session <- dp_session(dp_epsilon(1))
  stream <- adbcdrivermanager::read_adbc(local_duckdb()@adbc$connection, paste(
    "SELECT CASE WHEN i < 3000000 THEN i ELSE error('a secret') END AS days",
    "FROM range(4000000) AS r(i)"
  ))
  query <- dp_tbl(session, stream, dp_unit(rows = 1), dp_domain(days = dp_int(0, 6))) |>
    summarise(days = dp_sum(days))
  error <- expect_error(release(query, epsilon = 0.25), class = "dp_error_backend")
  expect_no_match(paste(format(unclass(error)), collapse = " "), "a secret")
  expect_equal(dp_spent(session)[["epsilon"]], 0.25)
})

test_that("DuckDB's stream is read without conversion to a data frame", {
  local_verbs()
  connection <- local_duckdb()
  data <- hospital(300)
  stays_on(connection, data)
  stream <- adbcdrivermanager::read_adbc(connection@adbc$connection, "FROM stays")
  expect_equal(exact(counted_stays(stream)), exact(counted_stays(data)), tolerance = 1e-9)
})

test_that("memory does not grow with the number of rows in a stream", {
  local_verbs()
  connection <- local_duckdb()
  stream <- adbcdrivermanager::read_adbc(connection@adbc$connection,
    "SELECT i % 1000 AS who, CAST(i % 7 AS INTEGER) AS days FROM range(4000000) AS r(i)"
  )
  query <- dp_tbl(plenty(), stream, dp_unit(id = who),
    dp_domain(days = dp_int(0, 6))
  ) |>
    dp_truncate(max_rows = 4000) |>
    summarise(n = dp_count(), people = dp_n_ids(), days = dp_sum(days))
  gc(reset = TRUE)
  before <- sum(gc()[, 6])
  released <- exact(query)
  # R's memory only. A data frame of these rows would take 46 MB.
  expect_lt(sum(gc()[, 6]) - before, 20)
  expect_equal(released$n, 4e6, tolerance = 1e-9)
  expect_equal(released$people, 1000)
  expect_equal(released$days, sum(0:3999999 %% 7), tolerance = 1e-9)
})
