test_that("a unit is rows, changed rows, or people", {
  rows <- list(kind = "rows", id = character(), count = 2L)
  expect_identical(unclass(dp_unit(rows = 2))[1:3], rows)
  expect_identical(dp_unit(changes = 1)$kind, "changes")
  expect_identical(dp_unit(id = patient)$id, "patient")
  expect_identical(dp_unit(id = "patient")$id, "patient")
  expect_identical(dp_unit(id = c(rider, "day"), n = 3)[c("id", "count")],
    list(id = c("rider", "day"), count = 3L)
  )
  column <- "patient"
  expect_identical(dp_unit(id = !!column)$id, "patient")
})

test_that("units print their protection", {
  expect_identical(format(dp_unit(rows = 1)), "1 row")
  expect_identical(format(dp_unit(rows = 36)), "36 rows")
  expect_identical(format(dp_unit(id = c(rider, day))), "rider and day")
  expect_output(print(dp_unit(id = person, n = 2)), "<dp_unit> 2 person", fixed = TRUE)
})

test_that("invalid units raise errors", {
  expect_error(dp_unit(), class = "dp_error_invalid_argument")
  expect_error(dp_unit(rows = 1, id = patient), class = "dp_error_invalid_argument")
  expect_error(dp_unit(id = paste("a")), class = "dp_error_invalid_argument")
  expect_error(dp_unit(id = c(a, a)), class = "dp_error_invalid_argument")
  for (wrong in list(0, -1, 1.5, "1", NA, 2^31)) {
    expect_error(dp_unit(rows = wrong), class = "dp_error_invalid_argument")
    expect_error(dp_unit(id = a, n = wrong), class = "dp_error_invalid_argument")
  }
  expect_error(dp_unit(rows = 1, n = 2), class = "dp_error_invalid_argument")
})

test_that("a table with one row per person and group moves each group by one row", {
  local_verbs()
  visits <- data.frame(id = rep(1:10, each = 3), ward = c("a", "b", "c"), days = 2L)
  table <- dp_tbl(plenty(), visits, dp_unit(id = id),
    dp_domain(ward = dp_levels("a", "b", "c"), days = dp_int(0, 10))
  )
  capped <- dp_truncate(table, max_groups = 3, max_rows_per_group = 1, by = ward)
  query <- summarise(group_by(capped, ward), days = dp_sum(days))
  expect_identical(unname(query$facts$bound), c(3, 3, 1))
  expect_equal(exact_release(query)$days, c(20, 20, 20), tolerance = 1e-3)
})
