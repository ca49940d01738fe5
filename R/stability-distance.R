# Distances of datasets and of results. Results are compared exactly: a sum of doubles is kept as an
# expansion, whose parts do not overlap, so its sign is the sign of its largest part.
# Source: Shewchuk (1997), Adaptive Precision Floating-Point Arithmetic, theorem 10.

two_sum <- function(a, b) {
  sum <- a + b
  virtual <- sum - a
  c((a - (sum - virtual)) + (b - virtual), sum)
}

# The exact product of two doubles whose magnitudes are below 2^500.
two_product <- function(a, b) {
  split <- function(x) {
    high <- (2^27 + 1) * x
    high <- high - (high - x)
    c(high, x - high)
  }
  product <- a * b
  x <- split(a)
  y <- split(b)
  rest <- ((x[[1]] * y[[1]] - product) + x[[1]] * y[[2]] + x[[2]] * y[[1]]) + x[[2]] * y[[2]]
  c(rest, product)
}

# The exact sum of doubles, from the smallest part to the largest.
expansion_of <- function(terms) {
  parts <- numeric()
  for (term in terms[terms != 0]) {
    rest <- term
    for (i in seq_along(parts)) {
      both <- two_sum(parts[[i]], rest)
      parts[[i]] <- both[[1]]
      rest <- both[[2]]
    }
    parts <- c(parts, rest)
    parts <- parts[parts != 0]
  }
  if (length(parts)) parts else 0
}

# How far `x` and `y` exceed `claim`: list(over, ratio). `over` is positive if the distance is above
# the claim, without any tolerance, and `ratio` is the distance over the claim.
excess_of <- function(x, y, claim, metric) {
  if (metric %in% dataset_metrics || metric == "DiscreteDistance") {
    gap <- if (metric == "DiscreteDistance") {
      as.numeric(!identical(x, y))
    } else {
      dataset_distance(x, y, metric)
    }
    return(list(over = gap - claim, ratio = ratio_of(gap, claim)))
  }
  numeric <- is.numeric(x) && is.numeric(y)
  if (!numeric || length(x) != length(y)) {
    same <- identical(x, y)
    return(list(over = if (same) -claim else Inf, ratio = if (same) 0 else Inf))
  }
  differs <- !(x == y | (is.na(x) & is.na(y)))
  differs[is.na(differs)] <- TRUE
  x <- as.double(x[differs])
  y <- as.double(y[differs])
  if (!all(is.finite(c(x, y)))) {
    return(list(over = Inf, ratio = Inf))
  }
  numeric_excess(x, y, as.double(claim), metric)
}

numeric_excess <- function(x, y, claim, metric) {
  if (length(x) == 0) {
    return(list(over = -claim, ratio = 0))
  }
  if (!is.finite(claim)) {
    return(list(over = -Inf, ratio = 0))
  }
  if (metric == "LInfDistance") {
    each <- Map(function(x, y) numeric_excess(x, y, claim, "AbsoluteDistance"), x, y)
    return(each[[which.max(vapply(each, `[[`, 0, "over"))]])
  }
  sides <- sign(x - y)
  if (metric != "L2Distance") {
    # Powers of two scale exactly, and only huge numbers need it.
    scale <- if (max(abs(c(x, y, claim))) > 1e300) 1 / 2^20 else 1
    terms <- scale * c(sides * x, -sides * y, -claim)
    over <- rev(expansion_of(terms))[[1]] / scale
    return(list(over = over, ratio = if (over == 0) 1 else ratio_of(over + claim, claim, over)))
  }
  size <- 2^floor(log2(max(abs(c(x, y, claim)))))
  gaps <- Map(two_sum, x / size, -y / size)
  squares <- lapply(gaps, function(gap) {
    c(two_product(gap[[1]], gap[[1]]), 2 * two_product(gap[[1]], gap[[2]]),
      two_product(gap[[2]], gap[[2]])
    )
  })
  over <- rev(expansion_of(c(unlist(squares), -two_product(claim / size, claim / size))))[[1]]
  distance <- sqrt(sum((x / size - y / size)^2)) * size
  list(over = over, ratio = ratio_of(distance, claim, if (claim > 0) over * size^2 / (2 * claim)))
}

# The ratio is above 1 exactly if the claim is exceeded, even if it rounds to 1.
ratio_of <- function(distance, claim, over = distance - claim) {
  if (claim <= 0) {
    return(if (distance > 0) Inf else 0)
  }
  ratio <- distance / claim
  if (length(over) && over > 0) max(ratio, 1 + .Machine$double.eps) else min(ratio, 1)
}

# Distances of datasets --------------------------------------------------------------------------

dataset_metrics <- c(
  "SymmetricDistance", "InsertDeleteDistance", "ChangeOneDistance", "HammingDistance"
)

name_of_metric <- function(metric) sub("[(].*", "", toString(metric))

keys_of_rows <- function(x) if (is.double(x)) sprintf("%a", x) else paste(x)

dataset_distance <- function(x, y, metric) {
  if (!is.atomic(x) || !is.atomic(y)) {
    return(if (identical(x, y)) 0 else Inf)
  }
  x <- keys_of_rows(x)
  y <- keys_of_rows(y)
  switch(metric,
    HammingDistance = if (length(x) == length(y)) sum(x != y) else Inf,
    InsertDeleteDistance = length(x) + length(y) - 2 * common_subsequence(x, y),
    {
      known <- unique(c(x, y))
      more <- tabulate(match(x, known), length(known)) - tabulate(match(y, known), length(known))
      if (metric == "SymmetricDistance") {
        sum(abs(more))
      } else if (length(x) == length(y)) {
        sum(pmax(more, 0))
      } else {
        Inf
      }
    }
  )
}

# Length of the longest common subsequence.
common_subsequence <- function(x, y) {
  best <- integer(length(y) + 1)
  for (row in x) {
    before <- best
    for (j in seq_along(y)) {
      best[[j + 1]] <- if (row == y[[j]]) before[[j]] + 1L else max(best[[j]], before[[j + 1]])
    }
  }
  best[[length(best)]]
}
