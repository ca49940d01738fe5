# Question: how close to the truth is each statistic, next to the other packages of R that have it?
#
#   Rscript benchmarks/rivals.R [releases]
#
# For each method the root of the mean squared error in `releases` releases of the same rows at the
# same loss, and its ratio to ours: above 1 is farther from the truth. On all sides one row is
# replaced, the number of rows is public, and the loss is pure epsilon. For a statistic with several
# numbers all errors count. DPpack and diffpriv draw noise from R's generator in floating point,
# which no privacy proof covers. Only accuracy is compared.
library(PSIlence)
for (name in c("DPpack", "diffpriv")) loadNamespace(name)
source("benchmarks/compare.R")
options(width = 110)

releases <- as.numeric(c(commandArgs(TRUE), 2000)[[1]])
losses <- c(0.1, 0.5, 1, 5)
n <- 1e4
top <- 750000
people <- PUMS5extract10000
people$income <- pmin(pmax(people$income, 0), top)

rmse <- function(found, truth) sqrt(mean((found - truth)^2))

# `ways`: functions of epsilon that return a function, which releases once. Ours is the first, and
# `theirs` are from other packages. If laws are equal, the least of eight ratios of 2000 releases is
# above 0.85 except for one time in a thousand.
least <- numeric()
rivals <- function(title, truth, ways, theirs = -1) {
  cat("\n", title, "\n", sep = "")
  errors <- vapply(losses, function(epsilon) {
    vapply(ways, function(way) {
      once <- suppressWarnings(way(epsilon), classes = "dp_warning")
      rmse(suppressMessages(replicate(releases, once())), truth)
    }, 0)
  }, numeric(length(ways)))
  errors <- matrix(errors, length(ways), dimnames = list(names(ways), paste("epsilon", losses)))
  # Where all are right the ratio is 1.
  ratios <- t(ifelse(t(errors) == errors[1, ], 1, t(errors) / errors[1, ]))
  shown <- round(ratios, 2)
  colnames(shown) <- paste("ratio", losses)
  print(cbind(as.data.frame(signif(errors, 4)), shown))
  least <<- c(least, stats::setNames(min(ratios[theirs, ]), title))
}

# A Laplace mechanism of diffpriv, whose user gives the sensitivity.
of_diffpriv <- function(target, sensitivity, data, dims = 1) {
  force(data)
  function(epsilon) {
    mechanism <- diffpriv::DPMechLaplace(target = target, sensitivity = sensitivity, dims = dims)
    params <- diffpriv::DPParamsEps(epsilon = epsilon)
    function() diffpriv::releaseResponse(mechanism, privacyParams = params, X = data)$response
  }
}

# `release(epsilon)` once.
of_dppack <- function(release) function(epsilon) function() release(epsilon)

# One of our plans, and a function that extracts its numbers.
of_ours <- function(plan, read = function(result) result$release) {
  function(epsilon) {
    statistic <- plan(epsilon)
    function() read(statistic$release(people))
  }
}

# Moments ------------------------------------------------------------------------------------------

x <- people$income
laplace <- "mechanismLaplace"
rivals("mean of income", mean(x), list(
  ours = of_ours(function(epsilon) {
    dpMean(laplace, "numeric", "income", n, c(0, top), epsilon = epsilon)
  }),
  DPpack = of_dppack(function(epsilon) DPpack::meanDP(x, epsilon, 0, top)),
  diffpriv = of_diffpriv(mean, top / n, x)
))

variance <- function(epsilon) {
  dpVariance(laplace, "numeric", "income", n, c(0, top), epsilon = epsilon)
}
rivals("variance of income", var(x), list(
  ours = of_ours(variance),
  DPpack = of_dppack(function(epsilon) DPpack::varDP(x, epsilon, 0, top)),
  diffpriv = of_diffpriv(var, top^2 / n, x)
))
rivals("standard deviation of income", sd(x), list(
  ours = of_ours(variance, function(result) sqrt(max(result$release, 0))),
  DPpack = of_dppack(function(epsilon) DPpack::sdDP(x, epsilon, 0, top))
))

# One pair, where all of the loss can go to that entry. A joint release also has both means and both
# variances.
entry <- function(result) result$release[["income"]][[2]]
pair_of <- function(...) {
  of_ours(function(epsilon) {
    dpCovariance(laplace, "numeric", n, c("income", "educ"), list(c(0, top), c(1, 16)),
      globalEps = epsilon, ...)
  }, entry)
}
rivals("covariance of income and educ", cov(x, people$educ), list(
  ours = pair_of(epsilonDist = c(1e-6, 1 - 2e-6, 1e-6)),
  DPpack = of_dppack(function(epsilon) {
    DPpack::covDP(x, people$educ, epsilon, 0, top, 1, 16)
  }),
  diffpriv = of_diffpriv(function(X) cov(X[, 1], X[, 2]), top * 15 / n, cbind(x, people$educ)),
  `ours, with all moments` = pair_of()
), theirs = 2:3)

# Counts -------------------------------------------------------------------------------------------

# Ages in the middle of their bin, so that all agree which bin it is.
edges <- seq(18, 93, length.out = 17)
bin <- findInterval(people$age, edges, rightmost.closed = TRUE)
people$binned <- ((edges[-1] + edges[-17]) / 2)[bin]
rivals("16 bins of age", tabulate(bin, 16), list(
  ours = of_ours(function(epsilon) {
    dpHistogram("numeric", "binned", n, epsilon = epsilon, rng = c(18, 93), nBins = 16)
  }, function(result) unname(unlist(result$release))),
  DPpack = of_dppack(function(epsilon) {
    DPpack::histogramDP(people$binned, epsilon, 18, 93, breaks = edges)$counts
  }),
  diffpriv = of_diffpriv(function(X) tabulate(findInterval(X, edges), 16), 2, people$binned, 16)
))

cells <- c(table(people$sex, people$married))
rivals("sex by married", cells, list(
  ours = of_ours(function(epsilon) {
    dpContingency(c("sex", "married"), list(c(0, 1), c(0, 1)), n = n, epsilon = epsilon)
  }, function(result) result$release$count),
  DPpack = of_dppack(function(epsilon) {
    c(DPpack::tableDP(people$sex, people$married, eps = epsilon))
  }),
  diffpriv = of_diffpriv(function(X) c(table(X[, 1], X[, 2])), 2,
    cbind(people$sex, people$married), 4)
))

# Quantiles ----------------------------------------------------------------------------------------

# diffpriv has an exponential mechanism, but version 0.4.2 draws each answer with a probability
# proportional to its score, not to the exponential of it.
for (prob in c(0.5, 0.9)) {
  rivals(sprintf("%g%% quantile of income", 100 * prob),
    stats::quantile(x, prob, type = 1, names = FALSE), list(
      ours = of_ours(function(epsilon) {
        dpQuantile("mechanismExponential", "numeric", "income", n, prob, c(0, top),
          epsilon = epsilon)
      }),
      DPpack = of_dppack(function(epsilon) DPpack::quantileDP(x, prob, epsilon, 0, top))
    ))
}

# Models -------------------------------------------------------------------------------------------

predictors <- people[c("age", "educ")]
# The user chooses the weight of DPpack's penalty: the best one counts.
penalties <- c(0.01, 1, 100)
of_model <- function(class, place, response, bounds, ...) {
  ways <- lapply(penalties, function(penalty) {
    of_dppack(function(epsilon) {
      model <- class$new("l2", epsilon, ..., gamma = penalty)
      model$fit(predictors, response, bounds[2, ], bounds[1, ], add.bias = TRUE)
      model$coeff[[place]]
    })
  })
  stats::setNames(ways, paste("DPpack, penalty", penalties))
}

releases <- ceiling(releases / 5)
rivals("slope of educ, income ~ age + educ",
  coef(lm(income ~ age + educ, people))[["educ"]], c(
    list(ours = of_ours(function(epsilon) {
      dpLM(income ~ age + educ, n, list(c(0, top), c(18, 93), c(1, 16)), epsilon)
    }, function(result) coef(result)[["educ"]])),
    of_model(DPpack::LinearRegressionDP, 3, x, rbind(c(18, 1, 0), c(93, 16, top)), delta = 0)
  )
)
rivals("slope of age, logit of married ~ age + educ",
  coef(glm(married ~ age + educ, stats::binomial(), people))[["age"]], c(
    list(ours = of_ours(function(epsilon) {
      dpGLM("mechanismObjective", "numeric", n, list(c(0, 1), c(18, 93), c(1, 16)),
        married ~ age + educ, "logit", epsilon)
    }, function(result) coef(result)[["age"]])),
    of_model(DPpack::LogisticRegressionDP, 2, people$married, rbind(c(18, 1), c(93, 16)))
  )
)

cat("\n")
for (title in names(least)) {
  target(paste("error of", title), "the best of DPpack and diffpriv, at any loss", least[[title]],
    at_least = 0.85)
}
