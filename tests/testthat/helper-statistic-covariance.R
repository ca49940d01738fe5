# Facts about dpCovariance() for tests, see helper-statistic-facts.R.

tested_covariance <- list(
  arguments = quote(list(
    dpCovariance = c(laplace, pairs, list(columns = c("x", "y"), globalEps = 1))
  )),
  examples = quote(list(
    gaussian_covariance = form(
      dpCovariance(n = 10000, columns = c("educ", "age"), rng = pums_ranges[2:3], epsilon = 1,
        delta = 1e-9, intercept = TRUE, formula = educ ~ age, missing = "impute"),
      3, c("entries", "coefficients")
    ),
    covariance = form(
      dpCovariance("mechanismLaplace", "numeric", 10000, c("educ", "age"),
        list(c(1, 16), c(18, 93)), globalEps = 1, intercept = TRUE, formula = educ ~ age,
        missing = "impute"
      ), 3, c("entries", "coefficients")
    ),
    two_formulas = form(
      dpCovariance("mechanismLaplace", "numeric", 10000, c("educ", "age"),
        list(c(1, 16), c(18, 93)), globalEps = 1, formula = list(educ ~ age, age ~ educ),
        missing = "impute"
      ), 3, c("entries", "coefficients")
    ),
    present_covariance = form(
      covariance_of(missing = "drop", intercept = TRUE, formula = income ~ educ + age), 6,
      c("entries", "coefficients")
    ),
    weighted_covariance = form(
      covariance_of(columns = c("income", "age"), rng = pums_ranges[c(1, 3, 2)], missing = "drop",
        intercept = TRUE, formula = income ~ I(age^2), weights = "educ"), 6,
      c("entries", "coefficients")
    ),
    ranged_covariance = form(
      covariance_of(rng = do.call(rbind, pums_ranges), mechanism = "mechanismSnapping"), 6,
      "entries"
    )
  )),
  guarantees = quote(list(
    `dpCovariance, Gaussian` = with_build(covariances, function(epsilon) {
      dpCovariance(n = 3, columns = c("x", "y"), rng = list(c(0, 1), c(0, 1)), rho = epsilon^2 / 2,
        missing = "impute")
    }),
    dpCovariance = with_build(covariances, covariance_for(laplace)),
    `dpCovariance, snapping` = with_build(covariances, covariance_for(snapping))
  )),
  audits = quote(list(
    dpCovariance = covariance_case("mechanismLaplace",
      losses = list(globalEps = 2.5), data = half_cut, draws = 65000, evidence = half_cut_evidence
    ),
    `dpCovariance, by entry` = covariance_case("mechanismLaplace",
      losses = list(epsilon = rep(2.5 / 3, 3)), draws = 50000,
      evidence = laplace_evidence(rep(1 / 3, 3), rep(0, 3))
    ),
    # One entry has almost all of the loss. Three steps on grids as coarse as the noise would show
    # little.
    `dpCovariance, snapping` = covariance_case("mechanismSnapping",
      losses = list(epsilon = c(2^-10, 1, 2^-10)),
      evidence = entry(2), draws = 45000
    ),
    # Moments that differ by sqrt(8) of the allowed three.
    `dpCovariance, Gaussian` = gaussian_case(
      sqrt(8) / 3, corner, c(1, 1, 0, 0, 0), function(...) {
        dpCovariance(n = 3, columns = c("x", "y"), rng = list(c(0, 1), c(0, 1)),
          missing = "impute", ...)
      }
    )
  )),
  random = quote(list(
    `dpCovariance, Gaussian` = function() {
      count <- whole(2, 4)
      c(list(n = whole(2, 5000), columns = letters[seq_len(count)], rng = ranges(count)),
        concentrated(), gaps())
    },
    dpCovariance = function() {
      count <- whole(2, 4)
      c(
        list(
          mechanism = noisy(), missing = "impute", varType = "numeric", n = whole(2, 5000),
          columns = letters[seq_len(count)], rng = ranges(count), intercept = one_of(TRUE, FALSE),
          meanShare = share()
        ),
        covariance_loss(entries(count))
      )
    },
    `dpCovariance, dropping` = function() {
      count <- whole(2, 4)
      list(
        mechanism = "mechanismLaplace", varType = "numeric", n = whole(2, 5000),
        columns = letters[seq_len(count)], rng = ranges(count), missing = "drop",
        globalEps = epsilon()
      )
    },
    `dpCovariance, weights` = function() {
      list(
        mechanism = "mechanismLaplace", varType = "numeric", n = whole(2, 5000),
        columns = c("a", "b"), rng = c(ranges(2), list(c(0, share()))), missing = "drop",
        globalEps = epsilon(), weights = "w"
      )
    }
  )),
  covers = quote(list(
    dpCovariance = covariance_by(laplace),
    `dpCovariance, snapping` = covariance_by(snapping)
  ))
)
