# Question: how far are private counts, means and medians off, and how many keys are released, next
# to the least that the mechanisms allow?
#
#   Rscript benchmarks/queries-accuracy.R [rows]
#
# One person for ten rows, 100 groups, at most 3 groups of a person and 5 rows in each, epsilon 1
# for all three numbers. Root mean squared errors over all groups of 20 releases. The least error
# follows only from the noise: for a count its deviation at a third of the loss, for a mean the
# deviation of the centred sum over the number of rows. For a median it is unknown.
#
# The table also shows the errors of other libraries relative to the least, with similar caps and
# losses, on different data. For keys, the fraction of the maximum. They were measured in November
# 2026.
library(PSIlence)
library(dplyr, warn.conflicts = FALSE)
source("benchmarks/compare.R")

rows <- as.numeric(c(commandArgs(TRUE), 1e6)[[1]])
repetitions <- 20
set.seed(1)
# Ten rows each, in three groups: within the caps, so that errors come only from the noise.
id <- rep(seq_len(rows / 10), each = 10)
first <- rep(sample.int(100L, rows / 10, TRUE), each = 10)
people <- data.frame(
  id = id, key = 1L + (first + 31L * rep(c(0:2, 0:2, 0:2, 0L), rows / 10)) %% 100L,
  value = 200 * rbeta(rows, 2, 3)
)

table_of <- function(data, domain) {
  dp_tbl(dp_session(dp_epsilon(1e6, delta = 1e-3)), data, dp_unit(id = id), domain)
}
capped <- table_of(people, dp_domain(key = dp_int(1, 100), value = dp_num(0, 200, missing = 100)))
query <- capped |>
  dp_truncate(by = key, max_groups = 3, max_rows_per_group = 5) |>
  group_by(key) |>
  summarise(n = dp_count(), mean = dp_mean(value), median = dp_median(value, at = 0:200))

exact <- summarise(group_by(people, key),
  n = n(), mean = mean(value), median = median(value), .groups = "drop"
)
off <- lapply(seq_len(repetitions), function(i) {
  found <- as.data.frame(release(query, epsilon = 1))
  found[c("n", "mean", "median")] - as.data.frame(exact)[c("n", "mean", "median")]
})
rmse <- vapply(c("n", "mean", "median"), function(name) {
  sqrt(mean(unlist(lapply(off, `[[`, name))^2))
}, 0)
least_count <- sqrt(2) * 15 * 3
# The mean has the count of its group, and a third of the loss for the sum about the middle.
least_mean <- sqrt(mean((sqrt(2) * 15 * 100 * 3 / exact$n)^2))

plain <- capped |>
  dp_truncate(by = key, max_groups = 10, max_rows = 100, max_rows_per_group = 10) |>
  count(key)
wide <- sqrt(mean(replicate(repetitions, mean(
  (as.data.frame(release(plain, epsilon = 1))$n - exact$n)^2
))))

# Keys of a long tail. The optimal selection keeps each with a probability that no private selection
# exceeds (Desfontaines et al. 2022, theorem 1).
places <- 9131L
sizes <- pmax(1, round(rows / 250 / seq_len(places)))
tail_of_keys <- data.frame(id = seq_len(sum(sizes)), key = rep(seq_len(places), sizes))
selecting <- table_of(tail_of_keys, dp_domain(key = dp_int())) |>
  dp_truncate(by = key, max_groups = 1, max_rows_per_group = 1) |>
  count(key) |>
  dp_keys("select")
most_likely <- function(n, epsilon, delta) {
  kept <- numeric(n + 1)
  for (i in seq_len(n)) {
    kept[i + 1] <- min(
      exp(epsilon) * kept[i] + delta, 1 - exp(-epsilon) * (1 - kept[i] - delta), 1
    )
  }
  kept[n + 1]
}
released <- replicate(repetitions, nrow(as.data.frame(
  release(selecting, epsilon = 1, delta = 1e-9)
)))
# Half of the loss selects.
sizes_there <- unique(sizes)
chances <- vapply(sizes_there, most_likely, 0, epsilon = 0.5, delta = 1e-9)
expected <- sum(chances[match(sizes, sizes_there)])

options(width = 120)
ours <- c(rmse, wide, mean(released))
least <- c(least_count, least_mean, NA, sqrt(2) * 100, expected)
of_least <- function(count, mean, wide, keys) {
  signif(c(count / 63.6, mean / 1.42, NA, wide / 141, keys / 166), 3)
}
cat("\nRoot mean squared errors, and keys released; errors of others as times the least:\n")
print(data.frame(
  what = c("count", "mean", "median", "count, caps (10, 100, 10)", "keys of 9131"),
  ours = signif(ours, 4),
  least = signif(least, 4),
  times = signif(ours / least, 3),
  OpenDP = of_least(63, 6.3, 138, 77),
  PipelineDP = of_least(63, 1.45, 144, 166),
  Tumult = of_least(64, 2.7, 149, 42),
  SmartNoise = of_least(65, 3, 146, 33),
  Qrlew = of_least(156, 7.6, 196, 139)
), row.names = FALSE, right = FALSE)

area <- "accuracy of counts, means and keys by person"
target(area, "the least error of a count", rmse[["n"]] / least_count, at_most = 1.1)
target(area, "the least error of a mean", rmse[["mean"]] / least_mean, at_most = 1.1)
target(area, "the least error of a count, wide caps", wide / (sqrt(2) * 100), at_most = 1.1)
target(area, "the most keys released", mean(released) / expected, at_least = 0.95)
