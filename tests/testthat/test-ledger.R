test_that("a ledger is created once and keeps its state when reopened", {
  ledger <- local_ledger(0.5)
  quietly_reused(with_ledger(ledger, mean_age()$release(hundred)))
  again <- dp_ledger(ledger$where)
  expect_identical(dp_spent(again), c(epsilon = 0.25, delta = 0))
  expect_identical(dp_remaining(again), c(epsilon = 0.25, delta = 0))
  expect_identical(dp_ledger_head(again), dp_ledger_head(ledger))
  expect_error(
    create_ledger(ledger$where, "survey", dp_unit(changes = 1), dp_epsilon(9), version = "2026-03"),
    "open it with dp_ledger",
    class = "dp_error_ledger"
  )
  expect_identical(dp_remaining(again), c(epsilon = 0.25, delta = 0))
})

test_that("creating a ledger says that ledgers of the same people add up", {
  where <- file.path(withr::local_tempdir(), "l")
  expect_message(
    dp_ledger_create(where, "survey", dp_unit(changes = 1), dp_zcdp(1, 1e-7), version = "v"),
    "Ledgers of the same people add up", class = "dp_message"
  )
})

test_that("a ledger also counts in rho and in delta", {
  where <- file.path(withr::local_tempdir(), "l")
  ledger <- create_ledger(where, "survey", dp_unit(changes = 1), dp_zcdp(1, 1e-7), version = "v")
  with_ledger(ledger, mean_age(1)$release(hundred))
  expect_identical(names(dp_spent(ledger)), c("rho", "delta"))
  loss <- mean_age(1)$measurement(d_in = protected_rows)[[1]]
  expect_gte(spent_in(ledger), loss^2 / 2)
  expect_lte(spent_in(ledger), loss^2 / 2 * (1 + 1e-15))
})

test_that("arguments are checked by name", {
  where <- file.path(withr::local_tempdir(), "l")
  create <- function(where = where, dataset = "d", unit = dp_unit(rows = 1), loss = dp_epsilon(1),
                     version = "v", key = NULL) {
    dp_ledger_create(where, dataset, unit, loss, version, key)
  }
  expect_error(create(where, unit = "row"), "`unit` must be a unit", fixed = TRUE,
    class = "dp_error_invalid_argument"
  )
  for (bad in list(NULL, 1, NA_character_, c("a", "b"))) {
    expect_error(create(where = bad), class = "dp_error_invalid_argument")
    expect_error(create(where, dataset = bad), "`dataset`", class = "dp_error_invalid_argument")
    expect_error(create(where, unit = bad), "`unit`", class = "dp_error_invalid_argument")
    expect_error(create(where, version = bad), "`version`", class = "dp_error_invalid_argument")
    expect_error(create(where, loss = bad), "`loss`", class = "dp_error_invalid_argument")
  }
  expect_error(create(where, dataset = ""), class = "dp_error_invalid_argument")
  expect_error(create(where, key = "k"), "`key`", class = "dp_error_invalid_argument")
  expect_false(file.exists(where))
  expect_error(dp_ledger(where), class = "dp_error_storage")
  expect_error(dp_ledger_head(where), class = "dp_error_invalid_argument")
  expect_error(dp_epsilon(0), class = "dp_error_invalid_argument")
  expect_error(dp_zcdp(1, 1), class = "dp_error_invalid_argument")
})

test_that("D_LED_6: a newer head rejects an older copy", {
  ledger <- local_ledger()
  text <- readLines(ledger_text(ledger))
  with_ledger(ledger, mean_age()$release(hundred))
  head <- dp_ledger_head(ledger)
  expect_no_error(dp_ledger(ledger$where, head = head))
  writeLines(text, ledger_text(ledger))
  expect_error(dp_ledger(ledger$where, head = head), "older copy", class = "dp_error_ledger")
  expect_error(with_ledger(ledger, mean_age()$release(hundred)), class = "dp_error_ledger")
  expect_error(dp_ledger(ledger$where, head = "41"), "`head`", class = "dp_error_ledger")
})

test_that("D_LED_6: damage fails dp_ledger_verify(), which locates it, and Rscript fails", {
  ledger <- local_ledger()
  with_ledger(ledger, mean_age()$release(hundred))
  checks <- dp_ledger_verify(ledger$where)
  expect_identical(checks$result, rep(c("passed", "not checked", "passed"), each = 2))
  good <- run_r("dp_ledger_verify(where)", ledger$where)
  expect_identical(good$status, 0L)
  text <- readLines(ledger_text(ledger))
  writeLines(sub('"epsilon":"0.25"', '"epsilon":"0.20"', text, fixed = TRUE), ledger_text(ledger))
  expect_error(dp_ledger_verify(ledger$where), "line 3", class = "dp_error_ledger")
  bad <- run_r("dp_ledger_verify(where)", ledger$where)
  expect_false(bad$status == 0L)
  expect_match(bad$stderr, "line 3")
})

test_that("D_LED_6: a ledger that ends before its first version does not open", {
  ledger <- local_ledger()
  writeLines(readLines(ledger_text(ledger))[[1]], ledger_text(ledger))
  expect_error(dp_ledger(ledger$where), "has no version", class = "dp_error_ledger")
  expect_error(dp_ledger_verify(ledger$where), "has no version", class = "dp_error_ledger")
})

test_that("names in a stranger's ledger or receipt cannot rewrite the lines that print them", {
  hidden <- "a\u001b[31m\n  spent    epsilon 0\u202e"
  ledger <- rewritten_ledger(local_ledger(), function(record) {
    if (record$kind == "open") record$dataset <- hidden
    if (record$kind == "version") record$label <- hidden
    record
  })
  released <- with_ledger(ledger, mean_age()$release(hundred))
  shown <- c(format(ledger), capture.output(print(dp_receipt(released))))
  expect_false(any(grepl("[[:cntrl:]\u202e]", shown)))
  expect_length(grep("^  spent ", shown), 1)
  expect_match(shown, "a\\u001b[31m\\u000a  spent", fixed = TRUE, all = FALSE)
  # A new ledger does not take such names.
  for (name in c(hidden, "", " ", strrep("x", 201))) {
    expect_error(create_ledger(tempfile(), name, dp_unit(changes = 1), dp_epsilon(1), "v1"),
      "`dataset` must be a name", class = "dp_error_invalid_argument"
    )
    expect_error(dp_new_version(ledger, name), "`version` must be a name",
      class = "dp_error_invalid_argument"
    )
  }
  expect_error(dp_new_version(local_ledger(), "2026-03"), "already", class = "dp_error_ledger")
})

test_that("a modified stored release is detected", {
  ledger <- local_ledger()
  with_ledger(ledger, mean_age()$release(hundred))
  stored <- list.files(file.path(ledger$where, "releases"), full.names = TRUE)
  expect_length(stored, 1)
  for (text in list(c(readLines(stored, warn = FALSE), " "), character())) {
    writeLines(text, stored)
    expect_error(dp_ledger_verify(ledger$where), "differs from the stored",
      class = "dp_error_ledger"
    )
  }
  expect_identical(file.size(stored), 0)
  moved <- dp_ledger_move(ledger, file.path(dirname(ledger$where), "moved.ledger"))
  expect_error(dp_ledger_verify(moved), "differs from the stored", class = "dp_error_ledger")
})

test_that("versions share the budget", {
  ledger <- local_ledger()
  release <- function(version) {
    with_ledger(ledger, mean_age()$release(hundred), version = version)
  }
  release("2026-03")
  expect_error(release("2026-04"), "dp_new_version", class = "dp_error_ledger")
  expect_identical(spent_in(ledger), 0.25)
  dp_new_version(ledger, "2026-04")
  release("2026-04")
  expect_identical(spent_in(ledger), 0.5)
  expect_error(dp_new_version(ledger, "2026-04"), class = "dp_error_ledger")
  expect_identical(dp_history(ledger)$version, c("2026-03", "2026-04"))
})

test_that("the history has a row for each charge", {
  ledger <- local_ledger()
  with_ledger(ledger, {
    mean_age(0.25)$release(hundred)
    mean_age(0.5)$release(hundred)
  })
  history <- dp_history(ledger)
  expect_identical(history$what, c("mean of age", "mean of age"))
  expect_identical(history$epsilon, c(0.25, 0.5))
  expect_identical(history$spent, c(0.25, 0.75))
  expect_identical(history$plan, c(plan_hash(mean_age(0.25)), plan_hash(mean_age(0.5))))
})

test_that("D_LED_3: a saved ledger asks to be opened again, and refills nothing", {
  ledger <- local_ledger()
  copy <- unserialize(serialize(ledger, NULL))
  with_ledger(ledger, mean_age(1)$release(hundred))
  expect_error(dp_spent(copy), class = "dp_error_stale_object")
  expect_error(
    with_ledger(copy, mean_age()$release(hundred)), class = "dp_error_stale_object"
  )
  expect_identical(dp_remaining(dp_ledger(copy$where))[[1]], 0)
})

test_that("D_LED_3: eight forked children have budget for one release", {
  ledger <- local_ledger(0.25)
  outcome <- function(i) {
    tryCatch(
      {
        with_ledger(ledger, mean_age()$release(hundred), reuse = FALSE)
        "released"
      },
      dp_error_budget = function(error) "refused"
    )
  }
  outcomes <- unlist(in_forks(1:8, outcome, 8))
  expect_identical(sort(outcomes), c(rep("refused", 7), "released"))
})

test_that("a ledger gives sessions their budget and unit", {
  ledger <- local_ledger()
  budget <- budget_of(ledger)
  expect_identical(budget$total, dp_epsilon(1))
  # Five losses within 0.2 fill the budget, although a fifth is not a double.
  below <- dp_epsilon(0.2 - 2^-55)
  claim <- function(loss, asked) {
    list(
      plan = strrep("a", 64), loss = loss_for_core(loss, asked), version = "2026-03", what = "n"
    )
  }
  for (i in 1:5) expect_type(budget$charge(claim(below, dp_epsilon(0.2))), "list")
  expect_null(budget$charge(claim(dp_epsilon(0.9e-300), dp_epsilon(1e-300))))
  expect_identical(budget$remaining(), c(epsilon = 0, delta = 0))
  expect_identical(budget$spent(), c(epsilon = 1, delta = 0))
  expect_identical(nrow(budget$records()), 5L)
})

test_that("ledgers and losses print", {
  ledger <- local_ledger(0.5)
  with_ledger(ledger, mean_age()$release(hundred))
  shown <- format(ledger)
  expect_match(shown[[1]], 'Ledger of "survey", protects 1 replaced row', fixed = TRUE)
  expect_match(shown, "left     epsilon 0.25", fixed = TRUE, all = FALSE)
  expect_output(print(ledger), "records  5")
  expect_output(print(dp_zcdp(0.5, 1e-7)), "<dp_loss> rho 0.5, delta", fixed = TRUE)
})

test_that("a ledger is verified in its folder or as an object, and errors name the function", {
  ledger <- local_ledger()
  expect_identical(dp_ledger_verify(ledger), dp_ledger_verify(ledger$where))
  wrong <- list(
    function() dp_ledger_verify(3), function() dp_ledger_verify(ledger, head = 3),
    function() dp_ledger_verify(ledger, key = 3)
  )
  for (call in wrong) {
    error <- expect_error(call(), class = "dp_error_invalid_argument")
    expect_identical(as.character(error$call[[1]]), "dp_ledger_verify")
  }
})
