local_verbs(testthat::teardown_env())

three_groups <- data.frame(id = rep(1:10, each = 3), g = rep(c("a", "b", "c"), 10), x = 1:30)

with_lengths <- function(unit, cap = NULL) {
  table <- dp_tbl(dp_session(dp_epsilon(10)), three_groups, unit,
    domain = dp_domain(g = dp_levels("a", "b", "c"), x = dp_int(0, 30))
  )
  if (!is.null(cap)) table <- dp_truncate(table, max_rows = cap)
  group_by(dp_margin(table, by = g, lengths = TRUE), g)
}

test_that("public joins are charged for the rows that they make of one", {
  expect_joined_keys(identity)
})

test_that("truncation keeps the groups whose first or last rows are asked for", {
  expect_ordered_groups(identity)
})

test_that("public lengths raise an error if no person can be replaced, before a charge", {
  for (table in list(
    with_lengths(dp_unit(rows = 1)), with_lengths(dp_unit(id = id), 1),
    with_lengths(dp_unit(id = id), 3)
  )) {
    session <- tbl_data(table)$session
    for (ask in list(
      \() summarise(table, m = dp_mean(x)), \() summarise(table, s = dp_sum(x)),
      \() summarise(table, n = dp_count(), d = dp_n_distinct(x))
    )) {
      expect_error(release(ask(), epsilon = 0.1), "With public lengths of groups, one (row|person)",
        class = "dp_error_unsupported"
      )
    }
    expect_equal(dp_spent(session)[["epsilon"]], 0)
    counts <- dp_preview(summarise(table, n = dp_count()), epsilon = 0.1)
    expect_identical(counts$mechanism, "none")
  }
})

test_that("public lengths have noise that hides a replaced row or person", {
  for (table in list(
    with_lengths(dp_unit(changes = 1)), with_lengths(dp_unit(rows = 2)),
    with_lengths(dp_unit(id = id, n = 2), 1)
  )) {
    preview <- dp_preview(summarise(table, s = dp_sum(x)), epsilon = 1)
    expect_equal(preview$sensitivity, 30)
    expect_gt(preview$scale, 0)
  }
})

test_that("a table of keys without rows raises an error", {
  table <- dp_tbl(dp_session(dp_epsilon(1)), three_groups, dp_unit(rows = 1),
    domain = dp_domain(g = dp_levels("a", "b", "c"))
  )
  expect_error(
    release(dp_keys(count(table, g), data.frame(g = character())), epsilon = 0.1), "no rows",
    class = "dp_error_keys"
  )
})
