# Each released number says how it read the declared columns behind it.

skip_if_not_installed("dplyr", "1.0.10")

noted_rows <- function() {
  data.frame(x = c(1, 3, NA, 8, NA, 6), y = c(1, NA, 1, 2, 2, 1), flag = c(TRUE, NA, FALSE),
    day = as.Date("2026-01-01") + 100 * 0:5, half = c(0.5, 2.5, 4.5), whole = 1:6
  )
}

noted_table <- function(rows = noted_rows(), missing = "drop", unit = dp_unit(rows = 1)) {
  dp_tbl(plenty(), rows, unit, dp_schema(
    x = dp_num(0, 9, missing = missing), y = dp_num(0, 5), flag = dp_flag(), half = dp_int(0, 9),
    day = dp_date("2026-01-01", "2026-06-30"), whole = dp_int(0, 9)
  ))
}

notes_of_release <- function(query) {
  released <- small(exact_release(query))
  notes <- about_released(released)$notes
  expect_identical(anyDuplicated(notes), 0L)
  for (note in notes) {
    expect_match(format(released), note, fixed = TRUE, all = FALSE)
    expect_match(format(summary(released)), note, fixed = TRUE, all = FALSE)
  }
  list(notes = notes, numbers = as.data.frame(released))
}

has_note <- function(query, note) {
  expect_true(note %in% notes_of_release(query)$notes, label = note)
}

lacks_note <- function(query, words) {
  expect_false(any(grepl(words, notes_of_release(query)$notes, fixed = TRUE)), label = words)
}

# Kinds of aggregates, each with a value that reads a column of amounts.
noted_kinds <- function(of) {
  calls <- rlang::exprs(
    sums = dp_sum(!!of), means = dp_mean(!!of), variances = dp_var(!!of),
    `standard deviations` = dp_sd(!!of), quantiles = dp_median(!!of, method = "tree"),
    histograms = dp_histogram(!!of, c(0, 4, 9)), `weighted counts` = dp_count(weights = !!of),
    means = dp_mean(y, weights = !!of), sums = dp_sum(y, weights = !!of)
  )
  c(calls, if (!identical(of, quote(real))) {
    rlang::exprs(`numbers of distinct values` = dp_n_distinct(as.integer(floor(!!of))))
  })
}

test_that("every kind of aggregate says which rows it leaves out, in every use of a column", {
  local_verbs()
  uses <- list(
    bare = list(function(table) table, quote(x)),
    expression = list(function(table) table, quote(pmin(x + 0, 9))),
    derived = list(function(table) mutate(table, v = x / 2), quote(v)),
    renamed = list(function(table) rename(table, v = x), quote(v)),
    copied = list(function(table) mutate(table, v = x), quote(v))
  )
  rows <- noted_rows()
  for (use in uses) {
    kinds <- noted_kinds(use[[2]])
    for (i in seq_along(kinds)) {
      of <- function(rows) summarise(use[[1]](noted_table(rows)), a = !!kinds[[i]])
      found <- notes_of_release(of(rows))
      left_out <- grepl(paste0("^rows without .*`x`.* are left out of .*", names(kinds)[[i]]),
        found$notes
      )
      expect_identical(sum(left_out), 1L, label = rlang::expr_label(kinds[[i]]))
      # The note is true: the other rows alone give the same numbers.
      others <- notes_of_release(of(rows[!is.na(rows$x), ]))$numbers
      expect_equal(unlist(found$numbers), unlist(others), tolerance = 0.01)
      if (!names(kinds)[[i]] %in% c("histograms", "numbers of distinct values")) {
        expect_true("x counts as 0 to 9 (declared)" %in% found$notes)
      }
    }
  }
})

test_that("counts leave out no rows, and neither do expressions that are never missing", {
  local_verbs()
  table <- noted_table()
  for (of in rlang::exprs(
    dp_count(), dp_n_missing(x), dp_mean(is.na(x)), dp_mean(coalesce(x, 1)),
    dp_mean(case_when(x > 3 ~ 1, .default = 0)), dp_mean(if_else(is.na(x), 0, 1)),
    dp_mean(whole %in% c(1L, 2L))
  )) {
    lacks_note(summarise(table, a = !!of), "left out")
  }
  lacks_note(summarise(filter(table, !is.na(x)), a = dp_sum(x)), "left out")
  for (missing in list(2, dp_drop())) {
    lacks_note(summarise(noted_table(missing = missing), a = dp_sum(x)), "left out")
  }
})

test_that("shares and ratios say which rows only one of their parts counts", {
  local_verbs()
  table <- noted_table()
  has_note(summarise(table, a = dp_mean(flag)), "rows without `flag` are left out of shares")
  has_note(summarise(table, a = dp_mean(x > 2)), "rows without `x` are left out of shares")
  has_note(summarise(table, a = dp_sum(flag)), "rows without `flag` are left out of sums")
  below <- "r: rows without `x` count in the denominator only"
  has_note(summarise(table, s = dp_sum(x), n = dp_count(), r = s / n), below)
  has_note(summarise(table, r = 100 * dp_sum(x > 2) / dp_count()), below)
  has_note(summarise(table, r = dp_count() / dp_sum(x)),
    "r: rows without `x` count in the numerator only"
  )
  lacks_note(summarise(table, r = dp_sum(x) / dp_count(weights = x)), "only")
  lacks_note(summarise(table, r = dp_sum(x) / 2), "only")
})

test_that("the midpoint replaces missing values only in bare columns", {
  local_verbs()
  table <- noted_table(missing = "midpoint")
  middle <- "x counts as 0 to 9 (declared), missing values as 4.5"
  computed <- "rows without `x` are left out of means of computed values"
  for (of in rlang::exprs(dp_sum(x), dp_var(x), dp_count(weights = x), dp_mean(y, weights = x))) {
    query <- summarise(table, a = !!of)
    has_note(query, middle)
    lacks_note(query, "without `x`")
  }
  has_note(summarise(rename(table, v = x), a = dp_mean(v)), middle)
  query <- summarise(table, a = dp_mean(x * 2))
  has_note(query, computed)
  has_note(query, "x counts as 0 to 9 (declared)")
  expect_equal(notes_of_release(query)$numbers$a, 9, tolerance = 0.01)
  both <- summarise(table, a = dp_mean(x), b = dp_mean(x * 2))
  has_note(both, middle)
  has_note(both, computed)
  own <- summarise(table, a = dp_mean(x, bounds = c(0, 4)))
  has_note(own, "dp_mean(x): values count as 0 to 4, missing values as 2")
  # 1, 3, 4 and 4 within the bounds, and the middle twice.
  expect_equal(notes_of_release(own)$numbers$a, 16 / 6, tolerance = 0.01)
})

test_that("values of a person say what they are without a value", {
  local_verbs()
  rows <- cbind(noted_rows(), person = c(1, 1, 2, 3, 3, 4))
  rows$flag <- c(TRUE, TRUE, NA, FALSE, FALSE, TRUE)
  people <- noted_table(rows, "midpoint", dp_unit(id = person)) |>
    dp_truncate(max_rows = 3) |>
    dp_per_unit(s = sum(x), most = max(x), any = any(flag), all = all(flag), n = n())
  query <- summarise(people, s = dp_sum(s, bounds = c(0, 20)), most = dp_mean(most),
    any = dp_sum(any), all = dp_sum(all)
  )
  without <- function(name, column, is) {
    paste0("`", name, "` leaves out rows without `", column, "`, and is ", is,
      " if no others are left"
    )
  }
  has_note(query, without("s", "x", "0"))
  has_note(query, without("most", "x", "missing"))
  has_note(query, without("any", "flag", "FALSE"))
  has_note(query, without("all", "flag", "TRUE"))
  has_note(query, "rows without `x` are left out of means of computed values")
  lacks_note(query, "missing values as")
  expect_equal(unlist(notes_of_release(query)$numbers), tolerance = 0.01,
    c(s = 18, most = 17 / 3, any = 2, all = 3)
  )
})

test_that("fractions of whole numbers are noted, and only if the column can have them", {
  local_verbs()
  rounded <- "fractions in `half` are rounded to whole numbers"
  table <- noted_table()
  has_note(count(table, half), rounded)
  has_note(count(mutate(table, v = half * 2), v), rounded)
  has_note(count(filter(table, half > 2)), rounded)
  for (of in rlang::exprs(dp_sum(half), dp_mean(half == 2), dp_mean(y, weights = half))) {
    has_note(summarise(table, a = !!of), rounded)
  }
  lacks_note(summarise(table, a = dp_mean(whole), b = dp_mean(x)), "fractions")
  skip_if_not_installed("DBI")
  skip_if_not_installed("RSQLite")
  skip_if_not_installed("dbplyr")
  con <- DBI::dbConnect(RSQLite::SQLite(), ":memory:")
  on.exit(DBI::dbDisconnect(con))
  DBI::dbWriteTable(con, "t", noted_rows()[c("half", "whole")])
  stored <- dp_tbl(plenty(), tbl(con, "t"), dp_unit(rows = 1), dp_schema(
    half = dp_int(0, 9), whole = dp_int(0, 9)
  ))
  has_note(summarise(stored, a = dp_mean(half), b = dp_mean(whole)), rounded)
  DBI::dbWriteTable(con, "flags", data.frame(a = c(0L, 1L, 2L), b = c(0L, 1L, NA)))
  flags <- dp_tbl(plenty(), tbl(con, "flags"), dp_unit(rows = 1),
    dp_schema(a = dp_flag(), b = dp_flag())
  )
  for (query in list(count(flags, a), summarise(flags, s = dp_sum(a)))) {
    has_note(query, "whole numbers other than 0 in `a` count as TRUE")
    lacks_note(query, "`b`")
  }
})

test_that("computed groups name the declared column and its bounds", {
  local_verbs()
  table <- noted_table()
  outside <- function(name, ends, is = "missing or not declared") {
    paste0("rows whose `v` is ", is, ", such as `", name, "` outside ", ends, " (declared), ",
      "are in no group (see `dp_check()`)"
    )
  }
  days <- outside("day", "2026-01-01 to 2026-06-30")
  has_note(count(table, v = cut(day, "month")), days)
  has_note(count(mutate(table, d = day), v = d), days)
  whole <- outside("whole", "0 to 9")
  for (key in rlang::exprs(pmin(whole, 2L), whole %/% 3L, cut(whole, c(0, 5, 9)))) {
    query <- count(mutate(table, v = !!key), v)
    has_note(query, whole)
    lacks_note(query, "counts as missing")
  }
  has_note(count(mutate(table, v = whole == 3L), v), outside("whole", "0 to 9", "missing"))
})

test_that("a filter that keeps values outside the bounds says so", {
  local_verbs()
  table <- noted_table()
  kept <- function(...) summarise(filter(table, ...), n = dp_count())
  has_note(kept(whole < 100), "the filter whole < 100 keeps values outside 0 to 9 (declared)")
  has_note(kept(day <= as.Date("2026-06-30")),
    "the filter day <= 2026-06-30 keeps values outside 2026-01-01 to 2026-06-30 (declared)"
  )
  has_note(kept(x > 1, between(whole, 0, 9)),
    "the filter between(whole, 0, 9) keeps values outside 0 to 9 (declared)"
  )
  lacks_note(kept(whole < 9), "keeps values outside")
  lacks_note(kept(x > 3), "keeps values outside")
})

test_that("a join with repeated keys says that rows count several times", {
  local_verbs()
  public <- data.frame(whole = c(1L, 1L, 2L), rent = 1:3)
  joined <- left_join(noted_table(), public, by = "whole", relationship = "many-to-many")
  repeated <- "a row counts once for each row of the public table with its `whole`"
  query <- summarise(joined, n = dp_count(), rent = dp_mean(rent))
  has_note(query, repeated)
  has_note(query, "rows without `rent` are left out of means")
  once <- inner_join(noted_table(), public[2:3, ], by = "whole")
  lacks_note(summarise(once, n = dp_count()), "counts once")
})

test_that("undeclared levels count as missing in `is.na()` and in numbers of missing values", {
  local_verbs()
  rows <- data.frame(g = c("a", "b", "c"), n = c(1L, 2L, 99L))
  table <- dp_tbl(plenty(), rows, dp_unit(rows = 1), dp_schema(
    g = dp_levels("a", "b"), n = dp_int(0, 9)
  ))
  note <- paste0(
    "undeclared values of `g` count as missing", places_of_keys, counted_by_check
  )
  has_note(summarise(table, m = dp_n_missing(g)), note)
  has_note(summarise(table, m = dp_mean(is.na(g))), note)
  has_note(summarise(filter(table, !is.na(g)), m = dp_count()), note)
  # A number outside the bounds is an amount, which is not missing.
  lacks_note(summarise(table, m = dp_n_missing(n)), "as missing")
  lacks_note(summarise(table, m = dp_count()), "as missing")
})
