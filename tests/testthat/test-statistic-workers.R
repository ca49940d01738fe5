# The loop that sends parts and collects them, with a scripted pool ------------------------------

test_that("blocks come back in order, and are counted as they arrive", {
  counted <- 0
  pool <- scripted_pool(function(serve, blocks, sends) serve())
  expect_identical(five_through(pool, tick = function(n) counted <<- counted + n), five_here)
  expect_identical(counted, 5)
  expect_length(pool$seen$sent, chunks_per_worker)
  expect_identical(unlist(pool$seen$sent), c(1, 2, 3, 4, 5))
})

test_that("a lost part is sent once more, with the same blocks", {
  pool <- scripted_pool(function(serve, blocks, sends) if (sends > 1) serve())
  expect_identical(five_through(pool), five_here)
  expect_length(pool$seen$sent, 2 * chunks_per_worker)
  parts <- unique(pool$seen$sent)
  expect_length(parts, chunks_per_worker)
  for (part in parts) expect_identical(sum(vapply(pool$seen$sent, identical, NA, part)), 2L)
})

test_that("a part that is always lost runs in R, and is not sent for ever", {
  for (lost in list(
    function(serve, blocks, sends) NULL,
    function(serve, blocks, sends) stop("row 1: 7417"),
    function(serve, blocks, sends) {
      warning("row 1: 7417")
      message("row 1: 7417")
    }
  )) {
    pool <- scripted_pool(lost)
    counted <- 0
    expect_silent(result <- five_through(pool, tick = function(n) counted <<- counted + n))
    expect_identical(result, five_here)
    expect_identical(counted, 5)
    expect_length(pool$seen$sent, most_sends * chunks_per_worker)
  }
  # A part that cannot even be sent.
  pool$send <- function(task, blocks) stop("no connection")
  expect_identical(five_through(pool), five_here)
  expect_identical(five_through(pool, limit = 30), five_here)
})

test_that("D_CTL_1 only the expected number of plain doubles is read from a worker", {
  numbers <- writeBin(c(1, 2), raw(), endian = "little")
  expect_identical(doubles_sent(numbers, 2), c(1, 2))
  expect_identical(doubles_sent(raw(), 0), double())
  calls <- local_hostile_methods()
  others <- c(hostile_values(), list(
    numbers[-1], c(numbers, numbers), structure(numbers, class = "hostile"),
    structure(numbers, dim = 16), c(1, 2), list(1, 2)
  ))
  for (value in others) expect_null(doubles_sent(value, 2))
  expect_identical(calls$count, 0)
  # Such answers count as lost parts, and the block does not suffer. In the end the part of two
  # blocks runs here. The others are sent again and answered.
  for (value in others) {
    pool <- scripted_pool(function(serve, blocks, sends) {
      if (sends > 1 && length(blocks) == 1) serve() else value
    })
    expect_identical(five_through(pool), five_here)
    expect_length(pool$seen$sent, 8)
  }
})

test_that("if all workers are gone blocks run here, and sent parts are taken back", {
  pool <- scripted_pool(function(serve, blocks, sends) serve(), deserted = TRUE)
  local_replaced("deserted_limit", 0)
  expect_identical(five_through(pool), five_here)
  expect_identical(pool$seen$cancelled, pool$slots)
})

test_that("the end of a release takes back what was sent", {
  pool <- scripted_pool(function(serve, blocks, sends) rlang::interrupt())
  outcome <- tryCatch(five_through(pool), interrupt = function(condition) "interrupted")
  expect_identical(outcome, "interrupted")
  pool <- scripted_pool(function(serve, blocks, sends) serve(), deserted = TRUE)
  pool$is_deserted <- function() rlang::interrupt()
  tryCatch(five_through(pool), interrupt = function(condition) NULL)
  expect_identical(pool$seen$cancelled, pool$slots)
})

test_that("a pool that draws with R's generators leaves their kind and their seed as they were", {
  kinds <- RNGkind()
  withr::defer(do.call(RNGkind, as.list(kinds)))
  for (has_seed in c(FALSE, TRUE)) {
    set.seed(7)
    if (!has_seed) rm(".Random.seed", envir = globalenv())
    before <- get0(".Random.seed", globalenv(), inherits = FALSE)
    pool <- scripted_pool(function(serve, blocks, sends) {
      set.seed(1, kind = "L'Ecuyer-CMRG")
      serve()
    })
    expect_identical(five_through(pool), five_here)
    expect_identical(get0(".Random.seed", globalenv(), inherits = FALSE), before)
    expect_identical(RNGkind(), kinds)
  }
})

# Sent objects -----------------------------------------------------------------------------------

with_env <- function(fun, env) {
  environment(fun) <- env
  fun
}

test_that("a worker receives functions and small global objects, and no data", {
  survey <- data.frame(x = 7417)
  local_global(
    dpt_small = 3, dpt_survey = survey, dpt_large = double(largest_captured / 8 + 1),
    dpt_box = list2env(list(large = double(largest_captured / 8 + 1))),
    dpt_helper = with_env(\(x) list(dpt_small, dpt_survey, dpt_large, dpt_box), globalenv()),
    dpt_memoised = with_env(\(x) survey, list2env(list(kept = double(largest_captured / 8 + 1))))
  )
  task <- unserialize(task_for_workers(new_callback(mean), read_numbers(1), NULL))
  expect_setequal(
    grep("^dpt_", names(task$objects), value = TRUE), c("dpt_helper", "dpt_small")
  )
})

test_that("a worker with a different version does nothing", {
  task <- task_for_workers(new_callback(mean), read_numbers(1), NULL)
  expect_error(serve_blocks("0.0.0", task, list(1)), "version")
  expect_identical(
    doubles_sent(serve_blocks(own_version(), task, list(c(1, 3), 5)), 2), c(2, 5)
  )
})

test_that("a worker is left unchanged", {
  local_global(dpt_seen = 3)
  fun <- new_callback(function(x) dpt_seen)
  withr::local_options(PSIlence.test = "here")
  task <- task_for_workers(fun, read_numbers(1), NULL)
  withr::local_options(PSIlence.test = "there")
  assign("dpt_seen", 4, envir = globalenv())
  set.seed(8)
  seed <- get(".Random.seed", globalenv())
  path <- search()
  serve_blocks(own_version(), task, list(1))
  expect_identical(getOption("PSIlence.test"), "there")
  expect_identical(get("dpt_seen", globalenv()), 4)
  expect_identical(get(".Random.seed", globalenv()), seed)
  expect_identical(search(), path)
})

# Choice of workers ------------------------------------------------------------------------------

test_that("daemons are found first, then a plan, and an option chooses", {
  expect_null(worker_pool())
  before <- future::plan(future::multisession, workers = 2)
  withr::defer(future::plan(before))
  expect_identical(pool_at_hand(), "future")
  expect_equal(worker_pool()$workers, 2)
  mirai::daemons(1)
  withr::defer(mirai::daemons(0))
  expect_identical(pool_at_hand(), "mirai")
  expect_identical(worker_pool()$slots, 2)
  withr::with_options(list(PSIlence.workers = "none"), expect_null(worker_pool()))
  withr::with_options(list(PSIlence.workers = "future"), {
    expect_identical(worker_pool()$slots, worker_pool()$workers)
    future::plan(future::sequential)
    expect_null(worker_pool())
  })
})

test_that("an invalid option raises an error before anything is charged", {
  ledger <- local_ledger()
  release <- function(...) {
    withr::local_options(...)
    statistic <- aggregate_of(innerFun = max, outputRange = c(0, 1), n = 100, epsilon = 0.5)
    with_ledger(ledger, statistic$release(hundred))
  }
  for (option in list("slurm", 2, NA)) {
    expect_refused(release(PSIlence.workers = option), "PSIlence.workers")
  }
  expect_refused(release(PSIlence.workers = "mirai"), "PSIlence.workers")
  expect_identical(spent_in(ledger), 0)
  expect_error(check_workers_package("PSIlenceNowhere", NULL), class = "dp_error_missing_package")
})

test_that("without support for child processes workers are rejected, since one may be lost", {
  local_workers("future")
  withr::local_options(PSIlence.child_way = "none")
  expect_error(in_blocks(mean), class = "dp_error_missing_package")
})

# On real workers --------------------------------------------------------------------------------

test_each_pool(
  "workers give the same numbers for the same blocks, to the last digit" = function() {
    rows <- as.double(1:60)
    places <- c(seq(1, 59, 2), seq(60, 2, -2))
    regression <- function(block) stats::coef(stats::glm(y ~ x, stats::poisson(), block))
    run <- blocks_function(
      new_callback(regression), read_numbers(2), TRUE, NULL, block_progress(4)
    )
    numbers <- function() run(list(x = sin(rows), y = rows %% 7), places, c(15, 30, 46, 60))
    here <- withr::with_options(list(PSIlence.workers = "none"), numbers())
    expect_true(all(is.finite(unlist(here))))
    expect_identical(numbers(), here)
  },
  "a release equals the session's own, even with R's generator" = function() {
    process <- Sys.getpid()
    expect_equal(in_blocks(mean), 6.5, tolerance = 1e-6)
    expect_equal(in_blocks(function(x) Sys.getpid() == process), 0, tolerance = 1e-6)
    set.seed(4)
    seed <- get(".Random.seed", globalenv())
    noisy <- function(x) stats::runif(1)
    gc() # remove leftovers of earlier tests now
    files <- list.files(tempdir(), all.files = TRUE, recursive = TRUE)
    there <- in_blocks(noisy)
    expect_identical(list.files(tempdir(), all.files = TRUE, recursive = TRUE), files)
    expect_identical(get(".Random.seed", globalenv()), seed)
    withr::local_options(PSIlence.workers = "none")
    expect_equal(in_blocks(noisy), there, tolerance = 1e-6)
  },
  "a function finds attached packages, options and methods on workers" = function() {
    withr::local_package("splines")
    withr::local_options(PSIlence.test = 4)
    local_global(mean.dpt_shelf = function(x, ...) 2)
    seen <- function(x) {
      ncol(bs(1:9)) + getOption("PSIlence.test") + mean(structure(1, class = "dpt_shelf"))
    }
    expect_equal(in_blocks(seen), 9, tolerance = 1e-6)
  },
  "no block sees another block or an earlier release" = function() {
    box <- new.env()
    box$value <- 1
    marking <- function(x) {
      found <- box$value + exists("dpt_mark") + !is.null(getOption("PSIlence.test_mark"))
      box$value <- box$value + 1
      assign("dpt_mark", x, envir = globalenv())
      options(PSIlence.test_mark = x)
      found
    }
    for (i in 1:2) expect_equal(in_blocks(marking, numSubsets = 12), 1, tolerance = 1e-6)
    expect_identical(box$value, 1)
  },
  "D_CTL_1 no error on a worker shows" = function() {
    loud <- function(x) {
      warning("block of ", toString(x))
      message("block of ", toString(x))
      print(x)
      cat(x, file = stderr())
      3
    }
    expect_silent(result <- in_blocks(loud))
    expect_equal(result, 3, tolerance = 1e-6)
    local_untried()
    for (inner in list(function(x) stop("no: ", toString(x)), function(x) invokeRestart("abort"))) {
      expect_silent(result <- in_blocks(inner))
      expect_equal(result, 5, tolerance = 1e-6)
    }
  },
  "D_CTL_1 a block that takes too long on a worker counts as the middle" = function() {
    slow <- function(x) {
      if (any(x == 1)) Sys.sleep(60)
      20
    }
    expect_silent(result <- in_blocks(slow, timeLimit = 20))
    expect_equal(result, (3 * 20 + 5) / 4, tolerance = 1e-6)
  }
)

test_each_pool(
  "D_CTL_1 a block that kills its worker spoils no other" = function() {
    killer <- function(x) {
      if (any(x == 1)) tools::pskill(Sys.getpid(), tools::SIGKILL)
      20
    }
    local_replaced("deserted_limit", 0.5)
    expect_silent(result <- in_blocks(killer))
    expect_equal(result, (3 * 20 + 5) / 4, tolerance = 1e-6)
  }
)

# The first worker with row 1 writes its process id to this file. Its block waits to be killed, and
# is computed when it is sent again.
waiting_block <- function(met) {
  function(x) {
    if (any(x == 1) && !file.exists(met)) {
      writeLines(toString(Sys.getpid()), paste0(met, "-"))
      file.rename(paste0(met, "-"), met)
      for (i in 1:30000) Sys.sleep(0.01)
    }
    20
  }
}

# Another process that sends a signal as soon as the file exists, by default to its writer.
signaller <- function(met, signal, to = NULL) {
  callr::r_bg(function(met, signal, to) {
    while (!file.exists(met)) Sys.sleep(0.01)
    if (is.null(to)) to <- as.integer(readLines(met))
    tools::pskill(to, signal)
  }, list(met, signal, to))
}

test_each_pool(
  "D_CTL_1 a lost worker spoils no block, and the privacy loss is spent once" = function() {
    met <- withr::local_tempfile()
    killer <- signaller(met, tools::SIGKILL)
    statistic <- exactly(aggregate_of(
      innerFun = waiting_block(met), outputRange = c(-10, 20), rng = c(0, 100), variable = "x",
      n = 12, numSubsets = 4, epsilon = exact_epsilon
    ))
    ledger <- local_ledger(2 * exact_epsilon)
    expect_silent(result <- with_ledger(ledger, statistic$release(twelve)))
    killer$wait()
    expect_true(killer$get_result())
    expect_equal(result$release, 20, tolerance = 1e-6)
    expect_equal(spent_in(ledger), statistic$epsilon)
  }
)

test_each_pool(
  "workers without an attached package raise an error and spend nothing" = function() {
    # This package is not installed.
    attach(list(), name = "package:PSIlenceNowhere", warn.conflicts = FALSE)
    withr::defer(detach("package:PSIlenceNowhere", character.only = TRUE))
    ledger <- local_ledger()
    statistic <- aggregate_of(innerFun = max, outputRange = c(0, 1), n = 100, epsilon = 0.5)
    expect_error(
      with_ledger(ledger, statistic$release(hundred)), "could take a block",
      class = "dp_error_failed_function"
    )
    expect_identical(spent_in(ledger), 0)
  }
)

# Signals that only interrupt exist only on Unix.
if (.Platform$OS.type == "unix") {
  test_that("an interrupt stops daemons, keeps the charge, and leaves the daemons usable", {
    local_untried()
    local_workers("mirai")
    met <- withr::local_tempfile()
    endless <- function(x) {
      if (!file.exists(met)) writeLines("", met)
      Sys.sleep(600)
      20
    }
    statistic <- aggregate_of(
      innerFun = endless, outputRange = c(-10, 20), n = 100, numSubsets = 4, epsilon = 0.5
    )
    stopper <- signaller(met, tools::SIGINT, Sys.getpid())
    withr::defer(stopper$kill())
    ledger <- local_ledger()
    outcome <- tryCatch(
      with_ledger(ledger, statistic$release(hundred)),
      interrupt = function(condition) "interrupted"
    )
    expect_identical(outcome, "interrupted")
    expect_identical(spent_in(ledger), 0.5)
    expect_equal(in_blocks(mean), 6.5, tolerance = 1e-6)
  })
}

test_that("the place where blocks run is not part of a plan", {
  plan <- function() aggregate_of(innerFun = max, outputRange = c(0, 1))
  here <- plan_hash(plan())
  local_workers("mirai")
  expect_identical(plan_hash(plan()), here)
})
