visits_to_note <- function(missing = "drop", town_missing = NULL) {
  data <- data.frame(
    person = 1:400, cost = 1:400 * 10, age = 40L, town = rep(c("A", "B"), 200), text = "x"
  )
  domain <- dp_domain(
    cost = dp_num(0, 2000, missing = missing), age = dp_int(0, 60, na = 99), text = dp_text(),
    town = dp_levels("A", "B", missing = town_missing)
  )
  dp_tbl(dp_session(dp_epsilon(1000, delta = 1e-6)), data, dp_unit(id = "person"), domain) |>
    dp_truncate(max_rows = 2)
}

notes_in <- function(query, ...) {
  out <- small(release(query, epsilon = 10, ...))
  notes <- about_released(out)$notes
  for (note in notes) {
    testthat::expect_match(format(out), note, fixed = TRUE, all = FALSE)
    testthat::expect_match(format(summary(out)), note, fixed = TRUE, all = FALSE)
    testthat::expect_match(knitr::knit_print(out), note, fixed = TRUE)
    testthat::expect_match(picture(out, NULL, NULL)$note, note, fixed = TRUE)
  }
  # test-query-note-columns.R has the notes on rows without a value.
  notes <- notes[!grepl("^rows without .* are left out of", notes)]
  setdiff(notes, "rows without `person` are not counted")
}

test_that("the footer has the declared bounds of all amounts", {
  table <- visits_to_note()
  cost <- "cost counts as 0 to 2000 (declared)"
  age <- "age counts as 0 to 60 (declared)"
  expect_identical(notes_in(dplyr::summarise(table, s = dp_sum(cost))), cost)
  weighted <- notes_in(dplyr::summarise(table, m = dp_mean(age, weights = cost)))
  expect_setequal(weighted, c(cost, age))
  derived <- dplyr::rename(dplyr::mutate(table, half = cost / 2), part = half)
  expect_identical(notes_in(dplyr::summarise(derived, m = dp_mean(part))), cost)
  other <- dplyr::mutate(table, cost = age * 2)
  expect_identical(notes_in(dplyr::summarise(other, m = dp_mean(cost))), age)
  expect_identical(
    notes_in(dplyr::summarise(visits_to_note("midpoint"), m = dp_mean(cost))),
    paste0(cost, ", missing values as 1000")
  )
  # Whole numbers and days are rounded down, as the release counts them.
  fills <- function(column) {
    data <- data.frame(x = NA_integer_)
    table <- dp_tbl(plenty(), data, dp_unit(rows = 1), dp_domain(x = column))
    query <- dplyr::summarise(table, s = dp_sum(x))
    list(notes = notes_in(query), sum = without_noise(exact_release(query)$s))
  }
  expect_identical(fills(dp_int(0, 5, missing = "midpoint"))$notes,
    "x counts as 0 to 5 (declared), missing values as 2"
  )
  expect_equal(as.double(fills(dp_int(0, 5, missing = "midpoint"))$sum), 2, tolerance = 0.01)
  expect_identical(fills(dp_num(0, 5, missing = "midpoint"))$notes,
    "x counts as 0 to 5 (declared), missing values as 2.5"
  )
  own <- notes_in(dplyr::summarise(table, m = dp_mean(cost, bounds = c(0, 100))))
  expect_identical(own[[2]], "dp_mean(cost): values count as 0 to 100")
})

test_that("counts have no amounts, and comparisons have if they read them", {
  table <- visits_to_note()
  cost <- "cost counts as 0 to 2000 (declared)"
  expect_length(notes_in(dplyr::summarise(table, n = dp_count())), 0)
  expect_identical(notes_in(dplyr::summarise(table, m = dp_mean(cost > 1000))), cost)
  above <- dplyr::filter(table, cost > 10)
  expect_identical(notes_in(dplyr::summarise(above, n = dp_count())), cost)
  high <- dplyr::mutate(table, high = dplyr::if_else(cost > 1000, "high", "low"))
  expect_true(cost %in% notes_in(dplyr::count(high, high)))
  number <- dplyr::summarise(visits_to_note(7), m = dp_mean(cost))
  expect_identical(notes_in(number), paste0(cost, ", missing values as 7"))
})

where_keys_are <- "in groups, conditions, joins, cells and distinct values (see `dp_check()`)"

test_that("the footer says which values are missing where values are compared", {
  table <- visits_to_note()
  age <- paste("`age` outside 0 to 60 (declared) counts as missing", where_keys_are)
  town <- paste("undeclared values of `town` count as missing", where_keys_are)
  counted <- function(x) notes_in(dplyr::summarise(x, n = dp_count()))
  expect_identical(notes_in(dplyr::summarise(table, m = dp_mean(age == 40))), age)
  expect_identical(counted(dplyr::filter(table, age != 5)), age)
  expect_identical(counted(dplyr::filter(table, !(town == "A"))), town)
  expect_identical(counted(dplyr::filter(visits_to_note(town_missing = "A"), town != "B")),
    paste("missing and undeclared values of `town` count as A", where_keys_are)
  )
  expect_identical(notes_in(dplyr::summarise(table, d = dp_n_distinct(age))), age)
  old <- dplyr::rename(dplyr::mutate(table, old = age %/% 2L), years = old)
  expect_identical(counted(dplyr::filter(old, years == 5L)), age)
  joined <- dplyr::left_join(table, data.frame(age = 0:99, z = 1), by = "age")
  expect_true(age %in% notes_in(dplyr::summarise(joined, s = dp_sum(z))))
  expect_identical(notes_in(dplyr::summarise(table, h = dp_histogram(age, c(10, 30, 50)))), c(
    age, "dp_histogram(age): values outside 10 to 50 are in no cell"
  ))
})

test_that("the footer has the promises that nothing checks", {
  query <- dplyr::count(dp_margin(visits_to_note(), by = town, max_groups = 2), town)
  expect_match(notes_in(query), "not checked: promise about groups of", all = FALSE)
})

test_that("the footer has the rows that are in no group", {
  lost <- "rows whose `town` is missing or not declared are in no group (see `dp_check()`)"
  expect_identical(notes_in(dplyr::count(visits_to_note(), town)), lost)
  expect_identical(notes_in(dplyr::count(visits_to_note(town_missing = "A"), town)),
    paste("missing and undeclared values of `town` count as A", where_keys_are)
  )
  expect_identical(notes_in(dplyr::count(visits_to_note(town_missing = NA), town)),
    "rows whose `town` is missing or not declared are in group NA (see `dp_check()`)"
  )
  expect_identical(
    notes_in(dplyr::count(visits_to_note(town_missing = dp_drop()), town)),
    "rows whose `town` is missing or not declared left the table"
  )
  by_table <- dp_keys(dplyr::count(visits_to_note(), town), data.frame(town = "A"))
  expect_identical(
    notes_in(by_table), "rows whose `town` is missing or not in the public table are in no group"
  )
  with_missing <- dp_keys(dplyr::count(visits_to_note(), town), data.frame(town = c("A", NA)))
  expect_identical(notes_in(with_missing), c(
    "rows whose `town` is not in the public table are in no group",
    "rows whose `town` is missing or not declared are in group NA (see `dp_check()`)"
  ))
})

test_that("a filter keeps the notes of values that are in no group", {
  local_verbs()
  rows <- data.frame(n = c(1, 2, 21), d = as.Date("2026-01-01") + c(0, 1, 900), v = c(1, 2, 99),
    l = c("a", "b", "z")
  )
  first <- as.Date("2026-01-01")
  table <- function(missing = "drop", of_level = NULL) {
    dp_tbl(plenty(), rows, dp_unit(rows = 1), dp_schema(n = dp_int(0, 3, missing = missing),
      d = dp_date(first, first + 2, missing = missing), v = dp_num(0, 4, missing = missing),
      l = dp_levels("a", "b", missing = of_level)
    ))
  }
  outside <- function(name, where = "no group", source = NULL) {
    paste0("rows whose `", name, "` is missing or not declared", source, " are in ", where,
      " (see `dp_check()`)"
    )
  }
  noted <- function(query, note) {
    released <- small(exact_release(summarise(query, rows = dp_count())))
    expect_true(note %in% about_released(released)$notes)
    released
  }
  lost <- list(
    n = group_by(filter(table(), n >= 0), n), n = group_by(filter(table(), !is.na(n)), n),
    n = group_by(filter(table(), n > 1), n), n = group_by(filter(table(), n <= 2), n),
    d = group_by(filter(table(), d >= first), d),
    d = group_by(filter(table(), between(d, first, first + 2)), d),
    n = group_by(table(dp_drop()), n)
  )
  Map(function(query, name) noted(query, outside(name)), lost, names(lost))
  noted(group_by(mutate(filter(table(), v >= 0), k = cut(v, c(0, 2, 4))), k),
    outside("k", source = ", such as `v` outside 0 to 4 (declared),")
  )
  noted(group_by(mutate(filter(table(), n >= 0), k = n + 1L), k),
    outside("k", source = ", such as `n` outside 0 to 3 (declared),")
  )
  kept <- list(
    n = group_by(filter(table(NA), n >= 0), n), d = group_by(table(NA), d),
    l = group_by(table(of_level = NA), l)
  )
  Map(function(query, name) {
    released <- noted(query, outside(name, "group NA"))
    expect_equal(as.double(released$rows[is.na(released[[name]])]), 1, tolerance = 0.01)
  }, kept, names(kept))
  # No row is left that a group could lack.
  without <- list(group_by(filter(table(), n != 3), n), group_by(filter(table(), l != "b"), l),
    group_by(table(of_level = dp_drop()), l)
  )
  for (query in without) {
    released <- small(exact_release(summarise(query, rows = dp_count())))
    notes <- about_released(released)$notes
    expect_no_match(notes, "in no group", fixed = TRUE)
    expect_match(notes, "not declared left the table|count(s)? as missing in groups", all = FALSE)
  }
})

test_that("the footer has the persons without an id, and nothing of units of rows", {
  out <- release(dplyr::summarise(visits_to_note(), n = dp_count()), epsilon = 1)
  expect_match(format(out), "rows without `person` are not counted", fixed = TRUE, all = FALSE)
  rows <- dp_tbl(dp_session(dp_epsilon(1)), data.frame(x = 1:9), dp_unit(rows = 1), dp_domain(
    x = dp_int(0, 9)
  ))
  out <- small(release(dplyr::summarise(rows, n = dp_count()), epsilon = 1))
  expect_no_match(format(out), "are not counted", fixed = TRUE)
})

test_that("the footer says which groups are hidden", {
  count <- dplyr::count(visits_to_note(), town)
  hidden <- notes_in(dp_keys(count, "declared", suppress = 30))
  expect_identical(hidden[[2]], "groups below 30 are not shown")
  texts <- dp_keys(dplyr::count(visits_to_note(), text), "threshold")
  expect_identical(notes_in(texts, delta = 1e-7), c(
    "rows whose `text` is missing are in no group (see `dp_check()`)",
    "groups below the threshold are not shown: `summary()` has it"
  ))
})

test_that("a table prints what its columns make of missing values", {
  lines <- format(dplyr::rename(visits_to_note("midpoint"), years = age))
  expect_match(lines, "cost +number, 0 to 2000; missing: midpoint", all = FALSE)
  expect_match(lines, "years +whole number, 0 to 60; na: 99", all = FALSE)
  expect_no_match(format(dplyr::mutate(visits_to_note("midpoint"), cost = age)), "midpoint")
})

# 100 groups without rows. At alpha = 0.9 a number is beyond its interval with probability 0.9, so
# none of 100 is below 0, or none is above 0, with probability at most 0.56^100 < 1e-25.
empty_groups <- function(...) {
  local_verbs()
  rows <- data.frame(g = character(), cost = numeric(), debt = numeric(), change = numeric())
  table <- dp_tbl(plenty(), rows, dp_unit(rows = 1), dp_domain(g = dp_levels(paste0("g", 1:100)),
    cost = dp_num(0, 100), debt = dp_num(-100, 0), change = dp_num(-50, 50)
  ))
  query <- summarise(group_by(table, g), ...)
  generics::tidy(small(release(query, epsilon = 1, alpha = 0.9)))
}

test_that("a number whose interval has no possible value is marked", {
  tidy <- empty_groups(
    n = dp_count(), cost = dp_sum(cost), debt = dp_sum(debt), change = dp_sum(change),
    both = 3 * n + 2 * cost, less = 5 - n, gap = cost - n
  )
  marked <- split(tidy$mark == "below", tidy$term)
  below <- split(tidy$conf.high < 0, tidy$term)
  for (name in c("n", "cost", "both")) {
    expect_identical(marked[[name]], below[[name]])
    expect_true(any(below[[name]]))
  }
  expect_identical(marked$debt, tidy$conf.low[tidy$term == "debt"] > 0)
  expect_identical(marked$less, tidy$conf.low[tidy$term == "less"] > 5)
  expect_true(any(marked$debt))
  expect_false(any(marked$change | marked$gap))
  expect_identical(mark_signs[["below"]], "*")
})

test_that("a ratio to a count that noise moved below 0 has no interval", {
  tidy <- empty_groups(n = dp_count(), share = dp_sum(cost > 9) / n)
  counts <- tidy[tidy$term == "n", ]
  shares <- tidy[tidy$term == "share", ]
  expect_true(any(counts$mark == "below"))
  expect_identical(unique(shares$mark[counts$mark == "below"]), "empty")
  known <- !is.na(shares$conf.high)
  expect_identical(shares$mark[known] == "below", shares$conf.high[known] < 0)
})

test_that("a mean whose interval reaches a bound of its values is marked", {
  rows <- data.frame(age = rep(534, 1000), cost = 50, sick = 1L, lower = -9)
  table <- dp_tbl(plenty(), rows, dp_unit(rows = 1), dp_domain(age = dp_num(0, 120),
    cost = dp_num(0, 100), sick = dp_int(0, 1), lower = dp_num(5, 10)
  ))
  query <- dplyr::summarise(table, age = dp_mean(age), cost = dp_mean(cost), sick = dp_mean(sick),
    below = dp_mean(lower), own = dp_mean(cost, bounds = c(0, 20)), sum = dp_sum(age)
  )
  # Each of the three intervals has its bound, but with probability 1e-10.
  out <- release(query, epsilon = 6e3, alpha = 1e-10)
  marks <- stats::setNames(generics::tidy(out)$mark, generics::tidy(out)$term)
  expect_identical(names(marks)[marks == "bound"], c("age", "below", "own"))
  expect_match(format(out), "^: the number reaches a bound", fixed = TRUE, all = FALSE)
  expect_match(format(out), "] ^", fixed = TRUE, all = FALSE)
  expect_match(format(summary(out)), "marked  0 of 6", all = FALSE)
})

test_that("a quantile at a bound, or in the outer cell, is marked", {
  rows <- data.frame(x = c(rep(0:49, 12), rep(500, 400)), k = rep(0:99, 10), flag = rep(0:1, 500))
  table <- dp_tbl(plenty(), rows, dp_unit(rows = 1), dp_domain(x = dp_num(0, 60),
    k = dp_int(0, 50), flag = dp_int(0, 1)
  ))
  query <- dplyr::summarise(table, tree = dp_quantile(x, c(0.3, 0.5, 0.9)), rank = dp_median(x),
    top = dp_quantile(x, 0.9), whole = dp_quantile(k, c(0.2, 0.3, 0.9)), flag = dp_median(flag),
    at = dp_quantile(x, c(0.2, 0.3, 0.9), at = seq(0, 40, 5))
  )
  out <- release(query, epsilon = 1e5)
  tidy <- generics::tidy(out)
  marked <- tidy$term[tidy$mark == "bound"]
  expect_identical(marked, c("tree[0.9]", "top", "whole[0.9]", "at[0.9]"))
  footer <- grep("^  \\^: ", format(out), value = TRUE)
  expect_match(footer, "many values can be beyond it. To include them, declare wider bounds")
  expect_no_match(format(out), "narrower")
  open <- dp_tbl(plenty(), rows, dp_unit(rows = 1), dp_domain(x = dp_num()))
  of_points <- dplyr::summarise(open, q = dp_quantile(x, c(0.2, 0.3, 0.9), at = seq(0, 40, 5)))
  tidy <- generics::tidy(release(of_points, epsilon = 1e5))
  expect_identical(tidy$mark, c("", "", "bound"))
})

test_that("a number is wide if half of its interval is exactly the number", {
  rows <- data.frame(x = 1)
  table <- dp_tbl(plenty(), rows, dp_unit(rows = 1), dp_domain(x = dp_num(0, 60)))
  query <- dplyr::summarise(table, n = dp_count(), half = n - n, m = n - 1)
  marks <- generics::tidy(release(query, epsilon = 1e6))
  exact <- marks$conf.low == marks$conf.high
  expect_true(all(exact))
  expect_identical(unique(marks$mark), "")
})

test_that("advice for labelled columns loses no codes of missing values", {
  for (class in c("haven_labelled", "labelled")) {
    words <- kind_of_column(structure(c(1, 99), class = class))
    expect_match(words, "Set each code of a missing value to NA", fixed = TRUE)
    expect_match(words, "zap_missing() does this only for tagged missing values", fixed = TRUE)
  }
})

test_that("columns of public tables have no declared bounds", {
  public <- data.frame(town = c("A", "B"), rent = c(1, 5))
  joined <- dplyr::left_join(visits_to_note(), public, by = "town")
  expect_identical(notes_in(dplyr::summarise(joined, m = dp_mean(rent))),
    paste("undeclared values of `town` count as missing", where_keys_are)
  )
  expect_match(format(joined), "town +level: A, B$", all = FALSE)
})

test_that("no footer says that rows are lost which are a group of missing values", {
  local_verbs()
  table <- dp_tbl(plenty(), data.frame(x = c(1, NA)), dp_unit(rows = 1),
    dp_schema(x = dp_int(0, 5, missing = NA))
  ) |> mutate(copy = x, part = cut(x, c(0, 2, 5)), half = x %/% 2)
  for (name in c("x", "copy", "part", "half")) {
    query <- count(group_by(table, dplyr::across(dplyr::all_of(name))))
    expect_false(any(grepl("in no group", notes_in(query), fixed = TRUE)))
  }
})

test_that("the footer says that dp_per_unit(.by = ) leaves out rows without a group", {
  local_verbs()
  rows <- data.frame(id = rep(1:60, 2), g = rep(c("a", NA), 60), x = 1)
  released <- function(missing) {
    table <- dp_tbl(plenty(), rows, dp_unit(id = id),
      dp_schema(g = dp_levels("a", missing = missing), x = dp_int(0, 5))
    )
    dp_truncate(table, max_rows = 2) |> dp_per_unit(.by = g, t = sum(x)) |> count(g) |>
      exact_release()
  }
  lost <- "`dp_per_unit(.by = )` dropped rows whose `g` is missing or not declared"
  found <- released(NULL)
  expect_match(format(found), lost, fixed = TRUE, all = FALSE)
  expect_identical(as.character(found$g), "a")
  for (missing in c("a", NA)) expect_no_match(format(released(missing)), "left out")
})
