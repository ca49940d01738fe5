# With `missing = NA`, rows without a value are a group, also if a query computes with the column.
local_verbs()

first <- as.Date("2026-01-01")

table_of_missing <- function(missing = NA) {
  rows <- data.frame(
    id = 1:6, n = c(1, 2, 3, NA, 21, 3), d = first + c(0, 40, 80, NA, 900, 80),
    l = c("ab", "b", "b", NA, "z", "ab"), w = c(1, 2, 2, NA, 9, 1),
    f = c(TRUE, FALSE, NA, NA, TRUE, TRUE), t = c("x", "y", NA, NA, "x", "y"),
    x = c(0.5, 1.5, 2.5, NA, 99, 2.5), other = 7
  )
  or_drop <- if (is.null(missing)) "drop" else missing
  dp_tbl(plenty(delta = 1e-6), rows, dp_unit(id = id), dp_schema(
    n = dp_int(0, 3, missing = or_drop), d = dp_date(first, first + 89, missing = or_drop),
    l = dp_levels("ab", "b", missing = missing), w = dp_levels(1, 2, missing = missing),
    f = dp_flag(missing = or_drop), t = dp_text(missing = or_drop),
    x = dp_num(0, 3, missing = or_drop), other = dp_int(0, 9)
  )) |> dp_truncate(max_rows = 1)
}

counted_keys <- function(table) {
  released <- small(exact_release(summarise(group_by(table, key), rows = dp_count())))
  rows <- stats::setNames(round(as.double(released$rows)), as.character(released$key))
  list(rows = rows[rows != 0], key = released$key, notes = about_released(released)$notes)
}

# Expressions, and the rows of group NA: those without a value, and those whose value is outside, if
# the expression reads it as a key.
missing_of_keys <- list(
  list(quote(n), 2), list(quote(n + 1L), 2), list(quote(n %/% 2L), 2), list(quote(-n), 2),
  list(quote(n %% 2L), 2), list(quote(pmin(n, 2L)), 2), list(quote(abs(n)), 2),
  list(quote(cut(n, c(-1, 1, 3))), 2), list(quote(cut(x, c(0, 1, 3))), 2),
  list(quote(as.integer(round(x)) %in% 2), NULL), list(quote(round(n / 2) > 1), 1),
  list(quote(x > 1), 1), list(quote(n > 1), 1), list(quote(n == 1), 2), list(quote(n %in% 1), NULL),
  list(quote(is.na(n)), NULL), list(quote(between(n, 1, 2)), 1), list(quote(n > 1 & other == 7), 1),
  list(quote(if_else(n > 1, "high", "low")), 1), list(quote(if_else(n == 1, n, other)), 2),
  list(quote(case_when(n > 1 ~ l, TRUE ~ "low")), 1),
  list(quote(case_when(n > 1 ~ "high", TRUE ~ "low")), NULL), list(quote(coalesce(n, other)), 1),
  list(quote(na_if(n, 3)), 4), list(quote(d), 2), list(quote(floor_date(d, "month")), 2),
  list(quote(floor_date(d, "week", week_start = 1)), 2), list(quote(cut(d, "month")), 2),
  list(quote(year(d)), 2), list(quote(month(d)), 2), list(quote(day(d)), 2),
  list(quote(week(d)), 2), list(quote(isoweek(d)), 2), list(quote(quarter(d)), 2),
  list(quote(wday(d, week_start = 1)), 2), list(quote(year(d) * 100L + month(d)), 2),
  list(quote(as.integer(d - as.Date("2026-01-01")) %/% 30L), 2), list(quote(d + 1L), 2),
  list(quote(d > "2026-01-01"), 1),
  list(quote(l), 2), list(quote(toupper(l)), 2), list(quote(tolower(l)), 2),
  list(quote(substr(l, 1, 1)), 2), list(quote(trimws(l)), 2), list(quote(l == "b"), 2),
  list(quote(w), 2), list(quote(na_if(w, 2)), 4), list(quote(w > 1), 2), list(quote(f), 2),
  list(quote(!f), 2), list(quote(f | n > 2), 1)
)

test_that("what a query computes of a column with a group of missing values has one, too", {
  for (case in missing_of_keys) {
    name <- deparse1(case[[1]])
    found <- counted_keys(mutate(table_of_missing(), key = !!case[[1]]))
    expect_identical(sum(found$rows), 6, info = name)
    is_group <- grepl("`key` is missing.*group NA", found$notes)
    expect_identical(any(is_group), !is.null(case[[2]]), info = name)
    expect_identical(anyNA(found$key), !is.null(case[[2]]), info = name)
    lacking <- if (is.null(case[[2]])) character() else unname(found$rows[is.na(names(found$rows))])
    if (length(lacking) > 0) expect_identical(lacking, case[[2]], info = name)
    dropped <- counted_keys(mutate(table_of_missing(NULL), key = !!case[[1]]))
    expect_false(anyNA(dropped$key), info = name)
    expect_identical(dropped$rows, found$rows[!is.na(names(found$rows))], info = name)
  }
})

test_that("groups of missing values keep the types of their keys, and take tables of them", {
  key_of <- function(value) counted_keys(mutate(table_of_missing(), key = !!value))$key
  expect_identical(key_of(quote(n > 1)), c(FALSE, TRUE, NA))
  expect_identical(key_of(quote(floor_date(d, "month"))),
    as.Date(c("2026-01-01", "2026-02-01", "2026-03-01", NA))
  )
  expect_identical(key_of(quote(na_if(w, 2))), c(1L, NA))
  flags <- table_of_missing() |> mutate(key = n > 1) |> count(key) |>
    dp_keys(data.frame(key = c(NA, TRUE))) |> exact_release() |> small()
  expect_identical(flags$key, c(NA, TRUE))
  expect_equal(as.double(flags$n), c(1, 4), tolerance = 0.01)
})

test_that("dp_per_unit(.by = ) keeps the group of missing values, and what is computed of it", {
  for (name in c("n", "d", "l", "w", "f", "t")) {
    totals <- table_of_missing() |> mutate(key = !!as.name(name)) |> dp_per_unit(.by = key, s = n())
    keyed <- function(table) {
      if (name == "t") dp_keys(table, data.frame(key = c("x", "y", NA))) else table
    }
    found <- counted_keys(keyed(group_by(totals, key)))
    expect_identical(unname(found$rows[is.na(names(found$rows))]), 2, info = name)
    left <- small(exact_release(summarise(filter(totals, !is.na(key)), rows = dp_count())))
    expect_equal(as.double(left$rows), 4, tolerance = 0.01, info = name)
  }
  derived <- table_of_missing() |> dp_per_unit(.by = c(d, w), s = n()) |>
    mutate(key = month(d)) |> counted_keys()
  expect_identical(derived$rows, c(`1` = 1, `2` = 1, `3` = 2, 2) |>
    stats::setNames(c("1", "2", "3", NA)))
  compared <- table_of_missing() |> dp_per_unit(.by = w, s = n()) |> filter(w == 2) |>
    summarise(rows = dp_count()) |> exact_release() |> small()
  expect_equal(as.double(compared$rows), 2, tolerance = 0.01)
  narrowed <- table_of_missing() |> filter(n > 2) |> dp_per_unit(.by = n, s = n()) |>
    mutate(key = n) |> counted_keys()
  expect_identical(unname(narrowed$rows), c(2, 1))
})

test_that("a filter for missing values leaves their group only, or says that there is none", {
  for (name in c("n", "d", "l", "w", "f")) {
    only <- function(missing) {
      table_of_missing(missing) |> mutate(key = !!as.name(name)) |> filter(is.na(key))
    }
    expect_identical(counted_keys(only(NA))$key |> is.na(), TRUE, info = name)
    expect_error(dp_preview(count(only(NULL), key), epsilon = 1), "Declare `missing = NA`",
      class = "dp_error_keys", info = name
    )
  }
  long <- dp_tbl(plenty(), NULL, dp_unit(rows = 1), dp_schema(
    d = dp_date("1900-01-01", "2026-12-31")
  ))
  expect_error(dp_preview(count(filter(long, is.na(d)), d), epsilon = 1), "Declare `missing = NA`",
    class = "dp_error_keys"
  )
  for (name in c("n", "x")) {
    of <- table_of_missing() |> mutate(key = !!as.name(name)) |> filter(is.na(key)) |>
      summarise(m = dp_median(key), n = dp_n_missing(key))
    expect_equal(as.double(small(exact_release(of))$n), 1, tolerance = 0.01)
  }
})

test_that("engines have the same groups of missing values", {
  skip_if_not_installed("RSQLite")
  query <- function(data) {
    table <- dp_tbl(plenty(delta = 1e-6), data, dp_unit(id = id), dp_schema(
      n = dp_int(0, 3, missing = NA), d = dp_date(first, first + 89, missing = NA),
      w = dp_levels(1, 2, missing = NA)
    ))
    table |> dp_truncate(max_rows = 3) |> dp_per_unit(.by = c(n, d, w), s = n()) |>
      mutate(m = floor_date(d, "month"), v = na_if(w, 2), big = n > 1)|> count(m, v, big) |>
      exact_release() |> small() |> as.data.frame()
  }
  rows <- data.frame(id = rep(1:20, 3), n = rep(c(1, 2, 3, NA, 21), 12),
    d = as.character(first + rep(c(0, 40, 80, NA, 900, 5), 10)), w = rep(c(1, 2, NA, 9), 15)
  )
  con <- DBI::dbConnect(RSQLite::SQLite(), ":memory:")
  withr::defer(DBI::dbDisconnect(con))
  DBI::dbWriteTable(con, "rows", rows)
  expect_equal(query(dplyr::tbl(con, "rows")), query(rows))
})
