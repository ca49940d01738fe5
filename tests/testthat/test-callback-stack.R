# User functions that are called near the end of the stack.

# Results of `count` calls at the end of a recursion. First finds the depth where R stops the
# recursion, then tries every depth shortly above it. "refused": the recursion did not reach the
# calls.
tried_at_the_end <- function(callback, count, expressions) {
  withr::local_options(expressions = expressions)
  call_at <- function(depth) {
    if (depth > 0) {
      return(call_at(depth - 1))
    }
    call_each(callback, count, function(fun, i) fun(i), failed = "failed")
  }
  try_at <- function(depth) tryCatch(call_at(depth), error = function(error) "refused")
  deep <- 1e5
  shallow <- 0
  while (deep - shallow > 1) {
    middle <- (deep + shallow) %/% 2
    if (identical(try_at(middle), "refused")) deep <- middle else shallow <- middle
  }
  lapply(seq(max(deep - 300, 0), deep + 3), try_at)
}

# The result of a child. A signal can end a wait early, so this waits up to 600 times.
collected <- function(child) {
  for (i in 1:600) {
    found <- parallel::mccollect(child, wait = FALSE, timeout = 1)
    if (!is.null(found)) break
  }
  found[[1]]
}

if (has_fork()) {
  test_that("D_CTL_1 a call that cannot begin for lack of stack fails, and ends nothing", {
    # A few expressions, or the number that fills the stack of the process.
    for (expressions in c(1000, 5e5)) {
      child <- parallel::mcparallel(
        tried_at_the_end(new_callback(function(x) "done"), 3, expressions),
        silent = TRUE, mc.set.seed = FALSE
      )
      withr::defer(tools::pskill(child$pid, tools::SIGKILL))
      # Were it to begin the same call again and again, there would be no result.
      found <- collected(child)
      expect_type(found, "list")
      failed <- vapply(found, function(x) "failed" %in% unlist(x), NA)
      done <- vapply(found, function(x) "done" %in% unlist(x), NA)
      expect_true(any(failed), label = paste("some call did not begin, of", expressions))
      expect_true(any(done))
      expect_identical(found[failed | done], lapply(found[failed | done], function(x) {
        rep(list(x[[1]]), 3)
      }))
    }
  })
}
