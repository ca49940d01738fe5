# Numbers computed from the release of a variance, by postprocessing.

variance_result <- function(release, fields) {
  all <- c(interval_result(release, fields), list(std = sqrt(max(release, 0))))
  all[c("release", "accuracy", "epsilon", "variable", "std", "interval")]
}

# Result of the sum and the sum of squares of all rows.
complete_variance <- function(release, fields) {
  found <- complete_moments(release, fields)
  known <- variance_of_moments(found)
  released <- found$half^2 * known$estimate
  result <- list(
    release = released, accuracy = max(abs(known$ends - released)), epsilon = fields$epsilon,
    variable = fields$variable, std = sqrt(max(released, 0)), interval = known$ends
  )
  c(result, population_of_variance(found, known$estimate, fields))
}

# Result of the rows with a value.
present_variance <- function(release, fields) {
  found <- present_moments(release, fields, TRUE)
  sampled <- fields$interval == "population"
  if (!found$enough) {
    result <- present_result(NA_real_, c(0, 2 * found$half^2), found, fields)
    few <- if (sampled) variance_fields(c(0, found$half^2), NA_real_, fields)
    return(c(result, list(std = NA_real_), few))
  }
  known <- variance_of_moments(found)
  released <- found$half^2 * known$estimate
  c(
    present_result(released, known$ends, found, fields), list(std = sqrt(max(released, 0))),
    if (sampled) population_of_variance(found, known$estimate, fields)
  )
}

# list(estimate, ends): the variance of u, and in the unit of the column what the rows may have, all
# noise being within its reach.
variance_of_moments <- function(found) {
  sum <- found$values[["sum"]]
  squares <- found$values[["squares"]]
  mean <- within_bounds(sum / found$count, -1, 1)
  estimate <- to_sample(found$count) * (squares / found$count - mean^2)
  means <- within_bounds(ratios(sum, found$reach[["sum"]], found$counts), -1, 1)
  least <- if (prod(means) < 0) 0 else min(means^2)
  powers <- within_bounds(ratios(squares, found$reach[["squares"]], found$counts), 0, 1)
  ends <- pmax(c(powers[[1]] - max(means^2), powers[[2]] - least), 0)
  ends <- ends * to_sample(rev(found$counts))
  list(estimate = estimate, ends = found$half^2 * range(ends, max(estimate, 0)))
}

# `estimate`: the variance of u. Its noise has three parts: of the squares, twice the mean times the
# noise of the sum, and, if rows are counted, of the count with the larger of both factors.
population_of_variance <- function(found, estimate, fields) {
  count <- found$count
  mean <- noisy_mean(found, fields$alpha)
  far <- min(abs(mean$estimate) + mean$reach, 1)
  likely <- min(mean$variance$most, 1)
  scales <- found$scales[c("squares", "sum", "count")] * c(1, 2 * far, max(far^2, likely))
  noise <- sqrt(unit_variance(found)) * to_sample(count) * scales / count
  sampling <- function(v) variance_of_variance(v, 1 + far, count)
  reach <- reach_of_noise(sampling(likely), matrix(noise, 1), fields$alpha, found$normal)
  ends <- within_bounds(estimate + c(-reach, reach), 0, 1)
  error <- sqrt(sampling(within_bounds(estimate, 0, 1)) + sum(noise^2))
  variance_fields(found$half^2 * ends, found$half^2 * error, fields)
}

variance_fields <- function(ends, error, fields) {
  c(population_fields(ends, fields), list(stdInterval = sqrt(ends), standardError = error))
}

# The most that the variance of a variance of n rows can be, if the population has `v` or
# less and no value is farther than `most` from the mean: (m4 - v^2 (n - 3) / (n - 1)) / n, with the
# fourth moment m4 <= most^2 v.
variance_of_variance <- function(v, most, n) {
  left <- (n - 3) / (n - 1)
  if (left > 0) v <- min(v, most^2 / (2 * left))
  (most^2 * v - left * v^2) / n
}
