test_that("keys are declared, a public table, or found with a delta", {
  local_verbs()
  table <- people_to_plan(dp_session(dp_epsilon(1, delta = 1e-6)))
  grouped <- group_by(table, region, age)
  expect_null(form_of_query(count(table, region))$keys$table)
  expect_identical(form_of_query(count(table, region))$keys$kind, "declared")
  public <- data.frame(age = 1:2, other = 3:4, region = "North")
  keys <- form_of_query(dp_keys(summarise(grouped, n = dp_count()), public))$keys
  expect_identical(keys$kind, "table")
  expect_identical(vapply(keys$table$columns, `[[`, "", "name"), c("region", "age"))
  before <- form_of_query(summarise(dp_keys(grouped, public), n = dp_count()))$keys
  expect_identical(before, keys)
  for (kind in c("threshold", "select")) {
    found <- form_of_query(dp_keys(count(table, name), kind, weight = 2))$keys
    expect_identical(found, list(kind = kind, table = NULL, weight = 2))
  }
})

test_that("keys that cannot be are refused", {
  local_verbs()
  table <- people_to_plan()
  query <- count(table, region)
  expect_snapshot(error = TRUE, {
    dp_keys(table, "declared")
    dp_keys(summarise(table, n = dp_count()), "declared")
    dp_keys(query, data.frame(place = "North"))
    dp_keys(query, "threshold")
    dp_keys(count(people_to_plan(dp_session(dp_zcdp(1))), name), "select")
    dp_keys(query, "other")
    dp_keys(query, 1)
    dp_keys(1, "declared")
  })
})
