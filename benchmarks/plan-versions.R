# Question: how much quicker is a plan of seven steps built than by another version of the package?
# Two versions cannot be loaded at once, so each round has a process for each.
#
#   Rscript benchmarks/plan-versions.R library-of-the-other [plans]
#
# Install the other version into a separate library: git worktree add /somewhere d96be4c, and
# R CMD INSTALL --library=there /somewhere.
arguments <- commandArgs(TRUE)
if (length(arguments) == 0) {
  cat("No library of another version was named: nothing is compared.\n")
  quit(status = 0)
}
libraries <- c(ours = .libPaths()[[1]], other = arguments[[1]])
plans <- if (length(arguments) > 1) as.numeric(arguments[[2]]) else 200

# Runs in a separate process. Returns seconds for all plans, after a first one that loads the code.
child <- quote({
  arguments <- commandArgs(TRUE)
  library(PSIlence, lib.loc = arguments[[1]])
  enable_features("contrib")
  space <- c(vector_domain(option_domain(atom_domain(.T = "f64"))), symmetric_distance())
  build <- function() {
    space |>
      then_impute_constant(0) |>
      then_clamp(c(0, 10)) |>
      then_clamp(c(0, 9)) |>
      then_clamp(c(0, 8)) |>
      then_resize(100, 0) |>
      then_sum() |>
      then_laplace(scale = 1)
  }
  build()
  gc(FALSE)
  begun <- Sys.time()
  for (i in seq_len(as.numeric(arguments[[2]]))) build()
  cat(as.numeric(Sys.time() - begun, units = "secs"))
})
script <- tempfile(fileext = ".R")
writeLines(deparse(child), script)
seconds_of <- function(library) {
  rscript <- file.path(R.home("bin"), "Rscript")
  as.numeric(system2(rscript, c("--vanilla", script, library, plans), stdout = TRUE))
}
rounds <- vapply(1:5, function(round) vapply(libraries, seconds_of, 0), c(ours = 0, other = 0))
each <- apply(rounds, 1, stats::median) / plans * 1e3
cat(sprintf("%g plans of seven steps, 5 rounds\n", plans))
cat(sprintf("  ours   %.3g ms a plan\n  other  %.3g ms a plan\n", each[["ours"]], each[["other"]]))
cat(sprintf("  times quicker: %.2f (median of ratios within a round)\n",
  stats::median(rounds["other", ] / rounds["ours", ])))
