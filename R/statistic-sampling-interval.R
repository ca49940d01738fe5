# Intervals for the target of the block estimates. They cover sampling and noise.

# Mean and variance of the numbers, each with the noise for a single block. They share the loss.
interval_aggregator <- function(numbers, epsilon, options) {
  moment <- function(inner, epsilon) {
    space <- numbers_space(numbers)
    results <- then_subset_statistics(space, inner, 1)
    exponent <- core_block_range(handle(space[[1]], "domain"), inner, 1)$exponent
    results |>
      then_block_total() |>
      then_protect(epsilon, d_in = as.integer(numbers$overlap)) |>
      then_mean_of(1, exponent)
  }
  share <- options$intervalShare
  # The steps of the numbers count as whole numbers here.
  parts <- core_share_epsilon(epsilon, c(1 - share, share))
  make_composition(list(moment("mean", parts[[1]]), moment("var", parts[[2]])))
}

# Results of disjoint blocks are independent, so their mean has the variance of one block over k.
# Noise adds to it. The bias of blocks is not included.
sampling_result <- function(release, steps, fields, common) {
  means <- vapply(release, \(x) x[[1]], 0) * steps
  variances <- pmax(vapply(release, \(x) x[[2]], 0), 0) * steps^2
  ranges <- rbind(fields$outputRange)
  k <- fields$numSubsets
  noise <- list(
    mean = fields$accuracy / log(1 / fields$alpha),
    variance = (ranges[, 2] - ranges[, 1])^2 / k /
      (fields$intervalShare * fields$epsilon * results_share(fields) / length(means))
  )
  reach <- sampling_reach(variances, k, noise, fields$alpha)
  ends <- cbind(means - reach, means + reach)
  c(mean_result_of(named_results(means, fields), fields, common), list(
    blockVariance = variances, samplingInterval = plain_range(ends)
  ))
}

# Distance between the mean and its target, exceeded with probability `alpha`. One fifth of alpha
# covers a variance that is larger than its noisy estimate. Student's quantile covers the
# uncertainty from few blocks. `noise` holds both scales.
sampling_reach <- function(variances, k, noise, alpha) {
  hidden <- alpha / 5
  rest <- alpha - hidden
  student <- stats::qt(rest / 2, max(k - 1, 1)) / stats::qnorm(rest / 2)
  largest <- (variances + noise$variance * max(log(1 / (2 * hidden)), 0)) / k * student^2
  mapply(noisy_normal_reach, sqrt(largest), noise$mean, rest)
}

# Returns the value that |normal + Laplace| exceeds with probability `alpha`.
noisy_normal_reach <- function(sd, scale, alpha) {
  tail <- function(h) noisy_normal_tail(h, sd, scale)
  most <- sd * stats::qnorm(alpha / 4, lower.tail = FALSE) + scale * log(2 / alpha)
  reach_of(tail, most, alpha)
}

# Returns the h between 0 and `most` that leaves alpha / 2 of a symmetric law on either side.
reach_of <- function(tail, most, alpha) {
  excess <- function(h) log(tail(h) / (alpha / 2))
  found <- stats::uniroot(excess, c(0, most), tol = most * 1e-10)
  found$root + found$estim.prec
}

# Probability that normal + Laplace is above h >= 0. With a = h / sd and c = sd / scale, it is
#   Phi(-a) + exp(c^2 / 2) / 2 (exp(-a c) Phi(a - c) - exp(a c) Phi(-a - c)),
# where exp(c^2 / 2 +- a c) Phi(-c -+ a) = exp(-a^2 / 2) mills(c +- a).
noisy_normal_tail <- function(h, sd, scale) {
  a <- if (sd > 0) h / sd else Inf
  c <- sd / scale
  near <- if (a < c) {
    exp(-a^2 / 2) * mills(c - a)
  } else {
    exp(c^2 / 2 - h / scale) * stats::pnorm(a - c)
  }
  stats::pnorm(-a) + (near - exp(-a^2 / 2) * mills(c + a)) / 2
}

# exp(u^2 / 2) Phi(-u) for u >= 0. From 1000 on, uses the first two terms of its series.
mills <- function(u) {
  if (u < 1000) exp(u^2 / 2 + stats::pnorm(-u, log.p = TRUE)) else (1 - u^-2) / (u * sqrt(2 * pi))
}
