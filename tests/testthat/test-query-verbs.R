test_that("each verb adds its step", {
  local_verbs()
  table <- people_to_plan()
  expect_identical(lengths(list(
    steps_of_table(filter(table, age > 1, age < 9)), steps_of_table(filter(table)),
    steps_of_table(mutate(table, a = age, b = a + 1)), steps_of_table(group_by(table, region)),
    steps_of_table(group_by(table, old = age > 60)), steps_of_table(relocate(table, name))
  )), c(2L, 0L, 2L, 0L, 1L, 0L))
  expect_identical(
    last_step(select(table, region, years = age)),
    list(step = "select", columns = c("region", "age"), names = c("region", "years"))
  )
  expect_identical(names(select(table, starts_with("r"), where(is.numeric))), c("region", "age"))
  expect_identical(names(select(table, -age)), c("region", "name"))
  expect_identical(names(rename(table, years = age)), c("years", "region", "name"))
  expect_identical(names(mutate(table, a = age, age = NULL)), c("region", "name", "a"))
  expect_identical(names(transmute(table, a = age, b = a)), c("a", "b"))
  expect_identical(names(relocate(table, name)), c("name", "age", "region"))
  expect_identical(names(relocate(table, age, .after = region)), c("region", "age", "name"))
  expect_identical(names(relocate(table, name, .before = region)), c("age", "name", "region"))
  expect_identical(length(steps_of_table(select(table, everything()))), 0L)
})

test_that("groups are kept, renamed and dropped as in dplyr", {
  local_verbs()
  table <- people_to_plan()
  grouped <- group_by(table, region)
  expect_identical(group_vars(grouped), "region")
  expect_identical(group_vars(group_by(grouped, name)), "name")
  expect_identical(group_vars(group_by(grouped, name, .add = TRUE)), c("region", "name"))
  expect_identical(group_vars(group_by(table, decade = age %/% 10L)), "decade")
  expect_identical(group_vars(ungroup(grouped)), character())
  expect_identical(group_vars(ungroup(group_by(table, region, name), name)), "region")
  expect_identical(group_vars(rename(grouped, place = region)), "place")
  expect_message(kept <- select(grouped, age), "region")
  expect_identical(names(kept), c("region", "age"))
  expect_identical(names(transmute(grouped, a = age)), c("region", "a"))
  expect_error(group_by(table, region, .drop = FALSE), class = "dp_error_invalid_argument")
})

test_that("across() expands to one expression per column", {
  local_verbs()
  table <- people_to_plan(size = dp_int(1, 9))
  expect_identical(
    steps_of_table(mutate(table, across(c(age, size), ~ pmin(.x, 3L)))),
    steps_of_table(mutate(table, age = pmin(age, 3L), size = pmin(size, 3L)))
  )
  expect_identical(
    form_of_query(summarise(table, across(where(is.numeric), dp_mean)))$aggregates,
    form_of_query(summarise(table, age = dp_mean(age), size = dp_mean(size)))$aggregates
  )
  several <- summarise(table, across(age, list(m = dp_mean, s = ~ dp_sum(.x, bounds = c(0, 9)))))
  expect_identical(vapply(several$outputs, `[[`, "", "name"), c("age_m", "age_s"))
  named <- summarise(table, across(age, \(x) dp_mean(x), .names = "mean_of_{.col}"))
  expect_identical(named$outputs[[1]]$name, "mean_of_age")
  expect_error(mutate(table, across(age, 3)), class = "dp_error_unsupported")
})

test_that("count() is group_by() and summarise()", {
  local_verbs()
  table <- people_to_plan()
  expect_identical(
    form_of_query(count(table, region)),
    form_of_query(summarise(group_by(table, region), n = dp_count()))
  )
  expect_identical(count(table, region, name = "people")$outputs[[1]]$name, "people")
  expect_identical(count(table, old = age > 60)$by, "old")
  expect_identical(dplyr::tally(group_by(table, region))$by, "region")
  expect_error(count(table, region, sort = 1), class = "dp_error_invalid_argument")
  expect_error(count(table, region, wt = age), class = "dp_error_invalid_argument")
})

test_that("`.by` is group_by() for one query", {
  local_verbs()
  table <- people_to_plan()
  expect_identical(
    form_of_query(summarise(table, n = dp_count(), .by = region)),
    form_of_query(summarise(group_by(table, region), n = dp_count()))
  )
  expect_identical(summarise(table, n = dp_count(), .by = c(region, age))$by, c("region", "age"))
  expect_error(
    summarise(group_by(table, name), n = dp_count(), .by = region),
    class = "dp_error_invalid_argument"
  )
  expect_error(summarise(table, n = dp_count(), .by = zip), class = "dp_error_domain")
})

test_that("joins keep the public table unchanged", {
  local_verbs()
  table <- people_to_plan()
  places <- data.frame(place = c("North", "South"), size = c(1.5, 2), code = factor(c("a", "b")))
  joined <- left_join(table, places, by = c(region = "place"))
  expect_identical(names(joined), c("age", "region", "name", "size", "code"))
  expect_identical(last_step(joined), list(
    step = "join", how = "left", private = "region", public = "place", table = list(columns = list(
      list(name = "place", type = "text", values = c("North", "South")),
      list(name = "size", type = "real", values = c(1.5, 2)),
      list(name = "code", type = "text", values = c("a", "b"))
    ))
  ))
  expect_identical(names(semi_join(table, places, by = c(region = "place"))), names(table))
  expect_identical(last_step(anti_join(table, places, by = c(region = "place")))$how, "anti")
  expect_identical(last_step(inner_join(table, places, by = c(region = "place")))$how, "inner")
  names(places)[[1]] <- "region"
  expect_message(left_join(table, places), "region")
  expect_snapshot(error = TRUE, {
    left_join(table, table)
    left_join(table, 1)
    left_join(table, data.frame(x = 1))
    left_join(table, places, by = "zip")
    left_join(table, data.frame(region = "North", age = 3), by = "region")
    left_join(table, data.frame(region = "North", at = Sys.time()), by = "region")
    right_join(table, places, by = "region")
  })
})

test_that("caps, people and promises become steps", {
  table <- dp_tbl(
    dp_session(dp_zcdp(1)), NULL, dp_unit(id = who),
    dp_domain(ward = dp_levels("A"), days = dp_int(0, 60), flag = dp_flag())
  )
  expect_identical(
    last_step(dp_truncate(table, max_groups = 2, max_rows_per_group = 3, by = ward)),
    list(
      step = "truncate", by = "ward", rows = NULL, groups = 2L, rows_per_group = 3L,
      keep = "random", order = NULL
    )
  )
  first <- last_step(dp_truncate(table, max_rows = 1, keep = "first", order = days))
  kept <- list(rows = 1L, by = character(), keep = "first")
  expect_identical(first[c("rows", "by", "keep")], kept)
  expect_identical(first$order, list(op = "column", name = "days"))
  grouped <- dplyr::group_by(table, ward)
  expect_identical(last_step(dp_truncate(grouped, max_groups = 1))$by, "ward")
  summed <- dp_truncate(table, max_rows = 5) |>
    dp_per_unit(total = sum(days), n = n(), most = max(days), ever = any(flag), .by = ward)
  expect_identical(names(summed), c("ward", "total", "n", "most", "ever"))
  expect_identical(
    vapply(last_step(summed)$values, `[[`, "", "fun"), c("sum", "rows", "most", "any")
  )
  expect_identical(
    last_step(dp_margin(table, by = ward, keys = TRUE, max_length = 9)),
    list(
      step = "margin", by = "ward", keys = TRUE, lengths = FALSE, max_groups = NULL, max_rows = 9L
    )
  )
})

test_that("invalid caps, people and promises raise errors", {
  table <- dp_tbl(dp_session(dp_zcdp(1)), NULL, dp_unit(id = who), dp_domain(days = dp_int(0, 60)))
  for (wrong in list(0, -1, 1.5, "1", NA)) {
    expect_error(dp_truncate(table, max_rows = wrong), class = "dp_error_invalid_argument")
  }
  expect_snapshot(error = TRUE, {
    dp_truncate(table)
    dp_truncate(table, max_groups = 2)
    dp_truncate(table, max_groups = 2, by = ward)
    dp_truncate(table, max_rows = 2, keep = "first")
    dp_truncate(people_to_plan(), max_rows = 2)
    dp_per_unit(people_to_plan(), n = n())
    dp_per_unit(table, m = mean(days))
    dp_per_unit(table, m = days)
    dp_margin(table, by = days)
  })
})

test_that("a verb that would drop the id column raises an error with a hint", {
  local_verbs()
  rows <- data.frame(id = rep(1:5, each = 2), x = 1:10, g = rep(0:1, 5))
  on_rows <- function(...) {
    dp_tbl(plenty(), rows, dp_unit(id = id), dp_domain(x = dp_int(1, 10), ...))
  }
  table <- on_rows(g = dp_int(0, 1))
  refused <- function(call, line) {
    error <- expect_error(call, class = "dp_error_unsupported")
    expect_match(conditionMessage(error), "would drop `id`, which identifies people")
    expect_match(conditionMessage(error), line, fixed = TRUE)
  }
  undeclared <- "Write `dp_truncate()` or `dp_per_unit()` first, or declare it in `dp_domain()`."
  refused(rename(table, y = x), undeclared)
  refused(select(table, x), undeclared)
  refused(mutate(table, g = NULL), undeclared)
  refused(transmute(table, y = x), undeclared)
  declared <- on_rows(id = dp_int(1, 5))
  refused(select(declared, x), "Write `dp_truncate()` or `dp_per_unit()` first, or keep it.")

  # What the messages say.
  mean_of <- function(table, ...) {
    round(release(summarise(table, ...), epsilon = 1e6)[[1]], 3)
  }
  expect_identical(
    table |> dp_per_unit(most = max(x)) |> rename(y = most) |> mean_of(dp_mean(y)), 6
  )
  expect_identical(
    table |> dp_truncate(max_rows = 2) |> rename(y = x) |> mean_of(dp_mean(y)), 5.5
  )
  of_declared <- list(rename(declared, y = x), select(declared, id, y = x))
  for (kept in of_declared) {
    expect_identical(kept |> dp_per_unit(most = max(y)) |> mean_of(dp_mean(most)), 6)
  }
})

test_that("a column of ids is not renamed, and only selected if it is declared", {
  local_verbs()
  rows <- data.frame(id = 1:5, x = 1:5)
  table <- dp_tbl(plenty(), rows, dp_unit(id = id), dp_domain(x = dp_int(1, 5)))
  for (verb in c(rename, select)) {
    expect_error(verb(table, person = id), "`id` is not declared, so it cannot be selected",
      class = "dp_error_domain"
    )
  }
  expect_error(summarise(table, people = dp_n_distinct(id)), "`dp_n_ids()` counts them",
    fixed = TRUE, class = "dp_error_domain"
  )
  declared <- dp_tbl(plenty(), rows, dp_unit(id = id), dp_domain(id = dp_int(1, 5)))
  expect_error(rename(declared, person = id), "Rename the column in the data, before `dp_tbl()`",
    fixed = TRUE, class = "dp_error_unsupported"
  )
})
