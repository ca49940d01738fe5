# The values that a computed column can have: groups, bounds and histograms follow from them.
local_verbs()

computed_table <- function(data = NULL) {
  data <- data %||% data.frame(
    age = rep(c(4L, 15L, 15L, 88L, 120L, NA), 20), wage = rep(c(1, 4500, 99999, 5, 20, NA), 20),
    x = rep(c(1, 4.5, 9.5, 5, 2, NA), 20), id = 1L
  )
  dp_tbl(plenty(), data, dp_unit(rows = 1), dp_schema(
    age = dp_int(0, 99), wage = dp_int(0, 1e6), x = dp_num(0, 10)
  ))
}

groups_of <- function(table, key) {
  small(release(count(table, k = !!key), epsilon = 1e9))
}

test_that("tens of a whole number are ten groups, however they are written", {
  table <- computed_table()
  keys <- alist(
    age %/% 10 * 10, age - age %% 10, floor(age / 10) * 10, 10 * (age %/% 10),
    case_when(age < 50 ~ age %/% 10 * 10, TRUE ~ age - age %% 10)
  )
  for (key in keys) {
    released <- groups_of(table, key)
    expect_identical(as.integer(released$k), seq(0L, 90L, 10L))
    # A value outside of the bounds is in no group.
    expect_equal(released$n, c(20, 40, 0, 0, 0, 0, 0, 0, 20, 0), tolerance = 0.01)
  }
  expect_identical(as.integer(groups_of(table, quote(round(age, -1)))$k), seq(0L, 100L, 10L))
  expect_identical(as.integer(groups_of(table, quote(age %% 10))$k), 0:9)
  expect_identical(as.integer(groups_of(table, quote((age * 7) %% 3))$k), 0:2)
})

test_that("columns of many values have steps", {
  table <- computed_table()
  for (key in alist(
    wage %/% 10000 * 10000, wage - wage %% 10000, floor(wage / 10000) * 10000, floor(x) * 10000
  )) {
    top <- if ("x" %in% all.vars(key)) 1e5 else 1e6
    expect_identical(as.double(groups_of(table, key)$k), seq(0, top, 1e4))
  }
  expect_identical(as.double(groups_of(table, quote(round(wage, -5)))$k), seq(0, 1e6, 1e5))
  narrowed <- filter(mutate(table, k = wage %/% 1e5 * 1e5), k > 5e5, k < 999999)
  expect_identical(as.double(groups_of(narrowed, quote(k))$k), seq(6e5, 9e5, 1e5))
})

test_that("only levels that some declared value has are groups", {
  table <- computed_table()
  key <- quote(case_when(age < 18 ~ "child", age > 64 & wage < 0.5 ~ "poor", TRUE ~ "other"))
  expect_setequal(groups_of(table, key)$k, c("child", "poor", "other"))
  expect_identical(groups_of(table, quote(cut(age, c(-1, 17, 99, 200))))$k, c("(-1,17]", "(17,99]"))
})

test_that("tables of keys, joins, histograms and previews know the steps", {
  table <- mutate(computed_table(), decade = age %/% 10 * 10)
  query <- count(table, decade)
  expect_error(dp_keys(query, data.frame(decade = c(10, 15))) |> release(epsilon = 1),
    class = "dp_error_domain"
  )
  joined <- left_join(table, data.frame(decade = seq(0L, 90L, 10L), w = 1:10), by = "decade")
  released <- small(release(summarise(joined, s = dp_sum(w)), epsilon = 1e9))
  expect_equal(released$s, 20 * 1 + 40 * 2 + 20 * 9, tolerance = 0.01)
  expect_equal(nrow(small(release(query, epsilon = 1e9))), 10)
  distinct <- small(release(summarise(table, n = dp_n_distinct(decade)), epsilon = 1e9))
  expect_equal(distinct$n, 3, tolerance = 0.01)
})

bounds_of <- function(value) {
  field <- fields_of(mutate(computed_table(), y = !!value))$y
  c(field$lower, field$upper)
}

test_that("a choice takes its bounds from its values and conditions, and NA has none", {
  expect_identical(bounds_of(quote(if_else(x > 5, x, NA))), c(5, 10))
  expect_identical(bounds_of(quote(ifelse(x > 5, x, NA))), c(5, 10))
  expect_identical(bounds_of(quote(if_else(age > 5, age, NA))), c(6, 99))
  expect_identical(bounds_of(quote(if_else(wage > 5000, NA, wage))), c(0, 5000))
  expect_identical(bounds_of(quote(if_else(wage > 5000, 5000, wage))), c(0, 5000))
  expect_identical(bounds_of(quote(case_when(x > 5 ~ 5, x < 1 ~ 1, TRUE ~ x))), c(1, 5))
  expect_identical(bounds_of(quote(replace(x, x > 5, NA))), c(0, 5))
  expect_identical(bounds_of(quote(if_else(x > 5, x, NA) * 2)), c(0, 20))
  expect_identical(bounds_of(quote(replace_na(if_else(age > 5, age, NA), 0))), c(0, 99))
  high <- small(release(summarise(computed_table(), s = dp_sum(if_else(x > 5, x, NA))),
    epsilon = 1e9
  ))
  expect_equal(high$s, 20 * 9.5, tolerance = 0.01)
})

test_that("stored queries of the first rules keep their groups and bounds", {
  table <- mutate(computed_table(), y = age - age %% 10)
  form <- form_of_query(count(table, y))
  bounds <- function(form) {
    field <- core_query_fields(form)$fields[[4]]
    c(field$lower, field$upper)
  }
  expect_identical(bounds(form), c(0, 90))
  form$rules <- NULL
  expect_identical(bounds(form), c(-9, 99))
  form <- form_of_query(count(mutate(computed_table(), y = if_else(x > 5, x, NA))))
  form$rules <- NULL
  expect_true(anyNA(bounds(form)))
})

test_that("rows without a value reach the later cases of a choice", {
  data <- data.frame(
    few = rep(c(10L, 40L, NA, 40L), 25), many = rep(c(1000L, 40000L, NA, 40000L), 25),
    real = rep(c(1.5, 40, NA, 40), 25), cost = 50
  )
  table <- dp_tbl(plenty(), data, dp_unit(rows = 1), dp_schema(
    few = dp_int(0, 120), many = dp_int(0, 1e5), real = dp_num(0, 100), cost = dp_num(0, 100)
  ))
  for (column in c("few", "many", "real")) {
    x <- as.name(column)
    # The first two cases leave only rows without a value.
    released <- exact_release(summarise(table,
      cases = dp_sum(case_when(!!x < 18 ~ 0, !!x >= 18 ~ cost, .default = 1000)),
      always = dp_sum(case_when(!!x < 1e6 ~ cost, .default = 1000)),
      other = dp_sum(if_else(coalesce(!!x >= 0, FALSE), cost, 5000))
    ))
    x <- data[[column]]
    expect_equal(released$cases, sum(ifelse(is.na(x), 1000, ifelse(x < 18, 0, 50))))
    expect_equal(released$always, sum(ifelse(is.na(x), 1000, 50)))
    expect_equal(released$other, sum(ifelse(is.na(x), 5000, 50)))
    coded <- mutate(table, k = case_when(!!as.name(column) < 18 ~ 1L, !!as.name(column) >= 18 ~ 2L,
      .default = 9L
    ))
    counted <- exact_release(count(coded, k))
    expected <- c(sum(x < 18, na.rm = TRUE), sum(x >= 18, na.rm = TRUE), sum(is.na(x)))
    expect_equal(counted$n[counted$k %in% c(1, 2, 9)], expected)
    expect_equal(exact_release(count(filter(coded, k == 9)))$n, 25)
  }
})

test_that("many levels that are numbers are compared by the numbers", {
  data <- data.frame(zip = rep(c(50005L, 60005L), 50), cost = 50)
  table <- dp_tbl(plenty(), data, dp_unit(rows = 1), dp_schema(
    zip = do.call(dp_levels, as.list(50001:70000)), cost = dp_num(0, 100)
  ))
  released <- exact_release(summarise(table,
    high = dp_sum(if_else(zip > 60000, cost, -5)),
    low = dp_sum(case_when(zip <= 60000 ~ cost, .default = -5)),
    codes = dp_sum(if_else(zip > 50200, zip, 7L))
  ))
  expect_equal(released$high, 50 * (50 - 5))
  expect_equal(released$low, 50 * (50 - 5))
  expect_equal(released$codes, 50 * (60005 + 7))
  expect_equal(exact_release(count(filter(table, zip == 50005)))$n, 50)
  expect_equal(exact_release(count(filter(table, zip > 60000)))$n, 50)
})

test_that("numbers of missing and distinct values take each expression that sums take", {
  table <- computed_table()
  released <- exact_release(summarise(table,
    missing = dp_n_missing(if_else(x > 3, age, NA) - 1L),
    distinct = dp_n_distinct(if_else(x > 3, age, NA) %/% 2L)
  ))
  expect_equal(c(released$missing, released$distinct), c(60, 2))
})

test_that("a filter narrows a long range of groups with one for missing values", {
  data <- data.frame(z = c(5L, 99995L, 99995L, NA, 200000L))
  table <- dp_tbl(plenty(), data, dp_unit(rows = 1), dp_schema(z = dp_int(0, 1e5, missing = NA)))
  released <- exact_release(count(filter(table, z > 99990), z))
  expect_identical(as.integer(released$z), c(99991:100000, NA))
  expect_equal(released$n, c(0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 1))
})

test_that("choices among written whole numbers form groups", {
  table <- dp_tbl(plenty(), data.frame(x = 1:5), dp_unit(rows = 1), dp_domain(x = dp_int(0, 9)))
  groups <- function(key) as.data.frame(exact_release(count(table, k = !!key)))
  found <- groups(quote(case_when(x > 3 ~ 1, x > 1 ~ 40, .default = -3)))
  expect_identical(found$k, c(-3L, 1L, 40L))
  expect_equal(found$n, c(1, 2, 2), tolerance = 1e-3)
  expect_identical(groups(quote(if_else(x > 3, 1, NA)))$k, 1L)
  expect_identical(groups(quote(if_else(x > 3, 1, 2L)))$k, 1:2)
  for (key in expression(if_else(x > 3, 1, 2.5), if_else(x > 3, 1, 1e10))) {
    expect_error(groups(key), "real numbers", class = "dp_error_unsupported")
  }
})

test_that("histograms of whole numbers place breaks between them", {
  data <- data.frame(x = rep(0:6, 1:7), day = as.Date("2026-01-01") + rep(0:6, 1:7))
  table <- dp_tbl(plenty(), data, dp_unit(rows = 1), dp_domain(
    x = dp_int(0, 6), day = dp_date("2026-01-01", "2026-01-07")
  ))
  for (breaks in list(c(0, 3, 6), c(0.5, 2.5, 4.5), c(-0.5, 1.5, 4), c(1, 4.9, 5.1))) {
    query <- summarise(table, h = dp_histogram(x, breaks = breaks))
    found <- unname(exact_release(query)$h[[1]])
    expected <- hist(data$x[data$x >= breaks[[1]] & data$x <= breaks[[3]]], breaks,
      right = FALSE, plot = FALSE
    )$counts
    expect_equal(found, expected, tolerance = 1e-3, info = toString(breaks))
  }
  expect_error(summarise(table, h = dp_histogram(x, breaks = c(1.2, 1.7, 3))),
    "at least two different breaks", class = "dp_error_domain"
  )
})
