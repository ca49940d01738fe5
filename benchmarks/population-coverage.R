# Question: how often do intervals cover what the rows were drawn from, and how wide are they next
# to those that classical statistics has of the same rows, without any privacy?
#
#   Rscript benchmarks/population-coverage.R [releases]
#
# Each release has rows of its own, of a population whose truth is known: a law, or the census
# extract, of which rows are drawn with replacement. A line has the share of intervals of 95% that
# cover at each epsilon, that of the classical intervals of the same rows, and the median of the
# half-widths over the classical ones. With 2000 releases an exact interval shows less than .94 in
# one of 50 cells, and less than .935 in one of 1000.
library(PSIlence)
options(width = 120)

releases <- as.numeric(c(commandArgs(TRUE), 2000)[[1]])
cat(releases, "releases in each cell\n")
losses <- c(0.1, 0.5, 1, 5)
people <- PUMS5extract10000
people$income <- pmin(pmax(people$income, 0), 750000)

# Lines, one for each of the named `truth`s: `draw` makes the rows of a release, `plan` a statistic
# of epsilon, `ends` reads a matrix with a row for each truth from its result, and `classical` makes
# one of the rows. Intervals that a release withheld are not counted, and said to be.
coverage <- function(draw, truth, plan, ends, classical) {
  cells <- vapply(losses, function(epsilon) {
    statistic <- suppressWarnings(plan(epsilon), classes = "dp_warning")
    found <- replicate(releases, {
      rows <- draw()
      ours <- matrix(ends(statistic$release(rows)), ncol = 2)
      theirs <- matrix(classical(rows), ncol = 2)
      times_classical <- reach(ours) / reach(theirs)
      cbind(covers(truth, ours), covers(truth, theirs), times_classical, is.na(ours[, 1]))
    }, simplify = "array")
    cbind(
      rowMeans(found[, 1, , drop = FALSE], na.rm = TRUE), rowMeans(found[, 2, , drop = FALSE]),
      apply(found[, 3, , drop = FALSE], 1, stats::median, na.rm = TRUE),
      rowMeans(found[, 4, , drop = FALSE])
    )
  }, matrix(0, length(truth), 4))
  columns <- lapply(1:4, function(kind) matrix(cells[, kind, ], length(truth)))
  lines <- cbind(columns[[1]], rowMeans(columns[[2]]), columns[[3]], rowMeans(columns[[4]]))
  rownames(lines) <- names(truth)
  lines
}

covers <- function(truth, ends) ends[, 1] <= truth & truth <= ends[, 2]

reach <- function(ends) (ends[, 2] - ends[, 1]) / 2

show_lines <- function(title, lines) {
  cat("\n", title, "\n", sep = "")
  table <- do.call(rbind, lines)
  colnames(table) <- c(
    paste("covers", losses), "classical", paste("width", losses), "withheld"
  )
  print(cbind(round(as.data.frame(table[, 1:5, drop = FALSE]), 3),
    signif(table[, 6:9, drop = FALSE], 3), withheld = round(table[, 10], 3)))
  cells <- table[, seq_along(losses)]
  cells <- cells[!is.na(cells)]
  below <- sum(cells < 0.94)
  cat(sprintf("least %.3f; below .94: %d of %d cells\n", min(cells), below, length(cells)))
}

# Populations of one column ------------------------------------------------------------------------

lognormal <- function(n) pmin(rlnorm(n), 20)
mean_of_lognormal <- stats::integrate(function(x) pmin(exp(x), 20) * stats::dnorm(x), -9, 9)$value
squares <- stats::integrate(function(x) pmin(exp(x), 20)^2 * stats::dnorm(x), -9, 9)$value
populations <- list(
  `uniform` = list(draw = runif, mean = 1 / 2, variance = 1 / 12, range = c(0, 1),
    quantile = identity),
  `beta(2, 8)` = list(draw = function(n) rbeta(n, 2, 8), mean = 0.2, variance = 16 / 1100,
    range = c(0, 1), quantile = function(p) qbeta(p, 2, 8)),
  `beta(9, 1)` = list(draw = function(n) rbeta(n, 9, 1), mean = 0.9, variance = 9 / 1100,
    range = c(0, 1), quantile = function(p) qbeta(p, 9, 1)),
  `lognormal up to 20` = list(draw = lognormal, mean = mean_of_lognormal,
    variance = squares - mean_of_lognormal^2, range = c(0, 20), quantile = qlnorm),
  `age` = list(draw = function(n) sample(people$age, n, TRUE), mean = mean(people$age),
    variance = mean(people$age^2) - mean(people$age)^2, range = c(18, 93),
    quantile = function(p) stats::quantile(people$age, p, type = 1, names = FALSE)),
  `income` = list(draw = function(n) sample(people$income, n, TRUE), mean = mean(people$income),
    variance = mean(people$income^2) - mean(people$income)^2, range = c(0, 750000),
    quantile = function(p) stats::quantile(people$income, p, type = 1, names = FALSE))
)
each_population <- function(sizes, line) {
  lines <- list()
  for (name in names(populations)) {
    for (n in sizes) {
      population <- populations[[name]]
      found <- line(function() data.frame(x = population$draw(n)), population, n)
      rownames(found) <- paste0(rownames(found), sprintf("%s, n %g", name, n))
      lines <- c(lines, list(found))
    }
  }
  lines
}

show_lines("dpMean(interval = \"population\"), next to t", each_population(c(100, 1e3, 1e4),
  function(rows, population, n) {
    coverage(rows, population$mean, function(epsilon) {
      dpMean("mechanismLaplace", "numeric", "x", n, population$range, epsilon = epsilon,
        interval = "population")
    }, function(result) result$populationInterval, function(rows) {
      mean(rows$x) + stats::qt(c(0.025, 0.975), n - 1) * stats::sd(rows$x) / sqrt(n)
    })
  }
))

# Classical: the fourth moment of the rows.
show_lines("dpVariance(interval = \"population\"), next to the fourth moment",
  each_population(c(100, 1e3, 1e4), function(rows, population, n) {
    coverage(rows, population$variance, function(epsilon) {
      dpVariance("mechanismLaplace", "numeric", "x", n, population$range, epsilon = epsilon,
        interval = "population")
    }, function(result) result$populationInterval, function(rows) {
      v <- stats::var(rows$x)
      fourth <- mean((rows$x - mean(rows$x))^4)
      v + stats::qnorm(c(0.025, 0.975)) * sqrt(max(fourth - v^2 * (n - 3) / (n - 1), 0) / n)
    })
  })
)

# Classical: the order statistics between which the quantile is, by the binomial law. In a heap of
# equal values their width is 0, and ours over it infinite.
probs <- c(`10%` = 0.1, `50%` = 0.5, `90%` = 0.9)
show_lines("dpQuantiles(interval = \"population\"), next to order statistics",
  each_population(c(100, 1e3, 1e4), function(rows, population, n) {
    truth <- stats::setNames(population$quantile(probs), paste0(names(probs), " of "))
    ranks <- vapply(probs, stats::qbinom, c(0, 0), p = c(0.025, 0.975), size = n) + c(0, 1)
    coverage(rows, truth, function(epsilon) {
      dpQuantiles(varType = "numeric", variable = "x", n = n, probs = probs,
        rng = population$range, epsilon = epsilon, gridPoints = 101, interval = "population")
    }, function(result) result$populationInterval, function(rows) {
      sorted <- sort(rows$x)
      t(matrix(sorted[pmin(pmax(ranks, 1), n)], 2))
    })
  })
)

# Shares -------------------------------------------------------------------------------------------

shares <- list()
for (p in c(0.02, 0.1, 0.5)) {
  for (n in c(100, 1000)) {
    truth <- stats::setNames(p, sprintf("share %g, n %g", p, n))
    shares <- c(shares, list(coverage(
      function() data.frame(x = stats::rbinom(n, 1, p)), truth,
      function(epsilon) {
        dpMean("mechanismLaplace", "logical", "x", n, epsilon = epsilon, interval = "population")
      },
      function(result) result$populationInterval,
      function(rows) as.double(stats::binom.test(sum(rows$x), n)$conf.int)
    )))
  }
}
show_lines("dpMean of a logical variable, next to Clopper and Pearson", shares)

# Of the census extract ----------------------------------------------------------------------------

ranges <- list(income = c(0, 750000), age = c(18, 93), educ = c(1, 16))
drawn <- function(n) people[sample(nrow(people), n, TRUE), c(names(ranges), "sex")]
by_size <- function(truth, plan, ends, classical) {
  lapply(c(1e3, 1e4), function(n) {
    names(truth) <- sprintf("%s, n %g", names(truth), n)
    coverage(function() drawn(n), truth, function(epsilon) plan(n, epsilon), ends, classical)
  })
}

means <- tapply(people$income, people$sex, mean)
show_lines("dpMeanDifference, next to Welch", by_size(
  c(`income by sex` = means[["0"]] - means[["1"]]),
  function(n, epsilon) dpMeanDifference("income", "sex", c(0, 1), n, ranges$income, epsilon),
  function(result) result$populationInterval,
  function(rows) {
    as.double(stats::t.test(rows$income[rows$sex == 0], rows$income[rows$sex == 1])$conf.int)
  }
))

show_lines("dpCorrelation, next to Fisher's z", by_size(
  c(`income and educ` = stats::cor(people$income, people$educ)),
  function(n, epsilon) dpCorrelation(c("income", "educ"), n, ranges[c("income", "educ")], epsilon),
  function(result) result$intervals[1, ],
  function(rows) as.double(stats::cor.test(rows$income, rows$educ)$conf.int)
))

line <- income ~ age + educ
show_lines("dpLM, income ~ age + educ, next to lm()", by_size(
  stats::coef(stats::lm(line, people)),
  function(n, epsilon) dpLM(line, n, ranges, epsilon),
  stats::confint,
  function(rows) stats::confint(stats::lm(line, rows))
))
