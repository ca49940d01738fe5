# Trying queries on made-up rows.

tried_table <- function(session, data = NULL) {
  dp_tbl(session, data, dp_unit(id = patient), dp_schema(
    ward = dp_levels("N", "S"), days = dp_int(0, 60), note = dp_text()
  ))
}

test_that("a dry run of a query spends nothing, and reads no data", {
  for (loss in list(dp_epsilon(1), dp_zcdp(1))) {
    session <- dp_session(loss)
    query <- tried_table(session) |>
      dp_truncate(max_rows = 3) |>
      dplyr::group_by(ward) |>
      dplyr::summarise(n = dp_count(), days = dp_mean(days))
    tried <- dry_run(query)
    expect_null(tried$refused)
    expect_s3_class(tried$result, "dp_released")
    expect_identical(tried$result$ward, c("N", "S"))
    # The 1000 rows belong to 334 people, with at most three kept rows each.
    expect_gt(sum(tried$result$n), 400)
    expect_equal(dp_spent(session)[[1]], 0)
    expect_output(print(tried), "Dry run of the query n, days by ward")
  }
})

test_that("a dry run of a query takes public rows, and says what a release would refuse", {
  query <- tried_table(dp_session(dp_epsilon(1))) |>
    dp_truncate(max_rows = 3) |>
    dplyr::summarise(n = dp_count())
  rows <- data.frame(patient = 1:500, ward = "N", days = 1L, note = "x")
  expect_gt(dry_run(query, rows)$result$n, 400)
  expect_match(dry_run(query, rows[-1])$refused, "patient")
  expect_error(dry_run(query, rows, blocks = 2), class = "dp_error_invalid_argument")
  expect_error(dry_run(1, rows), class = "dp_error_invalid_argument")
})

test_that("a dry run gives a delta to keys that need one", {
  query <- tried_table(dp_session(dp_epsilon(1, delta = 1e-6))) |>
    dp_truncate(by = note, max_rows = 3, max_groups = 1) |>
    dplyr::group_by(note) |>
    dp_keys("threshold") |>
    dplyr::summarise(n = dp_count())
  expect_s3_class(dry_run(query)$result, "dp_released")
})
