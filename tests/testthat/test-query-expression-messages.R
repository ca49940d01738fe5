# Messages name the column or expression that does not fit, and how to change it.
local_verbs()

table_of_kinds <- function() {
  dp_tbl(dp_session(dp_epsilon(1)), NULL, dp_unit(rows = 1), dp_schema(
    age = dp_int(0, 99, na = 998), z = dp_num(0, 100), free = dp_num(), day = dp_date(
      "2024-01-01", "2025-12-31"
    ), sex = dp_levels("f", "m", na = "u")
  ))
}

unfit <- alist(
  "`log` needs a lower bound above 0, but the bounds of `z` begin at 0." = log(z),
  "write `log(pmax(z, 1))`." = log(z, base = 10),
  "`log1p` needs a lower bound above -1, but the bounds of its operand begin at -1." = log1p(z - 1),
  "`log` needs bounds, but `free` has no bounds." = log(free),
  "`+` needs bounds, but `free` has no bounds." = age + free,
  "`log` needs bounds, but an operand has no bounds." = log(1 / z),
  "whole numbers, dates and logicals, but `z` holds real numbers. Write `floor()`" = as.integer(z),
  "`%/%` takes whole numbers, but `z` holds real numbers. Write `floor(x / y)`." = z %/% 10,
  "`%%` takes whole numbers, but `z` holds real numbers. Write `x - y * floor(x / y)`." = z %% 10,
  "`na_if` looks for 999, but `age` is not declared to have it." = na_if(age, 999),
  "declare it: `na = \"x\"`." = na_if(sex, "x"),
  "looks for 998, which is missing already: it is in `na` in the declaration of `age`." =
    na_if(age, 998),
  "looks for \"u\", which is missing already" = na_if(sex, "u"),
  "`>=` does not take dates and real numbers together. Write a date as text" = day >= 2024.5,
  "`<` takes numbers and dates, but `sex` holds levels. Levels have no order" = sex < "m"
)

test_that("a message about an expression names the operand and the fix", {
  table <- table_of_kinds()
  for (message in names(unfit)) {
    error <- expect_error(mutate(table, y = !!unfit[[message]]), class = "dp_error")
    expect_match(conditionMessage(error), message, fixed = TRUE)
    # An aggregate reads amounts, which are hidden columns beside keys.
    error <- expect_error(
      summarise(table, y = dp_mean(!!unfit[[message]])), class = "dp_error"
    )
    expect_match(conditionMessage(error), message, fixed = TRUE)
  }
})

test_that("a message about a computed column names it", {
  table <- mutate(table_of_kinds(), y = round(z))
  expect_error(summarise(table, m = dp_mean(log(y))), "write `log(pmax(y, 1))`.",
    fixed = TRUE, class = "dp_error"
  )
  inverse <- mutate(table, inverse = 1 / y)
  expect_error(summarise(inverse, m = dp_mean(inverse)), "because `inverse` has none.",
    fixed = TRUE, class = "dp_error_domain"
  )
})

test_that("the suggested code is accepted", {
  table <- table_of_kinds()
  fixed <- mutate(table,
    a = log(pmax(z, 1)), b = floor(z / 10), c = log1p(pmax(z - 1, -0.5)), d = day >= "2025-01-31",
    e = year(day) >= 2025, f = z - 10 * floor(z / 10), g = log(pmin(pmax(free, 1), 9))
  )
  expect_identical(setdiff(names(fixed), names(table)), letters[1:7])
})

test_that("an aggregate of a column without bounds names the column", {
  error <- expect_error(summarise(table_of_kinds(), d = dp_mean(free)), class = "dp_error_domain")
  expect_match(conditionMessage(error), "because `free` has none.", fixed = TRUE)
})

test_that("a long expression shows its outermost call, and no constants", {
  table <- table_of_kinds()
  long <- quote(pmax(age, 1) + pmax(age, 2) + pmax(age, 3) + pmax(age, 4) + pmax(age, 5) == 9999)
  expect_error(filter(table, !!long), "`... + ...` is never 9999.", fixed = TRUE)
  expect_error(filter(table, pmax(age, 17) == 9999), "`pmax(age, ...)` is never", fixed = TRUE)
})
