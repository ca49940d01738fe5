# Coverage of population variances and quantiles by their intervals.

runs <- in_tier(100, 2000)

# Skewness may reduce the coverage of 95% by one point, because variances and proportions of few
# rows are not normal.
covers_enough <- function(hits) sum(hits) >= least_of(length(hits), 0.94)

# Incomes: an eighth is zero, the others are multiples of a thousand. (With a tenth, all values from
# 0 to the next would be 10% quantiles, and an interval with any of them would be right.)
incomes <- local({
  values <- seq(0, 200000, 1000)
  edges <- c(-Inf, log(values[-c(1, length(values))] + 500), Inf)
  shares <- c(1 / 8, 7 / 8 * diff(stats::pnorm(edges, 10, 0.9)))
  list(values = c(0, values[-1]), shares = shares)
})

lognormal_moment <- function(k) {
  stats::integrate(function(z) pmin(exp(z), 20)^k * stats::dnorm(z), -9, 9)$value
}

populations <- list(
  lognormal = list(
    draw = function(n) pmin(stats::rlnorm(n), 20), rng = c(0, 20),
    variance = lognormal_moment(2) - lognormal_moment(1)^2, quantile = stats::qlnorm
  ),
  uniform = list(
    draw = stats::runif, rng = c(0, 1), variance = 1 / 12, quantile = stats::qunif
  ),
  beta = list(
    draw = function(n) stats::rbeta(n, 9, 1), rng = c(0, 1), variance = 9 / 1100,
    quantile = function(p) stats::qbeta(p, 9, 1)
  ),
  incomes = list(
    draw = function(n) sample(incomes$values, n, TRUE, incomes$shares), rng = c(0, 200000),
    variance = sum(incomes$shares * incomes$values^2) - sum(incomes$shares * incomes$values)^2,
    quantile = function(p) {
      incomes$values[vapply(p, function(p) which(cumsum(incomes$shares) >= p)[[1]], 0)]
    }
  )
)

# The quick tier uses some cells, with every size, epsilon and rule for gaps.
cells <- expand.grid(n = c(100, 1000, 10000), epsilon = c(0.1, 0.5, 1, 5))
cells$gaps <- rep(c(0, 0.1), 6)
cells <- cells[in_tier(c(1, 2, 6, 7, 11, 12), 1:12), ]

sampled <- function(generator, n, epsilon, ...) {
  exactly(built(generator, list(
    varType = "numeric", variable = "x", n = n, epsilon = epsilon, interval = "population", ...
  )))
}

# One row per release and one column per truth.
hits_of <- function(statistic, draw, truth, missing = 0) {
  found <- replicate(runs, {
    x <- draw(statistic$n)
    if (missing > 0) x[seq_len(missing * statistic$n)] <- NA
    ends <- matrix(statistic$release(data.frame(x = x))$populationInterval, ncol = 2)
    ends[, 1] <= truth & truth <= ends[, 2]
  })
  t(matrix(found, ncol = runs))
}

for (name in names(populations)) {
  from <- populations[[name]]

  test_that(paste("intervals of a variance cover it:", name), {
    withr::local_seed(1)
    for (i in seq_len(nrow(cells))) {
      gaps <- cells$gaps[[i]]
      variance <- sampled(
        dpVariance, cells$n[[i]], cells$epsilon[[i]], mechanism = "mechanismLaplace",
        rng = from$rng, missing = if (gaps > 0) "drop" else "impute"
      )
      hits <- hits_of(variance, from$draw, from$variance, gaps)
      expect_true(covers_enough(hits), info = paste(cells$n[[i]], cells$epsilon[[i]], mean(hits)))
    }
  })

  test_that(paste("intervals of quantiles cover them:", name), {
    withr::local_seed(2)
    probs <- c(0.1, 0.5, 0.9)
    for (i in seq_len(nrow(cells))) {
      gaps <- cells$gaps[[i]]
      quantiles <- sampled(
        dpQuantiles, cells$n[[i]], cells$epsilon[[i]], probs = probs, rng = from$rng,
        gridPoints = 21, missing = if (gaps > 0) "drop" else "impute"
      )
      hits <- hits_of(quantiles, from$draw, from$quantile(probs), gaps)
      for (j in seq_along(probs)) {
        label <- paste(cells$n[[i]], cells$epsilon[[i]], probs[[j]], mean(hits[, j]))
        expect_true(covers_enough(hits[, j]), info = label)
      }
    }
  })
}

test_that("the check detects intervals that use only the noise's law", {
  withr::local_seed(3)
  uniform <- populations$uniform
  variance <- exactly(variance_of(variable = "x", n = 1000, rng = c(0, 1), epsilon = 5))
  hits <- replicate(300, {
    ends <- variance$release(data.frame(x = uniform$draw(1000)))$interval
    ends[[1]] <= uniform$variance && uniform$variance <= ends[[2]]
  })
  expect_false(covers_enough(hits))
})
