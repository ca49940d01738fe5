test_that("keys are declared, a public table, or found with a delta", {
  local_verbs()
  table <- people_to_plan(dp_session(dp_epsilon(1, delta = 1e-6)))
  grouped <- group_by(table, region, age)
  expect_null(form_of_query(count(table, region))$keys$table)
  expect_identical(form_of_query(count(table, region))$keys$kind, "declared")
  expect_identical(
    form_of_query(dp_keys(count(table, region), suppress = 10)),
    form_of_query(dp_keys(count(table, region), "declared", suppress = 10))
  )
  public <- data.frame(age = 1:2, other = 3:4, region = "North")
  keys <- form_of_query(dp_keys(summarise(grouped, n = dp_count()), public))$keys
  expect_identical(keys$kind, "table")
  expect_identical(vapply(keys$table$columns, `[[`, "", "name"), c("region", "age"))
  before <- form_of_query(summarise(dp_keys(grouped, public), n = dp_count()))$keys
  expect_identical(before, keys)
  for (kind in c("threshold", "select")) {
    found <- form_of_query(dp_keys(count(table, name), kind, share = 2))$keys
    expect_identical(found, list(kind = kind, table = NULL, weight = 2))
  }
})

test_that("invalid keys raise errors", {
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

# A session with negligible noise.
households <- function() {
  dp_tbl(plenty(), data.frame(region = rep(c("North", "South"), c(30, 20))),
    dp_unit(rows = 1), dp_domain(region = dp_levels("North", "South", "East"))
  )
}

test_that("small public groups are suppressed by their noisy size", {
  local_verbs()
  query <- count(households(), region)
  public <- data.frame(region = c("East", "South", "North"))
  regions <- function(...) exact_release(dp_keys(query, ...))$region
  expect_identical(regions("declared"), c("North", "South", "East"))
  expect_identical(regions("declared", suppress = 10), c("North", "South"))
  expect_identical(regions(public, suppress = 20), c("South", "North"))
  expect_identical(regions(public, suppress = 21), "North")
  expect_identical(regions(public, suppress = 31), character())
  hidden <- dp_keys(summarise(group_by(households(), region), any = dp_n_missing(region)),
    "declared", suppress = 21
  )
  expect_identical(dim(exact_release(hidden)), c(1L, 2L))
  preview <- as.data.frame(dp_preview(hidden, epsilon = 1))
  expect_true("(keys)" %in% preview$column)
})

test_that("suppression is printed and is part of the plan", {
  local_verbs()
  query <- count(people_to_plan(), region)
  expect_snapshot(print(dp_keys(query, "declared", suppress = 10)))
  hash <- function(...) hash_of_query(dp_keys(query, ...), dp_epsilon(0.1), 0.05)
  expect_identical(hash("declared", share = 2), hash("declared"))
  different <- c(
    hash("declared"), hash("declared", suppress = 9), hash("declared", suppress = 10),
    hash("declared", suppress = 10, share = 2)
  )
  expect_identical(anyDuplicated(different), 0L)
})

test_that("invalid suppression raises errors", {
  local_verbs()
  query <- count(people_to_plan(dp_session(dp_epsilon(1, delta = 1e-6))), region)
  expect_snapshot(error = TRUE, {
    dp_keys(query, "threshold", suppress = 10)
    dp_keys(query, "select", suppress = 10)
    dp_keys(query, "declared", suppress = 0)
    dp_keys(query, "declared", suppress = 2.5)
  })
})
