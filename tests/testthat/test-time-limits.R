# Exits of R that are not interrupts: time limits, and handlers that jump. They leave a release
# unchanged, wherever C++ calls R.

is_limit <- function(condition) {
  inherits(condition, "simpleError") &&
    conditionMessage(condition) == "reached elapsed time limit"
}

# Condition that ends `code` under a time limit.
limited <- function(code, seconds = 0.3) {
  on.exit(setTimeLimit())
  tryCatch(
    {
      setTimeLimit(elapsed = seconds)
      code
      simpleCondition("it came to its end")
    },
    error = identity, interrupt = identity
  )
}

# A count of too many rows to finish.
endless_count <- function(session) {
  stream <- repeated_batch(data.frame(who = 0:999999 %% 5000L, days = 0:999999 %% 7L), 2000)
  dp_tbl(session, stream, dp_unit(id = who), dp_domain(days = dp_int(0, 6))) |>
    dplyr::summarise(n = dp_n_ids())
}

test_that("a time limit stops a release inside the core with R's own error", {
  local_verbs()
  session <- dp_session(dp_epsilon(1))
  for (threads in 1:2) {
    query <- endless_count(session)
    # On any machine the charge comes long before the limit, and the count takes far longer.
    expect_true(is_limit(limited(release(query, epsilon = 0.25), seconds = 2)))
    expect_equal(dp_spent(session)[["epsilon"]], 0.25 * threads)
    expect_identical(nrow(dp_history(session)), threads)
  }
})

test_that("a calling handler can jump out of the core, which then still works", {
  local_verbs()
  session <- dp_session(dp_epsilon(1))
  query <- endless_count(session)
  asked <- asked_loss(session, 0.25, NULL, NULL, quote(release()))
  prepared <- prepared_release(query, asked, 0.05, quote(release()))
  on.exit(setTimeLimit())
  seen <- withRestarts(
    {
      setTimeLimit(elapsed = 2)
      # Without release(), whose handler would be called first.
      withCallingHandlers(prepared$measurement(arg = core_hidden(prepared$rows)),
        error = function(error) invokeRestart("out", conditionMessage(error))
      )
      "it came to its end"
    },
    out = identity
  )
  expect_identical(seen, "reached elapsed time limit")
  counted <- dp_tbl(plenty(), data.frame(x = 1:10), dp_unit(rows = 1), dp_domain(x = dp_int(0, 9)))
  expect_equal(release(summarise(counted, n = dp_count()), epsilon = 1e7)$n, 10)
})

# Runs until `elapsed` reports that it is late, then returns its argument.
waiting <- function(x) {
  late <- proc.time()[["elapsed"]] + 3
  while (proc.time()[["elapsed"]] < late) NULL
  x
}

ints <- rows_of("i32")
user_step <- function(fun) {
  make_user_transformation(ints[[1]], ints[[2]], ints[[1]], ints[[2]], fun, identity)
}

test_that("a time limit ends user functions without counting as their failure", {
  expect_true(is_limit(limited(user_step(waiting)(arg = 1:3))))
  aggregate <- dpSampleAndAggregate(
    mechanism = "mechanismLaplace", innerFun = function(x) waiting(mean(x)), variable = "x",
    n = 100, rng = c(0, 1), outputRange = c(0, 1), numSubsets = 4, epsilon = 1,
    aggregationFun = "Mean"
  )
  expect_true(is_limit(limited(aggregate$release(data.frame(x = 1:100 / 100)))))
})

test_that("an error that a user function raises counts as its failure", {
  user <- user_step(function(x) stop("reached"))
  expect_error(user(arg = 1:3), class = "dp_error_failed_function")
})

test_that("R's time-limit messages are recognised in the language of the session", {
  for (sentence in time_limits) {
    expect_true(is_time_limit(simpleError(gettext(sentence, domain = "R"))))
  }
  expect_false(is_time_limit(simpleError("reached")))
  expect_false(is_time_limit(rlang::error_cnd(message = time_limits[[1]])))
  error <- tryCatch(pass_time_limit(simpleError(time_limits[[1]], quote(f(secret)))),
    error = identity
  )
  expect_null(conditionCall(error))
})

# Releases in a separate process. Each release has a limit at a random moment of its run time. Stops
# after `tries` releases and `failures` stops after a charge. Counts charges, releases, and stops
# before and after the charge.
limited_releases <- function(tries, failures) {
  library <- dirname(system.file(package = "PSIlence"))
  script <- bquote({
    .libPaths(c(.(library), .libPaths()))
    library(PSIlence)
    PSIlence:::core_set_threads(2)
    data <- data.frame(g = as.character(seq_len(.(in_tier(6e5, 2e6)))))
    session <- dp_session(dp_epsilon(1e6, 0.9))
    query <- dp_tbl(session, data, dp_unit(rows = 1), dp_domain(g = dp_text())) |>
      dplyr::count(g) |>
      dp_keys("threshold")
    run <- function() release(query, epsilon = 1, delta = 1e-9)
    pace <- system.time(run())[["elapsed"]]
    seen <- c(released = 1, failed = 0, free = 0)
    count <- function(what) seen[[what]] <<- seen[[what]] + 1
    while (sum(seen) < .(tries) || seen[["failed"]] < .(failures)) {
      before <- dp_spent(session)[["epsilon"]]
      ended <- tryCatch(
        {
          setTimeLimit(elapsed = stats::runif(1, 0, pace))
          run()
          "released"
        },
        error = function(error) {
          if (!grepl("time limit", conditionMessage(error))) stop(error)
          "failed"
        }
      )
      setTimeLimit()
      charged <- dp_spent(session)[["epsilon"]] > before
      count(if (ended == "failed" && !charged) "free" else ended)
    }
    seen[["charged"]] <- nrow(dp_history(session))
    seen[["spent"]] <- dp_spent(session)[["epsilon"]]
    cat(paste(names(seen), seen, sep = "="), sep = "\n")
  })
  path <- withr::local_tempfile(fileext = ".R")
  writeLines(deparse(script), path)
  run <- processx::run(file.path(R.home("bin"), "Rscript"), c("--vanilla", path),
    error_on_status = FALSE
  )
  if (run$status != 0) stop(run$stderr)
  counts <- strsplit(strsplit(trimws(run$stdout), "\n")[[1]], "=")
  vapply(counts, function(each) stats::setNames(as.numeric(each[[2]]), each[[1]]), 0)
}

test_that("a process survives a time limit while rows come from SQLite", {
  # Nearly all of the time is spent in the driver.
  done <- run_r(c(
    "rows <- data.frame(x = rep(0:30, 10000), r = 0.5)",
    "con <- DBI::dbConnect(RSQLite::SQLite())",
    "DBI::dbWriteTable(con, 't', rows)",
    "session <- dp_session(dp_epsilon(100))",
    "table <- dp_tbl(session, dplyr::tbl(con, 't'), dp_unit(rows = 1),",
    "  dp_domain(x = dp_int(0, 30), r = dp_num(0, 1)))",
    "query <- dplyr::summarise(table, n = dp_count(), s = dp_sum(r))",
    "full <- system.time(release(query, epsilon = 1))[['elapsed']]",
    "for (share in c(0.3, 0.5, 0.7, 0.9)) {",
    "  setTimeLimit(elapsed = share * full, transient = TRUE)",
    "  try(release(query, epsilon = 1), silent = TRUE)",
    "  setTimeLimit()",
    "}",
    "cat('alive')"
  ), withr::local_tempdir())
  expect_identical(done$stdout, "alive")
})

test_that("a process survives random time limits, and every charge is accounted for", {
  seen <- limited_releases(in_tier(5, 1000), in_tier(2, 100))
  counts <- stats::setNames(as.list(seen), c("released", "failed", "free", "charged", "spent"))
  expect_equal(counts$charged, counts$released + counts$failed)
  expect_equal(counts$spent, counts$charged)
  expect_gte(counts$failed, in_tier(2, 100))
})
