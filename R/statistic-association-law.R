# Simulated law of a chi-square and its interval.

# Largest p-value over several populations of independent variables. If all had the released
# margins, a level that noise has emptied would be empty in each table, and the test would reject
# too often. Berger and Boos (1994) take the largest over a confidence set of margins. Here the
# margins are the released ones, and some that are drawn around them.
p_value <- function(fit, table, draws) {
  noise <- table_noise(table, tried_populations - 1)
  populations <- independent_populations(cbind(table$counts, table$counts + noise), table)
  # Counts the released table as one of the draws, so the p-value is never 0.
  max(apply(populations, 2, function(counts) {
    simulated <- in_blocks_of_draws(length(counts), draws, function(size) {
      chi_squares(noisy_draws(counts, table, TRUE, size), table)
    })
    (1 + sum(simulated >= fit$chi_square)) / (1 + draws)
  }))
}

tried_populations <- 10

# Expected tables under independence, with the margins of each noisy table, in columns.
independent_populations <- function(tables, table) {
  inner <- tables[table$inner, , drop = FALSE]
  place <- inner_places(table)
  others <- tables[-table$inner, , drop = FALSE]
  valid <- count_projections(rbind(rowsum(inner, place$first), others), table$n)
  first <- valid[seq_len(table$levels[[1]]), , drop = FALSE]
  rows <- colSums(first)
  second <- count_projections(rowsum(inner, place$second), rows)
  expected <- first[place$first, , drop = FALSE] * second[place$second, , drop = FALSE] /
    rep(rows, each = nrow(inner))
  tables[table$inner, ] <- ifelse(is.finite(expected), expected, 0)
  tables[-table$inner, ] <- valid[-seq_len(table$levels[[1]]), , drop = FALSE]
  tables
}

# Levels of each variable for the inner cells.
inner_places <- function(table) {
  list(
    first = rep(seq_len(table$levels[[1]]), table$levels[[2]]),
    second = rep(seq_len(table$levels[[2]]), each = table$levels[[1]])
  )
}

# Tables as a release has them, without negative counts, in columns. They are for samples of the
# population `counts`, or for `counts` without sampling.
noisy_draws <- function(counts, table, sampling, draws, noise = table_noise(table, draws)) {
  rows <- if (sampling) {
    multinomial_draws(counts, table$n, draws)
  } else {
    matrix(counts, length(counts), draws)
  }
  count_projections(rows + noise, table$n)
}

# Samples of `n` rows, in columns. `n` can be too large for stats::rmultinom().
multinomial_draws <- function(weights, n, draws) {
  rest <- rev(cumsum(rev(weights)))
  left <- rep(n, draws)
  rows <- matrix(0, length(weights), draws)
  for (i in which(weights > 0)) {
    rows[i, ] <- stats::rbinom(draws, left, weights[[i]] / rest[[i]])
    left <- left - rows[i, ]
  }
  rows
}

# Simulates noise from negative binomial variables, which are sums of geometric ones. The difference
# of two is a sum of discrete Laplace variables.
table_noise <- function(table, draws) {
  count <- length(table$counts) * draws
  one_side <- function() {
    stats::rnbinom(count, table$terms, -expm1(-table$epsilon / histogram_sensitivity))
  }
  matrix(one_side() - one_side(), ncol = draws)
}

# Chi-square of each column.
chi_squares <- function(tables, table) {
  inner <- tables[table$inner, , drop = FALSE]
  place <- inner_places(table)
  rows <- rep(colSums(inner), each = nrow(inner))
  expected <- rowsum(inner, place$first)[place$first, , drop = FALSE] *
    rowsum(inner, place$second)[place$second, , drop = FALSE] / rows
  parts <- (inner - expected)^2 / expected
  parts[!is.finite(parts)] <- 0
  as.vector(colSums(parts))
}

cramers_v <- function(chi_square, rows, levels) {
  v <- sqrt(chi_square / (rows * min(levels - 1)))
  ifelse(is.finite(v), pmin(v, 1), 0)
}

# Interval of the associations under which the released V is not extreme.
v_interval <- function(fit, table, alpha, sampling, draws) {
  v_of <- function(tables) {
    rows <- colSums(tables[table$inner, , drop = FALSE])
    cramers_v(chi_squares(tables, table), rows, table$levels)
  }
  population <- function(strength) {
    moved <- fit$expected + strength * (fit$observed - fit$expected)
    replace(fit$all, table$inner, pmax(moved, 0))
  }
  v <- vapply(strengths, function(strength) v_of(matrix(population(strength))), 0)
  # Uses the same noise for all strengths, so the ends rise smoothly.
  drawn <- in_blocks_of_draws(length(table$counts), draws, function(size) {
    noise <- table_noise(table, size)
    v <- vapply(strengths, FUN.VALUE = numeric(size), function(strength) {
      v_of(noisy_draws(population(strength), table, sampling, size, noise))
    })
    matrix(v, length(strengths), byrow = TRUE)
  })
  ends <- apply(drawn, 1, middle_of_draws, alpha)
  released <- v_of(matrix(fit$all))
  c(
    crossing(v, ends[2, ], released, before = 0, behind = max(v)),
    crossing(v, ends[1, ], released, before = 0, behind = 1)
  )
}

# Ends that contain a further draw with probability 1 - `alpha`, if draws have no ties: m draws
# leave m + 1 equally likely gaps.
middle_of_draws <- function(draws, alpha) {
  stats::quantile(draws, c(alpha / 2, 1 - alpha / 2), names = FALSE, type = 6)
}

# Values of t in E + t (O - E).
strengths <- c(seq(0, 2, by = 0.1), 2.5, 3, 4, 6, 8, 12)

# Point x where the rising curve of `y` over `x` reaches `level`.
crossing <- function(x, y, level, before, behind) {
  order <- order(x)
  x <- x[order]
  y <- cummax(y[order])
  if (y[[1]] > level) {
    return(before)
  }
  last <- max(which(y <= level))
  if (last == length(y)) {
    return(behind)
  }
  x[[last]] + (x[[last + 1]] - x[[last]]) * (level - y[[last]]) / (y[[last + 1]] - y[[last]])
}
