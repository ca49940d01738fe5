# What audit cases of statistics share (helper-statistic-facts.R). Each class has at least one case.

# How often dpQuantiles() releases the first of two candidates as a median, if `low` of `n` rows are
# below. Proportional to the weights of the ranks that the candidate covers.
share_of_first <- function(low, n, epsilon) {
  parts <- (1:64 - 0.5) / 64
  weigh <- function(rank) sum(exp(-epsilon / 4 * 2 * abs(rank - n / 2)))
  first <- weigh(low * parts)
  first / (first + weigh(low + (n - low) * parts))
}

# Cells that a row adds to in the rounds of dpKMeans(), in shares of ranges: an array of columns,
# clusters and rounds. A row with a missing value adds nothing.
clustered_cells <- function(row, centres, lower, upper) {
  cells <- array(0, c(3, dim(centres)))
  if (!anyNA(row)) {
    clusters <- dim(centres)[[2]]
    nearest <- max.col(-t(colSums((centres - row)^2)), "first")
    in_other <- rep(seq_len(clusters), length(nearest)) != rep(nearest, each = clusters)
    t <- pmin(pmax((row - lower) / (upper - lower), 0), 1)
    cells[] <- rbind(as.vector((1 - t)^2), as.vector(2 * t * (1 - t)), as.vector(t^2))
    cells[rep(in_other, each = 3 * length(row))] <- 0
  }
  matrix(cells, ncol = dim(centres)[[3]])
}

# Evidence for one of two rows over all rounds. The other rows have missing values. Each round has
# noise of one scale and uses the centres that the release shows.
clustered_evidence <- function(this, other) {
  function(releases, fields) {
    size <- c(length(this), fields$k)
    rounds <- array(in_columns(releases), c(size, 6, fields$iterations, length(releases)))
    evidence <- 0
    for (i in seq_len(fields$iterations)) {
      part <- function(k) array(rounds[, , k, i, ], c(size, length(releases)))
      expected <- function(row) clustered_cells(row, part(1), part(2), part(3))
      found <- matrix(rounds[, , 4:6, i, ], ncol = length(releases))
      evidence <- evidence + laplace_ratio(found, expected(this), expected(other))
    }
    evidence
  }
}

# Evidence for the first of the columns 9, 3, 0, 0 and 0, 3, 0, 0. One row counts in a different one
# of the cells [0, 1), [1, 2) and [2, 4). It moves the mean within the found bounds by their full
# width.
found_evidence <- function(releases, fields) {
  share <- fields$rng$share
  counts <- in_columns(lapply(releases, `[[`, "counts"))
  seen <- counts > magnitude_threshold(share * fields$epsilon, 3, fields$rng$beta)
  evidence <- laplace_ratio(counts, c(2, 0, 2), c(3, 0, 1), 2 / share)
  # Releases that saw the same cells have the same range.
  for (alike in split(seq_along(releases), colSums(seen * c(1, 2, 4)))) {
    range <- outermost_seen(list(lower = c(0, 1, 2), upper = c(1, 2, 4)), seen[, alike[[1]]])
    if (is.null(releases[[alike[[1]]]]$release)) next
    means <- colMeans(within_bounds(matrix(c(9, 3, 0, 0, 0, 3, 0, 0), 4), range[[1]], range[[2]]))
    scale <- diff(range) / 4 / (1 - share)
    found <- in_columns(lapply(releases[alike], `[[`, "release"))
    evidence[alike] <- evidence[alike] + laplace_ratio(found, means[[1]], means[[2]], scale)
  }
  evidence
}

# Data of neighbours, and functions that make cases (helper-audit.R).
audits_parts <- function() {
  rows <- function(x, ...) data.frame(x = x, ...)
  ends <- list(rows(c(10, 10, 0, 4)), rows(c(0, 10, 0, 4)))
  alone <- list(rows(c(1, 0, 0, 0)), rows(c(0, 0, 0, 0)))
  corner <- list(rows(c(1, 0, 0), y = c(1, 0, 0)), rows(c(0, 0, 0), y = c(0, 0, 0)))
  # Two rows of two columns that are farthest apart in a joint release.
  half_cut <- list(corner[[1]], rows(c(0, 0, 0), y = c(0.5, 0, 0)))
  # Two of the candidates 0, 3, 6, 9 are equally good, far better than the others. Moving a row from
  # below to above them makes one better by a row and the other worse.
  around <- function(low) rows(rep(c(0, 4, 5, 9), c(low, 1, 1, 60 - low)))
  tie <- list(around(30), around(29))
  half_cut_evidence <- laplace_evidence(
    c(-0.5, -0.5, 0.75, 0.75, 0.75), c(-1.5, -1, 0.75, 0.5, 0.5), c(2, 2, 2, 1, 2)
  )
  itself <- entry(1)
  # Evidence of a mean. The sum of squares adds no information.
  first <- entry(1)
  mean_case <- function(mechanism, draws) {
    list(
      make = function(excess) {
        mean_of(mechanism = mechanism, variable = "x", n = 4, rng = c(0, 10), epsilon = excess)
      },
      data = ends, evidence = first, draws = draws
    )
  }
  variance_case <- function(mechanism, draws) {
    list(
      make = function(excess) {
        variance_of(mechanism = mechanism, variable = "x", n = 4, rng = c(0, 1), epsilon = excess)
      },
      data = alone, evidence = itself, draws = draws
    )
  }
  histogram_case <- function(mechanism, epsilon, draws) {
    list(
      make = function(excess) {
        histogram_of(mechanism = mechanism, variable = "x", n = 4, rng = c(0, 10), nBins = 2,
          epsilon = epsilon * excess)
      },
      data = ends, evidence = laplace_evidence(c(2, 2), c(3, 1)), draws = draws
    )
  }
  covariance_case <- function(mechanism, losses, evidence, draws, data = corner) {
    list(
      make = function(excess) {
        arguments <- list(
          mechanism = mechanism, varType = "numeric", n = 3, columns = c("x", "y"),
          rng = list(c(0, 1), c(0, 1)), missing = "impute"
        )
        do.call(dpCovariance, c(arguments, lapply(losses, `*`, excess)))
      },
      data = data, evidence = evidence, draws = draws
    )
  }
  # A number, or several numbers weighted by `direction`, with Gaussian noise. Neighbours are
  # `share` of a standard deviation apart at a rho of 1/2. Mutants are further apart: their epsilon,
  # by the normal law at this delta, is `excess` times as large. This epsilon is below the one that
  # rho converts to.
  gaussian_case <- function(share, data, direction, build, delta = 0.05) {
    epsilon_of <- function(apart) {
      excess <- function(epsilon) gaussianAchievedDelta(apart, epsilon, 1) - delta
      stats::uniroot(excess, c(0, 40), tol = 1e-10)$root
    }
    claim <- epsilon_of(share)
    list(
      make = function(excess) {
        off <- function(apart) epsilon_of(apart) - excess * claim
        apart <- if (excess > 1) stats::uniroot(off, c(share, 5), tol = 1e-10)$root else share
        noisy <- build_after("approximate_gaussian", moved_numbers(), share / apart, delta)
        build(epsilon = noisy(d_in = 1)[[1]] * (1 + 1e-9), delta = delta)
      },
      claim = c(claim, delta), data = data, draws = 40000,
      evidence = function(releases, fields) colSums(direction * in_columns(releases))
    )
  }
  # All moments of both columns in one release.
  joint_case <- function(generator, ...) {
    arguments <- list(..., n = 3, rng = list(c(0, 1), c(0, 1)), missing = "impute")
    list(
      make = function(excess) {
        small(do.call(generator, c(arguments, list(epsilon = 2.5 * excess))))
      },
      data = half_cut, evidence = half_cut_evidence, draws = 65000
    )
  }
  # A ridge so large that coefficients stay near 0. There the slopes of two rows, with predictors 1
  # and -1, are `apart`. The claim allows for more.
  glm_case <- function(objective, epsilon, apart, draws) {
    y <- if (objective == "ols") c(-1, 1) else c(0, 1)
    row <- function(x) data.frame(y = if (objective == "ols") 1 else 0, x = x)
    plan <- list(
      objective = objective, intercept = FALSE, n = 1, parts = 1, lambda = 256, epsilon = epsilon,
      inference_share = 0, sandwich = FALSE
    )
    # Loss of the objective's noise, plus the shares of a row's curvature and of the last step.
    cost <- core_glm_budget(plan, 1)$rate * apart * 1.001 + log1p(1 / 256) + epsilon / 1024
    list(
      make = function(excess) {
        dpGLM("mechanismObjective", "numeric", 1, list(y, c(-1, 1)), y ~ x, objective,
          epsilon = epsilon * excess, intercept = FALSE, lambda = 256, inference = "none",
          missing = "impute")
      },
      claim = c(min(epsilon, cost), 0),
      data = list(row(1), row(-1)),
      evidence = first, draws = draws
    )
  }
  # Least squares in two stages, with a predictor of 1 or 0. The first stage moves the gradient by
  # 1, half of its bound. The second moves the sum of squares by 1, its full bound.
  one_step_case <- function(epsilon, draws) {
    row <- function(x) data.frame(y = 1, x = x)
    plan <- list(
      objective = "ols", intercept = FALSE, n = 1, parts = 1, lambda = 256, epsilon = epsilon,
      inference_share = 0.5, sandwich = FALSE
    )
    budget <- core_glm_budget(plan, 1)
    second <- 1 / (2 * budget$curvature_scale)
    scales <- c(1 / budget$rate, 1 / second)
    evidence <- laplace_evidence(
      c(1, 1), c(0, 0), scales,
      numbers = function(releases) in_columns(releases)[c(1, 3), , drop = FALSE] * c(256, 1)
    )
    first <- budget$rate * 1.001 + log1p(1 / 256) + epsilon / 1024
    list(
      make = function(excess) {
        dpGLM("mechanismObjective", "numeric", 1, list(c(-1, 1), c(-1, 1)), y ~ x, "ols",
          epsilon = epsilon * excess, intercept = FALSE, lambda = 256, inference = "onestep",
          inferenceShare = 0.5, missing = "impute")
      },
      claim = c(min(epsilon, first + second), 0), data = list(row(1), row(0)),
      evidence = evidence, draws = draws
    )
  }
  # The first row of the neighbours is `this` or `other`. The second row has a missing value.
  clusters_case <- function(iterations, epsilon, this, other, ...) {
    beside <- function(row) rows(c(row[[1]], NA), y = c(row[[2]], 1))
    list(
      make = function(excess) {
        small(dpKMeans(c("x", "y"), 2, 2, list(c(0, 1), c(0, 1)), epsilon * excess,
          iterations = iterations))
      },
      data = list(beside(this), beside(other)), evidence = clustered_evidence(this, other),
      draws = 65000, ...
    )
  }
  # Least squares through the origin. Enough rows are at 0 that squared residuals are capped far
  # below 1. The neighbours differ in their first row. One has a residual of about 1 at a predictor
  # of 1, which reaches the full bound of the second stage. The other has a predictor of 0. Their
  # moments are as far apart as the first stage allows.
  sandwich_case <- function(epsilon, n, draws) {
    with_first <- function(x, y) rows(c(x, numeric(n - 1)), y = c(y, numeric(n - 1)))
    others <- (n - 1) * c(-0.5, -0.5, 0.25, 0.25, 0.25)
    moments <- 9 / (1 - sandwich_share) / 8 * c(2, 2, 2, 1, 2)
    evidence <- laplace_evidence(
      c(others + c(0.5, 0.5, 0.25, 0.25, 0.25), 1), c(others + c(0, -0.5, 0, 0, 0.25), 0),
      c(moments, 1 / sandwich_share),
      numbers = function(releases) in_columns(releases)[-6, , drop = FALSE]
    )
    list(
      make = function(excess) {
        small(dpLM(y ~ x - 1, n, list(c(0, 1), c(0, 1)), epsilon * excess, vcov = "sandwich",
          missing = "impute"))
      },
      data = list(with_first(1, 1), with_first(0, 0.5)),
      evidence = evidence, draws = draws
    )
  }
  # Weighted rows. One neighbour has a row above the largest weight, the other has none.
  weighted_case <- function(draws) {
    with_first <- function(w) rows(c(1, 0, 0), y = c(1, 0, 0), w = c(w, 2, 2))
    others <- c(2, -1, -1, 0.5, 0.5, 0.5)
    evidence <- laplace_evidence(
      others + c(1, 0.5, 0.5, 0.25, 0.25, 0.25), others, c(8, 2, 2, 2, 1, 2)
    )
    list(
      make = function(excess) {
        small(dpLM(x ~ y, 3, list(c(0, 1), c(0, 1), c(0, 2)), 2.5 * excess, missing = "drop",
          vcov = "classical", weights = "w"))
      },
      data = list(with_first(5), with_first(-5)), evidence = evidence, draws = draws
    )
  }
  # Four rows in blocks. The last row is 0 or 1. With labels, the neighbours include or omit
  # it.
  blocks_case <- function(..., draws = 20000) {
    labels <- identical(list(...)$scheme, "labels")
    list(
      make = function(excess) tiny_aggregate(..., epsilon = excess),
      data = list(rows(c(0, 0, 0, if (!labels) 0)), rows(c(0, 0, 0, 1))), draws = draws,
      evidence = first
    )
  }
  # Blocks of one row each, with the rows of around().
  choice_case <- function(n, low, ...) {
    around <- function(low) rows(rep(c(0, 4, 5, 9), c(low, 1, 1, n - 2 - low)))
    list(
      make = function(excess) {
        aggregate_of(innerFun = "median", variable = "x", n = n, numSubsets = n, rng = c(0, 9),
          gridPoints = 4, epsilon = excess, ...)
      },
      data = list(around(low), around(low - 1)), evidence = itself, draws = 30000
    )
  }
  # Enough rows with each value that both are released.
  stable_case <- function(build) {
    count <- function(release, name) in_doubles(release[[name]] %||% 0)
    both <- function(release) c(count(release, "a"), count(release, "b"))
    list(
      make = function(excess) build(2 * excess),
      data = list(rows(rep(c("a", "b"), c(31, 29))), rows(rep(c("a", "b"), c(30, 30)))),
      evidence = laplace_evidence(
        c(31, 29), c(30, 30), numbers = function(releases) vapply(releases, both, double(2))
      ),
      draws = 9000
    )
  }
  environment()
}
