# Schemas from data dictionaries, drafts of schemas, and rows that are made up for them.

dictionary <- data.frame(
  name = c("ward", "days", "cost", "born", "died", "note", "code"),
  type = c("levels", "integer", "num", "date", "flag", "text", "codes"),
  lower = c("", "0", "-1.5", "1900-01-01", "", "", ""),
  upper = c("", "60", "5e4", "2026-12-31", "", "", ""),
  levels = c("North | South", "", "", "", "", "", "1|2|9"),
  missing = c("South", "", "midpoint", "", "true", "", "9"),
  label = "as in the code book"
)

declared <- function() {
  dp_schema(
    ward = dp_levels("North", "South", missing = "South"), days = dp_int(0, 60),
    cost = dp_num(-1.5, 5e4, missing = "midpoint"),
    born = dp_date(as.Date("1900-01-01"), as.Date("2026-12-31")), died = dp_flag(missing = TRUE),
    note = dp_text(), code = dp_levels(1, 2, 9, missing = 9)
  )
}

test_that("a schema and a domain are the same object", {
  expect_identical(dp_domain, dp_schema)
  expect_s3_class(dp_schema(a = dp_int(0, 1)), "dp_domain")
})

test_that("a data dictionary declares what calls declare", {
  expect_identical(dp_schema(dictionary), declared())
  path <- withr::local_tempfile(fileext = ".csv")
  utils::write.csv(dictionary, path, row.names = FALSE)
  expect_identical(dp_schema(path), declared())
  utils::write.table(dictionary, path, row.names = FALSE, sep = ";")
  expect_identical(dp_schema(path), declared())
  typed <- data.frame(name = c("ward", "days"), type = c("factor", "whole"), lower = c(NA, 0),
    upper = c(NA, 60))
  typed$levels <- list(c("a|b", "c"), NULL)
  expect_identical(dp_schema(typed), dp_schema(ward = dp_levels("a|b", "c"), days = dp_int(0, 60)))
})

test_that("a wrong row of a data dictionary is named, with the valid values", {
  wrong <- function(name, field, value) {
    dictionary[dictionary$name == name, field] <- value
    error <- expect_error(dp_schema(dictionary), class = "dp_error_invalid_argument")
    conditionMessage(error)
  }
  expect_match(wrong("days", "lower", "none"), "Row 2 (`days`)", fixed = TRUE)
  expect_match(wrong("days", "lower", "none"), "`lower` must be a number", fixed = TRUE)
  expect_match(wrong("days", "upper", ""), "`upper`", fixed = TRUE)
  expect_match(wrong("born", "upper", "31.12.2026"), "2026-01-31", fixed = TRUE)
  expect_match(wrong("ward", "lower", "1"), "`lower` must be empty", fixed = TRUE)
  expect_match(wrong("ward", "missing", "West"), "one of the levels", fixed = TRUE)
  expect_match(wrong("cost", "type", "money"), "`type` must be one of", fixed = TRUE)
  expect_match(wrong("died", "missing", "perhaps"), "TRUE or FALSE", fixed = TRUE)
  expect_match(wrong("days", "name", "ward"), "distinct names", fixed = TRUE)
})

test_that("anything but a data dictionary raises an error that suggests a draft", {
  for (other in list(PUMS5extract10000, dictionary[, -2], "no-such-file.csv")) {
    expect_error(dp_schema(other), class = "dp_error_invalid_argument")
  }
  expect_error(dp_schema(PUMS5extract10000), "dp_schema_draft()", fixed = TRUE)
  expect_error(dp_schema(cbind(dictionary, uper = 1)), "`uper`", fixed = TRUE)
})

# Drafts ------------------------------------------------------------------------------------------

secrets <- function(shift) {
  data <- data.frame(
    n = 4711L + 0:2 + shift, x = 47.11 + 0:2 + shift, day = as.Date("2047-11-01") + 0:2 + shift,
    text = paste0("canary", 0:2 + shift), flag = c(TRUE, FALSE, NA), stringsAsFactors = FALSE
  )
  data$f <- factor(data$text)
  data$time <- as.POSIXct(data$day)
  data$`two words` <- data$n
  data
}

test_that("a draft follows from names and types, and shows no value", {
  draft <- dp_schema_draft(secrets(0L))
  expect_s3_class(draft, "dp_code")
  expect_identical(draft, dp_schema_draft(secrets(5L)))
  expect_no_match(paste(draft, collapse = "\n"), "canary|47|2047")
  expect_match(draft, "n = dp_int(lower = NA, upper = NA)", fixed = TRUE, all = FALSE)
  expect_match(draft, "f = dp_levels(),  # list the levels", fixed = TRUE, all = FALSE)
  expect_match(draft, "time = dp_date(lower = NA, upper = NA, tz = NA)", fixed = TRUE, all = FALSE)
  stay <- dp_schema_draft(data.frame(stay = as.difftime(1, units = "days")))
  expect_match(stay, "class difftime; convert it: as.numeric(x, units = \"days\")",
    fixed = TRUE, all = FALSE
  )
  expect_match(draft, "`two words` = dp_int(lower = NA, upper = NA)", fixed = TRUE, all = FALSE)
  expect_output(print(draft), "schema <- dp_schema(", fixed = TRUE)
})

test_that("levels and value labels enter a draft only as public ones", {
  public <- dp_schema_draft(secrets(0L), levels = "public")
  expect_match(public, 'dp_levels("canary0", "canary1", "canary2")', fixed = TRUE, all = FALSE)
  expect_no_match(paste(public, collapse = "\n"), "4711|2047")
  labelled <- data.frame(sex = 1:2)
  labelled$sex <- structure(c(1, 2), labels = c(male = 1, female = 2), class = "haven_labelled")
  expect_no_match(paste(dp_schema_draft(labelled), collapse = "\n"), "male")
  expect_match(dp_schema_draft(labelled, "public"), "dp_levels(1, 2)  # 1: male, 2: female",
    fixed = TRUE, all = FALSE)
})

test_that("a draft is code that runs once every bound and level is filled in", {
  draft <- dp_schema_draft(secrets(0L))
  run <- function(code) eval(parse(text = code), new.env(parent = asNamespace("PSIlence")))
  expect_error(run(draft), class = "dp_error_invalid_argument")
  filled <- gsub("lower = NA, upper = NA", "0, 1e4", draft, fixed = TRUE)
  expect_error(run(filled), class = "dp_error_invalid_argument")
  filled <- sub("dp_date(0, 1e4)", "dp_date()", filled, fixed = TRUE)
  filled <- sub("dp_date(0, 1e4, tz = NA)", 'dp_date(tz = "UTC")', filled, fixed = TRUE)
  filled <- gsub("dp_levels()", 'dp_levels("a")', filled, fixed = TRUE)
  expect_named(run(filled), names(secrets(0L)))
  expect_identical(run(dp_schema_draft(data.frame(a = TRUE))), dp_schema(a = dp_flag()))
  expect_error(dp_schema_draft(1:3), class = "dp_error_invalid_argument")
  expect_error(dp_schema_draft(data.frame()), class = "dp_error_invalid_argument")
})

# Made-up rows ------------------------------------------------------------------------------------

test_that("made-up rows fit their schema, and are taken by queries and statistics", {
  withr::local_seed(1)
  schema <- declared()
  rows <- dp_made_up(schema, 500, unit = dp_unit(id = patient), missing = 0.1)
  expect_identical(nrow(rows), 500L)
  expect_named(rows, c(names(schema), "patient"))
  expect_true(all(rows$ward %in% c("North", "South", NA)))
  expect_true(all(rows$code %in% c(1, 2, 9, NA)))
  expect_true(all(rows$days >= 0 & rows$days <= 60, na.rm = TRUE))
  expect_true(all(rows$cost >= -1.5 & rows$cost <= 5e4, na.rm = TRUE))
  expect_s3_class(rows$born, "Date")
  expect_true(all(vapply(rows[names(schema)], anyNA, NA)))
  expect_false(anyNA(rows$patient))
  expect_gt(max(table(rows$patient)), 1)
  released <- dp_tbl(dp_session(dp_epsilon(1)), rows, dp_unit(id = patient), schema) |>
    dp_truncate(max_rows = 3) |>
    dplyr::group_by(ward) |>
    dplyr::summarise(n = dp_count(), cost = dp_mean(cost), died = dp_mean(died)) |>
    release(epsilon = 1)
  expect_identical(nrow(released), 2L)
  mean <- small(dpMean(variable = "days", n = 500, rng = c(0, 60), epsilon = 1))$release(rows)
  expect_s3_class(mean, "dp_result")
})

test_that("made-up rows of each declaration have its type, and none may lack a value", {
  rows <- dp_made_up(dp_schema(a = dp_int(), b = dp_num(), c = dp_date(), d = dp_flag()), 50,
    missing = 0)
  expect_identical(vapply(rows, typeof, "", USE.NAMES = FALSE),
    c("integer", "double", "double", "logical"))
  expect_false(anyNA(rows))
  expect_identical(nrow(dp_made_up(dp_schema(a = dp_int(0, 1)), 0)), 0L)
  expect_error(dp_made_up(dp_schema(a = dp_int(0, 1)), -1), class = "dp_error_invalid_argument")
  expect_error(dp_made_up(list(), 1), class = "dp_error_invalid_argument")
  expect_error(dp_made_up(declared(), 1, unit = 1), class = "dp_error_invalid_argument")
})

test_that("codes of missing values in a dictionary equal the declaration", {
  coded <- data.frame(
    name = c("age", "ward", "born", "code"), type = c("int", "levels", "date", "codes"),
    lower = c("0", "", "1900-01-01", ""), upper = c("120", "", "2026-12-31", ""),
    levels = c("", "N|S", "", "1|2"), na = c("-9|999", "?", "1800-01-01", "99")
  )
  expect_identical(dp_schema(coded), dp_schema(
    age = dp_int(0, 120, na = c(-9, 999)), ward = dp_levels("N", "S", na = "?"),
    born = dp_date("1900-01-01", "2026-12-31", na = as.Date("1800-01-01")),
    code = dp_levels(1, 2, na = 99)
  ))
})
