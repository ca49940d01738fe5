# Question: how much memory do releases over 1e8 doubles, or integers, take beyond the data?
#
#   Rscript benchmarks/memory.R [rows]
#
# Each runs in a separate process. Measures how far the peak of resident memory during the release
# exceeds the memory before it, from /proc of Linux. A tree has no target. It keeps the imputed
# rows, because all of its levels count them.
source("benchmarks/compare.R")

rows <- as.numeric(c(commandArgs(TRUE), 1e8)[[1]])

# Statistics that are measured over integers, too, which are read where they lie.
of_integers <- c("mean", "variance", "histogram", "sample-and-aggregate mean")

# Functions of the rows, made in the process that runs them.
releases <- list(
  `clamped sum` = function(rows) {
    enable_features("contrib")
    total <- c(vector_domain(atom_domain(.T = "f64")), symmetric_distance()) |>
      then_impute_constant(50) |>
      then_clamp(c(0, 100)) |>
      then_lattice_sum()
    function(people) total(arg = people$income)
  },
  mean = function(rows) {
    dpMean(
      mechanism = "mechanismLaplace", varType = "numeric", variable = "income",
      n = rows, rng = c(0, 100), epsilon = 1
    )$release
  },
  variance = function(rows) {
    dpVariance(
      mechanism = "mechanismLaplace", varType = "numeric", variable = "income",
      n = rows, rng = c(0, 100), epsilon = 1
    )$release
  },
  histogram = function(rows) {
    dpHistogram(
      mechanism = "mechanismLaplace", varType = "numeric", variable = "income",
      n = rows, rng = c(0, 100), nBins = 20, epsilon = 1
    )$release
  },
  tree = function(rows) {
    dpTree(
      varType = "numeric", variable = "income", n = rows, rng = c(0, 100), depth = 8, globalEps = 1
    )$release
  },
  median = function(rows) {
    dpMedian(
      varType = "numeric", variable = "income", n = rows, rng = c(0, 100), epsilon = 1
    )$release
  },
  `sample-and-aggregate mean` = function(rows) {
    dpSampleAndAggregate(
      innerFun = "mean", aggregationFun = "Mean", numSubsets = 1000,
      mechanism = "mechanismLaplace", varType = "numeric", variable = "income",
      n = rows, rng = c(0, 100), epsilon = 1
    )$release
  }
)

# Resident memory before the release and growth up to its peak, in MiB, and its seconds.
# A first release of a few rows loads the code.
growth <- function(make, rows, stored) {
  library(PSIlence)
  resident <- function(field) {
    line <- grep(field, readLines("/proc/self/status"), value = TRUE)
    as.numeric(gsub("[^0-9]", "", line)) / 1024
  }
  few <- data.frame(income = seq(0, 120, length.out = 1000))
  make(nrow(few))(few)
  release <- make(rows)
  # In place: memory that was freed and stayed resident would hide what the release takes.
  people <- list(income = vector(stored, rows))
  some <- as.vector(c(NA, seq(0, 120, length.out = 9999)), stored) # one in 10,000 is missing
  for (begin in seq(0, rows - length(some), by = length(some))) {
    people$income[begin + seq_along(some)] <- some
  }
  attributes(people) <- list(
    names = "income", class = "data.frame", row.names = .set_row_names(rows)
  )
  gc(FALSE)
  writeLines("5", "/proc/self/clear_refs") # from here on the peak counts anew
  before <- resident("^VmRSS")
  time <- system.time(release(people), gcFirst = FALSE)[["elapsed"]]
  c(before = before, growth = resident("^VmHWM") - before, seconds = time)
}

peaks_over <- function(names, stored) {
  peaks <- t(vapply(releases[names], function(make) {
    environment(make) <- globalenv()
    callr::r(growth, list(make, rows, stored), libpath = .libPaths())
  }, numeric(3)))
  cat(sprintf("\nResident memory before a release over %g %ss", rows, stored))
  cat(" and its growth, in MiB\n")
  print(signif(peaks, 3))
  for (name in setdiff(names, c("tree", "median"))) {
    target(
      sprintf("memory of a %s of 1e8 %ss", name, stored), "the data alone",
      peaks[name, "growth"],
      at_most = 64
    )
  }
}
peaks_over(names(releases), "double")
peaks_over(of_integers, "integer")
