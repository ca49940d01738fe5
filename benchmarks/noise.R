# Question: what do exact noise vectors cost from R, on one thread, next to R's own inexact
# generators?
#
#   Rscript benchmarks/noise.R [values]
library(PSIlence)
source("benchmarks/compare.R")
enable_features("contrib")
set_threads(1L)

values <- as.numeric(c(commandArgs(TRUE), 1e6)[[1]])
counts <- integer(values)
amounts <- numeric(values)
integers <- function(metric) c(vector_domain(atom_domain(.T = "i32"), size = values), metric)
doubles <- function(metric) {
  c(vector_domain(atom_domain(.T = "f64", nan = FALSE), size = values), metric)
}

laplace <- integers(l1_distance(.T = "i32")) |> then_laplace(scale = 10)
gaussian <- integers(l2_distance(.T = "f64")) |> then_gaussian(scale = 10)
float_laplace <- doubles(l1_distance(.T = "f64")) |> then_laplace(scale = 10)
float_gaussian <- doubles(l2_distance(.T = "f64")) |> then_gaussian(scale = 10)

p <- 1 - exp(-1 / 10)
result <- compare(sprintf("%g values of Laplace noise, scale 10", values), list(
  `exact, integers` = function() laplace(arg = counts),
  `exact, doubles on the finest grid` = function() float_laplace(arg = amounts),
  `rgeom() - rgeom()` = function() stats::rgeom(values, p) - stats::rgeom(values, p)
), rounds = 9)
target(
  "vector of exact Laplace noise", "rgeom() - rgeom()", times_ours(result, "rgeom() - rgeom()"),
  at_least = 20
)
result <- compare(sprintf("%g values of Gaussian noise, sigma 10", values), list(
  `exact, integers` = function() gaussian(arg = counts),
  `exact, doubles on the finest grid` = function() float_gaussian(arg = amounts),
  `rnorm()` = function() stats::rnorm(values, sd = 10)
), rounds = 9)
target("vector of exact Gaussian noise", "rnorm()", times_ours(result, "rnorm()"), at_least = 3)
