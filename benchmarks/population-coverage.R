# Question: how often do intervals cover the population, and how wide are they next to classical
# intervals of the same rows, without any privacy?
#
#   Rscript benchmarks/population-coverage.R [releases [sections]]
#
# `sections` is a regular expression: only the sections whose titles it matches run.
#
# Each release has new rows, from a population whose truth is known: a law, or the census extract,
# sampled with replacement. A line has the coverage of 95% intervals at each epsilon, the coverage
# of the classical intervals of the same rows, and the median of the half-widths over the classical
# ones. With 2000 releases an exact interval shows less than .94 in one of 50 cells, and less than
# .935 in one of 1000.
library(PSIlence)
options(width = 120)

given <- commandArgs(TRUE)
releases <- as.numeric(c(given, 2000)[[1]])
sections <- c(given, "", "")[[2]]
cat(releases, "releases in each cell\n")
losses <- c(0.1, 0.5, 1, 5)
people <- PUMS5extract10000
people$income <- pmin(pmax(people$income, 0), 750000)

# Lines, one for each of the named `truth`s: `draw` makes the rows of a release, `plan` a statistic
# for epsilon, `ends` reads a matrix with a row for each truth from its result, and `classical`
# makes one from the rows. Withheld intervals are not counted, and are reported. If fewer than one
# in 20 are left there is no coverage. Lines that take too long at some of the losses are released
# only `at` others.
coverage <- function(draw, truth, plan, ends, classical, at = losses) {
  cells <- vapply(losses, function(epsilon) {
    if (!epsilon %in% at) return(matrix(NA_real_, length(truth), 4))
    statistic <- suppressWarnings(plan(epsilon), classes = "dp_warning")
    found <- replicate(releases, {
      rows <- draw()
      ours <- matrix(ends(statistic$release(rows)), ncol = 2)
      theirs <- matrix(classical(rows), ncol = 2)
      times_classical <- reach(ours) / reach(theirs)
      cbind(covers(truth, ours), covers(truth, theirs), times_classical, is.na(ours[, 1]))
    }, simplify = "array")
    withheld <- rowMeans(found[, 4, , drop = FALSE])
    few <- withheld > 0.95
    cbind(
      ifelse(few, NA, rowMeans(found[, 1, , drop = FALSE], na.rm = TRUE)),
      rowMeans(found[, 2, , drop = FALSE]),
      ifelse(few, NA, apply(found[, 3, , drop = FALSE], 1, stats::median, na.rm = TRUE)),
      withheld
    )
  }, matrix(0, length(truth), 4))
  columns <- lapply(1:4, function(kind) matrix(cells[, kind, ], length(truth)))
  lines <- cbind(
    columns[[1]], rowMeans(columns[[2]], na.rm = TRUE), columns[[3]],
    rowMeans(columns[[4]], na.rm = TRUE)
  )
  rownames(lines) <- names(truth)
  lines
}

covers <- function(truth, ends) ends[, 1] <= truth & truth <= ends[, 2]

reach <- function(ends) (ends[, 2] - ends[, 1]) / 2

# Unwanted `lines` of a section are never computed.
show_lines <- function(title, lines) {
  if (!grepl(sections, title)) return(invisible())
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

# Classical: the order statistics around the quantile, by the binomial law. In a heap of equal
# values their width is 0, and our relative width is infinite.
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

shares <- expand.grid(n = c(100, 1000), p = c(0.02, 0.1, 0.5))
show_lines("dpMean of a logical variable, next to Clopper and Pearson", Map(
  function(n, p) {
    coverage(
      function() data.frame(x = stats::rbinom(n, 1, p)),
      stats::setNames(p, sprintf("share %g, n %g", p, n)),
      function(epsilon) {
        dpMean("mechanismLaplace", "logical", "x", n, epsilon = epsilon, interval = "population")
      },
      function(result) result$populationInterval,
      function(rows) as.double(stats::binom.test(sum(rows$x), n)$conf.int)
    )
  },
  shares$n, shares$p
))

# Of the census extract ----------------------------------------------------------------------------

ranges <- list(income = c(0, 750000), age = c(18, 93), educ = c(1, 16))
drawn <- function(n) {
  people[sample(nrow(people), n, TRUE), c(names(ranges), "sex", "married", "black")]
}
by_size <- function(truth, plan, ends, classical, sizes = c(1e3, 1e4), at = losses,
                    rows = drawn) {
  lapply(sizes, function(n) {
    names(truth) <- sprintf("%s, n %g", names(truth), n)
    coverage(function() rows(n), truth, function(epsilon) plan(n, epsilon), ends, classical, at)
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

# White (1980), HC0: next to the sandwich of dpLM() and dpGLM(). `score` is a row's residual, the
# factor of its predictors.
sandwich <- function(model, score) {
  bread <- summary(model)$cov.unscaled
  meat <- crossprod(stats::model.matrix(model) * score)
  reach <- stats::qnorm(0.975) * sqrt(diag(bread %*% meat %*% bread))
  cbind(stats::coef(model) - reach, stats::coef(model) + reach)
}

show_lines("dpLM, income ~ age + educ, sandwich, next to White", by_size(
  stats::coef(stats::lm(line, people)),
  function(n, epsilon) dpLM(line, n, ranges, epsilon, vcov = "sandwich"),
  stats::confint,
  function(rows) {
    model <- stats::lm(line, rows)
    sandwich(model, stats::residuals(model))
  }
))

# Generalized linear models, in one step -----------------------------------------------------------

# Models are not true for the people of the extract, so "classical" intervals, from glm() and from
# us, need not cover. So the first section of each draws the responses from the model of the
# extract, given its predictors. The second uses the responses of the people.
marriage <- married ~ age + educ
model_sizes <- function(formula, objective, family, ranges, ..., vcov = NULL,
                        classical = stats::confint.default) {
  by_size(
    stats::coef(stats::glm(formula, family, people)),
    function(n, epsilon) {
      dpGLM(
        n = n, rng = ranges, formula = formula, objective = objective, epsilon = epsilon,
        vcov = vcov
      )
    },
    stats::confint,
    function(rows) classical(stats::glm(formula, family, rows)),
    ...
  )
}
of_model <- function(formula, family, response) {
  means <- stats::fitted(stats::glm(formula, family, people))
  function(n) {
    chosen <- sample(nrow(people), n, TRUE)
    rows <- people[chosen, c(names(ranges), "sex")]
    rows[[all.vars(formula)[[1]]]] <- response(n, means[chosen])
    rows
  }
}
marriage_ranges <- c(list(married = c(0, 1)), ranges[c("age", "educ")])
single <- function(n, means) stats::rbinom(n, 1, means)

show_lines("dpGLM logit, married ~ age + educ of the model, next to glm()",
  model_sizes(marriage, "logit", stats::binomial(), marriage_ranges,
    rows = of_model(marriage, stats::binomial(), single))
)

show_lines("dpGLM logit, married ~ age + educ, next to glm()",
  model_sizes(marriage, "logit", stats::binomial(), marriage_ranges)
)

show_lines("dpGLM logit, married ~ age + educ, sandwich, next to White",
  model_sizes(marriage, "logit", stats::binomial(), marriage_ranges,
    sizes = 1e4, at = c(1, 5), vcov = "sandwich",
    classical = function(model) sandwich(model, stats::residuals(model, "response"))
  )
)

# A count of the model is above 30 in fewer than one of 10^7 people.
schooling <- educ ~ age + sex
schooling_ranges <- function(largest) list(educ = c(0, largest), age = c(18, 93), sex = c(0, 1))
show_lines("dpGLM poisson, educ ~ age + sex of the model, next to glm()",
  model_sizes(schooling, "poisson", stats::poisson(), schooling_ranges(30),
    rows = of_model(schooling, stats::poisson(), stats::rpois))
)

show_lines("dpGLM poisson, educ ~ age + sex, next to glm()",
  model_sizes(schooling, "poisson", stats::poisson(), schooling_ranges(16))
)

# A release of a probit model takes ten times as long as one of the others.
show_lines("dpGLM probit, married ~ age + educ of the model, next to glm()",
  model_sizes(marriage, "probit", stats::binomial("probit"), marriage_ranges,
    sizes = 1e3, at = c(1, 5), rows = of_model(marriage, stats::binomial("probit"), single))
)

show_lines("dpGLM probit, married ~ age + educ, next to glm()",
  model_sizes(marriage, "probit", stats::binomial("probit"), marriage_ranges,
    sizes = 1e3, at = c(1, 5))
)

# Other noise, and rows with gaps ------------------------------------------------------------------

# A loss of rho is at most the loss of epsilon, which is half of its square.
show_lines("dpMean with Gaussian noise, rho = epsilon^2 / 2, next to t", by_size(
  c(income = mean(people$income)),
  function(n, epsilon) {
    dpMean(variable = "income", n = n, rng = ranges$income, rho = epsilon^2 / 2,
      interval = "population")
  },
  function(result) result$populationInterval,
  function(rows) as.double(stats::t.test(rows$income)$conf.int)
))

show_lines("dpLM with Gaussian noise, rho = epsilon^2 / 2, next to lm()", by_size(
  stats::coef(stats::lm(line, people)),
  function(n, epsilon) dpLM(line, n, ranges, rho = epsilon^2 / 2),
  stats::confint,
  function(rows) stats::confint(stats::lm(line, rows))
))

with_gaps <- function(n) {
  rows <- drawn(n)
  rows$income[stats::runif(n) < 0.1] <- NA
  rows
}
show_lines("dpMean(missing = \"drop\"), a tenth missing, next to t",
  lapply(c(1e3, 1e4), function(n) {
    coverage(
      function() with_gaps(n), stats::setNames(mean(people$income), sprintf("income, n %g", n)),
      function(epsilon) {
        dpMean(variable = "income", n = n, rng = ranges$income, epsilon = epsilon,
          missing = "drop", interval = "population")
      },
      function(result) result$populationInterval,
      function(rows) as.double(stats::t.test(rows$income)$conf.int)
    )
  })
)

# Of classes, tables, trees and components ---------------------------------------------------------

of_classes <- function(rows, what) {
  columns <- lapply(rows[c("age", "educ")], function(x) lapply(split(x, rows$married), what))
  do.call(rbind, unlist(columns, recursive = FALSE))
}
show_lines("dpNaiveBayes, married ~ age + educ, next to t", by_size(
  of_classes(people, mean)[, 1],
  function(n, epsilon) {
    dpNaiveBayes(marriage, c(0, 1), n, ranges[c("age", "educ")], epsilon)
  },
  function(result) result$intervals,
  function(rows) of_classes(rows, function(x) stats::t.test(x)$conf.int)
))

# Classical: the noncentral law of chi-square, which is exact only for V near 0.
cramers_v <- function(rows, by) {
  sqrt(suppressWarnings(stats::chisq.test(rows$married, rows[[by]], FALSE))$statistic / nrow(rows))
}
noncentral <- function(chi_square, p) {
  if (stats::pchisq(chi_square, 1) <= p) return(0)
  off <- function(ncp) stats::pchisq(chi_square, 1, ncp) - p
  stats::uniroot(off, c(0, 4 * chi_square + 100))$root
}
show_lines("dp_association of a dpContingency, next to noncentral chi-square",
  unlist(lapply(c("sex", "black"), function(by) {
    by_size(
      stats::setNames(cramers_v(people, by), paste("married and", by)),
      function(n, epsilon) {
        dpContingency(c("married", by), list(c(0, 1), c(0, 1)), n = n, epsilon = epsilon)
      },
      function(result) dp_association(result)$conf.int,
      function(rows) {
        chi_square <- cramers_v(rows, by)^2 * nrow(rows)
        sqrt(vapply(c(0.975, 0.025), noncentral, 0, chi_square = chi_square) / nrow(rows))
      }
    )
  }), recursive = FALSE)
)

# Edges of leaves, by the requested value of the distribution function.
of_tree <- function(variable, rng, edges) {
  by_size(
    stats::setNames(vapply(edges, function(edge) mean(people[[variable]] < edge), 0),
      sprintf("%s below %g", variable, edges)),
    function(n, epsilon) {
      dpTree(variable = variable, n = n, rng = rng, depth = 6, epsilon = epsilon)
    },
    function(result) {
      as.matrix(result$cdf[match(edges, result$cdf$val), c("lower", "upper")])
    },
    function(rows) {
      t(vapply(edges, function(edge) {
        as.double(stats::binom.test(sum(rows[[variable]] < edge), nrow(rows))$conf.int)
      }, c(0, 0)))
    }
  )
}
show_lines("dpTree, next to Clopper and Pearson", c(
  of_tree("age", c(0, 128), c(24, 46, 72)), of_tree("income", c(0, 2^19), 2^c(13, 15, 17))
))

# Normal rows, as the intervals assume. Intervals of components that may be only noise count as
# withheld. Classical: Anderson (1963).
deviations <- c(first = 1, second = 0.5, third = 0.25)
show_lines("dpPCA of normal rows, next to Anderson", lapply(c(1e3, 1e4), function(n) {
  coverage(
    function() as.data.frame(lapply(deviations, function(sd) stats::rnorm(n, 0, sd))),
    stats::setNames(deviations^2, sprintf("variance of the %s, n %g", names(deviations), n)),
    function(epsilon) {
      dpPCA(names(deviations), 3, n, lapply(5 * deviations, function(end) c(-end, end)), epsilon)
    },
    function(result) if (result$status == "ok") result$intervals else matrix(NA_real_, 3, 2),
    function(rows) {
      variances <- eigen(stats::cov(rows))$values
      outer(variances, 1 + stats::qnorm(c(0.025, 0.975)) * sqrt(2 / n))
    }
  )
}))
