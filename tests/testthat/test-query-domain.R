test_that("declarations hold the fields that the core reads", {
  domain <- dp_domain(
    a = dp_int(0, 120), b = dp_num(-1.5, 2, missing = "midpoint"), c = dp_num(), d = dp_flag(TRUE),
    e = dp_levels("x", "y", missing = "y"), f = dp_levels(2020:2022), g = dp_text(),
    h = dp_date(as.Date("1970-01-02"), as.Date("1970-01-11")), i = dp_int(1, 9, missing = 3)
  )
  plain <- lapply(unclass(domain), unclass)
  expect_identical(plain$a, list(type = "integer", lower = 0, upper = 120, missing = "drop"))
  expect_identical(plain$b, list(type = "real", lower = -1.5, upper = 2, missing = "midpoint"))
  expect_identical(plain$c, list(type = "real", missing = "drop"))
  expect_identical(plain$d, list(type = "logical", missing = 1))
  expect_identical(plain$e, list(type = "levels", levels = c("x", "y"), missing = 1))
  expect_identical(plain$f, list(
    type = "levels", levels = c("2020", "2021", "2022"), whole = TRUE, missing = "drop"
  ))
  expect_identical(plain$g, list(type = "text", missing = "drop"))
  expect_identical(plain$h, list(type = "date", lower = 1, upper = 10, missing = "drop"))
  expect_identical(plain$i$missing, 3)
})

test_that("a domain prints its declarations", {
  expect_snapshot(dp_domain(
    age = dp_int(0, 120), cost = dp_num(0, 5e4, missing = "midpoint"), zip = dp_text(),
    ward = dp_levels("A", "B", missing = "B"),
    born = dp_date(as.Date("1900-01-01"), as.Date("2026-01-01")),
    alive = dp_flag(FALSE), code = dp_int(), place = dp_levels(letters)
  ))
})

test_that("levels that are equal in Unicode cause a warning and stay separate", {
  composed <- "caf\u00e9"
  decomposed <- "cafe\u0301"
  expect_warning(both <- dp_levels("tea", composed, decomposed), "but differ in their bytes",
    class = "dp_warning_levels"
  )
  expect_identical(both$levels, c("tea", composed, decomposed))
  expect_no_warning(dp_levels("tea", composed, "caf\u00ea", "cafe"))
  expect_no_warning(dp_levels("a\xff", "b"))
  query <- dplyr::count(dp_tbl(plenty(),
    data.frame(x = c(composed, composed, decomposed)), dp_unit(rows = 1), dp_domain(x = both)
  ), x)
  expect_equal(exact_release(query)$n, c(0, 2, 1), tolerance = 1e-3)
  latin <- iconv(composed, "UTF-8", "latin1")
  expect_identical(dp_levels(latin)$levels, composed)
  expect_error(dp_levels(latin, composed), class = "dp_error_invalid_argument")
})

test_that("invalid declarations raise errors", {
  refused <- function(expr) expect_error(expr, class = "dp_error_invalid_argument")
  refused(dp_int(1, 0))
  refused(dp_int(0, Inf))
  refused(dp_int(0.5, 2))
  refused(dp_int(0, 2^52))
  refused(dp_num(0))
  refused(dp_num(upper = 1))
  refused(dp_num(0, 1e300))
  refused(dp_num(-1e307, 0))
  refused(dp_num(0, 1, missing = 2))
  refused(dp_num(missing = 0))
  refused(dp_num(missing = "midpoint"))
  refused(dp_num(0, 1, missing = "zero"))
  refused(dp_levels())
  refused(dp_levels("a", "a"))
  refused(dp_levels("a", NA))
  refused(dp_levels(1.5))
  refused(dp_levels("a", missing = "b"))
  refused(dp_flag(missing = 1))
  refused(dp_date("2020-01-01", "2020-02-30"))
  refused(dp_date("2020-01-01", "01.01.2021"))
  refused(dp_int(0, 5, missing = 2.5))
  refused(dp_int(0, 5, na = "none"))
  refused(dp_levels("a", na = "a"))
  refused(dp_levels("a", encoding = "utf-16"))
  refused(dp_levels("a", levels = "public"))
  refused(dp_text(missing = "a"))
  refused(dp_date(tz = "nowhere"))
  refused(dp_domain())
  refused(dp_domain(dp_int(0, 1)))
  refused(dp_domain(a = dp_int(0, 1), a = dp_int(0, 1)))
  refused(dp_domain(a = 1))
})

test_that("messages of declarations name the argument, the value and the fix", {
  said <- function(code, class = "dp_error_invalid_argument") {
    conditionMessage(expect_error(code, class = class))
  }
  expect_match(said(dp_int(0, 10.5)), "`upper` must be a whole number within 2^51, not 10.5",
    fixed = TRUE
  )
  expect_match(said(dp_int(0.5, 10)), "`lower`", fixed = TRUE)
  expect_match(said(dp_num(0, 1e301)), "`upper` must be below 1e300", fixed = TRUE)
  expect_match(said(dp_levels("f", "m", NA)), "`dp_levels(\"f\", \"m\", missing = NA)`",
    fixed = TRUE
  )
  expect_match(said(dp_levels("f", "f")), "not \"f\" twice", fixed = TRUE)
  expect_match(said(dp_levels()), "not none", fixed = TRUE)
  expect_match(said(dp_levels("f", "m", missing = "other")),
    "Add the level: `dp_levels(..., \"other\", missing = \"other\")`", fixed = TRUE
  )
})

test_that("levels of a column of codes are matched, and not converted to texts", {
  rows <- data.frame(sex = rep(0:1, 5), done = c(TRUE, FALSE))
  said <- function(...) {
    conditionMessage(expect_error(dp_tbl(plenty(), rows, dp_unit(rows = 1), dp_domain(...)),
      class = "dp_error_source"
    ))
  }
  message <- said(sex = dp_levels("female", "male"))
  expect_match(message, "declare the codes, for example `dp_levels(0, 1)`", fixed = TRUE)
  expect_no_match(message, "as.character")
  code <- sub(".*`data[$]sex <- (factor.*)`.*", "\\1", message)
  data <- rows
  matched <- eval(str2lang(code))
  expect_identical(as.character(matched), rep(c("female", "male"), 5))
  expect_match(said(done = dp_levels("no", "yes")), "c(FALSE, TRUE), labels = c(\"no\", \"yes\")",
    fixed = TRUE
  )
  expect_match(said(sex = dp_levels("0", "1")), "as.character(data$sex)", fixed = TRUE)
})
