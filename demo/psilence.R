# What PSIlence does: two private statistics, then sums and how far they can move. Plots go to the
# screen, or, in a session without one, to png files in the working directory.
library(PSIlence)

heading <- function(...) cat("\n", ..., "\n\n", sep = "")
draw <- function(file, plot) {
  if (interactive()) {
    plot()
    return(invisible())
  }
  grDevices::png(file, width = 800, height = 560, res = 110)
  plot()
  grDevices::dev.off()
  cat("Plot:", normalizePath(file), "\n")
}

heading("Income of 10000 people, by sample and aggregate, epsilon 0.1 for each release")
data(PUMS5extract10000)
mean_SandA <- dpSampleAndAggregate( # nolint: object_name_linter.
  innerFun = "mean", aggregationFun = "Mean", numSubsets = 10, mechanism = "mechanismLaplace",
  varType = "numeric", variable = "income", n = nrow(PUMS5extract10000), epsilon = 0.1,
  rng = c(0, 750000)
)
invisible(mean_SandA$release(PUMS5extract10000))
cat("Mean:\n")
print(mean_SandA$result)

median_SandA <- dpSampleAndAggregate( # nolint: object_name_linter.
  innerFun = "median", aggregationFun = "Mean", numSubsets = 1000, mechanism = "mechanismLaplace",
  varType = "numeric", variable = "income", n = nrow(PUMS5extract10000), epsilon = 0.1,
  rng = c(0, 750000)
)
invisible(median_SandA$release(PUMS5extract10000))
cat("Median:\n")
print(median_SandA$result)

heading("Sums, and how far they can move when the data change by d_in")
enable_features("contrib")
ints <- function(...) vector_domain(atom_domain(bounds = c(...)))
sized <- function(size, ...) vector_domain(atom_domain(bounds = c(...)), size = size)
sensitivity <- function(label, sum, d_in) {
  cat(sprintf("%-48s d_in %d   d_out %s\n", label, d_in, format(sum(d_in = d_in), digits = 16)))
}

sum_unsized <- c(ints(0L, 10L), symmetric_distance()) |> then_sum()
cat("Sum of 1, 2, 4 in (0, 10):             ", sum_unsized(arg = c(1L, 2L, 4L)), "\n")
sum_sized <- c(sized(3L, -10L, 10L), symmetric_distance()) |> then_sum()
cat("Sum of 1, 2, 4 in (-10, 10), 3 of them:", sum_sized(arg = c(1L, 2L, 4L)), "\n\n")

sensitivity("integers in (0, 10)", sum_unsized, 1L)
sensitivity("3 integers in (-10, 10)", sum_sized, 2L)
sensitivity(
  "1000 doubles in (-10, 10)",
  c(sized(1000L, -10, 10), symmetric_distance()) |> then_sum(), 2L
)
sensitivity("doubles in (-10, 10)", c(ints(-10, 10), symmetric_distance()) |> then_sum(), 1L)
sensitivity("doubles in (-10, 0)", c(ints(-10, 0), symmetric_distance()) |> then_sum(), 1L)
sensitivity(
  "at most 100 doubles in (-10, 0)",
  make_bounded_float_checked_sum(size_limit = 100L, bounds = c(-10, 0)), 1L
)

heading("Plots")
draw("stability-map.png", function() plot(sum_sized, d_in = 0:9))

sizes <- 2^(10:24)
sensitivities <- vapply(c("Sequential<f64>", "Pairwise<f64>"), function(strategy) {
  vapply(sizes, function(size) {
    sum <- make_sized_bounded_float_checked_sum(as.integer(size), c(0, 10), .S = strategy)
    sum(d_in = 2L)
  }, 0)
}, sizes)
draw("summation-strategies.png", function() {
  graphics::matplot(
    sizes, sensitivities,
    log = "x", type = "b", pch = c(16, 17), lty = 1, col = c("firebrick", "steelblue"),
    xlab = "number of doubles", ylab = "sensitivity to one changed row",
    main = "Rounding and the sensitivity of a sum"
  )
  graphics::legend(
    "topleft", c("one after another", "in pairs"),
    pch = c(16, 17), lty = 1, col = c("firebrick", "steelblue"), bty = "n"
  )
})
