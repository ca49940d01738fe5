# filter() narrows the declaration: groups, bounds and printed columns follow.
skip_if_not_installed("dplyr")

narrowed_table <- function(data = narrowed_rows()) {
  dp_tbl(dp_session(dp_epsilon(1000)), data,
    unit = dp_unit(rows = 1),
    domain = dp_domain(
      g = dp_levels("a", "b", "c"), h = dp_levels("u", "v", missing = NA), age = dp_int(0, 120),
      wage = dp_num(0, 1000), code = dp_int(0, 1e6), flag = dp_flag(),
      day = dp_date(as.Date("2026-01-01"), as.Date("2026-01-31"))
    )
  )
}

narrowed_rows <- function() {
  data.frame(
    g = rep(c("a", "b", "c", NA), 50), h = rep(c("u", "v", NA, "u"), 50),
    age = rep(c(10L, 20L, 70L, 300L), 50), wage = rep(c(5, 50, 500, NA), 50),
    code = rep(c(1, 10, 1000, 1e7), 50), flag = rep(c(TRUE, FALSE, NA, TRUE), 50),
    day = as.Date("2026-01-01") + rep(c(0, 10, 30, 400), 50)
  )
}

keys_after <- function(filtered, by) {
  counts <- small(release(dplyr::count(filtered, .data[[by]]), epsilon = 50))
  expect_true(all(abs(counts$n - 50) < 10))
  counts[[by]]
}

bounds_after <- function(filtered, column) {
  field <- fields_of(filtered)[[column]]
  c(field$lower, field$upper)
}

test_that("groups that a filter excludes are not released", {
  table <- narrowed_table()
  expect_identical(keys_after(dplyr::filter(table, g != "c"), "g"), c("a", "b"))
  expect_identical(keys_after(dplyr::filter(table, g %in% c("a", "c")), "g"), c("a", "c"))
  expect_identical(keys_after(dplyr::filter(table, g == "b"), "g"), "b")
  expect_identical(keys_after(dplyr::filter(table, g == "a" | g == "b"), "g"), c("a", "b"))
  expect_identical(keys_after(dplyr::filter(table, !(g == "a"), g != "b"), "g"), "c")
  expect_identical(keys_after(dplyr::filter(table, age %in% c(10, 70)), "age"), c(10L, 70L))
  expect_identical(keys_after(dplyr::filter(table, age == 20), "age"), 20L)
  expect_identical(keys_after(dplyr::filter(table, day == "2026-01-11"), "day"),
    as.Date("2026-01-11")
  )
  renamed <- dplyr::rename(dplyr::filter(table, g != "a"), place = g)
  expect_identical(keys_after(renamed, "place"), c("b", "c"))
})

test_that("groups of missing values follow filters of their column", {
  table <- narrowed_table()
  expect_identical(keys_after(dplyr::filter(table, h == "v"), "h"), "v")
  released <- small(release(dplyr::count(dplyr::filter(table, !is.na(h)), h), epsilon = 50))
  expect_identical(released$h, c("u", "v"))
  kept <- dplyr::filter(table, is.na(h) | h == "v")
  released <- small(release(dplyr::count(kept, h), epsilon = 50))
  expect_identical(released$h, c("v", NA))
})

test_that("bounds move to the constants of a filter", {
  table <- narrowed_table()
  adults <- dplyr::filter(table, age >= 18, age < 65)
  expect_identical(bounds_after(adults, "age"), c(18, 64))
  expect_identical(bounds_after(dplyr::filter(table, age > 17.5 & 64.5 >= age), "age"), c(18, 64))
  expect_identical(bounds_after(dplyr::filter(table, wage > 10, wage <= 99.5), "wage"), c(10, 99.5))
  expect_identical(bounds_after(dplyr::filter(table, between(code, 10, 2000)), "code"), c(10, 2000))
  expect_identical(bounds_after(dplyr::filter(table, code > 10, code < 2e3), "code"), c(11, 1999))
  day <- bounds_after(dplyr::filter(table, day >= as.Date("2026-01-20")), "day")
  expect_identical(day, as.double(as.Date(c("2026-01-20", "2026-01-31"))))
  # Values that may be possible stay.
  expect_identical(bounds_after(dplyr::filter(table, age >= 18 | wage > 10), "age"), c(0, 120))
  expect_identical(bounds_after(dplyr::filter(table, age + wage > 10), "age"), c(0, 120))
})

test_that("sums of a narrowed column have less noise, and stay right", {
  table <- narrowed_table()
  noise_of <- function(query) dp_preview(query, epsilon = 1)$scale
  total <- function(table) dplyr::summarise(table, s = dp_sum(wage))
  low <- dplyr::filter(table, wage <= 100)
  expect_lt(noise_of(total(low)), noise_of(total(table)) / 9)
  expect_equal(small(release(total(low), epsilon = 50))$s, 50 * 55, tolerance = 0.02)
  ages <- dplyr::summarise(dplyr::filter(table, age >= 18), s = dp_sum(age))
  # A value above its bound is an amount, and no group.
  expect_equal(small(release(ages, epsilon = 50))$s, 50 * (20 + 70 + 120), tolerance = 0.02)
})

test_that("groups that are computed of a narrowed column follow it", {
  twenties <- dplyr::filter(narrowed_table(), age >= 18, age < 29)
  decades <- dplyr::mutate(twenties, decade = age %/% 10)
  released <- small(release(dplyr::count(decades, decade), epsilon = 50))
  expect_identical(as.integer(released$decade), 1:2)
})

test_that("histograms keep breaks that a filter leaves no value at", {
  ages <- dplyr::summarise(dplyr::filter(narrowed_table(), age >= 18),
    cells = dp_histogram(age, breaks = c(0, 18, 65, 120))
  )
  expect_equal(unname(small(release(ages, epsilon = 50))$cells[[1]]), c(0, 50, 50), tolerance = 0.2)
})

test_that("a table of keys must fit what a filter leaves", {
  query <- dplyr::count(dplyr::filter(narrowed_table(), g != "c"), g)
  expect_error(
    release(dp_keys(query, data.frame(g = c("a", "c"))), epsilon = 1),
    "that its declaration or `filter()` excludes", fixed = TRUE, class = "dp_error_domain"
  )
  released <- small(release(dp_keys(query, data.frame(g = "a")), epsilon = 50))
  expect_identical(released$g, "a")
})

test_that("a filter that no declared value passes is refused", {
  table <- narrowed_table()
  none_left <- function(table, ...) {
    expect_error(dplyr::filter(table, ...), "keeps no row", class = "dp_error_domain")
  }
  none_left(table, age > 60, age < 50)
  none_left(table, code > 1e4, code < 50)
  none_left(table, wage < 10, wage > 20)
  expect_error(dplyr::filter(table, g == "a", g == "b"), "`g` passes", class = "dp_error_domain")
})

test_that("a printed table has the levels and bounds that a filter leaves", {
  lines <- format(dplyr::filter(narrowed_table(), g != "c", age < 18))
  expect_true(any(grepl("a, b", lines) & !grepl("c", sub("^ *g", "", lines))))
  expect_true(any(grepl("0 to 17|[[]0, 17[]]|0.*17", lines)))
})

test_that("stored queries of the first rules keep the groups of their declaration", {
  query <- dplyr::count(dplyr::filter(narrowed_table(), g != "c"), g)
  form <- form_of_query(query)
  groups <- function(form) core_query_fields(form)$fields[[1]]$levels
  expect_identical(groups(form), c("a", "b"))
  form$rules <- NULL
  expect_identical(groups(form), c("a", "b", "c"))
})

test_that("a condition that no value passes is refused by the name of its column", {
  local_verbs()
  table <- dp_tbl(dp_session(dp_epsilon(1)), NULL, dp_unit(rows = 1), dp_schema(
    g = dp_levels("a", "b", missing = NA), n = dp_int(0, 5, missing = NA), x = dp_int(0, 5)
  ))
  refused <- function(query, name) {
    expect_error(dp_preview(count(query), epsilon = 1), paste0("value of `", name, "` passes"),
      class = "dp_error_domain"
    )
  }
  refused(filter(table, g == "a", g == "b"), "g")
  refused(filter(table, n > 4, n < 3), "n")
  refused(filter(table, x > 4, x < 3), "x")
})
