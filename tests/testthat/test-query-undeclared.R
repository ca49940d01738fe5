# A comparison with a level that is not declared is FALSE for every row, so it is refused.
local_verbs()

undeclared_table <- function() {
  dp_tbl(dp_session(dp_epsilon(1000)), data.frame(sex = "f", ward = 1L, age = 40L),
    unit = dp_unit(rows = 1),
    domain = dp_domain(
      sex = dp_levels("female", "male", missing = NA), ward = dp_levels(1:3), age = dp_int(0, 120)
    )
  )
}

test_that("levels that are not declared are refused in every comparison, with the nearest one", {
  table <- undeclared_table()
  refused <- function(expr, words) expect_error(expr, words, fixed = TRUE, class = "dp_error")
  nearest <- "`sex` has no level \"femal\". Did you mean \"female\"?"
  refused(filter(table, sex == "femal"), nearest)
  refused(filter(table, "femal" != sex), nearest)
  refused(filter(table, sex %in% c("male", "femal")), nearest)
  refused(filter(table, !(age > 3 & sex == "femal")), nearest)
  refused(mutate(table, woman = sex == "femal"), nearest)
  refused(mutate(table, w = case_when(sex == "femal" ~ 1, TRUE ~ 0)), nearest)
  refused(mutate(table, w = case_match(sex, "femal" ~ 1, .default = 0)), nearest)
  refused(mutate(table, w = if_else(sex == "femal", 1, 0)), nearest)
  refused(summarise(table, n = dp_sum(sex == "femal")), nearest)
  refused(filter(table, sex == "Female"), "Did you mean \"female\"?")
  refused(filter(table, sex == "diverse"), paste(
    "`sex` has no level \"diverse\". Its levels are \"female\", \"male\".",
    "Compare with one of these, or declare the level with `dp_levels()`."
  ))
  refused(filter(table, ward == 4), "`ward` has no level \"4\".")
  refused(filter(table, ward %in% c(1, 2.5)), "`ward` has no level \"2.5\".")
})

test_that("levels of columns that a query makes are known, too", {
  table <- mutate(undeclared_table(), g = if_else(age > 60, "old", "young"), s = toupper(sex))
  expect_error(filter(table, g == "olds"), "Did you mean \"old\"[?]", class = "dp_error")
  expect_error(filter(table, s == "female"), "\"FEMALE\"", class = "dp_error")
  expect_s3_class(filter(table, g == "old", s == "FEMALE"), "dp_tbl")
})

test_that("declared levels, missing values and levels that a filter took away are compared", {
  table <- undeclared_table()
  expect_s3_class(filter(table, sex %in% c("female", NA), ward == 2, ward != 3L), "dp_tbl")
  expect_s3_class(filter(filter(table, sex == "male"), sex != "female"), "dp_tbl")
  expect_s3_class(filter(table, is.na(sex) | sex == "male"), "dp_tbl")
})

test_that("a public table may have keys that no row has", {
  areas <- data.frame(ward = 1:9, beds = 10)
  expect_s3_class(left_join(undeclared_table(), areas, by = "ward"), "dp_tbl")
})
