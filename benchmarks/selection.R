# Question: what do selection and releases of unknown keys cost, next to inexact one-liners of base R
# for the same task?
#
#   Rscript benchmarks/selection.R [keys] [candidates]
library(PSIlence)
source("benchmarks/compare.R")
enable_features("contrib")

given <- as.numeric(c(commandArgs(TRUE), 1e6, 1e5)[1:2])
if (length(commandArgs(TRUE)) == 1) given[[2]] <- 1e5
n_keys <- given[[1]]
n_scores <- given[[2]]
