# Result of a task in one session.
in_session <- function(task, x = 0, width = 1) {
  children <- session_children(task, width, 1)
  on.exit(children$end())
  children$run(x, 600)
}

test_that("attached packages and plain options are sent, and functions among options are not", {
  withr::local_options(PSIlence.test = "kept", PSIlence.test_function = mean, digits = 5)
  expect_identical(in_session(function(x) getOption("digits")), 5)
  expect_identical(in_session(function(x) getOption("PSIlence.test") == "kept"), 1)
  expect_identical(in_session(function(x) is.null(getOption("PSIlence.test_function"))), 1)
  expect_identical(in_session(function(x) "package:testthat" %in% search()), 1)
})

test_that("global functions, including methods, and named global variables are sent", {
  local_global(
    seen_by_helper = 3, seen_by_method = 4, helper = \(x) seen_by_helper * x,
    length.shelf = \(x) seen_by_method
  )
  task <- function(x) helper(x) + length(structure(1, class = "shelf"))
  environment(task) <- globalenv()
  expect_identical(in_session(task, 2), 10)
})

test_that("a session that cannot start raises an error and gives no result", {
  # This package is not installed.
  attach(list(), name = "package:PSIlenceNowhere", warn.conflicts = FALSE)
  on.exit(detach("package:PSIlenceNowhere", character.only = TRUE))
  expect_error(in_session(function(x) 1), "could be started", class = "dp_error_failed_function")
})

test_that("D_CTL_1 a result that the task wrote itself has a wrong number of bytes", {
  forger_of <- function(write) {
    function(x) {
      for (frame in sys.frames()) {
        if (exists("folder", frame, inherits = FALSE)) folder <- get("folder", frame)
      }
      write(file.path(folder, "unfinished"))
      file.rename(file.path(folder, "unfinished"), file.path(folder, "result"))
      Sys.sleep(600)
      1
    }
  }
  started <- now()
  expect_null(in_session(forger_of(function(path) saveRDS(quote(stop("evaluated")), path))))
  expect_lt(now() - started, 300)
  # A forgery with the right number of bytes is read, so the reader did see the other one.
  expect_identical(in_session(forger_of(function(path) writeBin(7, path))), 7)
})

test_that("no process and no file is left behind", {
  before <- list.files(tempdir(), pattern = "^children-")
  children <- session_children(function(x) as.double(Sys.getpid()), 1, 3)
  first <- environment(children$run)$ahead$process
  expect_true(first$is_alive())
  expect_identical(children$run(0, 600), as.double(first$get_pid()))
  expect_false(first$is_alive())
  second <- environment(children$run)$ahead$process
  children$end()
  expect_false(second$is_alive())
  expect_identical(list.files(tempdir(), pattern = "^children-"), before)
})

test_that("no more sessions are started than needed", {
  children <- session_children(function(x) 1, 1, 1)
  withr::defer(children$end())
  expect_identical(children$run(0, 600), 1)
  expect_null(environment(children$run)$ahead)
})

if (.Platform$OS.type == "unix") { # its ps lists processes
  test_that("a session ends if its parent is killed", {
    # The parent is a separate session that leaves a child waiting and kills itself.
    path <- withr::local_tempfile()
    parent <- callr::r_bg(function(libraries, path) {
      .libPaths(libraries)
      children <- getNamespace("PSIlence")$session_children(function(x) 1, 1, 1)
      writeLines(toString(environment(children$run)$ahead$process$get_pid()), path)
      tools::pskill(Sys.getpid(), tools::SIGKILL)
    }, list(.libPaths(), path))
    parent$wait()
    child <- as.integer(readLines(path))
    deadline <- now() + 60
    while (is_running(child) && now() < deadline) Sys.sleep(0.05)
    expect_false(is_running(child))
  })
}
