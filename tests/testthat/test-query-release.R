households <- function() {
  data.frame(
    region = rep(c("North", "South", "East"), c(50, 30, 20)),
    size = rep(1:5, 20)
  )
}

survey_domain <- function() {
  dp_domain(region = dp_levels("North", "South", "East", "West"), size = dp_int(1, 12))
}

test_that("script 1: counts and means by region, one row per household", {
  local_verbs()
  session <- dp_session(dp_epsilon(1))
  survey <- dp_tbl(session, households(), unit = dp_unit(rows = 1), domain = survey_domain())
  out <- survey |>
    group_by(region) |>
    summarise(n = dp_count(), size = dp_mean(size)) |>
    release(epsilon = 0.2)
  expect_s3_class(out, c("dp_released", "tbl_df"))
  expect_identical(names(out), c("region", "n", "size"))
  expect_identical(out$region, c("North", "South", "East", "West"))
  expect_true(all(out$size >= 1 & out$size <= 12))
  expect_equal(dp_spent(session)[["epsilon"]], 0.2)
  exact <- dp_tbl(plenty(), households(), dp_unit(rows = 1), survey_domain()) |>
    group_by(region) |>
    summarise(n = dp_count(), size = dp_mean(size), total = dp_sum(size)) |>
    exact_release()
  expect_equal(exact$n, c(50, 30, 20, 0), tolerance = 1e-3)
  expect_equal(exact$size[1:3], c(3, 3, 3), tolerance = 1e-2)
  expect_equal(exact$total[1:3], c(150, 90, 60), tolerance = 1e-2)
})

test_that("script 2: stays of patients, by private wards", {
  local_verbs()
  session <- dp_session(dp_zcdp(rho = 0.5, delta = 1e-7))
  data <- hospital(2000)
  stays <- dp_tbl(session, data,
    unit = dp_unit(id = patient),
    domain = dp_domain(
      ward = dp_text(), days = dp_int(0, 60), cost = dp_num(0, 5e4, missing = "drop")
    )
  )
  query <- stays |>
    dp_truncate(max_groups = 3, max_rows_per_group = 2, by = ward) |>
    group_by(ward) |>
    summarise(n = dp_count(), patients = dp_n_ids(), cost = dp_mean(cost, share = 2)) |>
    dp_keys("threshold")
  preview <- dp_preview(query, rho = 0.05, delta = 1e-8)
  expect_s3_class(preview, "dp_preview")
  expect_true(all(preview$scale > 0))
  expect_true(any(is.finite(preview$threshold)))
  expect_identical(dp_spent(session)[["rho"]], 0)
  out <- release(query, rho = 0.05, delta = 1e-8)
  expect_setequal(out$ward, c("North", "South", "East"))
  # Six standard deviations of its noise.
  exact <- tapply(data$patient, data$ward, function(x) length(unique(x)))
  scale <- preview$scale[preview$column == "patients"]
  expect_lt(max(abs(out$patients - exact[out$ward])), 6 * scale)
  # The threshold is an integer, and costs less than requested.
  expect_identical(dp_spent(session)[["rho"]], 0.05)
  expect_equal(dp_spent(session)[["delta"]] / sum(preview$delta), 1)
  expect_lte(dp_spent(session)[["delta"]], 1e-8)
  expect_gt(dp_spent(session)[["delta"]], 5e-9)
})

test_that("script 8: a planner needs no data", {
  local_verbs()
  blank <- dp_tbl(dp_session(dp_zcdp(1, 1e-6)), NULL, unit = dp_unit(id = person), survey_domain())
  one <- dp_truncate(blank, max_rows = 1) |> count(region)
  accuracies <- vapply(c(0.01, 0.1, 1), function(rho) dp_preview(one, rho = rho)$accuracy, 1)
  expect_true(all(diff(accuracies) < 0))
  together <- dp_preview(one, rho = c(0.01, 0.1, 1))
  expect_identical(together$accuracy, accuracies)
  expect_identical(together$rho, c(0.01, 0.1, 1))
  loss <- dp_solve(one, accuracy = c(n = 20))
  expect_s3_class(loss, "dp_loss")
  expect_lte(dp_preview(one, rho = loss$rho)$accuracy, 20)
  expect_gt(dp_preview(one, rho = loss$rho / 2)$accuracy, 20)
  expect_error(release(one, rho = 0.1), class = "dp_error_source")
  expect_identical(dp_spent(tbl_data(blank)$session)[["rho"]], 0)
})

test_that("sessions of all privacy measures charge the loss of the map", {
  local_verbs()
  for (loss in list(dp_epsilon(1), dp_zcdp(1), dp_epsilon(1, 1e-6), dp_zcdp(1, 1e-6))) {
    session <- dp_session(loss)
    query <- dp_tbl(session, households(), dp_unit(rows = 1), survey_domain()) |> count(region)
    asked <- stats::setNames(list(0.1), measure_name(loss))
    out <- do.call(release, c(list(query), asked))
    expect_equal(dp_spent(session), stats::setNames(c(0.1, 0), names(loss)))
    measurement <- as_measurement(query, new_loss(measure_name(loss), 0.1, 0))
    expect_lte(measurement(d_in = 1L), 0.1)
    expect_gt(measurement(d_in = 1L), 0.1 * (1 - 1e-9))
    expect_gt(measurement(d_in = 2L), measurement(d_in = 1L))
    expect_identical(dp_history(session)$plan, about_released(out)$plan)
    for (i in 1:9) do.call(release, c(list(query), asked))
    expect_identical(dp_remaining(session)[[1]], 0)
    expect_error(do.call(release, c(list(query), asked)), class = "dp_error_budget")
  }
})

test_that("rejected queries spend nothing and read nothing", {
  local_verbs()
  session <- dp_session(dp_zcdp(0.5, 1e-7))
  stays <- stays_in(session)
  text <- stays_in(session, domain = dp_domain(
    ward = dp_text(), days = dp_int(0, 60), cost = dp_num()
  ))
  expect_snapshot(error = TRUE, {
    stays |> count(ward) |> release(rho = 0.1)
    text |> dp_truncate(max_rows_per_group = 2, by = ward) |> count(ward) |> dp_keys("threshold") |>
      release(rho = 0.1, delta = 1e-8)
    text |> dp_truncate(max_rows = 2) |> count(ward) |> release(rho = 0.1)
    text |> dp_truncate(max_rows = 2) |> count(ward) |> dp_keys("threshold") |> release(rho = 0.1)
    text |> dp_truncate(max_rows = 2) |> summarise(cost = dp_sum(cost)) |> release(rho = 0.1)
    stays |> dp_truncate(max_rows = 2) |> count(ward) |> release(rho = 0.6)
    stays |> dp_truncate(max_rows = 2) |> count(ward) |> release(epsilon = 0.1)
    stays |> dp_truncate(max_rows = 2) |> count(ward) |> release()
    stays |> dp_truncate(max_rows = 2) |> count(ward) |> release(rho = -1)
    stays |> dp_truncate(max_rows = 2) |> count(ward) |> release(rho = 0.1, budget = 2)
    stays |> dp_truncate(max_rows = 2) |> count(ward) |> release(0.1)
    release(stays)
    release(1)
    release(hospital())
    dp_preview(stays, rho = 0.1)
  })
  expect_identical(dp_spent(session), c(rho = 0, delta = 0))
  expect_identical(nrow(dp_history(session)), 0L)
})

test_that("failures after the charge stay charged and reveal nothing of the data", {
  local_verbs()
  session <- dp_session(dp_epsilon(1))
  query <- dp_tbl(session, households(), dp_unit(rows = 1), survey_domain()) |> count(region)
  prepared <- prepared_release(query, dp_epsilon(0.1), 0.05, quote(release()))
  prepared$measurement <- function(arg) stop("the value canary-7417 cannot be read")
  error <- tryCatch(raw_release(prepared, quote(release())), error = identity)
  expect_s3_class(error, "dp_error_backend")
  expect_no_match(conditionMessage(error), "7417")
  expect_null(error$parent)
  expect_null(error$trace)
})

test_that("a copy of a table releases nothing", {
  local_verbs()
  query <- dp_tbl(dp_session(dp_epsilon(1)), households(), dp_unit(rows = 1), survey_domain()) |>
    count(region)
  copy <- unserialize(serialize(query, NULL))
  expect_error(release(copy, epsilon = 0.1), class = "dp_error_stale_object")
})

test_that("values of rows never appear in errors, prints, files or temporary files", {
  local_verbs()
  data <- data.frame(id = 1:60, name = rep("canary7417", 60), x = rep(741774177, 60), y = 1L)
  session <- dp_session(dp_epsilon(10))
  table <- dp_tbl(session, data, dp_unit(id = id),
    dp_domain(name = dp_text(), x = dp_num(0, 1e9), y = dp_int(0, 1))
  )
  before <- list.files(tempdir(), recursive = TRUE)
  said <- character()
  note <- function(expr) {
    said <<- c(said, utils::capture.output(tryCatch(print(expr), error = function(error) {
      cat(conditionMessage(error), deparse(conditionCall(error)), sep = "\n")
    })))
  }
  note(table)
  note(summary(table))
  note(str(table))
  note(filter(table, name == 1))
  note(mutate(table, z = name + 1))
  note(head(table))
  note(summarise(table, m = mean(x)))
  note(table |> dp_truncate(max_rows = 1) |> count(name) |> release(epsilon = 0.1))
  note(table |> dp_truncate(max_rows = 1) |> summarise(m = dp_mean(x)) |> release(epsilon = 100))
  note(table |> summarise(m = dp_mean(x)) |> release(epsilon = 0.1))
  expect_false(any(grepl("7417", said)))
  for (file in setdiff(list.files(tempdir(), recursive = TRUE), before)) {
    expect_false(any(grepl("7417", readLines(file.path(tempdir(), file), warn = FALSE))))
  }
})

test_that("data of all classes are read as declared", {
  local_verbs()
  count_of_type <- function(x, column, of = NULL) {
    data <- data.frame(id = seq_len(4))
    data$x <- x
    table <- dp_tbl(plenty(), data, dp_unit(rows = 1), dp_domain(x = column))
    query <- if (is.null(of)) count(table, x) else summarise(table, s = dp_sum(x))
    exact_release(query)
  }
  sums <- list(
    1:4, c(1, 2, 3, 4), bit64::as.integer64(1:4), haven::labelled(c(1, 2, 3, 4), c(one = 1))
  )
  for (x in sums) {
    expect_equal(count_of_type(x, dp_int(0, 9), "sum")$s, 10, tolerance = 1e-3)
    expect_equal(count_of_type(x, dp_num(0, 9), "sum")$s, 10, tolerance = 1e-3)
  }
  expect_equal(count_of_type(c(1, NA, NaN, Inf), dp_num(0, 9), "sum")$s, 10, tolerance = 1e-3)
  texts <- c("a", "b", "a", NA)
  for (x in list(texts, factor(texts))) {
    expect_equal(count_of_type(x, dp_levels("a", "b", "c"))$n, c(2, 1, 0), tolerance = 1e-3)
  }
  flags <- count_of_type(c(TRUE, FALSE, TRUE, NA), dp_flag())
  expect_identical(flags$x, c(FALSE, TRUE))
  expect_equal(flags$n, c(1, 2), tolerance = 1e-3)
  years <- count_of_type(c(2020, 2021, 2020, 1999), dp_levels(2020:2021))
  expect_equal(years$x, c(2020, 2021))
  expect_equal(years$n, c(2, 1), tolerance = 1e-3)
  days <- as.Date("2026-01-01") + c(0, 1, 1, 400)
  by_day <- count_of_type(days, dp_date(as.Date("2026-01-01"), as.Date("2026-01-03")))
  expect_identical(by_day$x, as.Date("2026-01-01") + 0:2)
  # A day beyond the bounds is in no group.
  expect_equal(by_day$n, c(1, 2, 0), tolerance = 1e-3)
})

test_that("values of a choice are its groups, without keys", {
  local_verbs()
  data <- hospital()
  table <- stays_in(plenty(), data, unit = dp_unit(rows = 1))
  counted <- table |>
    mutate(cost = case_when(cost > 1000 ~ "high", cost > 100 ~ "middle", TRUE ~ "low")) |>
    count(cost) |>
    exact_release()
  expect_identical(counted$cost, c("high", "middle", "low"))
  exact <- table(cut(data$cost, c(-Inf, 100, 1000, Inf), c("low", "middle", "high")))
  expect_equal(counted$n, as.vector(exact[counted$cost]), tolerance = 1e-3)
  known <- table |> mutate(ward = coalesce(ward, "unknown")) |> count(ward) |>
    exact_release()
  expect_identical(known$ward[[nrow(known)]], "unknown")
})

test_that("verbs compute the same as dplyr, up to noise", {
  local_verbs()
  data <- hospital()
  table <- stays_in(plenty(), data, unit = dp_unit(rows = 1))
  ask <- function(x) {
    x |>
      filter(days >= 3, ward != "East" | urgent) |>
      mutate(week = pmin(days %/% 7L, 2L), late = if_else(cost > 1000, "late", "early")) |>
      group_by(week)
  }
  private <- ask(table) |>
    summarise(n = dp_count(), cost = dp_mean(cost), days = dp_sum(days)) |>
    dp_keys(data.frame(week = 0:2)) |>
    exact_release()
  exact <- ask(data) |> summarise(n = n(), cost = mean(cost), days = sum(days))
  expect_equal(as.data.frame(unreleased(private)), as.data.frame(exact), tolerance = 1e-3)
  price <- data.frame(ward = c("North", "South"), price = c(10L, 20L))
  joined <- table |> inner_join(price, by = "ward") |> summarise(p = dp_sum(price)) |>
    exact_release()
  expect_equal(joined$p, sum(inner_join(data, price, by = "ward")$price), tolerance = 1e-3)
})
