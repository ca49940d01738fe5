# Joins with public tables: dplyr's further arguments hold as they do there, or are refused.

# Rows with the keys 1, 1 and 2.
keyed <- function() {
  dp_tbl(plenty(), data.frame(k = c(1L, 1L, 2L)), dp_unit(rows = 1), dp_domain(k = dp_int(0, 5)))
}

twice <- data.frame(k = c(1L, 1L, 2L), z = c(10L, 20L, 30L))

# Number of rows, and sum of z, of the joined rows.
joined_values <- function(joined) {
  query <- dplyr::summarise(joined, n = dp_count(), z = dp_sum(z, bounds = c(0, 100)))
  round(unlist(as.data.frame(exact_release(query))))
}

plain_values <- function(joined) c(n = nrow(joined), z = sum(joined$z))

refused_argument <- function(code, argument) {
  error <- expect_error(code, class = "dp_error_invalid_argument")
  expect_identical(error$argument, argument)
}

test_that("`multiple` takes the rows of a key that it takes in dplyr", {
  local_verbs()
  table <- keyed()
  keys <- data.frame(k = c(1L, 1L, 2L))
  at <- list(all = twice, first = twice[c(1, 3), ], last = twice[2:3, ], any = twice[c(1, 3), ])
  for (multiple in names(at)) {
    for (join in list(left_join, inner_join)) {
      expected <- plain_values(merge(keys, at[[multiple]]))
      joined <- join(table, twice, by = "k", multiple = multiple, relationship = "many-to-many")
      expect_equal(joined_values(joined), expected, info = multiple)
    }
  }
  # One row stays one row, with the noise for one row.
  scale_of <- function(...) {
    joined <- left_join(table, twice, by = "k", relationship = "many-to-many", ...)
    dp_preview(count(joined, k), epsilon = 1)$scale
  }
  expect_equal(scale_of() / scale_of(multiple = "first"), 2)
})

test_that("a public table that has a key twice warns, unless the call says so", {
  local_verbs()
  table <- keyed()
  expect_warning(left_join(table, twice, by = "k"), "counts once for each of them",
    class = "dp_warning_join"
  )
  expect_warning(inner_join(table, twice, by = "k"), class = "dp_warning_join")
  expect_no_warning(left_join(table, twice, by = "k", relationship = "many-to-many"))
  expect_no_warning(left_join(table, twice, by = "k", multiple = "last"))
  expect_no_warning(left_join(table, twice[2:3, ], by = "k"))
  expect_no_warning(semi_join(table, twice, by = "k"))
})

test_that("keys that are equal in a join are equal for `multiple`", {
  local_verbs()
  zeros <- data.frame(k = c(-0.0, 0.0, 1), z = 1:3)
  first <- last_step(left_join(keyed(), zeros, by = "k", multiple = "first"))
  expect_identical(first$table$columns[[2]]$values, c(1L, 3L))
  refused_argument(
    left_join(keyed(), zeros, by = "k", relationship = "many-to-one"), "relationship"
  )
  both <- data.frame(k = c(1L, 1L, 1L), g = factor(c("a", "b", "a")), z = 1:3)
  table <- dp_tbl(plenty(), NULL, dp_unit(rows = 1),
    dp_domain(k = dp_int(0, 5), g = dp_levels("a", "b"))
  )
  last <- last_step(left_join(table, both, by = c("k", "g"), multiple = "last"))
  expect_identical(last$table$columns[[3]]$values, 2:3)
})

test_that("a missing key of the public table must be said to match nothing", {
  local_verbs()
  gaps <- data.frame(k = c(1L, NA, NA), z = 1:3)
  for (join in list(left_join, inner_join, semi_join, anti_join)) {
    refused_argument(join(keyed(), gaps, by = "k"), "na_matches")
    refused_argument(join(keyed(), gaps, by = "k", na_matches = "na"), "na_matches")
    expect_s3_class(join(keyed(), gaps, by = "k", na_matches = "never"), "dp_tbl")
  }
  # Other columns can have missing values, and missing keys do not count as equal keys.
  expect_s3_class(left_join(keyed(), data.frame(k = 1L, z = NA), by = "k"), "dp_tbl")
  expect_s3_class(
    left_join(keyed(), gaps, by = "k", na_matches = "never", relationship = "many-to-one"),
    "dp_tbl"
  )
})

test_that("what would look at private rows, or mix keys, is refused with a reason", {
  local_verbs()
  table <- keyed()
  once <- twice[2:3, ]
  for (join in list(left_join, inner_join)) {
    refused_argument(join(table, once, by = "k", unmatched = "error"), "unmatched")
    refused_argument(join(table, once, by = "k", relationship = "one-to-one"), "relationship")
    refused_argument(join(table, once, by = "k", relationship = "one-to-many"), "relationship")
    refused_argument(join(table, once, by = "k", keep = TRUE), "keep")
    refused_argument(join(table, once, by = "k", suffix = c("", "_y")), "suffix")
    refused_argument(join(table, once, by = "k", multiple = "some"), "multiple")
  }
  plain <- last_step(left_join(table, once, by = "k"))
  same <- left_join(table, once,
    by = "k", copy = TRUE, keep = FALSE, na_matches = "never", multiple = "all",
    unmatched = "drop", relationship = "many-to-one"
  )
  expect_identical(last_step(same), plain)
  expect_snapshot(error = TRUE, {
    left_join(table, once, bye = "k")
    left_join(table, once, b = "k")
    semi_join(table, once, by = "k", multiple = "first")
    left_join(table, once, by = "k", unmatched = "error")
    left_join(table, twice, by = "k", relationship = "many-to-one")
    left_join(table, data.frame(k = NA, z = 1), by = "k")
  })
})

test_that("a public table stays as it was when data.table changes it in place", {
  local_verbs()
  table <- keyed()
  for (column in list(c(10, 20), 1:2, c("a", "b"), c(TRUE, FALSE), as.Date("2026-01-01") + 0:1)) {
    public <- data.table::data.table(k = 1:2, z = column)
    joined <- left_join(table, public, by = "k")
    keys <- dp_keys(count(table, k), public)
    before <- serialize(list(last_step(joined), keys$keys), NULL)
    data.table::set(public, 2L, "z", column[[1]])
    data.table::set(public, 2L, "k", 5L)
    expect_identical(serialize(list(last_step(joined), keys$keys), NULL), before)
  }
})

test_that("NaN in a public table is refused by name", {
  local_verbs()
  for (column in c("k", "z")) {
    table <- data.frame(k = c(1, 2), z = c(0.5, 1))
    table[[column]][[2]] <- NaN
    expect_error(
      inner_join(keyed(), table, by = "k"), paste0("Column `", column, "` of `y` is NaN"),
      class = "dp_error_unsupported"
    )
  }
})

test_that("a joined column has only the values of the public table", {
  local_verbs()
  public <- data.frame(
    k = 0:2, pop = c(100L, 7L, NA), day = as.Date("2026-01-01") + c(0, 90, 0)
  )
  joined <- left_join(keyed(), public, by = "k")
  for (column in names(public)[-1]) {
    found <- as.data.frame(exact_release(count(joined, .data[[column]])))
    expected <- public[[column]][match(c(1, 1, 2), public$k)]
    expect_setequal(as.character(found[[column]]), as.character(na.omit(unique(public[[column]]))))
    for (i in seq_len(nrow(found))) {
      expect_equal(found$n[[i]], sum(expected == found[[column]][[i]], na.rm = TRUE),
        tolerance = 1e-3, info = column
      )
    }
  }
})
