# Releases of the installed package, for tests/replay/run.sh. It first prints the releases of
# formulas.c, one number per line. Then it prints a line for each audited case with the bits of its
# releases.
#
#   Rscript --vanilla tests/replay/releases.R FORMULAS CASES LAPLACE GAUSSIAN BLOCK
arguments <- commandArgs(TRUE)
sizes <- as.integer(arguments[3:5])
suppressMessages(library(PSIlence))
enable_features("contrib", "honest-but-curious")
set_threads(1)

number <- c(atom_domain(.T = "i32"), absolute_distance(.T = "i32"))
numbers <- c(vector_domain(atom_domain(.T = "i32")), l1_distance(.T = "i32"))
laplace <- number |> then_laplace(3.5)
gaussian <- number |> then_gaussian(2.5)
many <- numbers |> then_laplace(100.25)
writeLines(format(c(
  vapply(seq_len(sizes[[1]]), \(i) laplace(arg = 0L), 0L),
  vapply(seq_len(sizes[[2]]), \(i) gaussian(arg = 0L), 0L),
  many(arg = rep(0L, sizes[[3]]))
), trim = TRUE), arguments[[1]])

source("tests/replay/audits.R")
cases <- unlist(unname(audits[names(audits) != "queries"]), recursive = FALSE)

bits_of <- function(numbers) paste(writeBin(as.double(numbers), raw()), collapse = "")

# Vectors long enough for every bulk sampler, with values in every binade.
floats <- c(vector_domain(atom_domain(.T = "f64", nan = FALSE)), l1_distance(.T = "f64"))
values <- 2^seq(-40, 40, length.out = 3000)
vectors <- list(
  laplace_of_floats = floats |> then_laplace(0.37),
  laplace_of_a_large_scale = floats |> then_laplace(1e12),
  gaussian_of_floats = c(floats[[1]], l2_distance(.T = "f64")) |> then_gaussian(2.3),
  gaussian_of_a_large_scale = c(floats[[1]], l2_distance(.T = "f64")) |> then_gaussian(1e9)
)
lines <- c(
  vapply(names(vectors), \(name) paste(name, bits_of(vectors[[name]](arg = values))), ""),
  vapply(names(cases), function(name) {
    evidence <- helpers$opened(cases[[name]])$evidence
    paste(name, bits_of(c(evidence(1, 20), evidence(2, 20))))
  }, "")
)
writeLines(lines, arguments[[2]])
