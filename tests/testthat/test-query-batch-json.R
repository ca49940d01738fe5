# Batches as JSON: a written text reads back as the same batch, and any other text is rejected.

skip_if_not_installed("dplyr")

two_queries <- function(session = dp_session(dp_epsilon(10, delta = 1e-6)), accountant = "additive",
                        data = NULL) {
  table <- dp_tbl(session, data, dp_unit(rows = 1),
    dp_domain(age = dp_int(0, 100), ward = dp_levels("A", "B"))
  )
  dp_batch(session,
    by_ward = dplyr::summarise(dplyr::group_by(table, ward), n = dp_count(), age = dp_mean(age)),
    "all \"of\" them" = dplyr::summarise(dplyr::filter(table, age > 18L), n = dp_count()),
    weights = c(1, 2.5), accountant = accountant
  )
}

table_of <- function(batch) {
  with_tbl_data(batch$queries[[1]]$table, steps = list(), groups = character(), keys = NULL)
}

test_that("a batch keeps its text, its plan hash and its printed form", {
  for (accountant in c("additive", "pld")) {
    batch <- two_queries(accountant = accountant)
    loss <- dp_epsilon(0.5, delta = 1e-7)
    text <- to_json(batch)
    read <- from_json(text)
    expect_s3_class(read, "dp_written_batch")
    expect_identical(to_json(read), text)
    expect_identical(to_json(from_json(to_json(read, pretty = TRUE))), text)
    bound <- on_table(read, table_of(batch))
    expect_identical(to_json(bound), text)
    expect_identical(plan_hash(bound, loss), plan_hash(batch, loss))
    expect_identical(format(bound), format(batch))
    expect_identical(to_json(on_table(batch, table_of(batch))), text)
    expect_match(format(read), "n = dp_count()", fixed = TRUE, all = FALSE)
  }
  for (use in list(release, dp_preview)) {
    expect_error(use(read), "on_table", class = "dp_error_source")
  }
})

test_that("members of a batch can have the names of arguments", {
  text <- to_json(two_queries())
  for (name in c("accountant", "weights", ".session", ".s", "call")) {
    renamed <- sub("by_ward", name, text, fixed = TRUE)
    expect_identical(to_json(on_table(from_json(renamed), table_of(two_queries()))), renamed)
  }
})

test_that("the text of a batch has neither columns nor bounds nor unit", {
  text <- to_json(two_queries())
  for (word in c("100", "unit", "columns", "source", "lower")) {
    expect_false(grepl(word, text, fixed = TRUE), info = word)
  }
})

test_that("a batch can have a table for each query, with another declaration", {
  session <- dp_session(dp_epsilon(1))
  table <- function(...) dp_tbl(session, NULL, dp_unit(rows = 1), dp_domain(...))
  tables <- list(b = table(x = dp_flag()), a = table(age = dp_int(0, 9)))
  batch <- dp_batch(session,
    a = dplyr::summarise(tables$a, n = dp_sum(age)), b = dplyr::summarise(tables$b, n = dp_count())
  )
  read <- from_json(to_json(batch))
  expect_identical(to_json(on_table(read, tables)), to_json(batch))
  expect_error(on_table(read, tables$a), class = "dp_error_domain")
  for (wrong in list(tables["a"], unname(tables), list(a = 1, b = 2), 1)) {
    expect_error(on_table(read, wrong), class = "dp_error_invalid_argument")
  }
})

test_that("texts that are not a batch raise an error", {
  text <- to_json(two_queries())
  change <- function(from, to) sub(from, to, text, fixed = TRUE)
  wrong <- c(
    change("\"name\":\"by_ward\"", "\"name\":\"all \\\"of\\\" them\""),
    change("\"name\":\"by_ward\"", "\"name\":\"\""),
    change("\"weight\":1,", ""),
    change("\"weight\":1,", "\"weight\":\"1\","),
    change("\"accountant\":\"additive\",", ""),
    change("\"accountant\":", "\"account\":"),
    change("\"accountant\":", "\"accountant\":\"additive\",\"accountant\":"),
    sub("\"members\":.*", "\"members\":[]}", text),
    sub("\"members\":.*", "\"members\":{}}", text),
    change("\"version\":1", "\"version\":2"),
    sub("}$", ",\"loss\":{\"epsilon\":\"1\",\"delta\":\"0\"},\"alpha\":\"0.05\"}", text),
    sub("}$", ",\"query\":{}}", text)
  )
  for (one in wrong) expect_error(from_json(one), class = "dp_error_serialization")
  unbound <- c(change("\"additive\"", "\"other\""), change("\"weight\":1,", "\"weight\":-1,"))
  for (one in unbound) {
    expect_error(on_table(from_json(one), table_of(two_queries())),
      class = "dp_error_invalid_argument"
    )
  }
  limits <- core_query_json_limits()$server
  limits[["aggregates"]] <- 1
  expect_error(query_in_json(text, limits), "at most 1", class = "dp_error_serialization")
})

test_that("a batch from a text is free if it was released, and its receipt has the same form", {
  ledger <- local_ledger(10, unit = dp_unit(rows = 1))
  data <- data.frame(age = rep(c(20, 40), 500), ward = c("A", "B"))
  batch <- two_queries(dp_session(ledger = ledger), data = data)
  released <- small(release(batch, epsilon = 4))
  again <- quietly_reused(small(release(on_table(from_json(to_json(batch)), table_of(batch)),
    epsilon = 4
  )))
  expect_identical(again$by_ward$n, released$by_ward$n)
  expect_identical(spent_in(ledger), 4)
  receipt <- dp_receipt(released)
  read <- from_json(receipt$plan)
  expect_s3_class(read, "dp_written_batch")
  expect_identical(names(read$members), names(batch$queries))
  expect_identical(plan_hash(planned_in(read)), receipt$plan_hash)
  checks <- verify_release(receipt, ledger, value = released)
  expect_identical(unique(checks$result[!checks$check %in% "signature"]), "passed")
  expect_error(planned_in(from_json(to_json(batch))), class = "dp_error_serialization")
})

test_that("changed texts of batches are batches, or refused by an error of the package", {
  batch <- two_queries()
  text <- to_json(batch)
  table <- table_of(batch)
  set.seed(20261129)
  steps <- in_tier(quick = 400, long = 2e5)
  read <- 0
  for (i in seq_len(steps)) {
    changed <- changed_text(text)
    problem <- NULL
    withCallingHandlers(
      tryCatch(
        {
          query <- from_json(changed)
          read <- read + 1
          on_table(query, table, promises = TRUE)
        },
        dp_error = function(error) NULL, error = function(error) problem <<- error
      ),
      warning = function(warning) problem <<- warning
    )
    if (!is.null(problem)) fail(paste0(conditionMessage(problem), " at ", changed))
  }
  expect_gt(read, steps / 50)
})

test_that("plans and queries are read by one reader, which refuses alike", {
  enable_features("contrib")
  texts <- list(
    query = to_json(two_queries()$queries[[1]]), batch = to_json(two_queries()),
    measurement = to_json(noisy_count())
  )
  twice <- function(text) sub("{", "{\"version\":1,", text, fixed = TRUE)
  broken <- list(
    twice, function(text) paste0(text, "x"), function(text) sub("}$", "", text),
    function(text) sub("1", "1e999", text, fixed = TRUE),
    function(text) sub("\"version\"", "\"\\ud800\"", text, fixed = TRUE),
    function(text) sub("{", "{\"a\":\"\\u0000\",", text, fixed = TRUE),
    function(text) sub("{", "{\"a\":01,", text, fixed = TRUE),
    function(text) {
      sub("{", paste0("{", paste0("\"k", 1:70, "\":1,", collapse = "")), text, fixed = TRUE)
    }
  )
  for (spoil in broken) {
    said <- vapply(texts, function(text) {
      error <- expect_error(from_json(spoil(text)), class = "dp_error_serialization")
      sub("[0-9]+", "N", conditionMessage(error))
    }, "")
    expect_length(unique(said), 1)
  }
})
