col <- function(name) list(op = "column", name = name)
lit <- function(value) list(op = "literal", value = value)
op <- function(name, ...) list(op = name, args = list(...))

test_that("expressions are read as code", {
  expect_identical(predicate(age >= 18), op(">=", col("age"), lit(18)))
  expect_identical(
    predicate((age > 1L) & !(region == "North")),
    op("&", op(">", col("age"), lit(1L)), op("!", op("==", col("region"), lit("North"))))
  )
  expect_identical(predicate(is.na(age)), op("is.na", col("age")))
  expect_identical(predicate(between(age, 1, 2)), op("between", col("age"), lit(1), lit(2)))
  expect_identical(predicate(between(right = 2, age, left = 1)), predicate(between(age, 1, 2)))
  expect_identical(
    predicate(region %in% c("North", "South")),
    op("%in%", col("region"), lit("North"), lit("South"))
  )
  expect_identical(value_of_column(x = -age), op("-", lit(0L), col("age")))
  expect_identical(value_of_column(x = +age), col("age"))
  expect_identical(
    value_of_column(x = pmin(age %/% 10L, 9L)),
    op("pmin", op("%/%", col("age"), lit(10L)), lit(9L))
  )
  expect_identical(
    value_of_column(x = dplyr::coalesce(age, 0L)), op("coalesce", col("age"), lit(0L))
  )
  expect_identical(
    value_of_column(x = cut(age, c(0, 10, 20))), op("cut", col("age"), lit(0), lit(10), lit(20))
  )
})

test_that("conditions are read in all their forms", {
  expected <- op("if_else", op(">", col("age"), lit(1)), lit("a"), lit("b"))
  expect_identical(value_of_column(x = if_else(age > 1, "a", "b")), expected)
  expect_identical(value_of_column(x = ifelse(age > 1, "a", "b")), expected)
  expect_identical(value_of_column(x = if_else(age > 1, false = "b", true = "a")), expected)
  over <- op(">", col("age"), lit(1))
  expect_identical(
    value_of_column(x = if_else(age > 1, "a", "b", missing = "c")),
    op("if_else", over, lit("a"), lit("b"), lit("c"))
  )
  cases <- op("case_when", over, lit("a"), lit("b"))
  expect_identical(value_of_column(x = case_when(age > 1 ~ "a", TRUE ~ "b")), cases)
  expect_identical(value_of_column(x = case_when(age > 1 ~ "a", .default = "b")), cases)
  expect_identical(
    value_of_column(x = case_when(age > 1 ~ "a")), op("case_when", over, lit("a"), lit(NA))
  )
})

test_that("the caller's variables become constants when the verb is called", {
  limit <- 18
  places <- c("North", "South")
  table <- dplyr::filter(people_to_plan(), age >= limit, region %in% places)
  limit <- 99
  expect_identical(steps_of_table(table)[[1]]$predicate, op(">=", col("age"), lit(18)))
  expect_identical(
    steps_of_table(table)[[2]]$predicate,
    op("%in%", col("region"), lit("North"), lit("South"))
  )
  expect_identical(predicate(age >= !!limit), op(">=", col("age"), lit(99)))
  age <- 5
  expect_identical(predicate(.data$age > .env$age), op(">", col("age"), lit(5)))
  expect_identical(predicate(.data[["age"]] > limit - 9), op(">", col("age"), lit(90)))
  name <- "age"
  expect_identical(predicate(.data[[name]] > 1), op(">", col("age"), lit(1)))
  by_name <- function(column) dplyr::filter(people_to_plan(), {{ column }} > limit)
  expect_identical(last_step(by_name(age))$predicate, op(">", col("age"), lit(99)))
})

test_that("constants of R's classes become plain values", {
  day <- as.Date("1970-01-11")
  date <- list(op = "literal", value = 10, type = "date")
  with_day <- people_to_plan(born = dp_date())
  read <- function(...) last_step(dplyr::filter(with_day, ...))$predicate$args[[2]]
  expect_identical(read(born > day), date)
  expect_identical(read(born > as.Date("1970-01-11")), date)
  north <- factor("North")
  expect_identical(predicate(region == north)$args[[2]], lit("North"))
  seven <- bit64::as.integer64(7)
  expect_identical(predicate(age == seven)$args[[2]], lit(7))
})

test_that("no user function runs, and no R function runs on data", {
  ran <- FALSE
  pmin <- function(...) ran <<- TRUE
  mean <- function(...) ran <<- TRUE
  value_of_column(x = pmin(age, 3L))
  expect_error(value_of_column(x = mean(age)), class = "dp_error_unsupported")
  expect_false(ran)
})

test_that("an unsupported expression raises an error that lists supported ones", {
  table <- people_to_plan()
  limits <- 1:2
  expect_snapshot(error = TRUE, {
    dplyr::filter(table, zip > 1)
    dplyr::filter(table, .data$zip > 1)
    dplyr::filter(table, age > limits)
    dplyr::filter(table, age > 1 && age < 3)
    dplyr::filter(table, region %in% name)
    dplyr::filter(table, age == NaN)
    dplyr::filter(table, between(age, 1))
    dplyr::mutate(table, x = tanh(age))
    dplyr::mutate(table, x = signif(age))
    dplyr::filter(table, grepl("A", name))
    dplyr::filter(table, if_any(age, ~ .x > 1))
    dplyr::mutate(table, x = as.integer(name))
    dplyr::mutate(table, x = mean(age))
    dplyr::mutate(table, x = n())
    dplyr::mutate(table, x = lag(age))
    dplyr::mutate(table, x = (function(y) y)(age))
    dplyr::mutate(table, x = if_else(age > 1, 2))
    dplyr::mutate(table, x = cut(age, 3))
    dplyr::mutate(table, x = case_when(age))
    dplyr::mutate(table, x = Sys.time())
  })
  # Not written out, because R CMD check would require the package.
  expect_error(
    rlang::inject(dplyr::mutate(table, x = !!str2lang("unknown::thing(age)"))), "thing",
    class = "dp_error_unsupported"
  )
})

test_that("a message never shows a constant from a call", {
  secret <- "canary-7417"
  error <- expect_error(
    dplyr::mutate(people_to_plan(), x = paste(age, !!secret)), class = "dp_error_unsupported"
  )
  expect_no_match(paste(conditionMessage(error), deparse(conditionCall(error))), secret)
})
