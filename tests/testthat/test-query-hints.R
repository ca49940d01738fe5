# Messages about code that people bring from R and dplyr.
local_verbs()

test_that("messages about functions and arguments of R name what to write instead", {
  table <- dp_tbl(dp_session(dp_epsilon(1)), NULL, dp_unit(rows = 1), dp_schema(
    x = dp_num(0, 100), y = dp_num(0, 100), day = dp_date("2025-01-01", "2025-12-31")
  ))
  said <- list(
    "For other cells use `case_when()`" = quote(count(table, b = cut(x, c(0, 50), right = FALSE))),
    "Name the cells after `release()`" = quote(count(table, b = cut(x, c(0, 50), labels = "a"))),
    "Name the days or months after `release()`" = quote(count(table, d = wday(day, label = TRUE))),
    "`year(x)` and `month(x)` are numbers" = quote(mutate(table, z = format(day, "%Y"))),
    "Use `dpCorrelation()` on a data frame" = quote(summarise(table, r = cor(x, y)))
  )
  for (message in names(said)) {
    error <- expect_error(eval(said[[message]]), class = "dp_error")
    expect_match(conditionMessage(error), message, fixed = TRUE)
  }
})
