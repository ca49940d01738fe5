# A condition that the declaration rules out is FALSE for every row, so it is refused wherever it
# stands, before anything is charged.
local_verbs()

ruled_table <- function(session = dp_session(dp_epsilon(10))) {
  data <- data.frame(
    age = 40L, wage = 10, flag = TRUE, day = as.Date("2026-01-15"), ward = 1L, g = "a"
  )
  dp_tbl(session, data, dp_unit(rows = 1), dp_schema(
    age = dp_int(0, 99, na = 999), wage = dp_num(0, 5000), flag = dp_flag(),
    day = dp_date("2026-01-01", "2026-12-31"), ward = dp_levels(1:3), g = dp_levels("a", "b")
  ))
}

ruled_out <- alist(
  "`age` is never 200. `age` has whole numbers from 0 to 99" = age == 200,
  "`age` is never 200." = age != 200,
  "`age` is never -1." = age %in% c(1, -1),
  "`age` is never 2.5." = age == 2.5,
  "`<` is never TRUE for `age` and 0." = age < 0,
  "`>=` is never TRUE for `age` and 100." = age >= 100,
  "`>` is never TRUE for `age` and 0." = 0 > age,
  "`between` is never TRUE for `age` and 100." = between(age, 100, 120),
  "`between` is never TRUE, because 9 is above 5." = between(age, 9, 5),
  "`wage` is never 5000.5. `wage` has numbers from 0 to 5000" = wage == 5000.5,
  "`>` is never TRUE for `wage` and 5000." = wage > 5000,
  "`flag` is never 2. `flag` is FALSE or TRUE." = flag == 2,
  "`day` is never 2027-01-01. `day` has days from 2026-01-01 to 2026-12-31" = day == "2027-01-01",
  "`<=` is never TRUE for `day` and 2025-12-31." = day <= as.Date("2025-12-31"),
  "`>` is never TRUE for `ward` and 3." = ward > 3,
  "`g` has no level \"c\"" = g == "c",
  "`&` is never TRUE for the declared values of `age`." = age > 50 & age < 40,
  "`(age %/% ...) * ...` is never 15. `(age %/% ...) * ...` has whole numbers from 0 to 90 in" =
    age %/% 10 * 10 == 15,
  "`year(day)` is never 2027. `year(day)` has whole numbers from 2026 to 2026." =
    year(day) == 2027,
  "Declare codes of missing values in `dp_int()`, such as `na = 998`." = age != 998,
  "Its codes in `na` are missing: find them by `is.na(age)`." = age > 500,
  "Declare codes of missing values in `dp_num()`, such as `na = 999`." = wage > 6000
)

test_that("conditions that the declaration rules out are refused in every place", {
  session <- dp_session(dp_epsilon(10))
  table <- ruled_table(session)
  places <- list(
    function(condition) filter(table, !!condition),
    function(condition) mutate(table, y = !!condition),
    function(condition) mutate(table, y = if_else(!!condition, 1, 0)),
    function(condition) mutate(table, y = if_else(flag, 1, if_else(!!condition, 2, 3))),
    function(condition) mutate(table, y = case_when(flag ~ 1, !!condition ~ 2, TRUE ~ 3)),
    function(condition) filter(table, flag | !!condition),
    function(condition) filter(table, !(flag & !!condition)),
    function(condition) count(table, y = !!condition),
    function(condition) summarise(table, n = dp_sum(!!condition)),
    function(condition) summarise(table, m = dp_mean(!!condition)),
    function(condition) summarise(table, m = dp_sum(wage, weights = if_else(!!condition, 1, 2)))
  )
  for (i in seq_along(ruled_out)) {
    for (place in places) {
      error <- expect_error(place(ruled_out[[i]]), class = "dp_error_domain")
      expect_match(conditionMessage(error), names(ruled_out)[[i]], fixed = TRUE)
    }
  }
  expect_identical(dp_spent(session)[["epsilon"]], 0)
})

test_that("per-person values and orders have no impossible conditions", {
  table <- dp_tbl(dp_session(dp_epsilon(1)), data.frame(id = 1, age = 4L), dp_unit(id = id),
    dp_schema(age = dp_int(0, 99))
  )
  expect_error(dp_per_unit(table, old = any(age > 120)), "never TRUE", class = "dp_error_domain")
  expect_error(
    dp_truncate(table, max_rows = 1, keep = "first", order = if_else(age > 120, 1, 2)),
    "never TRUE", class = "dp_error_domain"
  )
})

test_that("an error names the declaration to change, or the code that it has", {
  table <- ruled_table()
  said <- function(expr) conditionMessage(expect_error(expr, class = "dp_error_domain"))
  expect_match(said(filter(table, age == 200)), "the bounds of `age` in `dp_int()`", fixed = TRUE)
  expect_match(said(filter(table, wage > 9e3)), "the bounds of `wage` in `dp_num()`", fixed = TRUE)
  expect_match(said(filter(table, day > "2030-01-01")), "in `dp_date()`", fixed = TRUE)
  expect_match(said(filter(table, age == 999)), "`is.na(age)`", fixed = TRUE)
  derived <- mutate(table, decade = age %/% 10 * 10)
  expect_match(said(filter(derived, decade == 95)), "in steps of 10", fixed = TRUE)
  expect_match(said(filter(derived, decade == 100)), "with different bounds", fixed = TRUE)
})

test_that("conditions that some declared value passes are taken", {
  table <- ruled_table()
  taken <- alist(
    age == 99, age != 0, age < 200, age >= -5, wage <= 1e6, between(age, 90, 150), 5 < wage,
    day < "2030-01-01", ward > 2, flag == TRUE, is.na(age) & is.na(wage), age %in% c(5, NA),
    !(age > 50), age == ward, wage > age, age %/% 10 * 10 == 90, g %in% c("a", NA)
  )
  for (condition in taken) {
    expect_s3_class(filter(table, !!condition), "dp_tbl")
    expect_s3_class(mutate(table, y = if_else(!!condition, 1, 0)), "dp_tbl")
  }
})

test_that("a filter that has settled a condition does not make it impossible", {
  adults <- filter(ruled_table(), age >= 18)
  expect_s3_class(mutate(adults, child = age < 18), "dp_tbl")
  expect_s3_class(mutate(adults, k = case_when(age < 18 ~ "child", TRUE ~ "adult")), "dp_tbl")
  expect_error(filter(adults, age < 18), "keeps no row", class = "dp_error_domain")
})

test_that("stored queries of the first rules keep such conditions", {
  query <- summarise(mutate(ruled_table(), old = age > 50), n = dp_sum(old))
  form <- form_of_query(query)
  form$steps[[1]]$value$args[[2]]$value <- 500
  expect_error(core_query_fields(form), "never TRUE")
  form$rules <- NULL
  expect_no_error(core_query_fields(form))
})
