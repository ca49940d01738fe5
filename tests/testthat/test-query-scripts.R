# Complete scripts, as users write them for engines and files. Each releases nearly the same as from
# these rows in memory.

server <- local_postgres(env = testthat::teardown_env())

trips_in_files <- function(folder) {
  withr::local_seed(20261127)
  trips <- data.frame(
    rider = sample(sprintf("r%03d", 1:150), 3000, TRUE),
    day = as.Date("2026-03-01") + sample(0:60, 3000, TRUE),
    zone = sample(c(1:40, 265L, 300L), 3000, TRUE), fare = round(stats::runif(3000, -5, 250), 2),
    note = "of nobody's business"
  )
  # Keeps the script's number of rows per rider and day.
  nth <- stats::ave(seq_len(3000), trips$rider, trips$day, FUN = seq_along)
  trips <- trips[nth <= 4, ]
  dir.create(file.path(folder, "trips"))
  for (part in 1:3) {
    file <- gzfile(file.path(folder, "trips", sprintf("part-%d.csv.gz", part)))
    utils::write.csv(trips[seq_len(nrow(trips)) %% 3 == part - 1, ], file, row.names = FALSE)
  }
  trips
}

test_that("script 3: CSV files of trips are loaded once, and streamed from DuckDB", {
  local_verbs()
  folder <- withr::local_tempdir()
  data <- trips_in_files(folder)
  withr::local_dir(folder)
  unit <- dp_unit(id = c(rider, day))
  domain <- dp_domain(zone = dp_int(1, 265), fare = dp_num(0, 200))
  asked <- function(trips) {
    trips |>
      dp_truncate(max_rows = 4) |>
      group_by(zone) |>
      summarise(fare = dp_sum(fare), med = dp_median(fare, at = 0:200)) |>
      dp_keys(data.frame(zone = 1:265))
  }
  con <- local_duckdb(path = "trips.duckdb")
  DBI::dbExecute(con, "CREATE TABLE trips AS FROM read_csv('trips/*.csv.gz')")
  s <- dp_session(dp_zcdp(rho = 0.5, delta = 1e-7))
  trips <- dp_tbl(s, dplyr::tbl(con, "trips"), unit = unit, domain = domain)
  expect_warning(released <- release(asked(trips), rho = 0.02), class = "dp_warning_noise")
  expect_identical(released$zone, 1:265)
  expect_equal(dp_spent(s)[["rho"]], 0.02)
  known <- data$zone <= 265
  held <- split(pmin(pmax(data$fare[known], 0), 200), data$zone[known])
  zones <- as.integer(names(held))
  expect_exactly <- function(source, ...) {
    query <- asked(dp_tbl(plenty("rho"), source, unit = unit, domain = domain, ...))
    found <- as.data.frame(exact_release(query, within = 1e-7, rho = 1e22))[zones, ]
    expect_equal(found$fare, vapply(held, sum, 0), tolerance = 1e-5, ignore_attr = TRUE)
    # Every integer between the two middle trips is a median.
    below <- mapply(function(fares, med) sum(fares <= med), held, found$med)
    expect_lte(max(abs(below - lengths(held) / 2)), 3)
  }
  expect_exactly(data)
  expect_exactly(dplyr::tbl(con, "trips"))
  expect_exactly(dplyr::tbl(con, "trips"), execute = "stream")
  expect_exactly(dp_load_files(con, "loaded", list.files("trips", full.names = TRUE), unit, domain))
})

visits_in_postgresql <- function(server) {
  withr::local_seed(20261128)
  visits <- data.frame(
    person = sprintf("p%04d", sample(1200, 3000, TRUE)),
    clinic = sample(c("A", "B", "C"), 3000, TRUE), wait = round(stats::rexp(3000, 1 / 90), 1),
    region_id = sample(c(1:400, 999L), 3000, TRUE)
  )
  nth <- stats::ave(seq_len(3000), visits$person, FUN = seq_along)
  visits <- visits[nth <= 5, ]
  connection <- local_connection(server)
  DBI::dbExecute(connection, "CREATE SCHEMA clinic")
  DBI::dbWriteTable(connection, DBI::Id(schema = "clinic", table = "visits"), visits)
  for (sql in c(
    "CREATE ROLE analyst LOGIN", "CREATE ROLE dp_service LOGIN",
    "GRANT USAGE ON SCHEMA clinic TO analyst, dp_service",
    "REVOKE ALL ON clinic.visits FROM analyst", "GRANT SELECT ON clinic.visits TO dp_service"
  )) {
    DBI::dbExecute(connection, sql)
  }
  visits
}

test_that("script 4: PostgreSQL lets the service count, and analysts do nothing", {
  local_verbs()
  data <- visits_in_postgresql(server)
  regions <- data.frame(region_id = 1:400, state = sprintf("state %02d", 1:400 %% 16))
  states <- unique(regions["state"])
  domain <- dp_domain(
    clinic = dp_levels("A", "B"), wait = dp_num(0, 600), region_id = dp_int(1, 400)
  )
  bound <- function(session, source, ...) {
    dp_tbl(session, source, unit = dp_unit(id = person), domain = domain, ...)
  }
  asked <- function(visits) {
    visits |>
      left_join(regions, by = "region_id") |>
      dp_truncate(max_rows = 5) |>
      group_by(state) |>
      summarise(wait = dp_mean(wait)) |>
      dp_keys(states)
  }
  # `I("clinic.visits")` needs dbplyr 2.5.
  visits_of <- function(con) dplyr::tbl(con, dbplyr::in_schema("clinic", "visits"))
  con <- server$connect("dp_service")
  withr::defer(DBI::dbDisconnect(con))
  s <- dp_session(dp_zcdp(rho = 0.5, delta = 1e-7))
  visits <- bound(s, visits_of(con), rows = "stay")
  released <- release(asked(visits), rho = 0.05)
  expect_setequal(released$state, states$state)
  expect_equal(dp_spent(s)[["rho"]], 0.05)
  exactly <- function(source, ...) {
    query <- asked(bound(plenty("rho"), source, ...))
    as.data.frame(exact_release(query, within = 1e-7, rho = 1e22))
  }
  expect_equal(exactly(visits_of(con), rows = "stay"), exactly(data), tolerance = 1e-5)
  # Only one statement was sent, and it asks for no row.
  sent <- core_hidden(tbl_data(visits)$rows)$sent$sql
  expect_length(sent, 1)
  expect_match(sent, "GROUP BY")
  analyst <- server$connect("analyst")
  withr::defer(DBI::dbDisconnect(analyst))
  # dbplyr asks for the column names, or leaves the permission error to dp_tbl().
  expect_error(bound(s, visits_of(analyst)), "query fields|does not let it be read")
  expect_error(DBI::dbGetQuery(analyst, "SELECT * FROM clinic.visits"), "permission denied")
  expect_error(DBI::dbExecute(con, "DELETE FROM clinic.visits"), "permission denied")
  expect_equal(dp_spent(s)[["rho"]], 0.05)
})

test_that("script 6: an Arrow dataset of claims, with several steps per person", {
  local_verbs()
  withr::local_seed(20261129)
  data <- data.frame(
    member = sample(500L, 6000, TRUE), year = sample(c(2019:2024, NA), 6000, TRUE),
    paid = round(stats::rexp(6000, 1 / 2e4), 2), note = "of nobody's business"
  )
  ds <- dataset_of(unname(split(data, seq_len(6000) %% 4)))
  bound <- function(session, source) {
    dp_tbl(session, source, unit = dp_unit(id = member),
      domain = dp_domain(year = dp_levels(2020:2024), paid = dp_num(0, 1e5))
    )
  }
  asked <- function(claims) {
    claims |>
      dp_per_unit(total = sum(paid), .by = year) |>
      mutate(total = pmin(total, 2e5)) |>
      dp_truncate(max_groups = 5, by = year) |>
      group_by(year) |>
      summarise(spend = dp_mean(total, bounds = c(0, 2e5)))
  }
  s <- dp_session(dp_zcdp(rho = 0.5, delta = 1e-7))
  released <- release(asked(bound(s, ds)), rho = 0.05)
  expect_equal(as.integer(as.character(released$year)), 2020:2024)
  expect_equal(dp_spent(s)[["rho"]], 0.05)
  exactly <- function(source) {
    as.data.frame(exact_release(asked(bound(plenty("rho"), source)), within = 1e-7, rho = 1e22))
  }
  found <- exactly(ds)
  expect_equal(found, exactly(data), tolerance = 1e-6)
  totals <- stats::aggregate(pmin(paid, 1e5) ~ member + year, data, sum)
  spend <- tapply(pmin(totals[[3]], 2e5), totals$year, mean)
  expect_equal(found$spend, as.vector(spend[as.character(2020:2024)]), tolerance = 1e-4)
})
