# Question: what do thresholded counts and selections cost, next to inexact lines of base R?
#
#   Rscript benchmarks/selection.R [keys] [candidates]
library(PSIlence)
source("benchmarks/compare.R")
enable_features("contrib")

given <- as.numeric(commandArgs(TRUE))
keys <- c(given, 1e6)[[1]]
candidates <- c(given[-1], 1e5)[[1]]

# Counts of words as texts have them: few are frequent, most came once.
counts <- as.integer(pmax(1, floor(keys / 10 / seq_len(keys))))
words <- stats::setNames(counts, sprintf("word%07d", seq_len(keys)))
numbers <- stats::setNames(counts, seq_len(keys))
counts_of <- function(key, metric) {
  values <- map_domain(atom_domain(.T = key), atom_domain(.T = "i32"))
  c(values, metric(absolute_distance(.T = "i32")))
}
popular <- counts_of("String", l01inf_distance) |> then_laplace_threshold(2, threshold = 40L)
numbered <- counts_of("i32", l01inf_distance) |> then_laplace_threshold(2, threshold = 40L)
concentrated <- counts_of("i32", l02inf_distance) |> then_gaussian_threshold(2, threshold = 40L)
p <- 1 - exp(-1 / 2)
compare(sprintf("noise and threshold for %g keys", keys), list(
  `exact Laplace, texts` = function() popular(arg = words),
  `exact Laplace, integers` = function() numbered(arg = numbers),
  `exact Gaussian, integers` = function() concentrated(arg = numbers),
  `rgeom() - rgeom()` = function() {
    noisy <- words + stats::rgeom(keys, p) - stats::rgeom(keys, p)
    noisy[noisy >= 40]
  }
))

scores <- as.integer(seq_len(candidates) %% 1000L)
space <- c(vector_domain(atom_domain(.T = "i32")), linf_distance(.T = "i32"))
flip <- space |> then_noisy_top_k(max_divergence(), k = 10L, scale = 20)
gumbel <- space |> then_noisy_top_k(zero_concentrated_divergence(), k = 10L, scale = 20)
compare(sprintf("the best ten of %g scores", candidates), list(
  `exact permute-and-flip` = function() flip(arg = scores),
  `exact exponential mechanism` = function() gumbel(arg = scores),
  `Gumbel noise and order()` = function() {
    noisy <- scores - 20 * log(-log(stats::runif(candidates)))
    order(noisy, decreasing = TRUE)[1:10] - 1L
  }
))

one <- space |> then_noisy_max(max_divergence(), scale = 20)
compare(sprintf("the best of %g scores", candidates), list(
  `exact permute-and-flip` = function() one(arg = scores),
  `exponential noise and which.max()` = function() {
    which.max(scores + stats::rexp(candidates, 1 / 20)) - 1L
  }
))
