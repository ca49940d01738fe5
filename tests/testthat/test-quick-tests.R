quick <- readLines(test_path("quick-tests.txt"))

test_that("the files that run without NOT_CRAN exist, and are listed once and in order", {
  expect_gt(length(quick), 50)
  expect_identical(quick, sort(unique(quick), method = "radix"))
  expect_identical(setdiff(paste0("test-", quick, ".R"), list.files(test_path())), character())
})

test_that("the files that test processes take first exist, and are listed once", {
  slow <- readLines(test_path("slow-tests.txt"))
  expect_identical(anyDuplicated(slow), 0L)
  expect_identical(setdiff(paste0("test-", slow, ".R"), list.files(test_path())), character())
})

test_that("a quick file starts no process and asks for no more threads than CRAN allows", {
  busy <- "set_threads|in_forks|mclapply|mcparallel|callr|multisession|in_new_session|system2"
  code <- lapply(test_path(paste0("test-", quick, ".R")), readLines)
  expect_identical(quick[vapply(code, function(lines) any(grepl(busy, lines)), TRUE)], character())
})
