sum_of <- function(x) as.double(sum(x))

test_that("children are forked if the system can fork, and callr sessions otherwise", {
  expect_identical(child_way(), if (.Platform$OS.type == "unix") "fork" else "session")
  withr::local_options(PSIlence.child_way = "session")
  expect_identical(child_way(), "session")
})

test_that("without support for child processes nothing is started", {
  withr::local_options(PSIlence.child_way = "none")
  expect_error(start_children(sum_of, 1, 1), class = "dp_error_missing_package")
  expect_error(check_children(quote(f())), "f\\(\\)|callr", class = "dp_error_missing_package")
})

test_each_way("every run of a task gives its numbers from a new process", function() {
  children <- start_children(function(x) as.double(c(x, Sys.getpid())), 2, 3)
  withr::defer(children$end())
  results <- lapply(1:3, function(x) children$run(x, 30))
  expect_identical(vapply(results, `[[`, 0, 1), c(1, 2, 3))
  expect_length(unique(c(vapply(results, `[[`, 0, 2), Sys.getpid())), 4)
})

test_each_way("numbers of another count are none, and so is what takes too long", function() {
  children <- start_children(
    function(x) {
      if (x == 2) Sys.sleep(60)
      as.double(seq_len(x))
    }, 1, 4
  )
  withr::defer(children$end())
  expect_identical(children$run(1, 30), 1)
  expect_null(children$run(0, 30))
  expect_null(children$run(2, 0.5))
  expect_identical(children$run(1, 30), 1)
})

test_each_way("a task without a limit is waited for", function() {
  children <- start_children(sum_of, 1, 1)
  withr::defer(children$end())
  expect_identical(children$run(1:3, Inf), 6)
})

test_each_way("R's generator is in the state that it has here", function() {
  draw <- function(x) stats::runif(1)
  set.seed(5)
  expected <- withr::with_preserve_seed(stats::runif(1))
  children <- start_children(draw, 1, 2)
  withr::defer(children$end())
  expect_identical(children$run(0, 30), expected)
  expect_identical(children$run(0, 30), expected)
  expect_identical(stats::runif(1), expected)
})

test_each_way("a task that quits leaves files and finalizers of this session alone", function() {
  kept <- withr::local_tempfile()
  finalized <- withr::local_tempfile()
  file.create(kept)
  finalizers <- new.env()
  reg.finalizer(finalizers, function(env) file.create(finalized), onexit = TRUE)
  children <- start_children(function(x) quit("no"), 1, 1)
  withr::defer(children$end())
  expect_null(children$run(0, 30))
  expect_true(file.exists(kept))
  expect_false(file.exists(finalized))
})

# Signals that only interrupt exist only on Unix.
if (.Platform$OS.type == "unix") {
  test_each_way("a wish to stop ends the child process at once", function() {
    met <- withr::local_tempfile()
    endless <- function(x) {
      writeLines(toString(Sys.getpid()), paste0(met, "-"))
      file.rename(paste0(met, "-"), met)
      Sys.sleep(600)
      20
    }
    stopper <- callr::r_bg(function(met, pid) {
      while (!file.exists(met)) Sys.sleep(0.01)
      tools::pskill(pid, tools::SIGINT)
    }, list(met, Sys.getpid()))
    withr::defer(stopper$kill())
    outcome <- tryCatch(
      in_blocks(endless, timeLimit = 600), interrupt = function(condition) "interrupted"
    )
    expect_identical(outcome, "interrupted")
    expect_false(is_running(as.integer(readLines(met))))
  })
}
