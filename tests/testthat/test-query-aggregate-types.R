# Each aggregate of each type of column: released, or refused by summarise(), before any charge.
local_verbs()

typed_columns <- list(
  flag = dp_flag(), whole = dp_int(0, 9), real = dp_num(0, 9), unbounded = dp_int(),
  day = dp_date("2026-01-01", "2026-12-31"), level = dp_levels("a", "b"), code = dp_levels(1:3),
  text = dp_text()
)

typed_data <- data.frame(
  flag = TRUE, whole = 5L, real = 5, unbounded = 5L, day = as.Date("2026-02-01"), level = "a",
  code = 1L, text = "t"
)

aggregates_by_types <- list(
  list(quote(dp_n_missing), names(typed_columns)),
  list(quote(dp_n_distinct), names(typed_columns)),
  list(quote(dp_sum), c("flag", "whole", "real")),
  list(quote(dp_mean), c("flag", "whole", "real", "day")),
  list(quote(dp_var), c("flag", "whole", "real", "day")),
  list(quote(dp_sd), c("flag", "whole", "real", "day")),
  list(quote(dp_median), c("flag", "whole", "real", "day")),
  list(quote(dp_quantile), c("flag", "whole", "real", "day"))
)

test_that("summarise() refuses what an aggregate does not take, and release() takes the rest", {
  session <- dp_session(dp_epsilon(1e6))
  table <- dp_tbl(session, typed_data, dp_unit(rows = 1), do.call(dp_schema, typed_columns))
  for (row in aggregates_by_types) {
    for (type in names(typed_columns)) {
      info <- paste(row[[1]], type)
      aggregate <- as.call(list(row[[1]], as.name(type)))
      if (type %in% row[[2]]) {
        query <- summarise(table, m = !!aggregate)
        expect_s3_class(small(release(query, epsilon = 1)), "dp_released")
        next
      }
      spent <- dp_spent(session)
      error <- tryCatch(summarise(table, m = !!aggregate), error = identity)
      expect_s3_class(error, "dp_error")
      expect_match(conditionMessage(error), "`m`|Dates have no sum", info = info)
      expect_identical(dp_spent(session), spent)
    }
  }
})

test_that("the refusal of a level or a text says how it is counted", {
  table <- dp_tbl(dp_session(dp_epsilon(1)), NULL, dp_unit(rows = 1),
    do.call(dp_schema, typed_columns)
  )
  expect_error(summarise(table, m = dp_mean(level)), "`group_by()` and `dp_count()`",
    fixed = TRUE, class = "dp_error_domain"
  )
  expect_error(summarise(table, m = 2 * dp_mean(text)), "`dp_mean(text)` is of text",
    fixed = TRUE, class = "dp_error_domain"
  )
  expect_error(summarise(table, m = dp_sum(code)), "`as.integer()`", fixed = TRUE)
  expect_s3_class(summarise(table, m = dp_sum(as.integer(code))), "dp_query")
})

test_that("weights have a type, too", {
  table <- dp_tbl(dp_session(dp_epsilon(1)), NULL, dp_unit(rows = 1),
    do.call(dp_schema, typed_columns)
  )
  for (type in c("unbounded", "day", "level", "code", "text")) {
    expect_error(summarise(table, m = dp_sum(real, weights = !!as.name(type))), "`m`",
      class = "dp_error"
    )
  }
})
