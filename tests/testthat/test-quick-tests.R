quick <- readLines(test_path("quick-tests.txt"))

test_that("what runs without NOT_CRAN are files that exist, each named once and in order", {
  expect_gt(length(quick), 50)
  expect_identical(quick, sort(unique(quick), method = "radix"))
  expect_identical(setdiff(paste0("test-", quick, ".R"), list.files(test_path())), character())
})

test_that("what a process of the tests takes first are files that exist, each named once", {
  slow <- readLines(test_path("slow-tests.txt"))
  expect_identical(anyDuplicated(slow), 0L)
  expect_identical(setdiff(paste0("test-", slow, ".R"), list.files(test_path())), character())
})

test_that("a quick file starts no process and asks for no more threads than CRAN allows", {
  busy <- "set_threads|in_forks|mclapply|mcparallel|callr|multisession|in_new_session|system2"
  code <- lapply(test_path(paste0("test-", quick, ".R")), readLines)
  expect_identical(quick[vapply(code, function(lines) any(grepl(busy, lines)), TRUE)], character())
})
