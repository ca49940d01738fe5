sent <- function(fun) names(global_objects(fun))

test_that("all global functions are sent, and global variables that code names", {
  local_global(
    dpt_f = \(x) dpt_named, dpt_named = 1, dpt_unnamed = 2, dpt_in_task = 3, .dpt_hidden = 4
  )
  names <- sent(function(x) dpt_in_task + .dpt_hidden)
  expect_true(all(c("dpt_f", "dpt_named", "dpt_in_task", ".dpt_hidden") %in% names))
  expect_false("dpt_unnamed" %in% names)
  expect_identical(global_objects(function(x) dpt_in_task)$dpt_in_task, 3)
})

test_that("names are collected from all code that is sent with a function", {
  local_global(dpt_a = 1, dpt_b = 2, dpt_c = 3, dpt_d = 4, dpt_e = NULL, dpt_z = 5)
  make <- function(late, ...) {
    helper <- function(x) dpt_a
    model <- y ~ dpt_b
    function(x, start = dpt_c) helper(x) + late
  }
  fun <- make(dpt_d, dpt_e)
  expect_setequal(
    grep("^dpt_", sent(fun), value = TRUE), c("dpt_a", "dpt_b", "dpt_c", "dpt_d", "dpt_e")
  )
})

test_that("an argument that was never evaluated or given stays so", {
  evaluated <- FALSE
  make <- function(late, missing) function(x) late
  sent(make({
    evaluated <- TRUE
    1
  }))
  expect_false(evaluated)
})

test_that("attached objects are found, unless a global one hides them", {
  attach(list(dpt_a = 1, dpt_b = 2), name = "dpt_attached", warn.conflicts = FALSE)
  on.exit(detach("dpt_attached", character.only = TRUE))
  local_global(dpt_b = 3)
  expect_identical(
    global_objects(function(x) dpt_a + dpt_b)[c("dpt_a", "dpt_b")], list(dpt_a = 1, dpt_b = 3)
  )
})

test_that("active bindings are not evaluated", {
  runs <- 0
  makeActiveBinding("dpt_active", function() runs <<- runs + 1, globalenv())
  on.exit(rm("dpt_active", envir = globalenv()))
  expect_false("dpt_active" %in% sent(function(x) dpt_active))
  expect_identical(runs, 0)
})

test_that("functions of packages and of base R capture nothing", {
  expect_length(reachable_code(sum), 1)
  expect_length(reachable_code(stats::median), 1)
})
