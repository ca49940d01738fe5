# Blocks of twelve rows, and the ways to give each block a separate process.

twelve <- data.frame(x = as.double(1:12))

in_blocks <- function(inner, ..., outputRange = c(-10, 20), numSubsets = 4, data = twelve) {
  exact_aggregate(data,
    innerFun = inner, numSubsets = numSubsets, outputRange = outputRange, rng = c(0, 100), ...
  )
}

# Ways that this system supports. All give the same results.
child_ways <- c(if (has_fork()) "fork", "session")

test_each_way <- function(sentence, test) {
  for (way in child_ways) {
    test_that(paste0(sentence, " (", way, ")"), {
      # A progress bar shows after two seconds. It is not a message of the function.
      withr::local_options(PSIlence.child_way = way, cli.progress_show_after = 1e6)
      test()
    })
  }
}

# Whether a process is running. An ended process may still be listed as a zombie. Unix only.
is_running <- function(pid) {
  state <- suppressWarnings(system2("ps", c("-o", "stat=", "-p", pid), stdout = TRUE))
  length(state) == 1 && !startsWith(state, "Z")
}

# Packages parallel and processx both wait for a signal when a process ends. Let both get it.
Sys.setenv(PROCESSX_NOTIFY_OLD_SIGCHLD = "true")

# Defines variables in the global environment until the test ends.
local_global <- function(..., env = parent.frame()) {
  objects <- list(...)
  stopifnot(!names(objects) %in% ls(globalenv(), all.names = TRUE))
  list2env(objects, globalenv())
  withr::defer(rm(list = names(objects), envir = globalenv()), envir = env)
}
