# The values that a computed column can have: groups, bounds and histograms follow from them.
local_verbs()

computed_table <- function(data = NULL) {
  data <- data %||% data.frame(
    age = rep(c(4L, 15L, 15L, 88L, 120L, NA), 20), wage = rep(c(1, 4500, 99999, 5, 20, NA), 20),
    x = rep(c(1, 4.5, 9.5, 5, 2, NA), 20), id = 1L
  )
  dp_tbl(dp_session(dp_epsilon(1e15)), data, dp_unit(rows = 1), dp_schema(
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
