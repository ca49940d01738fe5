# Ledger whose releases are charged but cannot be stored.
ledger_without_store <- function(unit = dp_unit(changes = 1), env = parent.frame(), ...) {
  where <- file.path(withr::local_tempdir(.local_envir = env), "survey.ledger")
  ledger <- create_ledger(where, "survey", unit, dp_epsilon(1e3), version = "1")
  unlink(file.path(where, "releases"), recursive = TRUE)
  file.create(file.path(where, "releases"))
  dp_ledger(where, ...)
}

hundred_ages <- as.double(1:100)

# Functions that release on a ledger. The ledger protects a replaced row.
paths <- list(
  statistic = function(ledger) with_ledger(ledger, mean_age(1)$release(hundred))$release,
  measurement = function(ledger) charge(noisy_count(), ledger, d_in = 2L)(hundred_ages),
  query = function(ledger) release(count_of(ledger), epsilon = 100)$n,
  plan = function(ledger) {
    query <- count_of(ledger)
    release(dp_batch(session_of(query), a = query), epsilon = 100)$a$n
  }
)

count_of <- function(ledger) {
  table <- dp_tbl(dp_session(ledger = ledger), hundred, dp_unit(rows = 2),
    dp_domain(age = dp_int(0, 100))
  )
  dplyr::summarise(table, n = dp_count())
}

# A ledger does not store query plans, so only a witness can cause a warning.
stored_paths <- paths[names(paths) != "plan"]

test_that("a charged release is returned even if warnings are errors", {
  folder <- withr::local_tempdir()
  # In a separate process, because testthat catches warnings before R turns them into errors.
  done <- run_r(c(
    "enable_features('contrib')",
    "rows <- data.frame(age = rep(c(20, 40), 50))",
    "count <- c(vector_domain(atom_domain(.T = 'f64')), symmetric_distance()) |>",
    "  then_count() |> then_laplace(scale = 4)",
    "paths <- list(",
    "  function(ledger) with_ledger(ledger, dpMean('mechanismLaplace', 'numeric', 'age', 100,",
    "    c(18, 93), epsilon = 1)$release(rows))$release,",
    "  function(ledger) charge(count, ledger, d_in = 2L)(rows$age),",
    "  function(ledger) release(dplyr::summarise(dp_tbl(dp_session(ledger = ledger), rows,",
    "    dp_unit(rows = 2), dp_domain(age = dp_int(0, 100))), n = dp_count()), epsilon = 1)$n",
    ")",
    "for (i in seq_along(paths)) {",
    "  place <- file.path(where, i)",
    "  ledger <- dp_ledger_create(place, 'survey', dp_unit(changes = 1), dp_epsilon(10),",
    "    version = '1')",
    "  unlink(file.path(place, 'releases'), recursive = TRUE)",
    "  file.create(file.path(place, 'releases'))",
    "  options(warn = 2)",
    "  value <- paths[[i]](ledger)",
    "  stopifnot(is.numeric(value), length(value) == 1, getOption('warn') == 2)",
    "  options(warn = 0)",
    "  cat('returned', dp_spent(ledger)[[1]] > 0, '\n')",
    "}"
  ), folder)
  expect_identical(done$status, 0L)
  expect_identical(strsplit(done$stdout, " \n", fixed = TRUE)[[1]], rep("returned TRUE", 3))
  expect_length(gregexpr("could not be stored", done$stderr, fixed = TRUE)[[1]], 3)
})

test_that("a handler that jumps finds the release in the warning", {
  for (release in stored_paths) {
    ledger <- ledger_without_store()
    seen <- tryCatch(release(ledger), dp_warning_store = identity)
    expect_s3_class(seen, "dp_warning_store")
    expect_false(is.null(seen$release))
  }
  mean <- mean_age()
  tryCatch(with_ledger(ledger_without_store(), mean$release(hundred)), warning = identity)
  expect_type(mean$result$release, "double")
})

test_that("warnings and messages of a witness come after the release", {
  withr::local_options(warn = 2)
  for (name in names(paths)) {
    ledger <- ledger_without_store(witness = function(head) {
      message("told")
      warning("loud witness")
    })
    options(warn = 2)
    expect_message(
      suppressWarnings(expect_warning(value <- paths[[name]](ledger), "loud witness")), "told"
    )
    expect_true(is.numeric(value) && length(value) == 1)
    options(warn = 0)
    seen <- suppressMessages(tryCatch(paths[[name]](ledger), warning = identity))
    expect_false(is.null(seen$release))
  }
})

test_that("held conditions keep their order, and progress shows at once", {
  shown <- character()
  held <- withCallingHandlers(
    holding_conditions({
      warning("first")
      message("second")
      message(structure(list(message = "bar"), class = c("cliMessage", "message", "condition")))
      warning("third")
      5
    }),
    message = function(condition) {
      shown <<- c(shown, conditionMessage(condition))
      invokeRestart("muffleMessage")
    }
  )
  expect_identical(held$value, 5)
  expect_identical(vapply(held$held, conditionMessage, ""), c("first", "second\n", "third"))
  expect_identical(shown, "bar")
  expect_error(holding_conditions(stop("no")), "no")
})

test_that("a time limit waits until a charged release is stored, so repeating it is free", {
  for (name in names(stored_paths)) {
    where <- file.path(withr::local_tempdir(), "survey.ledger")
    ledger <- create_ledger(where, "survey", dp_unit(changes = 1), dp_epsilon(1e3), version = "1")
    local({
      signing <- signed_receipt
      local_replaced("signed_receipt", function(...) {
        setTimeLimit(elapsed = 1e-3)
        late <- proc.time()[["elapsed"]] + 0.2
        while (proc.time()[["elapsed"]] < late) NULL
        signing(...)
      })
      ended <- tryCatch(
        {
          stored_paths[[name]](ledger)
          for (i in 1:1e6) NULL
          "it came to its end"
        },
        error = identity, finally = setTimeLimit()
      )
      expect_true(is_time_limit(ended), info = name)
    })
    spent <- dp_spent(ledger)
    expect_gt(spent[[1]], 0)
    expect_message(stored_paths[[name]](ledger), class = "dp_message_reused")
    expect_identical(dp_spent(ledger), spent)
  }
})

test_that("a witness that jumps at any record leaves one charge", {
  for (name in names(stored_paths)) {
    # After the charge, after the mark, and after the record of the release.
    for (call in 1:3) {
      where <- file.path(withr::local_tempdir(), "survey.ledger")
      create_ledger(where, "survey", dp_unit(changes = 1), dp_epsilon(1e3), version = "1")
      calls <- 0
      ledger <- dp_ledger(where, witness = function(head) {
        calls <<- calls + 1
        if (calls == call) invokeRestart("out")
      })
      jumped <- withRestarts(
        {
          stored_paths[[name]](ledger)
          FALSE
        },
        out = function() TRUE
      )
      expect_true(jumped)
      charges <- nrow(dp_history(ledger))
      expect_identical(charges, 1L, info = paste(name, call))
      again <- function() suppressMessages(stored_paths[[name]](ledger))
      before <- dp_spent(ledger)
      again()
      # Only a jump between the mark and the stored release causes a second charge.
      expect_identical(identical(dp_spent(ledger), before), call != 2)
    }
  }
})
