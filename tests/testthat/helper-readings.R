# How declared columns are read, whatever they hold. Memory and every engine must agree. `source_of`
# makes a source from a data frame. `...` are further arguments of dp_tbl().

# Values near the bounds 1 and 4, ties, fractions near whole numbers, and missing or infinite
# values.
numbers_to_read <- function() {
  x <- c(
    0.4, 0.5, 0.6, 1, 1.5, 2.5, 3.5, 4.4, 4.5, 4.6, 100 * 0.29, -3, 1e9, -1e300, 2 - 2^-52, NA, NaN
  )
  data.frame(x = rep(x, 3), n = rep(c(1L, 7L, NA), each = length(x)))
}

# R reference for reading numbers: rounds, then compares with the bounds.
numbers_as_read <- function(x, lower, upper) {
  rounded <- round(x)
  list(
    key = ifelse(rounded >= lower & rounded <= upper, rounded, NA),
    amount = pmin(pmax(rounded, lower), upper)
  )
}

exactly_released <- function(query) {
  released <- as.data.frame(exact_release(query))
  released[] <- lapply(released, function(x) if (is.numeric(x)) round(x, 6) else x)
  released
}

read_as <- function(source, ..., more = list()) {
  do.call(dp_tbl, c(
    list(plenty(), source, dp_unit(rows = 1), dp_domain(...)), more
  ))
}

expect_numbers_read <- function(source_of, ...) {
  data <- numbers_to_read()
  table <- read_as(source_of(data), x = dp_int(1, 4), n = dp_int(0, 5), more = list(...))
  known <- numbers_as_read(data$x, 1, 4)
  expect_identical(
    exactly_released(count(table, x))$n,
    as.double(tabulate(known$key, 4))
  )
  n <- numbers_as_read(data$n, 0, 5)
  found <- exactly_released(summarise(table,
    missing = dp_n_missing(x), total = dp_sum(x), least = dp_sum(x < 2), most = dp_sum(x >= 4),
    two = dp_sum(x == 2), ends = dp_sum(x %in% c(1, 4)), n = dp_sum(n), five = dp_sum(n == 5),
    different = dp_n_distinct(x), sums = dp_sum(x + n, bounds = c(0, 20))
  ))
  expect_equal(unlist(found), c(
    missing = sum(is.na(data$x)), total = sum(known$amount, na.rm = TRUE),
    least = sum(known$amount < 2, na.rm = TRUE), most = sum(known$amount >= 4, na.rm = TRUE),
    two = sum(known$key == 2, na.rm = TRUE), ends = sum(known$key %in% c(1, 4)),
    n = sum(n$amount, na.rm = TRUE), five = 0, different = 3,
    sums = sum(known$amount + n$amount, na.rm = TRUE)
  ))
  derived <- table |>
    mutate(y = x %/% 2, z = if_else(is.na(n), x, 1L)) |>
    filter(x > 0)
  expect_identical(
    exactly_released(count(derived, y))$n, as.double(tabulate(known$key %/% 2 + 1, 3))
  )
  expect_equal(
    exactly_released(summarise(derived, y = dp_sum(y)))$y,
    sum(known$amount %/% 2, na.rm = TRUE)
  )
  expect_identical(
    exactly_released(count(derived, z))$n,
    as.double(tabulate(ifelse(is.na(data$n), known$key, 1)[!is.na(data$x)], 4))
  )
}

expect_reals_and_dates_read <- function(source_of, ...) {
  day <- as.Date("2026-01-01") + c(0:9, NA, -5, 4000)
  data <- data.frame(day = rep(day, 4), r = rep(c(-1, 0.5, 2, 9), each = length(day)))
  table <- read_as(source_of(data),
    day = dp_date(as.Date("2026-01-01"), as.Date("2026-01-05")), r = dp_num(0, 2),
    more = list(...)
  )
  expect_identical(exactly_released(count(table, day))$n, rep(4, 5))
  found <- exactly_released(summarise(table,
    late = dp_sum(day >= as.Date("2026-01-05")), last = dp_sum(day == as.Date("2026-01-05")),
    total = dp_sum(r), top = dp_sum(r == 2), high = dp_sum(r >= 2),
    cells = dp_histogram(r, breaks = c(0, 1, 2))
  ))
  expect_equal(unlist(found[1:5]), c(
    late = 4 * 7, last = 4, total = 13 * (0 + 0.5 + 2 + 2), top = 13, high = 26
  ))
  expect_equal(round(unname(unlist(found[startsWith(names(found), "cells")]))), c(13, 13))
}

# `missing =` as a level, a value, a group or a dropped row, codes, strings that are not levels.
expect_missing_read <- function(source_of, ...) {
  data <- data.frame(
    g = rep(c("f", "m", NA, "other"), c(50, 30, 20, 7)),
    x = c(rep(c(1, -9, 999), c(40, 10, 5)), rep(NA, 52)),
    b = c(rep(c(TRUE, FALSE), c(60, 20)), rep(NA, 27))
  )
  read <- function(g = dp_levels("f", "m"), x = dp_int(0, 9), b = dp_flag()) {
    read_as(source_of(data), g = g, x = x, b = b, more = list(...))
  }
  level <- read(g = dp_levels("f", "m", "unknown", missing = "unknown"))
  expect_identical(exactly_released(count(level, g))$n, c(50, 30, 27))
  found <- exactly_released(summarise(level,
    equal = dp_sum(g == "unknown"), known = dp_sum(g != "unknown"), none = dp_n_missing(g)
  ))
  expect_equal(unlist(found), c(equal = 27, known = 80, none = 0))
  expect_equal(exactly_released(summarise(filter(level, g == "unknown"), n = dp_count()))$n, 27)

  group <- exactly_released(count(read(g = dp_levels("f", "m", missing = NA)), g))
  expect_identical(group$n, c(50, 30, 27))
  expect_identical(as.character(group$g), c("f", "m", NA))
  whole <- exactly_released(count(read(x = dp_levels(1, 2, missing = NA, na = 999)), x))
  expect_identical(whole$n, c(40, 0, 67))
  expect_equal(whole$x, c(1, 2, NA))
  flags <- exactly_released(count(read(b = dp_flag(missing = NA)), b))
  expect_identical(flags$n[order(flags$b)], c(20, 60, 27))
  both <- read(g = dp_levels("f", "m", missing = NA)) |>
    mutate(h = g) |>
    filter(is.na(g) | h != "f")
  expect_identical(exactly_released(count(both, h))$n, c(30, 27))
  expect_identical(
    exactly_released(dp_keys(count(both, h), data.frame(h = c(NA, "m"))))$n, c(27, 30)
  )

  left <- read(g = dp_levels("f", "m", missing = dp_drop()), b = dp_flag(missing = dp_drop()))
  expect_equal(exactly_released(summarise(left, n = dp_count()))$n, 80)

  codes <- read(x = dp_int(0, 9, na = c(-9, 999)))
  found <- exactly_released(summarise(codes, none = dp_n_missing(x), total = dp_sum(x)))
  expect_equal(unlist(found), c(none = 67, total = 40))
  value <- read(x = dp_num(0, 9, na = c(-9, 999), missing = 5), b = dp_flag(missing = TRUE))
  found <- exactly_released(summarise(value,
    total = dp_sum(x), five = dp_sum(x == 5), more = dp_sum(x > 4), yes = dp_sum(b)
  ))
  expect_equal(unlist(found), c(total = 40 + 67 * 5, five = 67, more = 67, yes = 87))
}

# Numbers, dates and strings whose missing values form a group. Out-of-bounds values have no key, so
# they are in this group too.
expect_groups_of_missing_read <- function(source_of, ...) {
  day <- as.Date("2026-01-01")
  data <- data.frame(
    i = rep(c(0, 2, 9, NA), c(10, 20, 5, 15)), d = day + rep(c(0, 1, 99, NA), c(10, 20, 5, 15)),
    t = rep(c("a", "b", "c", NA), c(10, 20, 5, 15)), w = rep(1L, 50),
    x = rep(c(0.5, 1.5, NA), c(10, 20, 20))
  )
  table <- read_as(source_of(data),
    i = dp_int(0, 2, missing = NA), d = dp_date(day, day + 1, missing = NA),
    t = dp_text(missing = NA), w = dp_int(missing = NA), x = dp_num(0, 2, missing = NA),
    more = list(...)
  )
  numbers <- exactly_released(count(table, i))
  expect_equal(numbers$i, c(0, 1, 2, NA))
  expect_equal(numbers$n, c(10, 0, 20, 20))
  days <- exactly_released(count(table, d))
  expect_equal(days$d, c(day, day + 1, NA))
  expect_equal(days$n, c(10, 20, 20))
  texts <- exactly_released(dp_keys(count(table, t), data.frame(t = c("b", NA, "a"))))
  expect_equal(texts$n, c(20, 15, 10))
  expect_identical(texts$t, c("b", NA, "a"))
  wholes <- exactly_released(dp_keys(count(table, w), data.frame(w = c(1, NA))))
  expect_equal(wholes$n, c(50, 0))
  cells <- exactly_released(count(mutate(table, cell = cut(x, c(0, 1, 2))), cell))
  expect_equal(cells$n, c(10, 20, 20))
  expect_identical(is.na(cells$cell), c(FALSE, FALSE, TRUE))

  # Amounts, conditions, joins and counts of missing values behave as without the group.
  found <- exactly_released(summarise(table,
    none = dp_n_missing(i), total = dp_sum(i), two = dp_sum(i == 2), some = dp_sum(i %in% c(0, 2)),
    other = dp_sum(i != 2), high = dp_sum(i >= 2), late = dp_sum(d > day), text = dp_sum(t == "a"),
    lack = dp_sum(is.na(t)), x = dp_sum(x)
  ))
  expect_equal(unlist(found), c(
    none = 15, total = 50, two = 20, some = 30, other = 10, high = 25, late = 25, text = 10,
    lack = 15, x = 35
  ))
  public <- data.frame(i = c(0, 2), rent = c(10, 20))
  joined <- dplyr::inner_join(table, public, by = "i")
  expect_equal(exactly_released(summarise(joined, n = dp_count(), r = dp_sum(rent)))$r, 500)

  # A copy keeps the group, and conditions narrow it.
  copied <- mutate(table, j = i)
  expect_equal(exactly_released(count(copied, j))$n, c(10, 0, 20, 20))
  expect_equal(exactly_released(count(filter(copied, is.na(i)), j))$n, 15)
  expect_equal(exactly_released(count(filter(table, i == 2), i))$i, 2)
  beyond <- exactly_released(count(filter(table, !is.na(i), i > 0), i))
  expect_equal(beyond$i, c(1, 2, NA))
  expect_equal(beyond$n, c(0, 20, 5))
  kept <- exactly_released(count(filter(table, is.na(d) | d == day), d))
  expect_equal(kept$n[is.na(kept$d)], 15)
}

expect_readings <- function(source_of, ...) {
  expect_numbers_read(source_of, ...)
  expect_reals_and_dates_read(source_of, ...)
  expect_missing_read(source_of, ...)
  expect_groups_of_missing_read(source_of, ...)
}

# Invalid UTF-8 in a column and in ids, value labels, haven codes.
expect_texts_read <- function() {
  data <- data.frame(
    place = rep(c("Z\xfcrich", "Gen\xe8ve", "Z\u00fcrich", "\x81"), c(30, 20, 10, 5)),
    who = rep(c("a\xfc", "a\xe8", "b", "c"), c(30, 20, 10, 5))
  )
  counted <- function(...) {
    table <- read_as(data, place = dp_levels("Z\u00fcrich", "Gen\u00e8ve", ...))
    exactly_released(count(table, place))$n
  }
  expect_identical(counted(), c(10, 0))
  expect_identical(counted(encoding = "latin1"), c(40, 20))
  expect_identical(counted(encoding = "windows-1252"), c(40, 20))
  people <- dp_tbl(plenty(), data, dp_unit(id = who), dp_domain(
    place = dp_levels("Z\u00fcrich", "Gen\u00e8ve", encoding = "latin1", missing = NA)
  )) |>
    dp_truncate(max_rows = 100) |>
    group_by(place) |>
    summarise(n = dp_count(), people = dp_n_ids())
  found <- exactly_released(people)
  expect_identical(found$n, c(40, 20, 5))
  expect_identical(found$people, c(2, 1, 1))
}

expect_labels_read <- function() {
  x <- haven::labelled_spss(c(rep(20:60, 20), rep(999, 80), rep(-5, 7)),
    na_values = 999, na_range = c(-9, -1)
  )
  found <- exactly_released(summarise(read_as(data.frame(x = x), x = dp_int(0, 120)),
    none = dp_n_missing(x), total = dp_sum(x)
  ))
  expect_equal(unlist(found), c(none = 87, total = 20 * sum(20:60)))
  sex <- haven::labelled_spss(rep(c(1, 2, 9, 3), c(5, 7, 2, 1)), c(male = 1, female = 2, none = 9),
    na_values = 9
  )
  counted <- function(x, ...) {
    exactly_released(count(read_as(data.frame(x = x), x = dp_levels(...)), x))
  }
  labelled <- counted(sex, levels = "public", missing = NA)
  expect_identical(as.character(labelled$x), c("male", "female", NA))
  expect_identical(labelled$n, c(5, 7, 3))
  factor <- counted(factor(c("b", "a", "b")), levels = "public")
  expect_identical(factor$n, c(1, 2))
  tagged <- haven::labelled(c(1, haven::tagged_na("a")))
  expect_equal(exactly_released(summarise(read_as(data.frame(x = tagged), x = dp_num(0, 5)),
    none = dp_n_missing(x)
  ))$none, 1)
  expect_error(read_as(data.frame(x = "a"), x = dp_levels(levels = "public")),
    "no levels and no value labels",
    class = "dp_error_source"
  )
  expect_error(read_as(data.frame(x = sex), x = dp_levels("male")), "levels = \"public\"",
    class = "dp_error_source"
  )
}

expect_times_read <- function() {
  x <- as.POSIXct(c("2026-01-01 23:30", "2026-01-02 12:00"), tz = "UTC")
  by_day <- function(...) {
    table <- read_as(data.frame(x = x), x = dp_date("2026-01-01", "2026-01-02", ...))
    exactly_released(count(table, x))$n
  }
  expect_identical(by_day(tz = "UTC"), c(1, 1))
  expect_identical(by_day(tz = "Europe/Zurich"), c(0, 2))
  expect_error(by_day(), "dp_date(tz =", fixed = TRUE, class = "dp_error_source")
  texts <- data.frame(x = c("2026-01-01", "2026-01-02", "2026-02-30", "1.1.2026", NA, "2027-01-01"))
  table <- read_as(texts, x = dp_date("2026-01-01", "2026-01-02"))
  expect_identical(exactly_released(count(table, x))$n, c(1, 1))
  expect_equal(exactly_released(summarise(table, none = dp_n_missing(x)))$none, 3)
  # A string compared with a date means the same date, so the query is the same.
  hash <- function(query) hash_of_query(count(query, x), dp_epsilon(1), 0.05)
  day <- as.Date("2026-01-02")
  expect_identical(hash(filter(table, x >= "2026-01-02")), hash(filter(table, x >= day)))
  expect_identical(hash(filter(table, x %in% "2026-01-02")), hash(filter(table, x %in% day)))
  expect_identical(
    hash(filter(table, between(x, "2026-01-02", "2026-01-03"))),
    hash(filter(table, between(x, day, as.Date("2026-01-03"))))
  )
  expect_error(filter(table, x >= "2026-02-30"), class = "dp_error_unsupported")
  expect_error(filter(table, x >= "yesterday"), class = "dp_error_unsupported")
}
